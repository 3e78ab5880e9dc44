"""A run of a system as a scenario: the jobs get names, the steps become events, and the loop is where it repeats.

Of jobs that are alike the one that has waited, run or drained longest moves. Trusted: nothing; a scenario is played on
the specification and the reference (`witness.play`) like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from ...spec import events as ev
from ...spec.expr.python import evaluate
from ...spec.formats.scenario import Breaks, Scenario, Step
from .counters import NOBODY, Counters, Waits
from .fairness import Run
from .kinds import Kind
from .model import Transition
from .plans import Plan, Victims
from .search import Space


def scenario(counters: Counters, space: Space, run: Run, breaks: Breaks, kind: Kind | None, about: str) -> Scenario:
    """The run as a scenario; `breaks` is given the name of the job of the kind that waits."""
    names = _Names(counters)
    steps: list[Step] = []
    at = 0
    for transition, to in run.stem:
        steps += names.events(space.model.transitions[transition], space.state(at), space.state(to))
        at = to
    repeats = len(steps) + 1
    if kind is not None:
        breaks = Breaks(breaks.guarantee, breaks.how, names.first(kind))
    for transition, to in run.loop:
        steps += names.events(space.model.transitions[transition], space.state(at), space.state(to))
        at = to
    return Scenario(space.model.name, about, counters.config, tuple(steps), counters.readings, (), breaks,
                    repeats if run.loop else None)  # fmt: skip


class _Names:
    """The jobs of a state by name, those first that have been where they are longest."""

    def __init__(self, counters: Counters) -> None:
        self.c = counters
        self.submitted = {k.name: 0 for k in counters.kinds}
        self.waiting: dict[str, list[str]] = {k.name: [] for k in counters.kinds}
        self.running: dict[str, list[str]] = {k.name: [] for k in counters.kinds}
        self.draining: dict[tuple[str, Waits], list[str]] = {
            (k.name, w): [] for k in counters.kinds for w in counters.classes
        }
        self.claimants: dict[str, str] = {}

    def first(self, kind: Kind) -> str:
        """The waiting job of a kind that moves next: the one with the claim, or the one that has waited longest."""
        claimant = self.claimants.get(kind.share)
        return claimant if claimant in self.waiting[kind.name] else self.waiting[kind.name][0]

    def events(self, step: Transition, before: dict[str, int], after: dict[str, int]) -> Iterator[ev.Event]:
        """The events of a step, and the names after it."""
        kind = cast("Kind", step.about.get("kind"))
        match step.about["event"]:
            case "submit":
                self.submitted[kind.name] += 1
                name = f"{kind.name}-{self.submitted[kind.name]}"
                self.waiting[kind.name].append(name)
                yield ev.Submit(name, kind.share, dict(kind.size), kind.priority)
            case "finish":
                yield ev.Finish(self.running[kind.name].pop(0))
            case "stop":
                name = self.draining[kind.name, cast("Waits", step.about["waits"])].pop(0)
                self.waiting[kind.name].append(name)
                yield ev.Stopped(name)
            case "dispatch":
                name = self.first(kind)
                self.waiting[kind.name].remove(name)
                self.running[kind.name].append(name)
                if self.claimants.get(kind.share) == name:
                    del self.claimants[kind.share]
                yield ev.Dispatch(name)
            case "release":
                yield ev.Release(self.claimants.pop(cast("str", step.about["share"])))
            case "more":
                yield ev.Release(self.first(kind))
                yield self._claim(kind, step, before)
            case _:
                yield self._claim(kind, step, before)
        for k in self.c.kinds:
            self._recount(k, after)

    def _claim(self, kind: Kind, step: Transition, before: dict[str, int]) -> ev.Claim:
        plan, found = cast("Plan", step.about["plan"]), cast("dict[Victims, Plan]", step.about["plans"])
        holds = step.about["event"] != "preempt"
        order = _order(found, plan, before)
        assert order is not None, f"no order of victims is allowed for {step.name}"
        victims = [self.running[victim].pop(0) for victim in order]
        for victim, name in zip(order, victims, strict=True):
            self.draining[victim, Waits(kind.share) if holds else NOBODY].append(name)
        job = self.first(kind)
        if holds:
            self.claimants[kind.share] = job
        return ev.Claim(job, tuple(victims), holds)

    def _recount(self, kind: Kind, after: dict[str, int]) -> None:
        """Draining jobs of a claim that has ended, or of nobody's, count for the claim that they wait for now."""
        lists = {w: self.draining[kind.name, w] for w in self.c.classes}
        counts = {w: after[self.c.draining_name(kind, w)] for w in self.c.classes}
        moved: list[str] = []
        for waits, names in lists.items():
            surplus = len(names) - counts[waits]
            if surplus > 0:
                moved += names[:surplus]
                del names[:surplus]
        for waits, names in lists.items():
            short = counts[waits] - len(names)
            names[:0] = moved[:short]
            del moved[:short]


def _order(found: dict[Victims, Plan], plan: Plan, state: dict[str, int]) -> Sequence[str] | None:
    """An order of victims in which each may be told to stop at its turn."""
    if not plan.victims:
        return ()
    for last, (before, guard) in plan.turns.items():
        if evaluate(guard, state):
            earlier = _order(found, found[before], state)
            if earlier is not None:
                return (*earlier, last)
    return None
