"""Queues for reports: the two of the target screens are read from files, the others are made here."""

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


def share(name: str, limits: Mapping[str, int], strategy: str = "LEND", borrow: int | None = None) -> QuotaShare:
    return QuotaShare(
        quota_share_name=name,
        capacity_limits=tuple(ShareCapacityLimit(max_capacity=n, capacity_unit=u) for u, n in limits.items()),
        resource_sharing_configuration=ResourceSharing(strategy=Strategy(strategy), borrow_limit=borrow),
        preemption_configuration=Preemption(in_share_preemption=State.DISABLED),
    )


def queue(capacity: Mapping[str, int], *shares: QuotaShare, name: str = "q") -> QueueConfig:
    limits = tuple(EnvironmentCapacityLimit(max_capacity=n, capacity_unit=u) for u, n in capacity.items())
    environment = ServiceEnvironment(service_environment_name="env", capacity_limits=limits)
    return QueueConfig(job_queue_name=name, environment=environment, shares=shares)
