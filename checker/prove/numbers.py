"""What the numbers of one configuration decide: G14 per share and unit, what does not apply, and witnesses by name.

Arithmetic only. A witness is built from the numbers and played before it is named; `Numbers.scenario` gives it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from ...spec.formats.scenario import Scenario
from ...spec.model import QueueConfig, Strategy
from ...spec.readings import READINGS, Readings
from ..explore.closed import search
from ..findings.table import Lot, lots
from ..results import Combination, Result, Verdict
from ..witness import find
from ..witness.find import Ground
from ..witness.play import play
from ..witness.shrink import shrink
from .reclaim import ASSUMES, NEEDS

TRIES = 24
"""Places (owner, other share) of one unit in which a pattern is looked for before it counts as absent there."""


CLOSED = "G18.json"
"""Witness of a circle that the search of a small queue found."""
MOST_STEPS = 200
"""A witness with more steps is not played, and so not shown."""


@dataclass(frozen=True)
class Pattern:
    """A way to break a promise that needs a combination of readings, and how to build it for an owner in a unit."""

    readings: Combination
    owners: Callable[[Lot], Iterable[int]]
    """Shares for which it is worth a try."""
    build: Callable[[Ground, str, int], Iterable[Scenario | None]]

    @property
    def name(self) -> str:
        """File name of its witness."""
        return "-".join(self.readings) + ".json"


def _waiting(lot: Lot) -> Iterable[int]:
    return (i for i in lot.lenders if lot.given <= lot.capacity and lot.must_take_back(i))


def _others(ground: Ground, owner: int) -> Iterable[int]:
    return (i for i in ground.lot.lenders if i != owner)


PATTERNS = (
    Pattern({"A23": "no"}, _waiting, lambda g, n, i: (find.churned(g, n, i, k) for k in _others(g, i))),
    Pattern({"A23": "no", "A15": "no"}, _waiting, lambda g, n, i: [find.retaken(g, n, i)]),
    Pattern({"A58": "freed", "A15": "no"}, _waiting, lambda g, n, i: (find.spent(g, n, i, k) for k in _others(g, i))),
)
"""Against G14."""
CIRCLES = (
    Pattern({"A23": "no", "A15": "no"}, _waiting, lambda g, n, i: [find.as_circle(find.retaken(g, n, i))]),
    Pattern({"A24": "b"}, lambda lot: [0] if len(lot.borrowers) > 1 else [], lambda g, n, _: [find.exchanged(g, n)]),
    Pattern({"A18": "backfill"}, lambda lot: [b.index for b in lot.borrowers], lambda g, n, i: [find.passed(g, n, i)]),
)
"""Against G18."""


@dataclass(frozen=True)
class Shown:
    """A pattern that exists here: the readings it needs, whom it hurts, its witness."""

    readings: Combination
    subject: str
    witness: str
    scenario: Scenario


@dataclass(frozen=True)
class Numbers:
    """A configuration as the verdicts see it."""

    config: QueueConfig
    readings: Readings
    lots: tuple[Lot, ...] = field(repr=False)

    @classmethod
    def of(cls, config: QueueConfig, readings: Readings) -> Numbers:
        return cls(config, readings, lots(config, readings))

    @cached_property
    def somebody_borrows(self) -> bool:
        return any(lot.borrowers for lot in self.lots)

    @cached_property
    def somebody_waits(self) -> bool:
        """Whether some share may have to wait until a borrowed job is stopped."""
        return any(lot.must_take_back(i) for lot in self.lots for i in lot.lenders)

    @cached_property
    def in_share(self) -> bool:
        return any(s.in_share for s in self.config.shares)

    @cached_property
    def largest_job(self) -> int:
        """Machines of the largest job that any share can ever run, over all units."""
        return max((sum(lot.most(i) for lot in self.lots) for i in range(len(self.config.shares))), default=0)

    def assumed(self, code: str) -> str | None:
        """The choice the user fixed, or None."""
        return dict(self.readings.chosen).get(code)

    def still_open(self, combinations: tuple[Combination, ...]) -> tuple[Combination, ...]:
        """Combinations that the fixed readings do not exclude."""
        return tuple(c for c in combinations if all(self.assumed(k) in (None, v) for k, v in c.items()))

    def is_asked(self, combination: Combination) -> bool:
        """True when every reading of it was fixed by the user or is a default: then it counts."""
        return all(self.assumed(k) == v or READINGS[k].default == v for k, v in combination.items())

    def not_applicable(self, code: str) -> str:
        """Why a guarantee says nothing about this configuration; '' when it does."""
        strategies = {s.strategy for s in self.config.shares}
        reasons = {
            "G3": "no share may borrow" if Strategy.LEND_AND_BORROW not in strategies else "",
            "G4": "every share may borrow" if strategies == {Strategy.LEND_AND_BORROW} else "",
            "G5s": "in-share preemption is off in every share" if not self.in_share else "",
            "G6": "" if self.somebody_borrows or self.in_share else "nobody can be preempted",
            "G15": "no share keeps anything to itself" if all(lot.kept == 0 for lot in self.lots) else "",
        }
        nobody = "" if self.somebody_borrows else "no share can borrow"
        return reasons.get(code, nobody if code in ("G5x", "G7", "G8", "G17") else "")

    @cached_property
    def circles(self) -> tuple[Shown, ...]:
        """Patterns against G18 that exist here."""
        found = (self._first(pattern) for pattern in CIRCLES if self._is_open(pattern))
        return tuple(shown for shown in found if shown is not None)

    def _is_open(self, pattern: Pattern) -> bool:
        return all(self.assumed(k) in (None, v) for k, v in pattern.readings.items())

    @cached_property
    def shown(self) -> tuple[Shown, ...]:
        """Patterns against G14 that exist here; one whose readings include another's is left out."""
        found: list[Shown] = []
        for pattern in PATTERNS:
            covered = any(s.readings.items() <= pattern.readings.items() for s in found)
            if not covered and self._is_open(pattern) and (made := self._first(pattern)) is not None:
                found.append(made)
        return tuple(found)

    def _first(self, pattern: Pattern) -> Shown | None:
        for lot in self.lots:
            tries = 0
            ground = Ground(self.config, lot, self.readings.assuming(pattern.readings))
            for owner in pattern.owners(lot):
                for made in pattern.build(ground, pattern.name.removesuffix(".json"), owner):
                    tries += 1
                    if tries > TRIES:
                        break
                    if made is not None and len(made.steps) <= MOST_STEPS and play(made).shows:
                        return Shown(pattern.readings, f"{ground.names[owner]}, {lot.unit}", pattern.name, made)
        return None

    @cached_property
    def closed(self) -> tuple[int, Scenario | None] | None:
        """Sets of jobs tried for preemption that goes round, and a circle; None when the queue is not small."""
        tried = 0
        for lot in self.lots:
            largest = {s.name: lot.most(i) for i, s in enumerate(self.config.shares)}
            found = search(self.config, self.readings, lot.unit, largest)
            if found is None:
                return None
            tried += found.tried
            if found.circle is not None:
                return tried, found.circle
        return tried, None

    def scenario(self, witness: str) -> Scenario | None:
        """The witness of that file name, for a result."""
        if witness == CLOSED:
            return shrink(self.closed[1]) if self.closed and self.closed[1] else None
        return next((s.scenario for s in (*self.shown, *self.circles) if s.witness == witness), None)

    def oversubscribed(self, unit: str, witness: str) -> Scenario | None:
        """A witness that the limits of `unit` add up to too much, named by its file; None when it would be too long."""
        lot = next(lot for lot in self.lots if lot.unit == unit)
        made = find.oversubscribed(Ground(self.config, lot, self.readings), witness.removesuffix(".json"))
        return made if made and len(made.steps) <= MOST_STEPS and play(made).shows else None


