"""Schedulers that do what public reports say real ones did: `REPORTED` has them by what they do wrong.

Each is the reference with one thing changed, like those of `WRONG`, and names the guarantee that it breaks. Those here
start jobs in the wrong order, count wrongly or keep nothing; `refused` and `taken` have those that reclaim wrongly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from quotaproof.checker.teach.bugs import passing_over
from quotaproof.reference.decide import decide
from quotaproof.reference.queue import Queue
from quotaproof.spec import events as ev
from quotaproof.spec.model import LARGEST, Stage

from . import refused, taken
from .base import Wrong, heads


def _least_used(queue, share):
    units = [u for u, n in share.limits.items() if n]
    return max((1000 * queue.usage[share.name, u] // share.limits[u] for u in units), default=0)


def least_used_first(queue, policy):
    """Holds nothing for anybody: what is freed goes to the share that uses least of its limit, often the victim's."""
    return decide(queue, replace(policy, share_order=lambda share: (_least_used(queue, share), share.created)))


def oldest_job_first(queue, policy):
    """Holds nothing for anybody: what is freed goes to the oldest job, and a victim keeps its time of submission."""
    return decide(queue, replace(policy, share_order=lambda share: (queue.first(share.name).created,)))


def asks_once(queue, policy):
    """Lets a head stop others once in its life and keeps nothing for it."""

    def again(at, step):
        return isinstance(step, ev.Claim) and step.job in at.parked

    step = passing_over(again)(queue, replace(policy, claims_hold=False, entitled_first=False))
    if isinstance(step, ev.Claim):
        queue.parked.add(step.job)
    return step


class KeepsIdleForWaiting(Queue):
    """Lends nothing of a share in which a job waits, also where that job cannot start."""

    def grant(self, share, unit):
        made = super().grant(share, unit)
        return replace(made, lendable=0) if self._lines.get(share) else made

    def line_up(self, job):
        super().line_up(job)
        self.reconfigured()


class RoundsQuotasDown(Queue):
    """Keeps a limit as a whole percentage of all limits: 1 of 48 is 2 %, which is 0."""

    def grant(self, share, unit):
        made = super().grant(share, unit)
        every = sum(s.limits.get(unit, 0) for s in self.shares.values())
        kept = 100 * made.limit // every * every // 100 if every else 0
        return replace(made, limit=kept, lendable=min(made.lendable, kept))


class LooksAtThree(Queue):
    """Looks at three waiting jobs in all: those of the first shares use up the time for the others."""

    def awaited(self):
        shares, looked = [], 0
        for share in super().awaited():
            if looked < 3:
                shares.append(share)
            looked += len(self._lines[share.name])
        return shares

    def loose(self, policy):
        looked_at = self.awaited()
        return [share for share in super().loose(policy) if share in looked_at]


def stands_still(bad):
    """The reference that does nothing more where its next step would be `bad`: (queue, the step)."""

    def decides(queue, policy):
        step = decide(queue, policy)
        return None if bad(queue, step) else step

    return decides


class HearsOnlyStops(Queue):
    """Waits for a victim to be stopped, also when it has ended by itself."""

    def __init__(self, config, readings):
        super().__init__(config, readings)
        self.told, self.unheard = {}, set()

    def move(self, job, stage):
        if stage is Stage.DRAINING:
            self.told[job.name] = job.drains_for
        elif job.stage is Stage.DRAINING and stage is Stage.SUCCEEDED:
            self.unheard.add(self.told[job.name])
        super().move(job, stage)


def _unheard(queue, step):
    claim = queue.claim_of(step.job) if isinstance(step, ev.Dispatch) else None
    return claim is not None and claim.number in queue.unheard


def _stale(queue, step):
    return isinstance(step, ev.Dispatch) and len(queue.jobs[step.job].size) > 1 and queue.claim_of(step.job) is not None


second_unit_is_stale = stands_still(_stale)
"""Counts for the second unit of a job what was used before its victims stopped."""


def _most(queue, share, unit):
    """The most that a share may have: its limit, and what it may borrow beyond."""
    grant = queue.grant(share, unit)
    return LARGEST if grant.borrowable is None else grant.limit + grant.borrowable


