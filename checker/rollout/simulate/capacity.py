"""A queue with fewer machines, and whether a workload belongs to a queue at all. Trusted: nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ....spec.model import QueueConfig
from ....spec.workload import Workload
from . import splits

MUCH, LITTLE = 1.2, 0.2
"""Offered work per machine above and below which a workload and a queue do not belong together."""


def scaled(config: QueueConfig, percent: int) -> tuple[QueueConfig, tuple[str, ...]]:
    """The queue with so many percent of its machines, and what was done.

    The environment is rounded half up; the limits together are scaled as it is and split among the shares as they were,
    by largest remainder, at least 1 where a share had any. Borrow limits stay: they are percentages of the own limit.
    """
    if percent == 100:
        return config, ()
    capacity = {unit: _part(n, percent) for unit, n in config.environment.capacity.items()}
    limits: dict[str, dict[str, int]] = {share.name: {} for share in config.shares}
    raised = 0
    for unit in config.units:
        own = {share.name: share.limits[unit] for share in config.shares if unit in share.limits}
        for name, n in splits.largest_remainder(_part(sum(own.values()), percent), own).items():
            limits[name][unit] = max(1, n)
            raised += n < 1
    shares = tuple(s.model_copy(update={"capacity_limits": splits.limits(limits[s.name])}) for s in config.shares)
    environment = splits.environment(config.environment, capacity)
    said = [f"capacity {percent} %: {_counts(capacity)}; limits scaled by largest remainder: "
            + splits.described(config, {(s, u): n for s, of in limits.items() for u, n in of.items()})]  # fmt: skip
    if raised:
        said.append(
            f"{raised} limits would be 0 and are 1, so that limits may add up to more than {percent} % of what they did"
        )
    return config.model_copy(update={"environment": environment, "shares": shares}), tuple(said)


def _part(n: int, percent: int) -> int:
    return (n * percent + 50) // 100


def _counts(of: Mapping[str, int]) -> str:
    return ", ".join(f"{unit} {n:,}" for unit, n in of.items())


def offered(config: QueueConfig, workload: Workload) -> Mapping[str, float]:
    """Unit -> work that arrives, in machine-time per machine and time from the first to the last arrival.

    Empty where all jobs arrive at one instant. Infinite where there is no machine of a unit that is asked for.
    """
    arrivals = [w.at for w in workload.work]
    span = max(arrivals, default=0) - min(arrivals, default=0)
    asked: Counter[str] = Counter()
    for w in workload.work:
        for unit, n in w.submit.size.items():
            asked[unit] += n * w.runs
    capacity = config.environment.capacity
    return {u: n / span / capacity[u] if capacity.get(u) else float("inf") for u, n in asked.items()} if span else {}


def warnings(config: QueueConfig, workload: Workload, left: Mapping[str, str]) -> Iterator[str]:
    """Why the workload and the capacity do not belong together; `left`: jobs that the queue can never run."""
    for unit, load in offered(config, workload).items():
        if load > MUCH or load < LITTLE:
            yield (
                f"{load:.0%} of the {config.environment.capacity.get(unit, 0):,} {unit} are asked for while jobs arrive: "
                + (
                    "jobs wait ever longer, and waits say how long the workload is"
                    if load > 1
                    else "hardly a job waits"
                )
            )
    if left:
        yield f"{len(left):,} of {len(workload.work):,} jobs are larger than anything that the queue can ever give them"
