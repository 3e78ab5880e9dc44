"""A book as one step sees it: what every variable of a formula is, and whether formulas are true.

Formulas are compiled with the readings folded in, in two versions: one for queues in which nothing drains and nobody
claims, where most of them are short, one for all. Trusted: `_source`, the one place where variables get their meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from ...spec.expr.english import FalseClause, false_clauses
from ...spec.expr.nodes import Bool, Node, int_var
from ...spec.expr.python import compile_over
from ...spec.expr.walk import variables
from ...spec.readings import Readings
from ...spec.rules.lifecycle import STAGES
from ...spec.rules.view import CELL_FIELDS, Running, readings_in
from .book import Book
from .jobs import Entry, Promise
from .rows import MOVING, UNLIMITED, UNLIMITED_AT, Row, asked_by_quantities, quantity, still

Build: TypeAlias = Callable[[Running], Node]
ROLES = ("actor", "victim", "other")
CODES = {stage: number for number, stage in enumerate(STAGES)}
_OF_ONE = {
    "stage": "CODES[s.{0}.stage]",
    "preemptions": "s.{0}.preemptions",
    "retries": "(s.{0}.retries or 0)",
    "retries_unset": "(s.{0}.retries is None)",
    "was_scheduled": "s.{0}.was_scheduled",
}
_OF_SHARE = {
    "may_borrow": "s.book.now.may_borrow({1}, s.book.chosen)",
    "deleting": "({1} in s.book.now.deleting)",
    "enabled": "(s.book.now.shares[{1}].state == 'ENABLED')",
    "in_share": "s.book.now.shares[{1}].in_share",
    "has_claim": "s.has_claim('{0}')",
    "best_waiting": "s.best_waiting",
    "best_ready": "s.best_ready",
}


@dataclass(frozen=True, eq=False)
class Together:
    """Formulas that are worked out at once. Each is made once and is itself the key of what was compiled for it."""

    builds: tuple[Build, ...]


@cache
def _alone(build: Build) -> Together:
    return Together((build,))


class Situation:
    """A book seen from one step: which share plays which role, whose job asks, who is the victim, what is watched.

    `best_waiting` is the highest priority among the waiting jobs of the actor, `best_ready` the same among those that a
    start may not overtake (A18).
    """

    __slots__ = (
        "_instead",
        "actor",
        "best_ready",
        "best_waiting",
        "book",
        "job",
        "other",
        "units",
        "victim",
        "watched",
    )

    def __init__(
        self,
        book: Book,
        actor: str,
        job: Entry | None = None,
        *,
        victim: Entry | None = None,
        other: Entry | None = None,
        watched: Promise | None = None,
        best_waiting: int = -1,
        best_ready: int = -1,
    ) -> None:
        self.book, self.actor, self.job = book, actor, job
        self.victim, self.other, self.watched = victim, other, watched
        self.best_waiting, self.best_ready = best_waiting, best_ready
        self._instead: dict[str, dict[str, Row]] | None = None
        if victim is None and (other is None or (job is not None and other.units == job.units)):
            self.units = job.units if job else ()
        else:
            sizes = [entry.units for entry in (job, victim, other) if entry is not None]
            self.units = tuple(dict.fromkeys(unit for size in sizes for unit in size))

    def share(self, role: str) -> str:
        """The share that plays a role."""
        entry = None if role == "actor" else getattr(self, role)
        return entry.share if entry else self.actor

    # what formulas ask

    def has_claim(self, role: str) -> bool:
        entry = self.other if role == "other" else self.job
        return entry is not None and self.book.promise(entry.name) is not None

    def row(self, share: str, unit: str) -> Row:
        """The numbers of a share, as the watched claim splits them."""
        if self.watched is not None and self.book.rows.moves:
            split = self._split()[unit].get(share)
            if split is not None:
                return split
        return self.book.rows.rows[unit][share]

    def rows(self, role: str) -> Sequence[Row]:
        """The same in every unit of the step."""
        share = self.share(role)
        if role == "actor" and self.watched is None and self.job and self.units is self.job.units:
            return self.job.rows
        return [self.row(share, unit) for unit in self.units]

    def total(self, name: str, unit: int) -> int:
        """The sum of a quantity over all shares."""
        named = self.units[unit]
        return self.book.rows.total(name, named, self._split()[named] if self.watched is not None else None)

    def sums(self) -> list[list[int]]:
        """The running sums in every unit of the step."""
        return [self.book.rows.sums[unit] for unit in self.units]

    def asks(self, role: str) -> Sequence[int]:
        """What the job of a role asks, by unit."""
        job = self.other if role == "other" else self.job
        if job is not None and self.units is job.units:
            return job.asks
        return [job.size.get(unit, 0) if job else 0 for unit in self.units]

    def takes(self) -> list[int]:
        """What the victim holds, by unit."""
        return [self.victim.size.get(unit, 0) if self.victim else 0 for unit in self.units]

    def own(self, unit: int, due: bool) -> int:
        """What a claim of the step's own job promises it, up to the watched claim or after it."""
        own = self.book.promise(self.job.name) if self.job else None
        if own is None or self.job is None:
            return 0
        before = self.watched is None or own.number <= self.watched.number
        return self.job.size.get(self.units[unit], 0) if before is due else 0

    def labelled(self, unit: int) -> int:
        """A13 a: what the victim was lent when it started."""
        return self.victim.borrowed.get(self.units[unit], 0) if self.victim else 0

    def in_overage(self, unit: int) -> bool:
        """A13 c: the victim is among the lowest-priority, newest jobs that make up the share's settled overage."""
        if self.victim is None:
            return False
        named, share = self.units[unit], self.victim.share
        row = self.row(share, named)
        over = quantity("settled_usage", self.book.readings)(row)[0] - self.book.grant(share, named).limit
        mates = [j for j in self.book.running(share) if named in j.size]
        for job in sorted(mates, key=lambda j: (j.priority or 0, -j.dispatched)):
            if over <= 0 or job is self.victim:
                return over > 0
            over -= job.size[named]
        return False

    def priority(self, role: str) -> int:
        """Of the job the highest, of the victim the lowest that it may have where it is not known."""
        if role == "job":
            known = self.job.priority if self.job else None
            return UNLIMITED if known is None else known
        if self.victim is None:
            return -1
        drops = self.book.chosen["A33"] == "triggers"
        known = self.victim.priority if drops else self.victim.priority_since_dispatch
        return -1 if known is None else known

    def _split(self) -> dict[str, dict[str, Row]]:
        """Unit -> moving share -> its row, drains and claims split by the watched claim."""
        if self._instead is None:
            assert self.watched is not None
            self._instead = {u: _split(self.book, u, self.watched.number) for u in self.book.rows.rows}
        return self._instead

    # formulas

    def value(self, name: str) -> int | bool:
        """What the book says of a formula's variable."""
        code, chosen, choice = name.partition("=")
        return self.book.readings[code] == choice if chosen else _getter(name)(self)[0]

    def all(self, together: Together) -> tuple[Any, ...]:
        """The values of formulas here, worked out together."""
        book = self.book
        key = together, len(self.units), not book.rows.moves
        run = book.formulas.get(key)
        if run is None:
            readings = book.readings.only(_asked(together, len(self.units)))
            run = book.formulas[key] = compiled(together, len(self.units), readings, not book.rows.moves)
        return run(self)

    def holds(self, build: Build) -> bool:
        """Whether a formula is true here."""
        return bool(self.all(_alone(build))[0])

    def why_not(self, build: Build) -> FalseClause | None:
        """The first false clause of a guard, in the reader's names."""
        return None if self.holds(build) else next(self.all_false(build))

    def all_false(self, build: Build) -> Iterator[FalseClause]:
        """Every false clause of a guard, in order."""
        root = formula(build, len(self.units))
        assert isinstance(root, Bool)
        state = {n: self.value(n) for n in _names(build, len(self.units))}
        roles = {role: self.share(role) for role in ROLES}
        return false_clauses(root, state, {**roles, **{f"u{i}": u for i, u in enumerate(self.units)}})


