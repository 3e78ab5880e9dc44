"""What lending is worth, against the same queue without: machines, and shares that paid more than they got.

Machines are found by bisection: a mean wait need not fall with every machine more, so that what is told is two runs, the one
that reaches the mean and the one with a machine less that does not. Trusted: `measure`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ....spec.model import QueueConfig
from ....spec.workload import Work
from ...measured import HOUR
from ...simulated import Dearer, Worth
from .measure import Measured
from .splits import environment, largest_remainder

MOST = 4
"""Times the capacity that are tried."""
FIRST = 16
"""The first step is this part of the capacity."""


def enlarged(config: QueueConfig, more: int) -> QueueConfig:
    """The queue with so many machines more, of each unit in proportion; limits stay."""
    capacity = config.environment.capacity
    parts = largest_remainder(sum(capacity.values()) + more, capacity)
    return config.model_copy(update={"environment": environment(config.environment, parts)})


def worth(
    column: str, against: str, lends: Measured, alone: Measured, config: QueueConfig, run: Callable[[int], float | None]
) -> Worth | None:
    """How many machines more the column without lending needs; None where a job of one of the two never started.

    `run`: the mean wait without lending with so many machines more; None where a job never started.
    """
    wait, now = lends.all.waits.mean, alone.all.waits.mean
    if wait is None or now is None or any(m.all.waits.times < m.all.jobs for m in (lends, alone)):
        return None
    capacity, runs = sum(config.environment.capacity.values()), 0

    def told(machines: int | None, tried: int, reached: float | None, before: float | None) -> Worth:
        units = dict(config.environment.capacity)
        return Worth(column, against, wait, machines, units, tried, runs, reached, before)

    if now <= wait:
        return told(0, 0, now, None)
    low, before, step = 0, now, max(1, capacity // FIRST)
    while True:
        high = min(low + step, (MOST - 1) * capacity)
        reached, runs = run(high), runs + 1
        if reached is not None and reached <= wait:
            break
        if high == (MOST - 1) * capacity:
            return told(None, high, reached, None)
        low, before, step = high, before if reached is None else reached, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        mean, runs = run(middle), runs + 1
        if mean is not None and mean <= wait:
            high, reached = middle, mean
        else:
            low, before = middle, before if mean is None else mean
    return told(high, high, reached, before)


def dearer(column: str, against: str, lends: Measured, alone: Measured, work: Sequence[Work]) -> Iterator[Dearer]:
    """Shares that ended later on average, or spent more machine time than they gained."""
    jobs: dict[str, list[tuple[int, int]]] = {}
    for w in work:
        name = w.submit.job
        if name in lends.took and name in alone.took:
            sooner = alone.took[name] - lends.took[name]
            jobs.setdefault(w.submit.share, []).append((sooner, sum(w.submit.size.values())))
    for share, found in jobs.items():
        later = -sum(sooner for sooner, _ in found) / len(found) / 1000
        gained = sum(sooner * machines for sooner, machines in found) / HOUR
        spent = (lends.cost[share] - alone.cost[share]) / HOUR
        if later > 0 or spent > max(gained, 0):
            yield Dearer(column, against, share, later if later > 0 else None, spent, gained, lends.of(share).borrowed)
