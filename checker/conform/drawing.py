"""The scenarios of a campaign, by number: the same seed and number are the same scenario everywhere and always."""

from __future__ import annotations

from dataclasses import replace

from ...spec.formats.scenario import Scenario
from ...spec.model import QueueConfig
from ...spec.readings import Readings
from ..generate.scenarios import seeded
from .backend import Declaration

_APART = 1_000_003
"""Numbers of one seed before those of the next begin: more than a campaign tries."""


def drawn(seed: int, number: int, declared: Declaration, config: QueueConfig | None = None) -> Scenario:
    """Scenario `number` of a campaign, made to fit what the backend declares. `config`: the queue, if not any; the backend
    must have what it needs."""
    readings = Readings().assuming(declared.choices)
    made = seeded(seed * _APART + number, features=declared.features, readings=readings, config=config)
    return made if config is None else replace(made, config=config)
