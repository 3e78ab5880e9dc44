"""Schedulers that keep claims wrongly: what they hold, for how long, and in whose favour."""

from __future__ import annotations

from dataclasses import replace

from quotaproof.reference.decide import decide
from quotaproof.reference.fit import within_limit
from quotaproof.reference.queue import Queue
from quotaproof.spec import events as ev


class HoldsFreedOnly(Queue):
    """Keeps for a claim only what its victims have freed, not what was free already."""

    def _add_claim(self, used, claim):
        job = self.jobs[claim.job]
        for unit, n in job.size.items():
            used[job.share, unit] += min(n, claim.freed.get(unit, 0))


class ForgetsEmptyClaims(Queue):
    """Keeps nothing for a claim without victims, although drains under way will serve it."""

    def _add_claim(self, used, claim):
        if claim.freed or any(job.drains_for == claim.number for job in self.draining()):
            super()._add_claim(used, claim)


class EndedClaimsCount(Queue):
    """Counts the drains of a claim that has ended for every other claim, earlier ones too."""

    def due(self, upto=None):
        used, live = super().due(upto).copy(), {claim.number for claim in self.claims}
        for job in self.draining() if upto is not None else ():
            if job.drains_for > upto.number and job.drains_for not in live:
                for unit, n in job.size.items():
                    used[job.share, unit] -= n
        return used


class LaterDrainsCount(Queue):
    """Counts every drain for every claim, whoever the victim was stopped for."""

    def due(self, upto=None):
        used = super().due(upto).copy()
        for job in self.draining() if upto is not None else ():
            if job.drains_for > upto.number:
                for unit, n in job.size.items():
                    used[job.share, unit] -= n
        return used


class StickyClaim(Queue):
    """Keeps a job with a claim first in line, whatever priority comes after it."""

    def turn(self, job):
        priority, unclaimed, *rest = super().turn(job)
        return unclaimed, priority, *rest


class OneReclaimEver(Queue):
    """Never clears its note that a preemption is in flight."""

    def stoppable(self, share=None):
        return [] if self.claims_opened else super().stoppable(share)


class DrainsLeaveNothing(Queue):
    """Plans as if drains under way freed nothing: stops others for what is coming anyway."""

    def due(self, upto=None):
        used = super().due(upto).copy()
        for job in self.draining() if upto is None else ():
            for unit, n in job.size.items():
                used[job.share, unit] += n
        return used


def never_releases(queue, policy):
    """Lets a claim live on when its job is no longer the head, entitled or funded."""
    step, queue = decide(queue, policy), queue.copy()
    while isinstance(step, ev.Release):
        queue.claims = [claim for claim in queue.claims if claim.job != step.job]
        step = decide(queue, policy)
    return step


def counts_own_draining(queue, policy):
    """Counts the share's own draining jobs when it asks whether a head is entitled, and keeps nothing for it then."""
    step = decide(queue, policy)
    if isinstance(step, ev.Claim) and step.victims and not within_limit(queue, queue.usage, queue.jobs[step.job]):
        return replace(step, holds=False)
    return step


def oldest_share_first(queue, policy):
    """Holds nothing; the oldest share with an entitled head is to get what its victims free."""
    step = decide(queue, replace(policy, claims_hold=False))
    entitled = (h for s in queue.shares for h in [next(queue.waiting(s), None)] if h and _waits(queue, h))
    oldest = next(entitled, None)
    others = isinstance(step, ev.Dispatch) and oldest is not None and queue.jobs[step.job].share != oldest.share
    return None if others else step


def _waits(queue, job):
    return within_limit(queue, queue.due(), job)
