"""The scenarios of a campaign, by number: the same seed and number are the same scenario everywhere and always."""

from __future__ import annotations

from dataclasses import replace

from ...spec import events as ev
from ...spec.formats.scenario import Scenario, Step
from ...spec.model import QueueConfig
from ...spec.readings import Readings
from ..generate.configs import queue_of, totals
from ..generate.scenarios import seeded
from .backend import Bounds, Declaration

_APART = 1_000_003
"""Numbers of one seed before those of the next begin: more than a campaign tries."""


def drawn(seed: int, number: int, declared: Declaration, config: QueueConfig | None = None) -> Scenario:
    """Scenario `number` of a campaign, made to fit what the backend declares. `config`: the queue, if not any; the backend
    must have what it needs."""
    readings = Readings().assuming(declared.choices)
    made = seeded(seed * _APART + number, features=declared.features, readings=readings, config=config)
    made = made if config is None else replace(made, config=config)
    return made if declared.bounds == Bounds() else _bounded(made, declared.bounds, own_queue=config is None)


def _bounded(scenario: Scenario, bounds: Bounds, *, own_queue: bool) -> Scenario:
    """The scenario within bounds. `own_queue`: whether its queue was drawn, and may be another."""
    shares = scenario.config.shares
    config = queue_of(totals(shares), shares) if bounds.filled and own_queue else scenario.config
    steps = tuple(_smaller(step, bounds.machines) for step in scenario.steps[: bounds.steps])
    return replace(scenario, config=config, steps=steps)


def _smaller(step: Step, most: int | None) -> Step:
    if most is None or not isinstance(step, ev.Submit):
        return step
    return replace(step, size={unit: min(n, most) for unit, n in step.size.items()})
