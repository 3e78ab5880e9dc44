"""Schedulers that do what public reports say real ones did: `REPORTED` has them by what they do wrong.

Each is the reference with one thing changed, like those of `WRONG`, and names the guarantee that it breaks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from quotaproof.reference.decide import decide
from quotaproof.reference.fit import room
from quotaproof.reference.queue import Queue
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage, Strategy

from .base import Wrong, heads, passing_over


def _limit(queue, share, unit):
    return queue.grant(share, unit).limit


def _over(queue, used, share, unit):
    return used[share, unit] > _limit(queue, share, unit)


def _plan(bad):
    """The reference without the plans that are `bad`: (queue, the job, its victims)."""

    def passed(queue, step):
        victims = [queue.jobs[name] for name in step.victims] if isinstance(step, ev.Claim) else []
        return bool(victims) and bad(queue, queue.jobs[step.job], victims)

    return passing_over(passed)


def _instead(change):
    """The reference with other victims where it stops anybody: `change` has (queue, the job, the victims)."""

    def decides(queue, policy):
        step = decide(queue, policy)
        if not (isinstance(step, ev.Claim) and step.victims):
            return step
        victims = change(queue, queue.jobs[step.job], [queue.jobs[name] for name in step.victims])
        return replace(step, victims=tuple(dict.fromkeys(v.name for v in victims)))

    return decides


def _of_others(queue, job):
    return [v for v in queue.stoppable() if v.share != job.share]


# who may be a victim


def above_in_every_unit(queue, used, victim, _unit):
    """Takes a share for a borrower only where it is above its limit in every unit of the victim."""
    return all(_over(queue, used, victim.share, u) for u in victim.size)


def loan_of_whole_percents(queue, used, victim, unit):
    """Takes a loan below one percent of all limits for none."""
    loan = used[victim.share, unit] - _limit(queue, victim.share, unit)
    return loan * 100 // queue.limits(unit) > 0


def spares_the_last(queue, used, victim, unit):
    """Takes from no share the last job that it runs."""
    mates = [job for job in queue.stoppable() if job.share == victim.share]
    return len(mates) > 1 and _over(queue, used, victim.share, unit)


def as_the_plan_began(queue, _used, victim, unit):
    """Does not count what the plan has already taken from the share."""
    return _over(queue, queue.due(), victim.share, unit)


def whoever_may_borrow(queue, used, victim, unit):
    """Takes a share that may borrow for a borrower whatever it runs."""
    return queue.shares[victim.share].strategy is Strategy.LEND_AND_BORROW and used[victim.share, unit] > 0


def unused_is_the_borrowers(queue, used, victim, unit):
    """Adds the limits of shares that run nothing to the borrower's own, also of those in which a job waits."""
    unused = sum(_limit(queue, s, unit) for s in queue.shares if s != victim.share and not used[s, unit])
    return used[victim.share, unit] > _limit(queue, victim.share, unit) + unused


# plans that are not made


smaller_frees_nothing = _plan(
    lambda _q, job, victims: any(v.size.get(u, 0) < n for v in victims for u, n in job.size.items())
)
"""Takes no victim that is smaller than the job in a unit, though several together suffice."""

nothing_while_it_runs = _plan(lambda queue, job, _v: any(j.share == job.share for j in queue.stoppable()))
"""Takes nothing back for a share that runs a job."""

nothing_at_a_limit = _plan(
    lambda queue, job, _v: any(queue.usage[job.share, u] >= n for u, n in queue.shares[job.share].limits.items())
)
"""Takes nothing back for a share that is at its limit in any unit, also one of which the job asks nothing."""

nothing_without_all_limits = _plan(lambda queue, job, _v: queue.capacity.keys() - queue.shares[job.share].limits.keys())
"""Takes nothing back for a share without a limit in every unit of the environment."""

idle_does_not_count = _plan(
    lambda _q, job, victims: any(sum(v.size.get(u, 0) for v in victims) < n for u, n in job.size.items())
)
"""Takes nothing back unless the victims alone free the whole job, whatever is idle."""

unservable_blocks = _plan(
    lambda queue, job, _v: any(
        queue.due()[h.share, u] + n > _limit(queue, h.share, u)
        for h in heads(queue) if h.share != job.share for u, n in h.size.items()
    )
)  # fmt: skip
"""Takes nothing back while another share asks for more than its own limit."""


def _largest_loan(queue, share):
    return max(queue.usage[share, u] - _limit(queue, share, u) for u in queue.capacity)


largest_loan_decides = _plan(
    lambda queue, job, victims: any(_largest_loan(queue, v.share) <= _largest_loan(queue, job.share) for v in victims)
)
"""Takes back only from a share with a larger loan, also where the loans are of different units."""

