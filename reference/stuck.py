"""Heads that need not be looked at again before something changes that can let them start or claim.

A head whose share may take nothing back for it, from others or of its own, and one that has its claim already, start only
when there is room. With what its share uses as it is, there is none as long as all use too much, or use or have kept too
much, of one unit. When the head changes, or what its own share holds, or what is configured, the queue forgets; so does
every head that is not of this kind. Trusted: that `decide` gives the same step for a queue that remembers nothing, which
tests compare on every step.
"""

from __future__ import annotations

from .fit import bounds, entitled
from .known import Stuck
from .plan import below
from .policy import Policy
from .queue import Job, Queue


def applies(policy: Policy) -> bool:
    """Whether only heads start, and what a head waits for is nothing that others are entitled to."""
    return not (policy.backfill or policy.skip_impossible or policy.strict_fifo or policy.part_own)


def stuck(queue: Queue, policy: Policy, job: Job) -> Stuck | None:
    """Until when a head that may not start and cannot claim stays so; None when that cannot be said."""
    for unit in job.size:
        least = bounds(queue, policy, queue.usage, job, unit)
        if not queue.usage.within(unit, *least):
            waits = queue.claim_of(job.name) or _may_take_nothing(queue, policy, job)
            return (unit, *least) if waits else None
    return None


def _may_take_nothing(queue: Queue, policy: Policy, job: Job) -> bool:
    if entitled(queue, policy, queue.due(), job):
        return False
    return not (queue.shares[job.share].in_share and below(queue, policy, job))
