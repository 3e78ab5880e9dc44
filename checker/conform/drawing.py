"""The scenarios of a campaign, by number: the same seed and number are the same scenario everywhere and always."""

from __future__ import annotations

from ...spec.formats.scenario import Scenario
from ...spec.readings import Readings
from ..generate.scenarios import seeded
from .backend import Declaration

_APART = 1_000_003
"""Numbers of one seed before those of the next begin: more than a campaign tries."""


def drawn(seed: int, number: int, declared: Declaration) -> Scenario:
    """Scenario `number` of a campaign, made to fit what the backend declares."""
    return seeded(seed * _APART + number, features=declared.features, readings=Readings().assuming(declared.choices))
