"""Capacity in parts that nobody lends: what each share has when it is alone. Trusted: nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....spec.model import (
    EnvironmentCapacityLimit,
    QueueConfig,
    QuotaShare,
    ResourceSharing,
    ServiceEnvironment,
    ShareCapacityLimit,
    Strategy,
)

Split = Mapping[tuple[str, str], int]
"""(share, unit) -> machines."""

RULE = (
    "each share has its limit alone; what no limit covers is split as the limits are, and where the limits are more than "
    "there is the capacity is, by largest remainder (equal remainders by the order of shares)"
)


def largest_remainder(total: int, weights: Mapping[str, int]) -> dict[str, int]:
    """`total` whole machines split as `weights` are; remainders of equal size by the order of the weights."""
    whole = sum(weights.values())
    if not whole:
        return dict.fromkeys(weights, 0)
    given = {name: total * weight // whole for name, weight in weights.items()}
    by_remainder = sorted(weights, key=lambda name: -(total * weights[name] % whole))
    for name in by_remainder[: total - sum(given.values())]:
        given[name] += 1
    return given


def by_limits(config: QueueConfig) -> Split:
    """What `RULE` gives each share of each unit."""
    found: dict[tuple[str, str], int] = {}
    for unit in config.units:
        capacity = config.environment.capacity.get(unit, 0)
        limits = {share.name: share.limits.get(unit, 0) for share in config.shares}
        spare = capacity - sum(limits.values())
        parts = largest_remainder(capacity if spare < 0 else spare, limits)
        for name, part in parts.items():
            found[name, unit] = part if spare < 0 else limits[name] + part
    return found


def reserved(config: QueueConfig, split: Split) -> QueueConfig:
    """The queue in which each share has its part of the split to itself."""
    shares = (_reserving(s, {unit: split[s.name, unit] for unit in config.units}) for s in config.shares)
    return config.model_copy(update={"shares": tuple(shares)})


def alone(config: QueueConfig, share: str, parts: Sequence[int]) -> QueueConfig:
    """A queue of one share, with so many of each of the queue's units."""
    given = dict(zip(config.units, parts, strict=True))
    one = _reserving(config.share(share), given)
    return config.model_copy(update={"environment": environment(config.environment, given), "shares": (one,)})


def described(config: QueueConfig, split: Split) -> str:
    """The split in words."""
    units = (
        f"{unit}: "
        + ", ".join(
            f"{share.name} {split[share.name, unit]:,}" for share in config.shares if (share.name, unit) in split
        )
        for unit in config.units
    )
    return "; ".join(units)


def _reserving(share: QuotaShare, parts: Mapping[str, int]) -> QuotaShare:
    sharing = ResourceSharing(strategy=Strategy.RESERVE)
    return share.model_copy(update={"capacity_limits": limits(parts), "resource_sharing_configuration": sharing})


def limits(parts: Mapping[str, int]) -> tuple[ShareCapacityLimit, ...]:
    """A share's limits; a unit of which it has nothing has none."""
    return tuple(ShareCapacityLimit(max_capacity=n, capacity_unit=unit) for unit, n in parts.items() if n)


def environment(of: ServiceEnvironment, capacity: Mapping[str, int]) -> ServiceEnvironment:
    """The environment with another capacity."""
    limits = tuple(EnvironmentCapacityLimit(max_capacity=n, capacity_unit=unit) for unit, n in capacity.items())
    return of.model_copy(update={"capacity_limits": limits})
