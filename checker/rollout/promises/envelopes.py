"""One configuration under every reading that changes its numbers: what was read otherwise, and what is alike then.

What is asked of a configuration under one choice of readings is `envelope`'s. Choices that give the same numbers in the
units of a question are asked about together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from ....spec.model import QueueConfig
from ....spec.readings import READINGS, Readings
from ....spec.rules.view import Unit
from ...findings.sensitivity import NUMBERS
from ...findings.table import Lot, lots
from ...prove.solver import Solver
from ...results import Combination
from .envelope import Envelope


@dataclass
class Envelopes:
    """A configuration under the readings in force and under every other choice of those that change its numbers."""

    config: QueueConfig
    readings: Readings
    solver: Solver
    alone: bool = False
    """Only the readings in force are asked about."""
    _made: dict[Readings, Envelope] = field(default_factory=dict[Readings, Envelope])
    _groups: dict[tuple[Unit, ...], tuple[tuple[Combination, ...], ...]] = field(
        default_factory=dict[tuple[Unit, ...], tuple[tuple[Combination, ...], ...]]
    )

    @property
    def in_force(self) -> Envelope:
        return self.under({})

    @property
    def lots(self) -> tuple[Lot, ...]:
        """The numbers of every unit under the readings in force."""
        return self.in_force.lots

    def under(self, other: Combination) -> Envelope:
        """The envelope with these readings changed."""
        readings = self.readings.assuming(other) if other else self.readings
        if readings not in self._made:
            self._made[readings] = Envelope(self.config, readings, self.solver)
        return self._made[readings]

    @cached_property
    def _variants(self) -> tuple[tuple[Combination, tuple[Lot, ...]], ...]:
        """Every choice of the readings that nobody fixed, as what it changes, fewest changes first; and its numbers."""
        fixed = dict(self.readings.chosen)
        free = [code for code in NUMBERS if code not in fixed and not self.alone]
        choices = product(*[READINGS[code].choices for code in free])
        changes = [{k: v for k, v in zip(free, chosen, strict=True) if v != self.readings[k]} for chosen in choices]
        every = [(change, lots(self.config, self.readings.assuming(change))) for change in changes]
        return tuple(sorted(every, key=lambda one: len(one[0])))

    def variants(self, units: tuple[Unit, ...]) -> tuple[tuple[Combination, ...], ...]:
        """Changes of readings, together where they give the same numbers in these units; first what changes nothing."""
        if units not in self._groups:
            groups: dict[object, list[Combination]] = {}
            for change, every in self._variants:
                numbers = tuple(_numbers(lot) for lot in every if lot.unit in units)
                groups.setdefault(numbers, []).append(change)
            self._groups[units] = tuple(tuple(group) for group in groups.values())
        return self._groups[units]


def _numbers(lot: Lot) -> tuple[object, ...]:
    """What a question about the unit depends on."""
    return lot.grants, lot.cap(borrowing=True), lot.cap(borrowing=False), lot.stopped
