"""Where the search for an experiment starts: for each open question a small queue, what has happened, what may be done.

A start is a hint and nothing more: what it leads to is decided by the reference, and what can be dropped from it is.
Two machine types of a few cents an hour stand for any others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
from .trial import When

UNIT, OTHER = "ml.m5.large", "ml.m5.xlarge"
QUEUE, ENVIRONMENT = "experiment-queue", "experiment-environment"


@dataclass(frozen=True)
class Offer:
    """A job that may be submitted: `size` machines of `unit`."""

    share: str
    priority: int = 1
    size: int = 1
    unit: str = UNIT
    retries: int | None = None

    def submit(self, number: int) -> ev.Submit:
        """The share's job of that number."""
        name = f"{self.share.lower()}_job_{number}"
        return ev.Submit(name, self.share, {self.unit: self.size}, self.priority, self.retries)


@dataclass(frozen=True)
class Start:
    """A queue, and what a search may do to it."""

    config: QueueConfig
    offers: tuple[Offer, ...]
    first: tuple[Offer, ...] = ()
    """Submitted one after the other before the search begins."""
    priorities: tuple[int, ...] = ()
    """To which a job's priority may be changed."""
    admin: tuple[ev.Event, ...] = ()
    """What an administrator may do, each at most once."""
    when: tuple[When, ...] = (When.RESTED,)
    returns: bool = False
    """Whether a SCHEDULED job may be returned for lack of machines."""
    needs: Mapping[str, str] = field(default_factory=dict[str, str])
    """Choices of other questions without which not all choices look different."""
    ends: bool = False
    """Whether a victim may end by itself while it drains."""


def share(name: str, limit: int | Mapping[str, int], borrows: bool = False, borrow_limit: int | None = None,
          *, in_share: bool = False) -> QuotaShare:  # fmt: skip
    """A share that lends, or that lends and borrows."""
    limits = limit if isinstance(limit, Mapping) else {UNIT: limit}
    strategy = Strategy.LEND_AND_BORROW if borrows else Strategy.LEND
    return QuotaShare(
        quota_share_name=name,
        capacity_limits=tuple(ShareCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in limits.items()),
        resource_sharing_configuration=ResourceSharing(strategy=strategy, borrow_limit=borrow_limit),
        preemption_configuration=Preemption(in_share_preemption=State.ENABLED if in_share else State.DISABLED),
    )


def queue(capacity: int | Mapping[str, int], *shares: QuotaShare) -> QueueConfig:
    """A queue of these shares, created in this order."""
    units = capacity if isinstance(capacity, Mapping) else {UNIT: capacity}
    limits = tuple(EnvironmentCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in units.items())
    environment = ServiceEnvironment(service_environment_name=ENVIRONMENT, capacity_limits=limits)
    return QueueConfig(job_queue_name=QUEUE, environment=environment, shares=shares)


ONE, TWO, THREE = "QS1", "QS2", "QS3"


def _pair(lender: int = 1, borrow_limit: int | None = None, *, own: bool = False, other: bool = False) -> QueueConfig:
    """QS1 borrows from QS2; `own` and `other`: in-share preemption in QS1, in QS2."""
    borrower = share(ONE, 1, True, borrow_limit, in_share=own)
    return queue(1 + lender, borrower, share(TWO, lender, in_share=other))


def _alone(limit: int = 1, *, in_share: bool = False) -> QueueConfig:
    return queue(limit, share(ONE, limit, in_share=in_share))


_BORROWERS = queue(3, share(ONE, 1, True), share(TWO, 1, True), share(THREE, 1))
_ANY = (Offer(ONE), Offer(ONE, 2), Offer(TWO))

