"""Whether a workload and a queue belong together, and a queue on a part of its machines. Trusted: nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....spec.model import QueueConfig, QuotaShare
from ....spec.workload import Workload
from .splits import environment, largest_remainder, limits

HIGH, LOW = 2.0, 0.1
"""Parts of the machine time that there is which jobs ask for: above and below, what is compared says little."""


def scaled(config: QueueConfig, percent: int) -> tuple[QueueConfig, str]:
    """The queue on so many percent of its machines, limits alike, and what was done."""
    capacity = {unit: max(bool(n), n * percent // 100) for unit, n in config.environment.capacity.items()}
    parts = {unit: _parts(config, unit, percent) for unit in config.units}

    def smaller(share: QuotaShare) -> QuotaShare:
        own = {unit: parts[unit][share.name] for unit in share.limits}
        return share.model_copy(update={"capacity_limits": limits(own)})

    changed = {"environment": environment(config.environment, capacity), "shares": tuple(map(smaller, config.shares))}
    machines = ", ".join(f"{n:,} of {config.environment.capacity[unit]:,} {unit}" for unit, n in capacity.items())
    note = f"{percent} % of the machines ({machines}); limits alike, by largest remainder, at least 1"
    return config.model_copy(update=changed), note


def _parts(config: QueueConfig, unit: str, percent: int) -> Mapping[str, int]:
    """Share -> its limit of the unit: so many percent of all limits, split as they are, at least 1 each."""
    own = {share.name: share.limits[unit] for share in config.shares if unit in share.limits}
    parts = largest_remainder(sum(own.values()) * percent // 100, own)
    for name in [name for name, n in parts.items() if not n]:
        parts[name] = 1
        largest = max(parts, key=lambda share: parts[share])
        parts[largest] -= parts[largest] > 1
    return parts


def warnings(config: QueueConfig, workload: Workload) -> Iterator[str]:
    """What is doubtful in running these jobs in this queue."""
    arrivals = [w.at for w in workload.work]
    span = max(arrivals, default=0) - min(arrivals, default=0)
    time = max([span, *(w.runs for w in workload.work)])
    while_ = "while they arrive" if time == span else "in the time of the longest job"
    for unit in dict.fromkeys(unit for w in workload.work for unit in w.submit.size):
        capacity = config.environment.capacity.get(unit, 0)
        sizes = [w.submit.size.get(unit, 0) for w in workload.work]
        larger = sum(n > capacity for n in sizes)
        if larger:
            yield f"jobs that ask for more {unit} than the environment has ({capacity:,}): {larger:,}"
        asked = sum(n * w.runs for n, w in zip(sizes, workload.work, strict=True))
        if not capacity or not time:
            continue
        load = asked / (capacity * time)
        if load > HIGH:
            yield (
                f"the jobs ask for {load:.1f} times the {unit} time that there is {while_}: under any policy they queue up, "
                "and what is compared is how"
            )
        elif load < LOW:
            yield f"the jobs ask for {100 * load:.1f} % of the {unit} time that there is {while_}: little can wait"