def _split(book: Book, unit: str, upto: int) -> dict[str, Row]:
    rows = book.rows.rows[unit]
    found = {share: [row[0], 0, 0, 0, 0, 0, *row[6:]] for share, row in book.rows.moving[unit].items()}
    for job in book.draining():
        if unit in job.size:
            found[job.share][1 if job.claim <= upto else 2] += job.size[unit]
    for promise in book.promises:
        n = promise.job.size.get(unit, 0)
        if n:
            due = promise.number <= upto
            row = found[promise.job.share]
            row[3 if due else 4] += n
            row[5] += min(n, dict(promise.freed).get(unit, 0)) if due else 0
    assert found.keys() <= rows.keys()
    return found


@cache
def formula(build: Build, units: int) -> Node:
    """`build` for a number of units, its readings open."""
    return build(Running(ROLES, tuple(f"u{i}" for i in range(units))))


@cache
def _names(build: Build, units: int) -> tuple[str, ...]:
    return tuple(variables(formula(build, units)))


@cache
def _asked(together: Together, units: int) -> frozenset[str]:
    """The readings on which the formulas depend."""
    return asked_by_quantities().union(readings_in(*(formula(build, units) for build in together.builds)))


@cache
def compiled(
    together: Together, units: int, readings: Readings, at_rest: bool
) -> Callable[[Situation], tuple[Any, ...]]:
    """Formulas for a number of units as one function; `at_rest`: for when nothing drains and nobody claims."""
    names = tuple(f"u{i}" for i in range(units))
    known: dict[tuple[str, ...], int] = {("has_claim", "other"): 0} if at_rest else {}
    for role in ROLES if at_rest else ():
        known |= {(name, role, unit): 0 for name in (*MOVING, "own_due", "own_later") for unit in names}
    view = Running(ROLES, names, readings, known)
    roots = [build(view) for build in together.builds]
    return _compile(roots, readings if at_rest else None)


