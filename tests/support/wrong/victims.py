"""Schedulers that stop the wrong jobs, too many, too few or nobody."""

from __future__ import annotations

from quotaproof.checker.teach.bugs import of_other_shares, passing_over
from quotaproof.reference.decide import decide
from quotaproof.reference.queue import Queue
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage, Strategy

from .base import heads


class SparesRunning(Queue):
    """Stops nobody who is RUNNING."""

    def stoppable(self, share=None):
        return [job for job in super().stoppable(share) if job.stage is not Stage.RUNNING]


class TellsTwice(Queue):
    """Tells jobs to stop that were told before."""

    def stoppable(self, share=None):
        return [*(job for job in self.draining() if share in (None, job.share)), *super().stoppable(share)]


class EqualsPreempt(Queue):
    """Stops jobs of equal priority for a head of their share."""

    def move(self, job, stage):
        super().move(job, stage)
        job.guard_priority = job.priority - 1


def already_at_limit(queue, _used, victim, unit):
    """Takes a share for a borrower by what it uses now, also when its drains under way bring it to its limit."""
    return queue.usage[victim.share, unit] > queue.grant(victim.share, unit).limit


def forgives_one(queue, used, victim, unit):
    """Takes a loan of one machine for none."""
    return used[victim.share, unit] > queue.grant(victim.share, unit).limit + 1


def spares_lenders(queue, used, victim, unit):
    """Takes nothing from a share above its limit that may not borrow, as after a cut of the limit."""
    share = queue.shares[victim.share]
    over = used[victim.share, unit] > queue.grant(victim.share, unit).limit
    return over and share.strategy is Strategy.LEND_AND_BORROW


def _for_the_deleted(queue, policy, own):
    """The claim that the head of a share being deleted would make, if it stops jobs of its own share, or of others."""
    opened = queue.copy()
    for share in opened.shares.values():
        share.deleting = False
    step = decide(opened, policy)
    if isinstance(step, ev.Claim) and queue.shares[queue.jobs[step.job].share].deleting:
        shares = {queue.jobs[victim].share == queue.jobs[step.job].share for victim in step.victims}
        return step if shares == {own} else None
    return None


def reclaims_for_the_deleted(queue, policy):
    """Takes back what a share lent that is being deleted, for a head that can never start."""
    return _for_the_deleted(queue, policy, False) or decide(queue, policy)


def in_share_for_the_deleted(queue, policy):
    """Stops jobs of a share that is being deleted for its own head, which can never start."""
    return _for_the_deleted(queue, policy, True) or decide(queue, policy)


one_lender_only = passing_over(lambda queue, step: len({v.share for v in of_other_shares(queue, step)}) > 1)
"""Takes a share's own back only where one share has borrowed it all."""

one_victim_only = passing_over(lambda queue, step: len(of_other_shares(queue, step)) > 1)
"""Takes a share's own back only where one victim suffices."""


def _earlier_waits(queue, step):
    since = queue.shares[queue.jobs[step.job].share].head_since
    return isinstance(step, ev.Claim) and any(queue.shares[h.share].head_since < since for h in heads(queue))


earlier_head_blocks = passing_over(_earlier_waits)
"""Lets nobody claim while the head of another share has waited longer."""
