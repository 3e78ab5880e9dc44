"""The scenarios of a campaign, by number: the same seed and number are the same scenario everywhere and always."""

from __future__ import annotations

from dataclasses import replace

from ...spec import events as ev
from ...spec.formats.scenario import Scenario, Step
from ...spec.model import QueueConfig, QuotaShare, Size, Strategy
from ...spec.readings import Readings
from ..generate.configs import queue_of, totals
from ..generate.scenarios import seeded
from .backend import Bounds, Declaration

_APART = 1_000_003
"""Numbers of one seed before those of the next begin: more than a campaign tries."""


LONGEST = 30
"""Steps of a scenario that is played in real time."""


def drawn(seed: int, number: int, declared: Declaration, config: QueueConfig | None = None) -> Scenario:
    """Scenario `number` of a campaign, made to fit what the backend declares. `config`: the queue, if not any; the backend
    must have what it needs."""
    readings = Readings().assuming(declared.choices)
    made = seeded(seed * _APART + number, features=declared.features, readings=readings, config=config)
    made = made if config is None else replace(made, config=config)
    if declared.lanes:
        made = replace(made, steps=made.steps[:LONGEST])
    return _bounded(made, declared.bounds, readings, own_queue=config is None)


def _bounded(scenario: Scenario, bounds: Bounds, readings: Readings, *, own_queue: bool) -> Scenario:
    """The scenario within bounds. `own_queue`: whether its queue was drawn, and may be another."""
    if bounds.filled and own_queue:
        shares = scenario.config.shares
        scenario = replace(scenario, config=queue_of(totals(shares), shares))
    if bounds.usable:
        smaller = (_usable(step, scenario.config, readings, whole=bounds.whole) for step in scenario.steps)
        scenario = replace(scenario, steps=tuple(step for step in smaller if step is not None))
    return scenario


def _usable(step: Step, config: QueueConfig, readings: Readings, *, whole: bool) -> Step | None:
    """A job for no more than its share may ever use, and if `whole` no more than one share has; None where that is nothing."""
    share = next((s for s in config.shares if isinstance(step, ev.Submit) and s.name == step.share), None)
    if share is None or not isinstance(step, ev.Submit):
        return step
    size = dict(step.size)
    for unit, n in step.size.items():
        grant = share.grant(unit, readings)
        size[unit] = n if grant.borrowable is None else min(n, grant.limit + grant.borrowable)
    if whole:
        size = max(
            (_least(size, owner.limits) for owner in _owners(share, config)), key=lambda part: sum(part.values())
        )
    return replace(step, size=size) if all(size.values()) else None


def _owners(share: QuotaShare, config: QueueConfig) -> list[QuotaShare]:
    """The share, and those that lend to it."""
    borrows = share.strategy is Strategy.LEND_AND_BORROW
    return [share, *(s for s in config.shares if borrows and s != share and s.strategy is not Strategy.RESERVE)]


def _least(size: Size, limits: Size) -> dict[str, int]:
    return {unit: min(n, limits.get(unit, 0)) for unit, n in size.items()}
