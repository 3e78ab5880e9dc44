"""A shortest scenario for every coverage goal of the guards, from the explorer, in words that any backend understands.

For each goal the states of a few small queues are searched, one queue after the other; the nearest states that reach it
become scenarios of what users and the platform do, with a settle where the scheduler acts, and of what an administrator
does last. Such a scenario counts only when the reference, run on it, comes through a state that reaches the goal, as the
judge's own book says (`passed`). Trusted: that book.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...spec import events as ev
from ...spec.administered import Administered
from ...spec.expr.nodes import Bool, Node, all_of, any_of, const
from ...spec.expr.walk import rebuild
from ...spec.formats.scenario import Breaks, Scenario, Settle, Step
from ...spec.model import QueueConfig, Stage
from ...spec.readings import Readings
from ...spec.rules.lifecycle import code
from ...spec.rules.view import QUANTITIES, Enumerated
from .counters import Counters
from .fairness import Run
from .guards import GUARDS, UNIT, Goal, formulas, guard
from .kinds import Discipline, Kind
from .passing import passed
from .search import search
from .system import system
from .told import scenario

TRIED = 60
"""States, the nearest first, that are tried for one goal in one queue."""
MOST = 200_000
"""States of one queue that are looked at."""
_ENVIRONMENT = (ev.Submit, ev.Finish, ev.Stopped)


@dataclass(frozen=True)
class Place:
    """A small queue in which goals are looked for."""

    config: QueueConfig
    kinds: tuple[Kind, ...]
    last: tuple[ev.Event, ...] = ()
    """What an administrator does in whatever state the queue has reached: goals are looked for after that."""

    def in_force(self, readings: Readings) -> Administered:
        """What is configured in the end."""
        now = Administered.of(self.config)
        for event in self.last:
            after = now.after(event, readings)
            assert isinstance(after, Administered), after
            now = after
        return now


@dataclass(frozen=True)
class Covered:
    """What was found."""

    scenarios: Mapping[Goal, Scenario]
    missing: Mapping[Goal, int] = field(default_factory=dict[Goal, int])
    """Goals that the reference comes through in none of the queues, and how many states of the queues reach them."""


def covered(
    places: Sequence[Place], guards: Sequence[str] = tuple(GUARDS), readings: Readings | None = None
) -> Covered:
    """A scenario for every goal of these guards that one of the places reaches."""
    readings = readings or Readings()
    wanted = {goal: formula for name in guards for goal, formula in formulas(name, readings).items()}
    found: dict[Goal, Scenario] = {}
    met = dict.fromkeys(wanted, 0)
    for place in places:
        missing = {goal: formula for goal, formula in wanted.items() if goal not in found}
        if missing:
            found |= _Search(place, readings).reach(missing, met)
    return Covered({g: found[g] for g in wanted if g in found}, {g: n for g, n in met.items() if g not in found})


@dataclass(frozen=True)
class _Roles:
    """Who plays which role of a step, and in which states somebody can."""

    view: Enumerated
    shares: Mapping[str, str]
    given: Mapping[str, Node]
    """Variables of a formula that the view does not give."""
    premise: Bool


class _Search:
    """The states of one queue."""

    def __init__(self, place: Place, readings: Readings) -> None:
        self.place, self.readings = place, readings
        self.before = Counters(place.config, place.kinds, readings, Discipline())
        self.c = Counters(place.config, place.kinds, readings, Discipline(), place.in_force(readings))
        self.unit = self.c.units[0]
        self.space = search(system(place.config, place.kinds, readings), MOST)

    def reach(self, wanted: Mapping[Goal, Bool], met: dict[Goal, int]) -> Iterator[tuple[Goal, Scenario]]:
        """A scenario for each of these goals that the reference comes through here; `met` counts states."""
        for name in dict.fromkeys(goal.guard for goal in wanted):
            goals = {goal: formula for goal, formula in wanted.items() if goal.guard == name}
            for goal, states in self._states(name, goals).items():
                met[goal] += len(states)
                tried = (made for state in states[:TRIED] for made in self._portable(state, goal))
                made = next((s for s in tried if passed(s, {goal: goals[goal]})), None)
                if made is not None:
                    yield goal, made

    def _states(self, name: str, goals: Mapping[Goal, Bool]) -> dict[Goal, Sequence[int]]:
        """Goal -> the states that reach it, the nearest first."""
        import numpy as np

        reached = {goal: np.zeros(len(self.space), dtype=bool) for goal in goals}
        for roles in self._roles(name):
            made = [all_of(roles.premise, self._over(formula, roles)) for formula in goals.values()]
            for goal, column in zip(goals, self.space.values(*made), strict=True):
                reached[goal] |= column
        return {goal: column.nonzero()[0].tolist() for goal, column in reached.items()}

    def _portable(self, state: int, goal: Goal) -> Iterator[Scenario]:
        """The shortest run to the state as what users and the platform do; the scheduler settles where it acts.

        Twice: as it is, and with the jobs that never start submitted last, since a scheduler may start them too early.
        """
        run = Run(tuple(self.space.path(state)))
        told = scenario(self.before, self.space, run, Breaks("", "step"), None, "").steps
        started = {step.job for step in told if isinstance(step, ev.Dispatch | ev.Claim)}
        waits = [step for step in told if isinstance(step, ev.Submit) and step.job not in started]
        for order in (told, (*(step for step in told if step not in waits), *waits)):
            steps: list[Step] = []
            for step in order:
                if isinstance(step, _ENVIRONMENT):
                    steps.append(step)
                elif not steps or not isinstance(steps[-1], Settle):
                    steps.append(Settle(drains=False))
            steps += self.place.last
            if goal.guard == "submit":
                first = self.place.kinds[0]
                steps.append(ev.Submit("late", first.share, dict(first.size), first.priority))
            yield Scenario(goal.name, "", self.place.config, (*steps, Settle()), self.readings)

    # formulas over the counters

    def _over(self, formula: Bool, roles: _Roles) -> Bool:
        """The formula of roles as one of the system's variables."""

        def value(node: Node) -> Node | None:
            return self._value(str(node.args[0]), roles) if node.op == "var" else None

        return self.c.closed(rebuild(formula, value))

    def _value(self, name: str, roles: _Roles) -> Node:
        if name in roles.given:
            return roles.given[name]
        kind, *rest = name.split(".")
        view = roles.view
        if not rest:
            return view.fact(kind)
        if kind == "total":
            return view.total(QUANTITIES[rest[0]], self.unit)
        if kind == "capacity":
            return view.number(kind, self.unit)
        key = (kind, roles.shares[rest[0]], *[self.unit for _ in rest[1:]])
        return view.fact(*key) if kind in _FACTS else view.number(*key)

    def _roles(self, name: str) -> Iterator[_Roles]:
        """Everyone who can play the roles of a guard, where the other parts of a dispatch do not stand in the way."""
        c = self.c
        for kind in c.kinds:
            unclaimed = c.place_of(kind.share) == 0
            if name == "dispatch":
                for stage in (Stage.RUNNABLE, Stage.RUNNING):
                    yield self._role(kind, stage, beside=[*self._holds(kind), *self._yields(kind)])
            elif name == "hold":
                for s in c.shares:
                    beside = [self._may(kind), *self._holds(kind, but=s), *self._yields(kind)]
                    yield self._role(kind, watched=s, beside=beside)
            elif name == "yield":
                for other in (k for k in c.kinds if k.share != kind.share):
                    beside = [self._may(kind), *self._holds(kind), *self._yields(kind, but=other.share)]
                    yield self._role(kind, other=other, beside=beside)
            elif name == "release":
                yield self._role(kind, watched=kind.share, beside=[c.place(kind) > 0])
            elif name == "claim":
                yield self._role(kind, beside=[unclaimed])
            elif name == "submit":
                yield replace(self._role(kind), premise=c.running(kind) > 0)
            elif name in _OF_VICTIM:
                for stage in (Stage.SCHEDULED, Stage.DRAINING, Stage.RUNNABLE):
                    yield replace(self._role(kind, victim=kind, stopped_in=stage), premise=self._some(kind, stage))
            else:
                across = name == "preempt across"
                for victim in (k for k in c.kinds if (k.share != kind.share) is across):
                    for stage in (Stage.RUNNING, Stage.DRAINING, Stage.RUNNABLE):
                        yield self._role(kind, victim=victim, stopped_in=stage, beside=[unclaimed])

    def _may(self, kind: Kind) -> Bool:
        """The job may start, as far as it alone is concerned."""
        return self._over(guard("dispatch", self.readings), self._role(kind))

    def _holds(self, kind: Kind, but: str = "") -> Iterator[Bool]:
        for s in self.c.shares:
            if s != but:
                kept = self._over(guard("hold", self.readings), self._role(kind, watched=s))
                yield any_of(self.c.place_of(s) == 0, kept)

    def _yields(self, kind: Kind, but: str = "") -> Iterator[Bool]:
        for s in self.c.shares:
            if s not in (but, kind.share):
                nobody = all_of(*[self.c.waiting(k) == 0 for k in self.c.of(s)])
                each = [(k, self._over(guard("yield", self.readings), self._role(kind, other=k))) for k in self.c.of(s)]
                yield any_of(nobody, *[all_of(self.c.is_head(k), left) for k, left in each])

    def _role(
        self,
        kind: Kind,
        stage: Stage = Stage.RUNNABLE,
        *,
        victim: Kind | None = None,
        stopped_in: Stage = Stage.RUNNING,
        other: Kind | None = None,
        watched: str | None = None,
        beside: Sequence[Bool] = (),
    ) -> _Roles:
        c = self.c
        best = c.best_waiting(kind.share)
        given: dict[str, Node] = {
            "stage.job": const(code(stage)), "priority.job": const(kind.priority), "best_waiting.actor": best,
            "best_ready.actor": best, "has_claim.other": const(False),
        }  # fmt: skip
        premise = [self._some(kind, stage), *beside]
        asks = {kind.share: kind}
        if other is not None:
            asks[other.share] = other
            premise.append(c.is_head(other))
            given["has_claim.other"] = c.place(other) > 0
        if watched is not None:
            premise.append(c.place_of(watched) > 0)
        if victim is not None:
            premise.append(self._some(victim, stopped_in))
            taken = const(victim.size[self.unit])
            given |= {"stage.victim": const(code(stopped_in)), "priority.victim": const(victim.priority),
                      f"takes.victim.{UNIT}": taken, f"takes.actor.{UNIT}": taken}  # fmt: skip
        shares = {"actor": kind.share, "victim": (victim or kind).share, "other": (other or kind).share}
        return _Roles(c.view(asks, watched), shares, given, all_of(*premise))

    def _some(self, kind: Kind, stage: Stage) -> Bool:
        """A job of the kind is in the stage."""
        if stage is Stage.RUNNABLE:
            return self.c.waiting(kind) > 0
        if stage is Stage.DRAINING:
            return any_of(*[self.c.draining(kind, w) > 0 for w in self.c.classes])
        return self.c.running(kind) > 0


_OF_VICTIM = ("stop", "finish", "return")
_FACTS = {"may_borrow", "deleting", "enabled", "in_share", "unlimited"}
