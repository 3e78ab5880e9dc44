"""The sum rules G1-G4: what they ask of one dispatch in one unit, and a state of nothing but sums to ask it in.

Sums know who uses how much of what and the numbers in force; jobs, priorities and claims they do not know. Trusted:
`Administered` for what an administrator's event does to the three numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from ...spec import events as ev
from ...spec.administered import Administered
from ...spec.expr.english import FalseClause, first_false
from ...spec.expr.nodes import Bool, Node, all_of
from ...spec.expr.python import compile_state
from ...spec.expr.walk import variables
from ...spec.model import Grant, Size
from ...spec.readings import Readings
from ...spec.rules import actions, guarantees, premises
from ...spec.rules.guarantees import FIRST_CAUSE
from ...spec.rules.quantities import NOW
from ...spec.rules.view import Running
from .book import Impossible
from .rows import UNLIMITED

CODES = tuple(code for code in FIRST_CAUSE if code in ("G1", "G2", "G3", "G4"))
"""In the order in which a dispatch is charged."""
_PROMISES = {"G1": guarantees.g1, "G2": guarantees.g2, "G3": guarantees.g3, "G4": guarantees.g4}
FIELDS = ("usage", "asks", "limit", "lendable", "borrowable", "unlimited", "may_borrow", "capacity",
          "total_usage", "total_protected", "total_limit")  # fmt: skip
"""What a rule is asked with, in this order."""
_NAMES = ("usage.a.u", "asks.a.u", "limit.a.u", "lendable.a.u", "borrowable.a.u", "unlimited.a.u", "may_borrow.a",
          "capacity.u", "total.usage.u", "total.protected.u", "total.limit.u")  # fmt: skip


@dataclass(frozen=True)
class SumRules:
    """Promises and premises of `CODES`, each over `FIELDS`, before a dispatch in one unit."""

    kept: tuple[Bool, ...]
    comes_up: tuple[Bool, ...]
    protected: Node
    """What a share protects: of usage, limit and lendable."""
    names: tuple[str, ...] = _NAMES


@cache
def sum_rules(readings: Readings) -> SumRules:
    """The sum rules under readings."""
    view = Running(("a",), ("u",), readings)
    after = view.after(actions.dispatch(view, "a").effect).at("a", "u")
    before = view.at("a", "u")
    made = SumRules(
        tuple(_PROMISES[code](before, after) for code in CODES),
        tuple(premises.DISPATCH[code](before, after) for code in CODES),
        NOW.protected(before),
    )
    assert set(variables(*made.kept, *made.comes_up, made.protected)) <= set(_NAMES)
    return made


@cache
def _compiled(readings: Readings) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    return compile_state([*sum_rules(readings).kept, *sum_rules(readings).comes_up], _NAMES)


@cache
def _protects(readings: Readings) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    return compile_state([sum_rules(readings).protected], ("usage.a.u", "limit.a.u", "lendable.a.u"))


class Sums:
    """Usage of each share in each unit under the numbers in force, with the sums over all shares."""

    def __init__(self, now: Administered, readings: Readings) -> None:
        self.readings = readings
        self.now = now
        self.usage: dict[tuple[str, str], int] = {}
        self._ask = _compiled(readings)
        self._protects = _protects(readings)
        self._totals: dict[str, list[int]] = {}

    def copy(self) -> Self:
        """An independent state."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.usage = dict(self.usage)
        new._totals = {u: list(t) for u, t in self._totals.items()}
        return new

    def used(self, share: str, unit: str) -> int:
        """What the share holds."""
        return self.usage.get((share, unit), 0)

    def move(self, share: str, size: Size, sign: int) -> None:
        """A job of the share takes (1) or leaves (-1) its machines."""
        for unit, n in size.items():
            total = self._total(unit)
            total[1] -= self._protected(share, unit)
            self.usage[share, unit] = self.used(share, unit) + sign * n
            total[0] += sign * n
            total[1] += self._protected(share, unit)

    def change(self, event: ev.Event) -> None:
        """An administrator's event. Raises Impossible."""
        after = self.now.after(event, self.readings)
        if isinstance(after, str):
            raise Impossible(after)
        self.now = after
        self._totals = {}

    def row(self, share: str, unit: str, asks: int) -> list[Any]:
        """`FIELDS` for a job of the share that asks for so much."""
        grant, total = self.grant(share, unit), self._total(unit)
        unlimited = grant.borrowable is None
        borrowable = UNLIMITED if grant.borrowable is None else grant.borrowable
        return [self.used(share, unit), asks, grant.limit, grant.lendable, borrowable, unlimited, self.may_borrow(share),
                self.now.capacity.get(unit, 0), *total]  # fmt: skip

    def grant(self, share: str, unit: str) -> Grant:
        """The three numbers in force."""
        return self.now.grant(share, unit, self.readings)

    def may_borrow(self, share: str) -> bool:
        """Whether the share's strategy lets it borrow."""
        return self.now.may_borrow(share, self.readings)

    def asked(self, share: str, size: Size) -> tuple[str, list[str]]:
        """The first of `CODES` that a dispatch now would break, '' for none; and those that it comes up to."""
        rows = [self._ask(self.row(share, unit, n)) for unit, n in size.items()]
        found = [any(row[i] for row in rows) for i in range(len(CODES), 2 * len(CODES))]
        kept = [all(row[i] for row in rows) for i in range(len(CODES))]
        broken = next((code for code, holds in zip(CODES, kept, strict=True) if not holds), "")
        return broken, [code for code, up in zip(CODES, found, strict=True) if up]

    def broken(self, share: str, size: Size) -> str:
        """The first of `CODES` that a dispatch now would break; '' for none."""
        return self.asked(share, size)[0]

    def above(self, share: str, size: Size) -> bool:
        """Whether the share is above its limit in a unit of the size."""
        return any(self.used(share, u) > self.grant(share, u).limit for u in size)

    def _protected(self, share: str, unit: str) -> int:
        grant = self.grant(share, unit)
        return self._protects((self.used(share, unit), grant.limit, grant.lendable))[0]

    def _total(self, unit: str) -> list[int]:
        """Of all shares: usage, protected, limits."""
        if unit not in self._totals:
            shares = self.now.shares
            self._totals[unit] = [
                sum(self.used(s, unit) for s in shares),
                sum(self._protected(s, unit) for s in shares),
                sum(self.grant(s, unit).limit for s in shares),
            ]
        return self._totals[unit]


def why_not(rows: Mapping[str, Sequence[Any]], share: str, readings: Readings) -> FalseClause | None:
    """The first false clause of "it fits" for rows of `FIELDS` by unit, in the reader's names."""
    units = tuple(f"u{i}" for i in range(len(rows)))
    view = Running(("a",), units, readings)
    state: dict[str, Any] = {}
    for unit, row in zip(units, rows.values(), strict=True):
        for name, value in zip(_NAMES, row, strict=True):
            state[name.removesuffix(".u") + ("" if name == "may_borrow.a" else f".{unit}")] = value
        total_usage, total_protected, total_limit = row[-3:]
        # By law, what is lendable and idle less what is borrowed is the limits less what is protected: one of them may be 0.
        state[f"total.reserved_idle.{unit}"] = total_protected - total_usage
        state[f"total.lendable_idle.{unit}"] = total_limit - total_protected
        state[f"total.borrowed.{unit}"] = 0
    guard = all_of(*[actions.room(view.at("a", u), NOW, "dispatch") for u in units])
    return first_false(guard, state, {"a": share, **dict(zip(units, rows, strict=True))})