def reclaim_results(numbers: Numbers, *, fails: str) -> list[Result]:
    """G14, by Theorem R unless it `fails`.

    One result for each share and unit that cannot count on its limit, one for all the others.
    """
    broken: list[Result] = []
    kept: list[str] = []
    for lot in numbers.lots:
        unit = [_lost(numbers, lot, i) for i, g in enumerate(lot.grants) if g.limit > lot.sure(i)]
        broken += unit
        if len(unit) < sum(g.limit > 0 for g in lot.grants):
            relation = "<=" if lot.given <= lot.capacity else ">"
            kept.append(f"{lot.unit}: limits {lot.given} {relation} environment {lot.capacity}")
    if not kept:
        return broken
    numbers_say = "; ".join(kept[:4]) + (f"; and {len(kept) - 4} more units" if len(kept) > 4 else "")
    if not numbers.somebody_borrows:
        return [
            *broken,
            Result("G14", Verdict.HOLDS_HERE, f"{numbers_say}; nobody borrows", subject="others" if broken else ""),
        ]
    if fails:
        return [*broken, Result("G14", Verdict.UNKNOWN, f"Theorem R: {fails}")]
    shown = numbers.shown
    combinations = tuple(s.readings for s in shown)
    asked = any(numbers.is_asked(c) for c in combinations)
    outside = [f"{c}={v}" for c, allowed in NEEDS.items() if (v := numbers.assumed(c)) and v not in allowed]
    if outside and not asked and numbers.somebody_waits:
        why = f"{', '.join(outside)} is outside Theorem R, and no job sequence is known here that breaks it"
        return [*broken, Result("G14", Verdict.UNKNOWN, why, subject="others" if broken else "", combinations=combinations,
                                witnesses=tuple(s.witness for s in shown))]  # fmt: skip
    verdict = Verdict.BROKEN_IF if asked else Verdict.HOLDS_IF if shown else Verdict.HOLDS_HERE
    worst = next((s for s in shown if numbers.is_asked(s.readings)), shown[0] if shown else None)
    return [*broken, Result(
        "G14", verdict, f"{numbers_say}; Theorem R", subject="others" if broken else "", combinations=combinations,
        witnesses=tuple(s.witness for s in shown), assumes=ASSUMES,
        witness=worst.witness if worst and asked else "", asked=asked,
    )]  # fmt: skip


def _lost(numbers: Numbers, lot: Lot, i: int) -> Result:
    name, limit, sure = numbers.config.shares[i].name, lot.grants[i].limit, lot.sure(i)
    if i in lot.stopped:
        why = f"DISABLED, nothing starts (rule 52, or A46 no): 0 of {limit} sure"
    elif lot.unit not in numbers.config.environment.capacity:
        why = f"{lot.unit} is not in the environment: 0 of {limit} sure"
    else:
        why = f"limits {lot.given} > environment {lot.capacity}: {sure} of {limit} sure"
    return Result("G14", Verdict.BROKEN, why, subject=f"{name}, {lot.unit}")
