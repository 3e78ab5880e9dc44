"""A book as one step sees it: what every variable of a formula is, and whether a formula is true.

Trusted: `Situation.value`, the one place where variables get their meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from ...spec.expr.english import FalseClause, first_false
from ...spec.expr.nodes import Bool, Int, Node
from ...spec.expr.python import compile_state
from ...spec.expr.walk import variables
from ...spec.readings import Readings
from ...spec.rules.lifecycle import code
from ...spec.rules.view import CELL_FIELDS, QUANTITIES, Running
from .book import Book, Entry, Promise

Build = Callable[[Running], Node]
_MOVING = CELL_FIELDS[1:6]
_STILL = [0] * len(_MOVING)
UNLIMITED = 10**12
"""Stands for a borrowable amount that is not used where `unlimited` is true."""


@dataclass(frozen=True)
class Rule:
    """A formula for a number of units, compiled. `names` are its variables in order."""

    root: Node
    names: tuple[str, ...]
    run: Callable[[Any], tuple[Any, ...]]


@cache
def rule(build: Build, units: int) -> Rule:
    """`build` for a number of units; readings stay variables."""
    view = Running(("actor", "victim", "other"), tuple(f"u{i}" for i in range(units)))
    root = build(view)
    names = tuple(variables(root))
    return Rule(root, names, compile_state([root], names))


@cache
def _quantity(name: str, readings: Readings) -> Callable[[Any], tuple[Any, ...]]:
    """A quantity of one share, from its `CELL_FIELDS`."""
    cell = Running(("x",), ("u",), readings).at("x", "u")
    root: Int = QUANTITIES[name](cell)
    return compile_state([root], [f"{f}.x.u" for f in CELL_FIELDS])


@dataclass
class Situation:
    """A book seen from one step: which share plays which role, whose job asks, who is the victim, what is watched."""

    book: Book
    actor: str
    job: Entry | None = None
    victim: Entry | None = None
    other: Entry | None = None
    watched: Promise | None = None
    best_waiting: int = -1
    """Highest priority among the waiting jobs of the actor."""
    best_ready: int = -1
    """The same among those that a start may not overtake (A18)."""

    @cached_property
    def units(self) -> list[str]:
        """The units that the step's jobs want: rules speak of no other."""
        sizes = [entry.size for entry in (self.job, self.victim, self.other) if entry is not None]
        return list(dict.fromkeys(unit for size in sizes for unit in size))

    @cached_property
    def _roles(self) -> dict[str, str]:
        other = self.other.share if self.other else self.actor
        return {"actor": self.actor, "victim": self.victim.share if self.victim else self.actor, "other": other}

    @cached_property
    def _held(self) -> dict[tuple[str, str, str], int]:
        """(field, share, unit) -> instances that drain or are claimed, as the watched claim splits them."""
        upto = self.watched.number if self.watched else UNLIMITED
        held: dict[tuple[str, str, str], int] = {}

        def add(name: str, share: str, unit: str, n: int) -> None:
            held[name, share, unit] = held.get((name, share, unit), 0) + n

        for job in self.book.draining():
            for unit, n in job.size.items():
                add("drains_due" if job.claim <= upto else "drains_later", job.share, unit, n)
        for promise in self.book.promises:
            job = self.book.jobs[promise.job]
            for unit, n in job.size.items():
                due = promise.number <= upto
                add("claims_due" if due else "claims_later", job.share, unit, n)
                if due:
                    add("freed", job.share, unit, min(n, promise.freed.get(unit, 0)))
        return held

    def _row(self, share: str, unit: str) -> list[int]:
        """The `CELL_FIELDS` of one share, in their order."""
        grant, held = self.book.grant(share, unit), self._held
        moving = [held.get((name, share, unit), 0) for name in _MOVING] if held else _STILL
        borrowable = UNLIMITED if grant.borrowable is None else grant.borrowable
        return [self.book.usage(share, unit), *moving, grant.limit, grant.lendable, borrowable]

    @cached_property
    def _rows(self) -> dict[str, list[list[int]]]:
        return {u: [self._row(s, u) for s in self.book.shares] for u in self.units}

    @cached_property
    def _totals(self) -> dict[tuple[str, str], int]:
        return {}

    def total(self, quantity: str, unit: str) -> int:
        """The sum of a quantity over all shares."""
        key = quantity, unit
        if key not in self._totals:
            run = _quantity(quantity, self.book.readings)
            self._totals[key] = sum(run(row)[0] for row in self._rows[unit])
        return self._totals[key]

    def settled(self, share: str, unit: str) -> int:
        """Settled usage of one share."""
        return _quantity("settled_usage", self.book.readings)(self._row(share, unit))[0]

    def value(self, name: str) -> int | bool:
        """What the book says of a formula's variable."""
        code, chosen, choice = name.partition("=")
        if chosen:
            return self.book.readings[code] == choice
        first, *rest = name.split(".")
        if len(rest) == 2 and rest[1].startswith("u") and rest[1][1:].isdigit():
            return self._cell_value(first, rest[0], self.units[int(rest[1][1:])])
        if first == "capacity":
            return self.book.capacity.get(self.units[int(rest[0][1:])], 0)
        if not rest:
            return getattr(self.book, first)
        return self._share_or_job(first, rest[0])

    def _cell_value(self, name: str, role: str, unit: str) -> int | bool:
        if name == "total":
            return self.total(role, unit)
        share = self._roles[role]
        if name == "asks":
            job = self.other if role == "other" else self.job
            return job.size.get(unit, 0) if job else 0
        if name == "takes":
            return self.victim.size.get(unit, 0) if self.victim else 0
        if name in ("own_due", "own_later"):
            return self._own(unit, due=name == "own_due")
        if name == "unlimited":
            return self.book.grant(share, unit).borrowable is None
        if name == "labelled":
            return self.victim.borrowed.get(unit, 0) if self.victim else 0
        if name == "in_overage":
            return self.victim is not None and in_overage(self, self.victim, unit)
        return self._row(share, unit)[CELL_FIELDS.index(name)]

    def _own(self, unit: str, *, due: bool) -> int:
        own = self.book.promise(self.job.name) if self.job else None
        if own is None or self.job is None:
            return 0
        before = self.watched is None or own.number <= self.watched.number
        return self.job.size.get(unit, 0) if before is due else 0

    def _share_or_job(self, name: str, role: str) -> int | bool:
        if role in ("job", "victim") and name in (
            "priority",
            "stage",
            "preemptions",
            "retries",
            "retries_unset",
            "was_scheduled",
        ):
            entry = self.victim if role == "victim" else self.job
            assert entry is not None
            if name == "priority":
                drops = self.book.readings["A33"] == "triggers" or role == "job"
                return entry.priority if drops else entry.priority_since_dispatch
            if name == "stage":
                return code(entry.stage)
            if name == "retries_unset":
                return entry.retries is None
            return (entry.retries or 0) if name == "retries" else getattr(entry, name)
        share = self._roles[role]
        s = self.book.shares[share]
        match name:
            case "may_borrow":
                return s.strategy == "LEND_AND_BORROW" and not (
                    share in self.book.deleting and self.book.readings["A48"] == "void"
                )
            case "deleting":
                return share in self.book.deleting
            case "enabled":
                return s.state == "ENABLED"
            case "in_share":
                return s.in_share
            case "has_claim":
                return self.other is not None and self.book.promise(self.other.name) is not None
            case "best_waiting" | "best_ready":
                return getattr(self, name)
            case _:
                raise KeyError(name)

    def holds(self, build: Build) -> bool:
        """Whether a formula is true here."""
        formula = rule(build, len(self.units))
        return bool(formula.run([self.value(n) for n in formula.names])[0])

    def why_not(self, build: Build) -> FalseClause | None:
        """The first false clause of a guard, in the reader's names."""
        compiled = rule(build, len(self.units))
        state = {n: self.value(n) for n in compiled.names}
        names = {**self._roles, **{f"u{i}": u for i, u in enumerate(self.units)}}
        assert isinstance(compiled.root, Bool)
        return first_false(compiled.root, state, names)


def in_overage(at: Situation, victim: Entry, unit: str) -> bool:
    """A13 c: the victim is among the lowest-priority, newest jobs that make up the share's settled overage."""
    over = at.settled(victim.share, unit) - at.book.grant(victim.share, unit).limit
    mates = [j for j in at.book.running(victim.share) if unit in j.size]
    for job in sorted(mates, key=lambda j: (j.priority, -j.dispatched)):
        if over <= 0:
            return False
        if job is victim:
            return True
        over -= job.size[unit]
    return False
