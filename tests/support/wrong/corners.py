"""Schedulers that are right in small queues with small numbers and wrong beyond: a fourth unit, a tenth priority, a third
borrower, a sixth victim, a late hour."""

from __future__ import annotations

from dataclasses import replace

from quotaproof.checker.teach.bugs import passing_over, share_of
from quotaproof.reference.queue import Queue
from quotaproof.spec import events as ev
from quotaproof.spec.model import MAX_SHARES

_LATE = 70
"""Events after which takes_nothing_late takes nothing."""


class PriorityAsText(Queue):
    """Compares priorities as text: 9 goes before 10."""

    def turn(self, job):
        _, *rest = super().turn(job)
        return (*(-ord(digit) for digit in str(job.priority)), 0), *rest


class PriorityOfOneByte(Queue):
    """Keeps the lowest eight bits of a priority."""

    def turn(self, job):
        _, *rest = super().turn(job)
        return -(job.priority % 256), *rest


class PriorityOfTwoDigits(Queue):
    """Takes every priority above 99 for 99."""

    def turn(self, job):
        _, *rest = super().turn(job)
        return -min(job.priority, 99), *rest


class TwoRetriesAtMost(Queue):
    """Lets no job be preempted more than twice, whatever it asks for."""

    def add(self, job):
        super().add(job)
        job.retries = min(job.retries, 2) if job.retries is not None else None


class ManyRetriesAreForEver(Queue):
    """Takes more than three retries for no limit."""

    def add(self, job):
        super().add(job)
        job.retries = job.retries if job.retries is not None and job.retries <= 3 else None


class PriorityForgivesPreemptions(Queue):
    """Counts a job's preemptions from 0 again when its priority changes."""

    def line_up(self, job):
        if job.priority != getattr(job, "counted_at", job.priority):
            job.preemptions = 0
        job.counted_at = job.priority
        super().line_up(job)


class CapacityOfOneByte(Queue):
    """Keeps the capacity in a signed byte: 128 machines are -128."""

    def __init__(self, config, readings):
        super().__init__(config, readings)
        self.capacity = {unit: (n + 128) % 256 - 128 for unit, n in self.capacity.items()}


class FourthUnitUnlimited(Queue):
    """Knows a borrow limit for three units; of more a share may borrow what it likes."""

    def grant(self, share, unit):
        made = super().grant(share, unit)
        more = unit in list(self.capacity)[3:] and made.borrowable
        return replace(made, borrowable=None) if more else made


class PercentOfTheFirstUnit(Queue):
    """Takes the percentage of the first limit of a share for every unit."""

    def grant(self, share, unit):
        made, of = super().grant(share, unit), self.shares[share]
        if not made.borrowable or not of.limits:
            return made
        return replace(made, borrowable=next(iter(of.limits.values())) * of.borrow_limit // 100)


def _takes(bad):
    """The reference without the plans that take back and are `bad`: (queue, the job, the plan)."""
    return passing_over(
        lambda queue, step: (
            isinstance(step, ev.Claim) and _takes_back(queue, step) and bad(queue, queue.jobs[step.job], step)
        )
    )


def _takes_back(queue, plan):
    return any(queue.jobs[victim].share != share_of(queue, plan) for victim in plan.victims)


five_victims_only = _takes(lambda _queue, _job, plan: len(plan.victims) > 5)
"""Takes a share's own back only where five victims suffice."""

two_borrowers_only = _takes(lambda queue, _job, plan: len({queue.jobs[v].share for v in plan.victims}) > 2)
"""Takes a share's own back only where two shares have borrowed it."""

two_units_only = _takes(lambda _queue, job, _plan: len(job.size) > 2)
"""Takes nothing back for a job of more than two units."""

stopped_once_takes_nothing = _takes(lambda _queue, job, _plan: job.preemptions > 0)
"""Takes nothing back for a job that was preempted itself."""

stopped_twice_takes_nothing = _takes(lambda _queue, job, _plan: job.preemptions > 1)
"""Takes nothing back for a job that was preempted twice."""

takes_nothing_late = _takes(lambda queue, _job, _plan: queue.clock > _LATE)
"""Takes nothing back when the queue has seen much."""

takes_nothing_for_new_shares = _takes(
    lambda queue, _job, plan: queue.shares[share_of(queue, plan)].created > MAX_SHARES
)
"""Takes nothing back for a share that was created when as many events had passed as a queue has shares at most."""

takes_nothing_while_disabled = _takes(lambda queue, _job, _plan: not queue.queue_enabled)
"""Takes nothing back while the queue is DISABLED, for jobs that it accepted before."""


def spares_deleted(queue, used, victim, unit):
    """Takes nothing from a share that is being deleted."""
    over = used[victim.share, unit] > queue.grant(victim.share, unit).limit
    return over and not queue.shares[victim.share].deleting