too_large_ends_the_search = _plan(
    lambda queue, job, victims: any(
        n > _limit(queue, job.share, u) - queue.usage[job.share, u] for u, n in victims[0].size.items() if u in job.size
    )
)
"""Gives up where the first candidate is larger than what the share has left of its limit."""

usage_within_all_limits = _plan(
    lambda queue, job, _v: any(
        sum(queue.usage[s, u] for s in queue.shares) + n > queue.limits(u) for u, n in job.size.items()
    )
)
"""Takes nothing back where usage with the job would be above the sum of all limits, though the victims leave."""

own_victims_only = _plan(lambda _q, job, victims: any(v.share != job.share for v in victims))
"""Looks for victims in the job's own share only."""

larger_than_its_limit = _plan(lambda queue, job, _v: any(n > _limit(queue, job.share, u) for u, n in job.size.items()))
"""Stops nobody, not even in its own share, for a job that alone is above its share's limit."""

one_machine_only = _plan(lambda _q, job, _v: any(n > 1 for n in job.size.values()))
"""Takes nothing back for a job of more than one machine."""


class Parks(Queue):
    """A queue that keeps a list of heads that it looks at no more."""

    def __init__(self, config, readings):
        super().__init__(config, readings)
        self.parked = set()


def _parks(queue, job, _victims):
    if any(queue.draining()):
        queue.parked.add(job.name)
    return job.name in queue.parked


parks_while_others_drain = _plan(_parks)
"""Passes over a plan while victims of another drain, and never comes back to its job."""


# other victims


frees_another_unit = _instead(
    lambda queue, job, victims: [
        *[v for v in _of_others(queue, job) if not v.size.keys() & job.size.keys()][:1],
        *victims,
    ]
)
"""Stops a job that holds nothing of what the head asks, besides those that do."""

owners_in_the_way = _instead(
    lambda queue, job, victims: [
        *[v for v in _of_others(queue, job) if not any(_over(queue, queue.due(), v.share, u) for u in v.size)][:1],
        *victims,
    ]
)
"""Adds a job of a share within its limit to the victims."""

every_candidate = _instead(
    lambda queue, job, victims: [
        *victims,
        *[v for v in _of_others(queue, job) if any(_over(queue, queue.due(), v.share, u) for u in v.size)],
    ]
)
"""Stops all candidates instead of those that were chosen among them."""


def own_victims_put_back(queue, policy):
    """Counts the victims of the own share as gone when it takes from others, and then keeps them."""
    step = decide(queue, policy)
    if isinstance(step, ev.Claim) and step.victims:
        job = queue.jobs[step.job]
        own = all(queue.jobs[v].share == job.share for v in step.victims)
        others = [v for v in _of_others(queue, job) if any(_over(queue, queue.due(), v.share, u) for u in job.size)]
        if own and others:
            return ev.Claim(step.job, tuple(v.name for v in others[: len(step.victims)]), holds=False)
    return step


def _for_borrowers(borrowers):
    """The reference that, with nothing left to do, stops somebody for a head beyond its share's limit."""

    def decides(queue, policy):
        step = decide(queue, policy)
        for job in heads(queue) if step is None and not any(queue.draining()) else ():
            over = any(queue.usage[job.share, u] + n > _limit(queue, job.share, u) for u, n in job.size.items())
            able = [v for v in _of_others(queue, job)
                    if borrowers == any(_over(queue, queue.usage, v.share, u) for u in v.size)]  # fmt: skip
            if over and able and not room(queue, policy, queue.usage, job):
                return ev.Claim(job.name, (able[0].name,), holds=False)
        return step

    return decides


borrowers_take_from_owners = _for_borrowers(borrowers=False)
"""Stops a job of a share within its limit so that one above its limit gets more."""

borrowers_take_from_borrowers = _for_borrowers(borrowers=True)
"""Evens out loans: a share above its limit takes from another one that is."""


# the order of what starts