def checks_before_adding(queue, policy):
    """Compares what a share uses with the most that it may have without the job that is to start."""
    step = decide(queue, policy)
    for job in heads(queue) if step is None else ():
        below = all(queue.usage[job.share, u] < _most(queue, job.share, u) for u in job.size)
        free = all(sum(queue.usage[s, u] for s in queue.shares) + n <= queue.capacity[u] for u, n in job.size.items())
        if below and free:
            return ev.Dispatch(job.name)
    return step


HOLDS_NOTHING = {"A15": "no", "A23": "no"}
"""What a scheduler declares that serves nobody first and keeps nothing for anybody."""

REPORTED: Mapping[str, Wrong] = {
    "above-in-every-unit": Wrong("G14", policy={"borrows": taken.above_in_every_unit}),
    "loan-of-whole-percents": Wrong("G14", policy={"borrows": taken.loan_of_whole_percents}),
    "spares-the-last": Wrong("G14", policy={"borrows": taken.spares_the_last}),
    "as-the-plan-began": Wrong("G5x", policy={"borrows": taken.as_the_plan_began}),
    "whoever-may-borrow": Wrong("G5x", policy={"borrows": taken.whoever_may_borrow}),
    "unused-is-the-borrowers": Wrong("G14", policy={"borrows": taken.unused_is_the_borrowers}),
    "smaller-frees-nothing": Wrong("G14", decide=refused.smaller_frees_nothing),
    "nothing-while-it-runs": Wrong("G14", decide=refused.nothing_while_it_runs),
    "nothing-at-a-limit": Wrong("G14", decide=refused.nothing_at_a_limit),
    "nothing-without-all-limits": Wrong("G14", decide=refused.nothing_without_all_limits),
    "idle-does-not-count": Wrong("G14", decide=refused.idle_does_not_count),
    "unservable-blocks": Wrong("G14", decide=refused.unservable_blocks),
    "largest-loan-decides": Wrong("G14", decide=refused.largest_loan_decides),
    "too-large-ends-the-search": Wrong("G14", decide=refused.too_large_ends_the_search),
    "usage-within-all-limits": Wrong("G14", decide=refused.usage_within_all_limits),
    "own-victims-only": Wrong("G14", decide=refused.own_victims_only),
    "larger-than-its-limit": Wrong("G21", decide=refused.larger_than_its_limit),
    "one-machine-only": Wrong("G14", decide=refused.one_machine_only),
    "parks-while-others-drain": Wrong("G14", refused.Parks, decide=refused.parks_while_others_drain),
    "frees-another-unit": Wrong("G6", decide=taken.frees_another_unit),
    "owners-in-the-way": Wrong("G5x", decide=taken.owners_in_the_way),
    "every-candidate": Wrong("G6", decide=taken.every_candidate),
    "own-victims-put-back": Wrong("G5x", decide=taken.own_victims_put_back),
    "borrowers-take-from-owners": Wrong("G5x", decide=taken.borrowers_take_from_owners),
    "borrowers-take-from-borrowers": Wrong("G5x", decide=taken.borrowers_take_from_borrowers),
    "least-used-first": Wrong("G18", decide=least_used_first, choices=HOLDS_NOTHING),
    "oldest-job-first": Wrong("G18", decide=oldest_job_first, choices=HOLDS_NOTHING),
    "asks-once": Wrong("G14", refused.Parks, decide=asks_once, choices=HOLDS_NOTHING),
    "own-limit-in-share": Wrong("G6", policy={"inherits_loans": False, "prune": False}),
    "keeps-idle-for-waiting": Wrong("G16", KeepsIdleForWaiting),
    "rounds-quotas-down": Wrong("G5x", RoundsQuotasDown),
    "looks-at-three": Wrong("G16", LooksAtThree),
    "hears-only-stops": Wrong("G16", HearsOnlyStops, decide=stands_still(_unheard)),
    "second-unit-is-stale": Wrong("G16", decide=second_unit_is_stale),
    "checks-before-adding": Wrong("G3", decide=checks_before_adding),
}  # fmt: skip
"""By what they do wrong."""
