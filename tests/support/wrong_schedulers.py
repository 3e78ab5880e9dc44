"""Planted schedulers: the reference with one thing wrong each, a few lines long, and the guarantee that it breaks first.

`WRONG["never-reclaims"]` goes to `run` as its options: `run(config, readings, work, **wrong.options(readings))`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from quotaproof.reference.clock import Decide
from quotaproof.reference.decide import decide
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Queue
from quotaproof.spec import events as ev
from quotaproof.spec.model import Grant, Strategy


class NeverReclaims(Queue):
    """Tells nobody to stop."""

    def stoppable(self):
        return []


class BorrowsOneMore(Queue):
    """Reads every borrow limit as one more."""

    def grant(self, share, unit):
        made = super().grant(share, unit)
        borrows = self.shares[share].strategy is Strategy.LEND_AND_BORROW and made.borrowable is not None
        return replace(made, borrowable=made.borrowable + 1) if borrows else made


class LendsReserve(Queue):
    """Lends what a RESERVE share does not use."""

    def grant(self, share, unit):
        made = super().grant(share, unit)
        return Grant(made.limit, made.limit, made.borrowable)


class LendersBorrow(Queue):
    """Lets a share borrow that only lends."""

    def grant(self, share, unit):
        made = super().grant(share, unit)
        return replace(made, borrowable=None) if self.shares[share].strategy is Strategy.LEND else made


class OneMoreMachine(Queue):
    """Takes the environment for one machine larger."""

    def __init__(self, config, readings):
        super().__init__(config, readings)
        self.capacity = {unit: n + 1 for unit, n in self.capacity.items()}


class LowPriorityFirst(Queue):
    """Puts jobs of low priority first in line."""

    def turn(self, job):
        priority, *rest = super().turn(job)
        return -priority, *rest


class GivesClaimedAway(Queue):
    """Counts nothing as promised to anybody."""

    def _add_claim(self, used, claim):
        pass


class InShareAlways(Queue):
    """Does not look whether in-share preemption is switched on."""

    def __init__(self, config, readings):
        super().__init__(config, readings)
        for share in self.shares.values():
            share.in_share = True


def stops_one_more(queue, policy):
    """Adds a victim to a plan that suffices."""
    step = decide(queue, policy)
    if isinstance(step, ev.Claim) and step.victims:
        share = queue.jobs[step.job].share
        more = [j.name for j in queue.stoppable() if j.share != share and j.name not in step.victims]
        return replace(step, victims=(*step.victims, *more[:1]))
    return step


def starts_no_loans(queue, policy):
    """Starts nothing above a share's limit, though nobody else wants the machines."""
    step = decide(queue, policy)
    if isinstance(step, ev.Dispatch):
        job = queue.jobs[step.job]
        if any(queue.usage[job.share, u] + n > queue.grant(job.share, u).limit for u, n in job.size.items()):
            return None
    return step


@dataclass(frozen=True)
class Wrong:
    """A planted scheduler. `code`: the guarantee that its first wrong step breaks."""

    code: str
    queue: type[Queue] = Queue
    decide: Decide = decide
    policy: Mapping[str, Any] | None = None
    """What it reads wrongly of its `Policy`."""

    def options(self, readings):
        """What `reference.clock.run` needs to run it."""
        policy = replace(Policy.of(readings), **(self.policy or {}))
        return {"queue": self.queue, "decide": self.decide, "policy": policy}


WRONG: Mapping[str, Wrong] = {
    "never-reclaims": Wrong("G14", NeverReclaims),
    "borrows-one-more": Wrong("G3", BorrowsOneMore),
    "lends-reserve": Wrong("G2", LendsReserve),
    "lenders-borrow": Wrong("G4", LendersBorrow),
    "one-more-machine": Wrong("G1", OneMoreMachine),
    "low-priority-first": Wrong("G9", LowPriorityFirst),
    "gives-claimed-away": Wrong("G7", GivesClaimedAway),
    "in-share-always": Wrong("G5s", InShareAlways),
    "stops-one-more": Wrong("G6", decide=stops_one_more),
    "starts-no-loans": Wrong("G16", decide=starts_no_loans),
    "takes-from-owners": Wrong("G5x", policy={"borrows": lambda *_: True}),
    "borrowers-first": Wrong("G8", policy={"entitled_first": False}),
}
"""By what it does wrong."""
