"""One row of numbers for each share and unit, and running sums over all shares.

Sums are kept of what stands still: every quantity of a share for which nothing drains and nobody claims, where its four
moments are one. Shares that drain or claim (`moving`) are few and are added when they are asked for, so that a history
without preemption does not pay for them. Which quantities are one is read from the expressions themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, TypeAlias

from ...spec.expr.nodes import Int, Node, int_var
from ...spec.expr.python import compile_over, compile_state
from ...spec.expr.walk import bare, rebuild
from ...spec.model import Grant
from ...spec.readings import Readings
from ...spec.rules.quantities import QUANTITIES
from ...spec.rules.view import CELL_FIELDS, Running, readings_in

Row: TypeAlias = list[int]
"""The `CELL_FIELDS` of a share in a unit, unwatched: all drains and claims are due; then 1 where `unlimited`."""

MOVING = CELL_FIELDS[1:6]
USAGE, DRAINS, DRAINS_LATER, CLAIMS, CLAIMS_LATER, FREED, LIMIT, LENDABLE, BORROWABLE = range(len(CELL_FIELDS))
UNLIMITED_AT = len(CELL_FIELDS)
UNLIMITED = 10**12
"""Stands for a borrowable amount that is not used where `unlimited` is true."""


@cache
def quantity(name: str, readings: Readings) -> Callable[[Any], tuple[Any, ...]]:
    """A quantity of one share, from its row."""
    root = QUANTITIES[name](Running(("x",), ("u",), readings).at("x", "u"))
    return compile_state([root], [f"{f}.x.u" for f in CELL_FIELDS])


@cache
def asked_by_quantities() -> frozenset[str]:
    """The readings on which a quantity depends."""
    cell = Running(("x",), ("u",)).at("x", "u")
    return frozenset(readings_in(*(meaning(cell) for meaning in QUANTITIES.values())))


class Still:
    """Which running sums there are: the distinct quantities of shares that neither drain nor claim."""

    def __init__(self, readings: Readings) -> None:
        still = {(f, "x", "u"): 0 for f in MOVING}
        cell = Running(("x",), ("u",), readings, still).at("x", "u")
        forms: dict[int, Int] = {}
        self.slot: dict[str, int | None] = {}
        """Quantity -> index of its sum; None: always 0."""
        for name, meaning in QUANTITIES.items():
            form = bare(meaning(cell))
            if form.op == "const" and form.args[0] == 0:
                self.slot[name] = None
                continue
            forms[id(form)] = form
            self.slot[name] = list(forms).index(id(form))
        self._roots = tuple(forms.values())
        names = [f"{f}.x.u" for f in CELL_FIELDS]
        self.values = compile_state(self._roots, names)
        usage, later = cell.usage, int_var("new")
        moved = [_with(root, usage, later) - root for root in self._roots]
        self.changing = tuple(i for i, m in enumerate(moved) if m.op != "const")
        places = {name: f"s[0][{i}]" for i, name in enumerate(names)} | {"new": "s[1]"}
        self.shift = compile_over([moved[i] for i in self.changing], places)
        """How the sums at `changing` change when a row has a `new` usage."""


def _with(root: Int, old: Node, new: Node) -> Int:
    return rebuild(root, lambda node: new if node is old else None)


@cache
def still(readings: Readings) -> Still:
    """The running sums under these readings."""
    return Still(readings)


class Rows:
    """The rows of a queue, unit by unit, and their sums."""

    def __init__(self, readings: Readings) -> None:
        self.readings = readings.only(asked_by_quantities())
        self.still = still(self.readings)
        self.rows: dict[str, dict[str, Row]] = {}
        self.sums: dict[str, list[int]] = {}
        """Unit -> sums of what stands still. The lists stay the same objects."""
        self.moving: dict[str, dict[str, Row]] = {}
        self.moves = 0
        """Rows that drain or claim."""

    def know(self, unit: str, shares: Iterable[str], grant: Callable[[str, str], Grant]) -> None:
        """Make rows for a unit that is met for the first time."""
        if unit not in self.rows:
            self.rows[unit], self.moving[unit] = {}, {}
            self.sums[unit] = [0] * len(self.still.values([0] * len(CELL_FIELDS)))
            self.renew(shares, grant, units=(unit,))

    def renew(self, shares: Iterable[str], grant: Callable[[str, str], Grant], units: Iterable[str] = ()) -> None:
        """Limits as they are now. A share that is gone holds nothing; its rows stay, since jobs refer to them."""
        names = list(shares)
        for unit in units or self.rows:
            rows = self.rows[unit]
            values: list[tuple[int, ...]] = [(0,) * len(self.sums[unit])]
            for share in names:
                row = rows.setdefault(share, [0] * (UNLIMITED_AT + 1))
                made = grant(share, unit)
                row[LIMIT], row[LENDABLE] = made.limit, made.lendable
                row[BORROWABLE] = UNLIMITED if made.borrowable is None else made.borrowable
                row[UNLIMITED_AT] = made.borrowable is None
                values.append(self.still.values(row))
            self.sums[unit][:] = map(sum, zip(*values, strict=True))

    def use(self, unit: str, row: Row, n: int) -> None:
        """A share holds n more machines."""
        total, new = self.sums[unit], row[USAGE] + n
        for slot, change in zip(self.still.changing, self.still.shift((row, new)), strict=True):
            total[slot] += change
        row[USAGE] = new

    def move(self, unit: str, share: str, field: int, n: int) -> None:
        """A share drains or claims n machines more."""
        row = self.rows[unit][share]
        row[field] += n
        self._note(unit, share, row)

    def _note(self, unit: str, share: str, row: Row) -> None:
        moving = self.moving[unit]
        self.moves -= len(moving)
        if row[DRAINS] or row[CLAIMS] or row[FREED]:
            moving[share] = row
        else:
            moving.pop(share, None)
        self.moves += len(moving)

    def total(self, name: str, unit: str, instead: Mapping[str, Row] | None = None) -> int:
        """The sum of a quantity over all shares; `instead`: rows of moving shares as a watched claim splits them."""
        slot = self.still.slot[name]
        sum_ = 0 if slot is None else self.sums[unit][slot]
        run = quantity(name, self.readings)
        for share, row in self.moving[unit].items():
            sum_ += run(instead[share] if instead else row)[0]
            sum_ -= 0 if slot is None else self.still.values(row)[slot]
        return sum_
