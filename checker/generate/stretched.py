"""A scenario in other numbers: now and then priorities are spread out as far as they go, or all machines multiplied.

The order of priorities stays, and so does the proportion of limits and sizes: what a scheduler has to do is the same, but
for what percentages are rounded to, and it does it with numbers of several digits and of more than a byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...spec import events as ev
from ...spec.formats.scenario import Scenario, Step
from ...spec.model import MAX_PRIORITY, QueueConfig, QuotaShare
from .choices import Choices, pick, record
from .configs import queue_of, share_of

SCALES = (
    (9, 10, 99, 100, 255, 256, 1000, MAX_PRIORITY),
    (99, 100, 255, 256, 511, 512, 1000, MAX_PRIORITY),
    (255, 256, 257, 512, 999, 1000, MAX_PRIORITY - 1, MAX_PRIORITY),
    (0, 9, 10, 256, 1024, 4096, MAX_PRIORITY - 1, MAX_PRIORITY),
)
"""What priorities 0, 1, 2 and so on become."""
FACTORS = (100, 64, 300, 1000)
_PRIORITIES, _COUNTS = 6, 30
"""One scenario in so many."""


def stretched(choose: Choices, made: Scenario, *, queue: bool = True) -> Scenario:
    """The scenario, mostly as it is. `queue`: whether the queue may have other numbers."""
    drawn = record(choose, 4)
    scale = pick(drawn, SCALES) if drawn.number(1, _PRIORITIES) == _PRIORITIES else None
    factor = pick(drawn, FACTORS) if drawn.number(1, _COUNTS) == _COUNTS and queue else 1
    steps = made.steps if scale is None else tuple(_spread(step, scale) for step in made.steps)
    if factor == 1:
        return replace(made, steps=steps)
    return replace(made, config=_queue(made.config, factor), steps=tuple(_multiplied(step, factor) for step in steps))


def _spread(step: Step, scale: tuple[int, ...]) -> Step:
    if isinstance(step, ev.Submit | ev.SetPriority) and step.priority is not None:
        return replace(step, priority=scale[min(step.priority, len(scale) - 1)])
    return step


def _multiplied(step: Step, by: int) -> Step:
    match step:
        case ev.Submit():
            return replace(step, size=_times(step.size, by))
        case ev.SetLimits():
            return replace(step, limits=_times(step.limits, by))
        case ev.SetCapacity():
            return replace(step, capacity=_times(step.capacity, by))
        case ev.CreateShare():
            return replace(step, share=_share(step.share, by))
        case _:
            return step


def _queue(config: QueueConfig, by: int) -> QueueConfig:
    return queue_of(_times(config.environment.capacity, by), [_share(share, by) for share in config.shares])


def _share(share: QuotaShare, by: int) -> QuotaShare:
    limits = _times(share.limits, by)
    return share_of(share.name, limits, share.strategy, share.borrow_limit, in_share=share.in_share, state=share.state)


def _times(counts: Mapping[str, int], by: int) -> dict[str, int]:
    return {unit: n * by for unit, n in counts.items()}
