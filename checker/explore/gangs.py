"""Closed systems of gangs drawn at random, each searched completely for preemption that goes round (G18).

A drawn system is one configuration and a few jobs, all submitted at the start. What is found is a scenario to be played;
that nothing is found says so for the systems that were drawn. Trusted: the search in `closed`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from ...spec.formats.scenario import Scenario
from ...spec.model import (
    EnvironmentCapacityLimit,
    Preemption,
    QueueConfig,
    QuotaShare,
    ResourceSharing,
    ServiceEnvironment,
    ShareCapacityLimit,
    State,
    Strategy,
)
from ...spec.readings import Readings
from ..generate.choices import Choices, Seeded, chance, pick
from .closed import Kind, circle

SHARES = (2, 4)
JOBS = (3, 8)
_BORROWS = (-1, 50, 100, 200)
_UNITS = ("u", "w")


@dataclass(frozen=True)
class System:
    """A queue and the jobs that are submitted to it."""

    config: QueueConfig
    jobs: tuple[Kind, ...]


def drawn(choose: Choices) -> System:
    """A small queue with up to two units, mostly of shares that lend and borrow, and gangs up to its size."""
    units = _UNITS[: 1 + chance(choose, 20)]
    names = "ABCD"[: choose.number(*SHARES)]
    shares = tuple(_share(choose, name, units) for name in names)
    total = {u: sum(s.limits[u] for s in shares) for u in units}
    capacity = {u: max(1, n + pick(choose, (0, 0, 0, -1, 1, 2))) for u, n in total.items()}
    limits = tuple(EnvironmentCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in capacity.items())
    environment = ServiceEnvironment(service_environment_name="env", capacity_limits=limits)
    jobs: list[Kind] = []
    for _ in range(choose.number(*JOBS)):
        wanted = units if len(units) == 1 else pick(choose, (units, units[:1], units[1:]))
        size = {u: choose.number(1, min(5, capacity[u])) for u in wanted}
        jobs.append(Kind(pick(choose, names), size, choose.number(0, 2)))
    return System(QueueConfig(job_queue_name="q", environment=environment, shares=shares), tuple(jobs))


def _share(choose: Choices, name: str, units: tuple[str, ...]) -> QuotaShare:
    strategy = pick(choose, (*[Strategy.LEND_AND_BORROW] * 6, Strategy.LEND, Strategy.RESERVE))
    borrows = strategy is Strategy.LEND_AND_BORROW
    limits = tuple(ShareCapacityLimit(capacity_unit=u, max_capacity=choose.number(1, 4)) for u in units)
    return QuotaShare(
        quota_share_name=name,
        capacity_limits=limits,
        resource_sharing_configuration=ResourceSharing(
            strategy=strategy, borrow_limit=pick(choose, _BORROWS) if borrows else None
        ),
        preemption_configuration=Preemption(
            in_share_preemption=State.ENABLED if chance(choose, 50) else State.DISABLED
        ),
    )


def circles(readings: Readings, *, systems: int, seed: int) -> Iterator[Scenario | None]:
    """For each of so many systems, the circle in it or None."""
    choose = Seeded(random.Random(seed))
    for _ in range(systems):
        system = drawn(choose)
        yield circle(system.config, readings, system.jobs)
