"""Which service environment a queue dispatches into, where the files do not all say it. Trusted: nothing."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import LARGEST, EnvironmentCapacityLimit, ServiceEnvironment
from .checks import check_environment, check_home
from .errors import InputError, listed, shown
from .inputs import Inputs
from .items import EnvironmentItem, QueueItem, ShareItem, where_of


def environments(inputs: Inputs, described: Sequence[QueueItem]) -> list[EnvironmentItem]:
    """The environments that the descriptions of a queue hold or name, as far as they are given; the first counts."""
    found: dict[int, EnvironmentItem] = {}
    for queue in described:
        named = (inputs.environments.get(name) for name in queue.environments)
        for item in (queue.own_environment, *named):
            if item is not None:
                found.setdefault(id(item), item)
    return list(found.values())


def choose(
    inputs: Inputs,
    name: str,
    described: Sequence[QueueItem],
    candidates: Sequence[EnvironmentItem],
    shares: Sequence[ShareItem],
    notes: list[str],
) -> tuple[EnvironmentItem | None, ServiceEnvironment]:
    """The first candidate, else the only one that can be, else the sum of the limits; says so in notes."""
    referred = next((q.environments[0] for q in described if q.environments), "")
    item = candidates[0] if candidates else None
    if item is None and not referred:
        item = _only(inputs, name, shares)
        if item:
            fits = any(u in item.environment.capacity for s in shares for u in s.share.limits)
            why = "no other environment here has these units" if fits else "no other environment is given"
            notes.append(f"environment {item.name} is assumed to be the one of {name}: no file says it, and {why}")
    if item:
        check_environment(item, name)
        check_home([*shares, item])
        notes += item.notes
        return item, item.environment
    missing = f"environment {referred} of {name} is not given" if referred else f"no environment is given for {name}"
    notes.append(f"{missing}: its capacity is taken as the sum of the shares' limits")
    return None, _sum_of_limits(name, shares)


def _only(inputs: Inputs, name: str, shares: Sequence[ShareItem]) -> EnvironmentItem | None:
    """The only environment no other queue has that has the units of the shares: all of them, else some, else any."""
    taken = {e for q in inputs.queues.values() if q.name != name for e in q.environments}
    free = [e for e in inputs.environments.values() if e.name not in taken]
    units = {u for s in shares for u in s.share.limits}
    candidates = [e for e in free if units <= set(e.environment.capacity)]
    candidates = candidates or [e for e in free if units & set(e.environment.capacity)] or free
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    names = listed(e.name for e in candidates)
    raise InputError(
        f"any of {len(candidates)} environments may be the one of {name}: {names}",
        where=where_of(candidates),
        why="No file says which environment the queue dispatches into, and a guess could be wrong.",
        fix=f"add the output of `aws batch describe-job-queues --job-queues {name}`.",
    )


def _sum_of_limits(name: str, shares: Sequence[ShareItem]) -> ServiceEnvironment:
    total: dict[str, int] = {}
    for item in shares:
        for unit, limit in item.share.limits.items():
            total[unit] = total.get(unit, 0) + limit
            if total[unit] > LARGEST:
                raise item.spot.error(
                    ("capacityLimits", list(item.share.limits).index(unit), "maxCapacity"),
                    f"the limits of {shown(unit)} add up to more than {LARGEST:,}",
                    why="No environment is given, and no cluster has so many instances.",
                    fix="write the numbers that were meant.",
                )
    limits = tuple(EnvironmentCapacityLimit(max_capacity=n, capacity_unit=u) for u, n in total.items())
    return ServiceEnvironment(service_environment_name=name, capacity_limits=limits)