STARTS: Mapping[str, tuple[Start, ...]] = {
    "A4": (Start(queue({UNIT: 1, OTHER: 1}, share(ONE, {OTHER: 1}, True), share(TWO, 1)), (Offer(ONE),)),),
    "A5": (Start(queue(3, share(ONE, 1), share(TWO, 1, True)), (Offer(ONE), Offer(TWO))),),
    "A6": (Start(queue(4, share(ONE, 1, True, 50), share(TWO, 1, True, 40), share(THREE, 2)),
                 (Offer(ONE, size=2), Offer(TWO, size=2))),),
    "A8": (Start(_pair(borrow_limit=0), (Offer(ONE), Offer(ONE, size=2))),),
    "A9": (Start(_pair(2, 100), (Offer(ONE), Offer(ONE, size=3)),
                 admin=(ev.SetSharing(ONE, Strategy.LEND_AND_BORROW),)),),
    "A13": (Start(_pair(), _ANY, needs={"A26": "oldest"}),),
    "A15": (Start(_pair(), (Offer(ONE), Offer(TWO))),),
    "A16": (Start(_BORROWERS, _ANY, (Offer(ONE), Offer(TWO), Offer(THREE), Offer(ONE), Offer(TWO))),),
    "A16b": (Start(_BORROWERS, (Offer(ONE, size=2), Offer(TWO)), (Offer(ONE), Offer(TWO))),),
    "A17": (Start(queue(1, share(TWO, 1), share(ONE, 1), share(THREE, 1)),
                  (Offer(ONE), Offer(TWO), Offer(THREE)), (Offer(TWO),)),),
    "A18": (Start(_alone(2), (Offer(ONE), Offer(ONE, 2, 2))),),
    "A20": (Start(_alone(), (Offer(ONE),)),),
    "A21": (Start(_pair(), (Offer(ONE), Offer(TWO)), (Offer(ONE, 2), Offer(ONE))),),
    "A23": (Start(queue(3, share(ONE, 1), share(TWO, 1), share(THREE, 1, True)), (Offer(ONE), Offer(TWO)),
                  (Offer(THREE, 3), Offer(THREE, 2), Offer(THREE)), when=(When.RESTED, When.STOPPING)),),
    "A24": (Start(_BORROWERS, (Offer(ONE), Offer(TWO, size=2)), (Offer(ONE), Offer(ONE))),),
    "A26": (Start(_pair(3), (Offer(TWO),), (Offer(ONE, 3), Offer(ONE, 2, 2), Offer(ONE))),
            Start(_pair(3), (Offer(TWO),), (Offer(ONE, 4), Offer(ONE, 3), Offer(ONE, 2, 2), Offer(ONE)))),
    "A28": (Start(queue(4, share(ONE, 1, True), share(TWO, 2), share(THREE, 1)), (Offer(TWO, size=2),),
                  (Offer(ONE, 3), Offer(ONE), Offer(ONE, 2, 2))),),
    "A30": (Start(_pair(2, other=True), (Offer(TWO, 2),), (Offer(ONE, 2), Offer(TWO), Offer(ONE))),),
    "A31": (Start(_pair(own=True), (Offer(ONE), Offer(ONE, 2), Offer(ONE, 3))),),
    "A33": (Start(_alone(in_share=True), (Offer(ONE, 2), Offer(ONE, 3)), priorities=(1,)),),
    "A34": (Start(_pair(), (Offer(ONE), Offer(TWO)), (Offer(ONE, 2),), when=(When.RESTED, When.STOPPING), ends=True),),
    "A38": (Start(_pair(), (Offer(ONE, retries=0), Offer(TWO)), (Offer(ONE, 2),), when=(When.RESTED, When.SCHEDULED)),),
    "A46": (Start(_alone(), (Offer(ONE),), admin=(ev.SetShareState(ONE, State.DISABLED),)),),
    "A47": (Start(_pair(), (Offer(ONE), Offer(ONE, size=2)), admin=(ev.SetShareState(TWO, State.DISABLED),)),),
    "A48": (Start(_pair(3), (Offer(ONE, size=2),), (Offer(TWO), Offer(ONE)), when=(When.RESTED, When.STOPPING),
                  admin=(ev.SetShareState(TWO, State.DISABLED), ev.DeleteShare(TWO))),),
    "A50": (Start(_pair(2), (Offer(TWO),), (Offer(ONE, 3), Offer(ONE, 2), Offer(ONE)), admin=(ev.SetCapacity({UNIT: 2}),)),),
    "A51": (Start(_alone(), (Offer(ONE, size=2),)),),
    "A52": (Start(_alone(), (Offer(ONE), Offer(ONE, 2, 2))),),
    "A54": (Start(_alone(), (Offer(ONE),), when=(When.RESTED, When.SCHEDULED), returns=True),),
    "A58": (Start(queue(4, share(ONE, 1, True), share(TWO, 1, True), share(THREE, 2)), (Offer(TWO), Offer(THREE, size=2)),
                  (Offer(ONE, 2), Offer(ONE), Offer(TWO)), when=(When.RESTED, When.STOPPING)),),
    "A59": (Start(_pair(2, other=True), (Offer(TWO, 2, 2),), (Offer(ONE, 2), Offer(TWO), Offer(ONE))),),
}  # fmt: skip
"""Question -> starts, the likeliest first."""

ALIKE: Mapping[tuple[str, str], str] = {
    (
        "A28",
        "minimal",
    ): "the reference never stops more than it needs, under all-or-nothing neither; a plan of AWS's that "
    "a smaller part of it could replace rules it out",
}
"""A choice under which the reference does what it does under the default, and why."""

OUTSIDE: Mapping[str, str] = {
    "A7": "No job tells: the request itself does. `aws batch create-quota-share` with the strategy LEND and a borrowLimit "
    "is refused with a ClientException (A7=rejected), or accepted (A7=ignored).",
}
"""Questions of which the scheduler knows nothing, and what settles them."""
