"""A scheduler made from the rules alone: it takes any step that the specification's guards allow, drawn by a seed.

It has no order among shares, no preferred victims, no plan: who starts, who claims and who is told to stop is chosen at
random among all that is allowed, and victims stop at any time. So its traces are legal ones that no other scheduler
takes, and the guards are tested: what they allow must keep every promise, also where nothing is allowed any more.
With other `asks` it is a scheduler that has one rule wrong. Trusted: the judge's book.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...spec import events as ev
from ...spec.formats.scenario import Expect, Scenario, Settle, Step
from ...spec.model import ENDED, HOLDING, QueueConfig, Stage
from ...spec.observations import Observation, Preempted, Rejected, Settled, observed
from ...spec.readings import Readings
from ..judge import rules
from ..judge.book import Book
from ..judge.jobs import Entry
from ..judge.start import other_heads, situation
from ..judge.state import Build, Situation
from ..witness.play import signature
from .backend import Answer, Declaration, Report, Unable
from .inputs import possible
from .told import words

_UNSEEN = 100
"""Steps of one settle before states are compared, which costs more than the steps."""
_LONGEST = 2000
"""Steps of one settle after which it is given up."""


class NeverSettles(RuntimeError):
    """The scheduler came back to a state that it had left by a step of its own."""


@dataclass(frozen=True)
class ByRules:
    """Any scheduler that the rules allow. `asks` tells it whether a formula of `judge.rules` holds in a situation."""

    seed: int = 0
    name: str = "by-rules"
    choices: Mapping[str, str] = field(default_factory=dict[str, str])
    asks: Callable[[Situation, Build], bool] = Situation.holds

    def declare(self) -> Declaration:
        return Declaration(self.name, claims=True, choices=self.choices)

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        for scenario in scenarios:
            queue, seen = _Queue(self, scenario.config), list[Observation]()
            try:
                for step in scenario.steps:
                    for what in queue.do(step):
                        seen.append(what)
            except NeverSettles as error:
                yield Unable(str(error), code="never-settles", seen=seen)
            else:
                yield Report(seen)

    def close(self) -> None:
        """There is nothing to end."""


class _Queue:
    """One queue, told one step at a time."""

    def __init__(self, backend: ByRules, config: QueueConfig) -> None:
        self.book = Book(config, Readings().assuming(backend.choices))
        self.asks = backend.asks
        self.rng = random.Random(backend.seed)

    def do(self, step: Step) -> Iterator[Observation]:
        """What happens because of a step; nothing for one that is impossible now."""
        if isinstance(step, Expect):
            return
        if isinstance(step, Settle):
            yield from self._settle(step.drains)
            yield Settled()
        elif isinstance(step, ev.Submit) and (why := self._refused(step)):
            yield Rejected(step.job, step.share, why)
        elif possible(self.book, step):
            yield from self._done(step)

    def _settle(self, drains: bool) -> Iterator[Observation]:
        met: set[tuple[object, ...]] = set()
        for number in range(_LONGEST):
            step = self._next(drains)
            if step is None:
                return
            if number >= _UNSEEN and isinstance(step, ev.SchedulerEvent):
                before = signature(self.book)
                if before in met:
                    raise NeverSettles(f"the same state again before {words(step)}")
                met.add(before)
            yield from self._done(step)
        raise NeverSettles(f"it has not settled after {_LONGEST} steps")

    def _done(self, event: ev.Event) -> Iterator[Observation]:
        self.book.record(event)
        job = self.book.jobs.get(getattr(event, "job", ""))
        if isinstance(event, ev.Finish) and job and job.stage not in ENDED:
            yield Preempted(job.name, job.stage, job.preemptions)
        elif isinstance(event, ev.Finish) and job:
            yield ev.Finish(job.name, failed=job.stage is Stage.FAILED)
        else:
            yield from (seen.what for seen in observed(0, event, self.book.jobs))

    def _refused(self, event: ev.Submit) -> str:
        if event.share not in self.book.now.shares:
            return f"there is no share {event.share}"
        at = Situation(self.book, event.share)
        return "" if at.holds(rules.g13_submit) else f"share {event.share} or the queue is DISABLED"

    # what is allowed

    def _next(self, drains: bool) -> ev.Event | None:
        platform = self._platform() if drains else None
        if platform and self.rng.random() < 0.3 and not self._over():
            return platform
        return self._scheduler() or platform

    def _platform(self) -> ev.Event | None:
        """A victim stops, or a deletion goes on."""
        draining = [j.name for j in self.book.draining()]
        steps: list[ev.Event] = [ev.Stopped(self.rng.choice(draining))] if draining else []
        for share in sorted(self.book.now.deleting):
            live = [j.name for j in self.book.jobs.values() if j.share == share and j.stage not in ENDED]
            steps.append(ev.Terminate(self.rng.choice(live)) if live else ev.ShareGone(share))
        return self.rng.choice(steps) if steps else None

    def _over(self) -> ev.Release | None:
        """A claim that is over ends before anything else is done (A56)."""
        for promise in self.book.promises:
            if self.asks(situation(self.book, promise.job, watched=promise), rules.release_guard):
                return ev.Release(promise.job.name)
        return None

    def _scheduler(self) -> ev.SchedulerEvent | None:
        if release := self._over():
            return release
        live = [j for j in self.book.jobs.values() if j.stage not in ENDED]
        tries = [(job, False) for job in live] + [(job, True) for job in live if job.stage is Stage.RUNNABLE]
        self.rng.shuffle(tries)
        for job, claims in tries:
            step = self._claim(job) if claims else ev.Dispatch(job.name) if self._may_start(job) else None
            if step is not None:
                return step
        return None

    def _may_start(self, job: Entry) -> bool:
        """Every guard of a dispatch: its own, one for each claim, one for each other share's head."""
        if not self.asks(situation(self.book, job), rules.dispatch_guard):
            return False
        for promise in self.book.promises:
            if not self.asks(situation(self.book, job, watched=promise), rules.holds_guard):
                return False
        return all(
            any(self.asks(Situation(self.book, job.share, job, other=other), rules.yields_guard) for other in tied)
            for tied in other_heads(self.book, job)
        )

    def _claim(self, job: Entry) -> ev.Claim | None:
        """A claim with victims drawn one by one until it suffices; None when it never does, or its share starts nothing."""
        if self.book.promise(job.name) is not None or not situation(self.book, job).holds(rules.g13_dispatch):
            return None
        victims: list[Entry] = []
        with self.book.trial():
            self.book.open_claim()
            while not (entitled := self.asks(situation(self.book, job), rules.claim_guard)):
                if victims and situation(self.book, job).holds(rules.suffices):
                    break
                victim = self._victim(job, victims)
                if victim is None:
                    return None
                victims.append(victim)
                self.book.drain(victim)
        names = tuple(v.name for v in victims)
        if entitled and self._funded(job, names):
            return ev.Claim(job.name, names)
        return ev.Claim(job.name, names, holds=False) if names else None

    def _victim(self, job: Entry, told: list[Entry]) -> Entry | None:
        """Any job that may be told to stop for this one, after those that were."""
        holding = [v for v in self.book.jobs.values() if v.stage in HOLDING and v not in told]
        self.rng.shuffle(holding)
        for victim in holding:
            guard = rules.in_share_guard if victim.share == job.share else rules.cross_guard
            if self.asks(situation(self.book, job, victim=victim), guard):
                return victim
        return None

    def _funded(self, job: Entry, victims: tuple[str, ...]) -> bool:
        """Once the claim is opened, what it asks is there: not so where others keep more than there is (G2's excess)."""
        with self.book.trial():
            self.book.record(ev.Claim(job.name, victims))
            opened = self.book.promise(job.name)
            return opened is not None and situation(self.book, job, watched=opened).holds(rules.funded)
