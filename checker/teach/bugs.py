"""What is wrong with the planted schedulers: the reference with one thing changed, a few lines each.

`passing_over` makes a `decide` that never does some of what the reference would. Trusted: nothing; the judge has to find
them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...reference.clock import Decide
from ...reference.decide import decide
from ...reference.policy import Policy
from ...reference.queue import Claim, Job, Queue, Turn
from ...reference.usage import Usage
from ...spec import events as ev
from ...spec.model import Grant, QueueConfig, Strategy
from ...spec.readings import Readings

Acts = ev.Dispatch | ev.Claim


def share_of(queue: Queue, step: Acts) -> str:
    """Whose step it is."""
    return queue.jobs[step.job].share


def passing_over(bad: Callable[[Queue, Acts], bool]) -> Decide:
    """The reference that does everything but the starts and claims which are `bad`: their shares are left out instead."""

    def decides(queue: Queue, policy: Policy) -> ev.SchedulerEvent | None:
        step = decide(queue, policy)
        while isinstance(step, Acts) and bad(queue, step):
            share = share_of(queue, step)
            queue = queue.copy()
            queue.shares[share].deleting = True
            step = decide(queue, policy)
        return step

    return decides


def borrows(queue: Queue, step: ev.SchedulerEvent | None) -> bool:
    """Whether the step starts a job that ends above its share's limit."""
    if not isinstance(step, ev.Dispatch):
        return False
    job = queue.jobs[step.job]
    return any(queue.usage[job.share, u] + n > queue.grant(job.share, u).limit for u, n in job.size.items())


def of_other_shares(queue: Queue, step: Acts) -> list[Job]:
    """The victims of the step that are not of the claimant's share."""
    victims = [queue.jobs[name] for name in step.victims] if isinstance(step, ev.Claim) else []
    return [victim for victim in victims if victim.share != share_of(queue, step)]


def never_where(bad: Callable[[Queue, Job, Sequence[Job]], bool]) -> Decide:
    """The reference, with in-share preemption switched off for a head whose victims of its own share are `bad`."""

    def decides(queue: Queue, policy: Policy) -> ev.SchedulerEvent | None:
        step = decide(queue, policy)
        while isinstance(step, ev.Claim) and (own := _own(queue, step)) and bad(queue, queue.jobs[step.job], own):
            queue = queue.copy()
            queue.shares[share_of(queue, step)].in_share = False
            step = decide(queue, policy)
        return step

    return decides


def _own(queue: Queue, step: ev.Claim) -> list[Job]:
    victims = (queue.jobs[name] for name in step.victims)
    return [victim for victim in victims if victim.share == share_of(queue, step)]


class OneMoreMachine(Queue):
    """Takes the environment for one machine larger."""

    def __init__(self, config: QueueConfig, readings: Readings) -> None:
        super().__init__(config, readings)
        self.capacity = {unit: n + 1 for unit, n in self.capacity.items()}


class LendsReserve(Queue):
    """Lends what a RESERVE share does not use."""

    def grant(self, share: str, unit: str) -> Grant:
        made = super().grant(share, unit)
        return Grant(made.limit, made.limit, made.borrowable)


class BorrowsOneMore(Queue):
    """Reads every borrow limit as one more."""

    def grant(self, share: str, unit: str) -> Grant:
        made = super().grant(share, unit)
        borrower = self.shares[share].strategy is Strategy.LEND_AND_BORROW and made.borrowable is not None
        return replace(made, borrowable=(made.borrowable or 0) + 1) if borrower else made


class LendersBorrow(Queue):
    """Lets a share borrow that only lends."""

    def grant(self, share: str, unit: str) -> Grant:
        made = super().grant(share, unit)
        return replace(made, borrowable=None) if self.shares[share].strategy is Strategy.LEND else made


class InShareAlways(Queue):
    """Does not look whether in-share preemption is switched on."""

    def __init__(self, config: QueueConfig, readings: Readings) -> None:
        super().__init__(config, readings)
        for share in self.shares.values():
            share.in_share = True


class GivesClaimedAway(Queue):
    """Counts nothing as promised to anybody."""

    def _add_claim(self, used: Usage, claim: Claim) -> None:
        pass


class LowPriorityFirst(Queue):
    """Puts jobs of low priority first in line."""

    def turn(self, job: Job) -> Turn:
        turn = super().turn(job)
        return -turn[0], *turn[1:]


class NeverRequeues(Queue):
    """Fails every job that is preempted."""

    def add(self, job: Job) -> None:
        super().add(job)
        job.retries = 0


class NeverReclaims(Queue):
    """Tells nobody to stop."""

    def stoppable(self, share: str | None = None) -> list[Job]:  # noqa: ARG002
        return []


def takes_from_owners(_queue: Queue, _used: Usage, _victim: Job, _unit: str) -> bool:
    """Takes every share for a borrower."""
    return True


def stops_one_more(queue: Queue, policy: Policy) -> ev.SchedulerEvent | None:
    """Adds a victim to a plan that suffices."""
    step = decide(queue, policy)
    if isinstance(step, ev.Claim) and step.victims:
        share = queue.jobs[step.job].share
        more = [j.name for j in queue.stoppable() if j.share != share and j.name not in step.victims]
        return replace(step, victims=(*step.victims, *more[:1]))
    return step


starts_no_loans = passing_over(borrows)
"""Starts nothing above a share's limit, though nobody else wants the machines."""

priority_decides = passing_over(
    lambda queue, step: any(v.priority >= queue.jobs[step.job].priority for v in of_other_shares(queue, step))
)
"""Takes a share's own back only from jobs of lower priority."""

never_in_share = never_where(lambda *_: True)
"""Stops nobody for a job of the same share."""
