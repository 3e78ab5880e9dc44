"""The specification's quantities and conditions, compiled for one share and one unit. Nothing is stated here again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...spec.expr.python import compile_state
from ...spec.readings import Readings
from ...spec.rules.actions import room, within_limit
from ...spec.rules.quantities import NOW, limit, usage
from ...spec.rules.view import CELL_FIELDS, Running

QUANTITIES = (usage, NOW.borrowed, NOW.lendable_idle, NOW.reserved_idle, limit)
USED, BORROWED, LENDABLE_IDLE, RESERVED_IDLE, LIMIT = range(len(QUANTITIES))
"""Where each stands in what `Numbers.quantities` returns."""


ASKED = (
    *(f"{name}.x.u" for name in (*CELL_FIELDS, "unlimited", "asks")),
    *("may_borrow.x", "capacity.u"),
    *(f"total.{q.name}.u" for q in QUANTITIES),
)
"""What `Numbers.conditions` takes, in this order: all that a cell may be asked for."""


@dataclass(frozen=True)
class Numbers:
    """Compiled functions. `quantities` takes the `CELL_FIELDS` of a cell; `conditions` takes `ASKED` and says whether what is
    asked stays within the limit when every drain has ended, and whether it fits now.
    """

    quantities: Callable[[Sequence[int]], tuple[int, ...]]
    conditions: Callable[[Sequence[int]], tuple[bool, bool]]

    @classmethod
    def of(cls, readings: Readings) -> Numbers:
        cell = Running(("x",), ("u",), readings).at("x", "u")
        quantities = compile_state([q(cell) for q in QUANTITIES], [f"{f}.x.u" for f in CELL_FIELDS])
        conditions: Any = compile_state([within_limit(cell), room(cell, NOW, "fits")], ASKED)
        return cls(quantities, conditions)
