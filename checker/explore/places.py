"""The small queues in which coverage goals are looked for: one for each kind of thing that can stand in a job's way.

Lending with a borrow limit and in-share preemption, capacity kept for its owner, an environment below and above the sum
of the limits, heads of several priorities, two borrowers and a lender; and steps of an administrator after which
what was promised is not there any more, or something is off.
"""

from __future__ import annotations

from ...spec import events as ev
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


def _place(capacity: int, shares: tuple[QuotaShare, ...], *kinds: Kind, last: tuple[ev.Event, ...] = ()) -> Place:
    limits = (EnvironmentCapacityLimit(capacity_unit="u", max_capacity=capacity),)
    environment = ServiceEnvironment(service_environment_name="env", capacity_limits=limits)
    return Place(QueueConfig(job_queue_name="q", environment=environment, shares=shares), kinds, last)


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
    "surplus for an owner": _place(
        4, (_share("a", 2, _LENDS, in_share=True), _share("b", 1, _BORROWS, -1)),
        _kind("a1", 1), _kind("a1-first", 1, priority=1), _kind("b1", 1, 2)),
    "surplus for nobody": _place(
        3, (_share("a", 1, _BORROWS, -1, in_share=True), _share("b", 1, _LENDS)),
        _kind("a1", 1), _kind("a1-first", 1, priority=1), _kind("b1", 1)),
    "off": _place(2, (_share("a", 1, _BORROWS, -1), _share("b", 1, _LENDS)),
                  _kind("a1", 1), _kind("b1", 1), last=(ev.SetEnvironmentState(State.DISABLED),)),
    "three": _place(
        4, (_share("a", 1, _BORROWS, -1), _share("b", 1, _BORROWS, 100), _share("c", 2, _LENDS)),
        _kind("a1", 1, 3), _kind("b1", 1, 2), _kind("c1", 1), _kind("c2", 2)),
    "heads": _place(
        3, (_share("a", 1, _BORROWS, -1, in_share=True), _share("b", 2, _LENDS, in_share=True)),
        _kind("a1", 1, 3), _kind("a1-first", 1, priority=1), _kind("b1", 1, 2), _kind("b1-first", 1, priority=1),
        _kind("b2", 2)),
    "ranks": _place(
        2, (_share("a", 1, _LENDS, in_share=True), _share("b", 1, _LENDS)),
        _kind("a1", 1), _kind("a1-second", 1, priority=1), _kind("a1-first", 1, priority=2), _kind("b1", 1)),
    "beyond": _place(
        2, (_share("r", 3, _KEEPS, in_share=True),), _kind("r1", 1, 2), _kind("r1-first", 1, priority=1), _kind("r3", 3)),
    "both kept": _place(
        3, (_share("r", 2, _KEEPS, in_share=True), _share("s", 2, _KEEPS)),
        _kind("r1", 1, 2), _kind("r1-first", 1, priority=1), _kind("s1", 1, 2)),
    "kept beside": _place(
        2, (_share("a", 2, _BORROWS, in_share=True), _share("r", 1, _KEEPS)),
        _kind("a1", 1, 2), _kind("a1-first", 1, priority=1), _kind("r1", 1)),
    "three kept": _place(
        3, (_share("a", 1, _BORROWS, -1), _share("b", 1, _LENDS), _share("r", 1, _KEEPS)),
        _kind("a1", 1, 3), _kind("b1", 1), _kind("r1", 1)),
    "not by loans": _place(3, (_share("a", 1, _BORROWS, -1), _share("b", 3, _LENDS)), _kind("a1", 1, 2), _kind("b3", 3)),
    "borrows nothing": _place(
        3, (_share("a", 1, _BORROWS, 0, in_share=True), _share("b", 1, _BORROWS, -1), _share("c", 1, _LENDS)),
        _kind("a1", 1, 2), _kind("a1-first", 1, priority=1), _kind("b1", 1, 2)),
    "lends no longer": _place(
        3, (_share("a", 1, _BORROWS, -1), _share("b", 2, _LENDS)), _kind("a1", 1, 3), _kind("b1", 1), _kind("b2", 2),
        last=(ev.SetSharing("b", _KEEPS),)),
    "cut": _place(
        4, (_share("a", 1, _BORROWS, -1), _share("b", 2, _LENDS), _share("r", 1, _KEEPS)),
        _kind("a1", 1, 3), _kind("b2", 2), _kind("r1", 1), last=(ev.SetCapacity({"u": 3}),)),
    "lowered": _place(
        3, (_share("a", 1, _BORROWS, -1), _share("b", 2, _LENDS)), _kind("a1", 1, 3), _kind("b2", 2),
        last=(ev.SetLimits("b", {"u": 1}),)),
    "deleted": _place(
        2, (_share("a", 1, _LENDS, in_share=True), _share("b", 1, _BORROWS, -1)),
        _kind("a1", 1, 2), _kind("a1-first", 1, priority=1), _kind("b1", 1, 2),
        last=(ev.SetShareState("a", State.DISABLED), ev.DeleteShare("a"))),
    "claims lack what is kept": _place(
        5, (_share("a", 2, _BORROWS, -1), _share("b", 2, _LENDS), _share("c", 1, _BORROWS, -1), _share("d", 2, _LENDS)),
        _kind("a2", 2), _kind("b1", 1), _kind("c1", 1), _kind("c4", 4), _kind("d2", 2),
        last=(ev.SetLimits("a", {"u": 1}), ev.SetSharing("b", _KEEPS))),
    "share off": _place(1, (_share("a", 1, _LENDS),), _kind("a1", 1), last=(ev.SetShareState("a", State.DISABLED),)),
    "queue off": _place(1, (_share("a", 1, _LENDS),), _kind("a1", 1), last=(ev.SetQueueState(State.DISABLED),)),
}  # fmt: skip