def _least_used(queue, share):
    units = [u for u, n in share.limits.items() if n]
    return max((1000 * queue.usage[share.name, u] // share.limits[u] for u in units), default=0)


def least_used_first(queue, policy):
    """Holds nothing for anybody: what is freed goes to the share that uses least of its limit, often the victim's."""
    return decide(queue, replace(policy, share_order=lambda share: (_least_used(queue, share), share.created)))


def oldest_job_first(queue, policy):
    """Holds nothing for anybody: what is freed goes to the oldest job, and a victim keeps its time of submission."""
    return decide(queue, replace(policy, share_order=lambda share: (queue.first(share.name).created,)))


# what is kept, counted and noticed


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


class RoundsQuotasDown(Queue):
    """Keeps a limit as a whole percentage of all limits: 1 of 48 is 2 %, which is 0."""

    def grant(self, share, unit):
        made = super().grant(share, unit)
        every = sum(s.limits.get(unit, 0) for s in self.shares.values())
        limit = 100 * made.limit // every * every // 100 if every else 0
        return replace(made, limit=limit, lendable=min(made.lendable, limit))


class LooksAtThree(Queue):
    """Looks at three waiting jobs in all: those of the first shares use up the time for the others."""

    def awaited(self):
        shares, looked = [], 0
        for share in super().awaited():
            if looked < 3:
                shares.append(share)
            looked += len(self._lines[share.name])
        return shares


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


def checks_before_adding(queue, policy):
    """Compares what a share uses with its limit without the job that is to start."""
    step = decide(queue, policy)
    for job in heads(queue) if step is None else ():
        below = all(queue.usage[job.share, u] < _limit(queue, job.share, u) for u in job.size)
        free = all(sum(queue.usage[s, u] for s in queue.shares) + n <= queue.capacity[u] for u, n in job.size.items())
        if below and free:
            return ev.Dispatch(job.name)
    return step


HOLDS_NOTHING = {"A15": "no", "A23": "no"}
"""What a scheduler declares that serves nobody first and keeps nothing for anybody."""

REPORTED: Mapping[str, Wrong] = {
    "above-in-every-unit": Wrong("G14", policy={"borrows": above_in_every_unit}),
    "loan-of-whole-percents": Wrong("G14", policy={"borrows": loan_of_whole_percents}),
    "spares-the-last": Wrong("G14", policy={"borrows": spares_the_last}),
    "as-the-plan-began": Wrong("G5x", policy={"borrows": as_the_plan_began}),
    "whoever-may-borrow": Wrong("G5x", policy={"borrows": whoever_may_borrow}),
    "unused-is-the-borrowers": Wrong("G14", policy={"borrows": unused_is_the_borrowers}),
    "smaller-frees-nothing": Wrong("G14", decide=smaller_frees_nothing),
    "nothing-while-it-runs": Wrong("G14", decide=nothing_while_it_runs),
    "nothing-at-a-limit": Wrong("G14", decide=nothing_at_a_limit),
    "nothing-without-all-limits": Wrong("G14", decide=nothing_without_all_limits),
    "idle-does-not-count": Wrong("G14", decide=idle_does_not_count),
    "unservable-blocks": Wrong("G14", decide=unservable_blocks),
    "largest-loan-decides": Wrong("G14", decide=largest_loan_decides),
    "too-large-ends-the-search": Wrong("G14", decide=too_large_ends_the_search),
    "usage-within-all-limits": Wrong("G14", decide=usage_within_all_limits),
    "own-victims-only": Wrong("G14", decide=own_victims_only),
    "larger-than-its-limit": Wrong("G21", decide=larger_than_its_limit),
    "one-machine-only": Wrong("G14", decide=one_machine_only),
    "parks-while-others-drain": Wrong("G14", Parks, decide=parks_while_others_drain),
    "frees-another-unit": Wrong("G6", decide=frees_another_unit),
    "owners-in-the-way": Wrong("G5x", decide=owners_in_the_way),
    "every-candidate": Wrong("G6", decide=every_candidate),
    "own-victims-put-back": Wrong("G5x", decide=own_victims_put_back),
    "borrowers-take-from-owners": Wrong("G5x", decide=borrowers_take_from_owners),
    "borrowers-take-from-borrowers": Wrong("G5x", decide=borrowers_take_from_borrowers),
    "least-used-first": Wrong("G18", decide=least_used_first, choices=HOLDS_NOTHING),
    "oldest-job-first": Wrong("G18", decide=oldest_job_first, choices=HOLDS_NOTHING),
    "asks-once": Wrong("G14", Parks, decide=asks_once, choices=HOLDS_NOTHING),
    "own-limit-in-share": Wrong("G6", policy={"inherits_loans": False, "prune": False}),
    "keeps-idle-for-waiting": Wrong("G16", KeepsIdleForWaiting),
    "rounds-quotas-down": Wrong("G5x", RoundsQuotasDown),
    "looks-at-three": Wrong("G16", LooksAtThree),
    "hears-only-stops": Wrong("G16", HearsOnlyStops, decide=stands_still(_unheard)),
    "second-unit-is-stale": Wrong("G16", decide=second_unit_is_stale),
    "checks-before-adding": Wrong("G4", decide=checks_before_adding),
}  # fmt: skip
"""By what they do wrong."""
