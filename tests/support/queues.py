"""Small queue configurations written in one line each."""

from __future__ import annotations

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


def share(name, limits, strategy="LEND", borrow=None, in_share=False, state="ENABLED"):
    """A share; `limits` is a number (of unit u) or unit -> number."""
    limits = limits if isinstance(limits, dict) else {"u": limits}
    return QuotaShare(
        quota_share_name=name,
        capacity_limits=tuple(ShareCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in limits.items()),
        resource_sharing_configuration=ResourceSharing(strategy=Strategy(strategy), borrow_limit=borrow),
        preemption_configuration=Preemption(in_share_preemption=State.ENABLED if in_share else State.DISABLED),
        state=State(state),
    )


def queue(capacity, *shares, name="q"):
    """A queue; `capacity` is a number (of unit u) or unit -> number."""
    capacity = capacity if isinstance(capacity, dict) else {"u": capacity}
    limits = tuple(EnvironmentCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in capacity.items())
    environment = ServiceEnvironment(service_environment_name="env", capacity_limits=limits)
    return QueueConfig(job_queue_name=name, environment=environment, shares=shares)


def walkthrough():
    """The demo of three shares with one machine each."""
    return queue(3, share("QS1", 1, "LEND_AND_BORROW", 200, in_share=True), share("QS2", 1), share("QS3", 1, "RESERVE"))
