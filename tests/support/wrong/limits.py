"""Schedulers that count capacity, limits or what may be borrowed wrongly."""

from __future__ import annotations

from dataclasses import replace

from quotaproof.checker.teach.bugs import borrows, passing_over, share_of
from quotaproof.reference.apply import apply
from quotaproof.reference.fit import filled
from quotaproof.reference.gives_way import yields
from quotaproof.reference.queue import Queue
from quotaproof.spec import events as ev
from quotaproof.spec.model import LARGEST, Stage

from .base import as_if, heads


class IgnoresEnvironment(Queue):
    """Looks at the limits of shares only, never at the environment."""

    def __init__(self, config, readings):
        super().__init__(config, readings)
        self.capacity = dict.fromkeys(self.units, LARGEST)

    def reconfigured(self):
        super().reconfigured()
        self.capacity = dict.fromkeys(self.units, LARGEST)

    @property
    def units(self):
        return {unit for share in self.shares.values() for unit in share.limits}


class StaleLimits(Queue):
    """Goes on with the limits and strategies that it read first."""

    def reconfigured(self):
        pass


class RoundsUp(Queue):
    """Rounds half a machine up: 50 % of 3 is 2."""

    def __init__(self, config, readings):
        super().__init__(config, readings.assuming({"A6": "ceil"}))


class PercentAsMachines(Queue):
    """Takes the percentage for a number of machines."""

    def grant(self, share, unit):
        made, percent = super().grant(share, unit), self.shares[share].borrow_limit
        return replace(made, borrowable=percent) if made.borrowable and percent else made


class BorrowLimitInAll(Queue):
    """Takes the borrow limit for what the share may use in all, its own limit included."""

    def grant(self, share, unit):
        made = super().grant(share, unit)
        return replace(made, borrowable=max(0, made.borrowable - made.limit)) if made.borrowable else made


class UnlimitedAsZero(Queue):
    """Reads a borrow limit of -1, or none, as 0."""

    def grant(self, share, unit):
        made = super().grant(share, unit)
        return replace(made, borrowable=made.borrowable or 0)


class NoLimitIsUnlimited(Queue):
    """Lets a share borrow what it likes of a unit that it has no limit for, whatever its strategy."""

    def grant(self, share, unit):
        made = super().grant(share, unit)
        return made if unit in self.shares[share].limits else replace(made, borrowable=None)


class ForgetsDroppedUnits(Queue):
    """Counts what a share uses only in units that it has a limit for."""

    def reconfigured(self):
        super().reconfigured()
        for share, unit in self.usage:
            if share in self.shares and unit not in self.shares[share].limits:
                self.usage[share, unit] = 0


class ZeroIsARequest(Queue):
    """Looks at every unit there is, also those of which a job asks 0."""

    def add(self, job):
        job.size = {**dict.fromkeys(self.capacity, 0), **job.size}
        super().add(job)


def _stopped(queue):
    for job in list(queue.draining()):
        apply(queue, ev.Terminate(job.name))


frees_early = as_if(_stopped)
"""Takes the machines of a victim for free as soon as it is told to stop."""


def _not_started(queue):
    for job in queue.stoppable():
        if job.stage is Stage.SCHEDULED:
            apply(queue, ev.Terminate(job.name))


forgets_decided = as_if(_not_started)
"""Counts what a job uses from its start on, and forgets what it has decided in the same pass."""

any_head_blocks = passing_over(lambda queue, step: borrows(queue, step) and len(list(heads(queue))) > 1)
"""Lets nobody borrow while the head of another share waits, whatever that one waits for."""


def _entitled(queue, job):
    return all(queue.usage[job.share, u] + n <= queue.grant(job.share, u).limit for u, n in job.size.items())


entitled_blocks = passing_over(
    lambda queue, step: borrows(queue, step) and any(_entitled(queue, h) for h in heads(queue))
)
"""Lets nobody borrow while anybody entitled waits, also one whom loans cannot serve."""


def yields_to_the_deleted(queue, policy):
    """Leaves the head of a share that is being deleted what it would be entitled to, though it can never start."""
    opened = queue.copy()
    for share in opened.shares.values():
        share.deleting = False
    closed = [h for h in heads(opened) if queue.shares[h.share].deleting]

    def takes(_queue, step):
        job = opened.jobs[step.job]
        return borrows(queue, step) and not all(yields(opened, policy, job, h, opened.due()) for h in closed)

    return passing_over(takes)(queue, policy)


def _in_debt(queue, step):
    job = queue.jobs[step.job]
    over = (filled(queue, queue.usage, job, u) > queue.capacity.get(u, 0) for u in job.size)
    return isinstance(step, ev.Dispatch) and any(over)


debt_blocks_reserve = passing_over(_in_debt)
"""Keeps a RESERVE share from its own idle machines while another share owes some after a cut."""

one_share_only = passing_over(lambda queue, step: share_of(queue, step) != next(iter(queue.shares)))
"""Serves the first share and no other."""