@cache
def _getter(name: str) -> Callable[[Situation], tuple[Any, ...]]:
    return _compile([int_var(name)], None)


def _compile(roots: list[Node], at_rest: Readings | None) -> Callable[[Situation], tuple[Any, ...]]:
    first: dict[str, str] = {}
    sources = {name: _source(name, at_rest, first) for name in variables(*roots)}
    return compile_over(roots, sources, [f"{name} = {text}" for name, text in first.items()], {"CODES": CODES})


def _source(name: str, at_rest: Readings | None, first: dict[str, str]) -> str:
    """The Python expression for a variable over a Situation `s`; `first`: local names that it needs."""
    field, *rest = name.split(".")
    if not rest:
        return f"s.book.now.{field}"
    if len(rest) == 2:
        return _cell(field, rest[0], int(rest[1][1:]), at_rest, first)
    if field == "capacity":
        return f"s.book.now.capacity.get(s.units[{rest[0][1:]}], 0)"
    role = rest[0]
    if field == "priority":
        return f"s.priority({role!r})"
    share = "s.actor" if role == "actor" else f"s.share({role!r})"
    return _OF_ONE[field].format(role) if field in _OF_ONE else _OF_SHARE[field].format(role, share)


def _cell(field: str, role: str, unit: int, at_rest: Readings | None, first: dict[str, str]) -> str:
    def local(made: str, text: str) -> str:
        first[made] = text
        return f"{made}[{unit}]"

    if field == "total":
        if at_rest is None:
            return f"s.total({role!r}, {unit})"
        slot = still(at_rest).slot[role]
        return "0" if slot is None else f"{local('sums', 's.sums()')}[{slot}]"
    if field == "asks":
        return local("asked" if role == "other" else "asks", f"s.asks({role!r})")
    if field == "takes":
        return local("takes", "s.takes()")
    if field in ("own_due", "own_later"):
        return f"s.own({unit}, {field == 'own_due'})"
    if field in ("labelled", "in_overage"):
        return f"s.{field}({unit})"
    index = UNLIMITED_AT if field == "unlimited" else CELL_FIELDS.index(field)
    return f"{local(role, f's.rows({role!r})')}[{index}]"
