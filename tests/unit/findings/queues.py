"""Queues for tests in one line: `queue(16, a=(8, "LEND_AND_BORROW", 25))`."""

from __future__ import annotations

from collections.abc import Mapping

from quotaproof.spec.model import (
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

UNIT = "ml.p5.48xlarge"


def share(name: str, limits: Mapping[str, int], strategy: str, borrow: int | None = None, state: str = "ENABLED"):
    return QuotaShare(
        quota_share_name=name,
        capacity_limits=tuple(ShareCapacityLimit(max_capacity=n, capacity_unit=u) for u, n in limits.items()),
        resource_sharing_configuration=ResourceSharing(strategy=Strategy(strategy), borrow_limit=borrow),
        preemption_configuration=Preemption(in_share_preemption=State.DISABLED),
        state=State(state),
    )


def environment(capacity: Mapping[str, int]) -> ServiceEnvironment:
    limits = tuple(EnvironmentCapacityLimit(max_capacity=n, capacity_unit=u) for u, n in capacity.items())
    return ServiceEnvironment(service_environment_name="env", capacity_limits=limits)


def of(capacity: Mapping[str, int], *shares: QuotaShare) -> QueueConfig:
    return QueueConfig(job_queue_name="queue", environment=environment(capacity), shares=shares)


def queue(capacity: int, **shares: tuple[int, str] | tuple[int, str, int | None]) -> QueueConfig:
    """One unit; every share is (limit, strategy, borrow limit)."""
    made = [share(name, {UNIT: given[0]}, given[1], *given[2:]) for name, given in shares.items()]
    return of({UNIT: capacity}, *made)
