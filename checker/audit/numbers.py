"""The specification's quantities and conditions, compiled for one share and one unit. Nothing is stated here again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...spec.expr.nodes import all_of
from ...spec.expr.python import compile_state
from ...spec.expr.walk import variables
from ...spec.readings import Readings
from ...spec.rules.actions import room, within_limit
from ...spec.rules.quantities import NOW, limit, usage
from ...spec.rules.view import CELL_FIELDS, Running

QUANTITIES = (usage, NOW.borrowed, NOW.lendable_idle, NOW.reserved_idle, limit)
USED, BORROWED, LENDABLE_IDLE, RESERVED_IDLE, LIMIT = range(len(QUANTITIES))
"""Where each stands in what `Numbers.quantities` returns."""


@dataclass(frozen=True)
class Numbers:
    """`quantities` takes the `CELL_FIELDS` of a cell. `entitled` and `fits` take what `asked` names, in that order."""

    quantities: Callable[[Sequence[int]], tuple[int, ...]]
    conditions: Callable[[Sequence[Any]], tuple[bool, bool]]
    asked: tuple[str, ...]

    @classmethod
    def of(cls, readings: Readings) -> Numbers:
        cell = Running(("x",), ("u",), readings).at("x", "u")
        quantities = compile_state([q(cell) for q in QUANTITIES], [f"{f}.x.u" for f in CELL_FIELDS])
        roots = [within_limit(cell), room(cell, NOW, "fits")]
        asked = tuple(variables(all_of(*roots)))
        conditions: Any = compile_state(roots, asked)
        return cls(quantities, conditions, asked)

    def within(self, values: Mapping[str, Any]) -> tuple[bool, bool]:
        """Whether the asked machines stay within the limit when every drain has ended, and whether they fit now.

        `values`: `CELL_FIELDS`, "asks", "unlimited", "may_borrow", "capacity", and "total.NAME" for `QUANTITIES`.
        """
        return self.conditions([values[_short(name)] for name in self.asked])


def _short(name: str) -> str:
    """The variable of the one cell without its share and unit."""
    first, *rest = name.split(".")
    return f"{first}.{rest[0]}" if first == "total" else first
