"""The small queues in which coverage goals are looked for: one for each kind of thing that can stand in a job's way.

Lending with a borrow limit and in-share preemption, capacity kept for its owner, an environment below and above the sum
of the limits, heads of several priorities, two borrowers and a lender, an environment that is off.
"""

from __future__ import annotations

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
from .goals import Place
from .kinds import Kind

_BORROWS = Strategy.LEND_AND_BORROW
_LENDS = Strategy.LEND
_KEEPS = Strategy.RESERVE


def _share(
    name: str, limit: int, strategy: Strategy, borrow: int | None = None, *, in_share: bool = False
) -> QuotaShare:
    return QuotaShare(
        quota_share_name=name,
        capacity_limits=(ShareCapacityLimit(capacity_unit="u", max_capacity=limit),),
        resource_sharing_configuration=ResourceSharing(strategy=strategy, borrow_limit=borrow),
        preemption_configuration=Preemption(in_share_preemption=State.ENABLED if in_share else State.DISABLED),
    )


def _place(capacity: int, shares: tuple[QuotaShare, ...], *kinds: Kind, state: State = State.ENABLED) -> Place:
    limits = (EnvironmentCapacityLimit(capacity_unit="u", max_capacity=capacity),)
    environment = ServiceEnvironment(service_environment_name="env", capacity_limits=limits, state=state)
    return Place(QueueConfig(job_queue_name="q", environment=environment, shares=shares), kinds)


def _kind(name: str, size: int, jobs: int = 1, priority: int = 0) -> Kind:
    """Jobs of the share that the name begins with."""
    return Kind(name, name[0], {"u": size}, priority, jobs)


PLACES = {
    "lend": _place(
        4, (_share("a", 2, _BORROWS, 50, in_share=True), _share("b", 2, _LENDS)),
        _kind("a1", 1, 3), _kind("a2", 2, priority=1), _kind("b1", 1), _kind("b2", 2, priority=1)),
    "kept": _place(
        4, (_share("a", 2, _BORROWS, -1), _share("r", 2, _KEEPS)),
        _kind("a1", 1, 3), _kind("a2", 2), _kind("r1", 1), _kind("r2", 2)),
    "short": _place(
        2, (_share("a", 2, _BORROWS, -1), _share("r", 2, _KEEPS, in_share=True)),
        _kind("a1", 1, 2), _kind("r1", 1, 2), _kind("r2", 2, priority=1)),
    "surplus": _place(
        5, (_share("a", 2, _BORROWS, -1, in_share=True), _share("b", 2, _LENDS)),
        _kind("a1", 1, 3), _kind("a2", 2, priority=1), _kind("b2", 2)),
    "off": _place(2, (_share("a", 1, _BORROWS, -1), _share("b", 1, _LENDS)),
                  _kind("a1", 1), _kind("b1", 1), state=State.DISABLED),
    "three": _place(
        4, (_share("a", 1, _BORROWS, -1), _share("b", 1, _BORROWS, 100), _share("c", 2, _LENDS)),
        _kind("a1", 1, 3), _kind("b1", 1, 2), _kind("c1", 1), _kind("c2", 2)),
    "heads": _place(
        3, (_share("a", 1, _BORROWS, -1, in_share=True), _share("b", 2, _LENDS, in_share=True)),
        _kind("a1", 1, 3), _kind("a1-first", 1, priority=1), _kind("b1", 1, 2), _kind("b1-first", 1, priority=1),
        _kind("b2", 2)),
}  # fmt: skip
