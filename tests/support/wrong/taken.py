"""Schedulers that, as public reports tell, stop the wrong jobs: who counts as a borrower, and who is stopped besides."""

from __future__ import annotations

from dataclasses import replace

from quotaproof.reference.decide import decide
from quotaproof.reference.fit import room
from quotaproof.spec import events as ev
from quotaproof.spec.model import Strategy

from .base import heads, limit, of_others, over


def above_in_every_unit(queue, used, victim, _unit):
    """Takes a share for a borrower only where it is above its limit in every unit of the victim."""
    return all(over(queue, used, victim.share, u) for u in victim.size)


def loan_of_whole_percents(queue, used, victim, unit):
    """Takes a loan below one percent of all limits for none."""
    loan = used[victim.share, unit] - limit(queue, victim.share, unit)
    return loan * 100 // queue.limits(unit) > 0


def spares_the_last(queue, used, victim, unit):
    """Takes from no share the last job that it runs."""
    mates = [job for job in queue.stoppable() if job.share == victim.share]
    return len(mates) > 1 and over(queue, used, victim.share, unit)


def as_the_plan_began(queue, _used, victim, unit):
    """Does not count what the plan has already taken from the share."""
    return over(queue, queue.due(), victim.share, unit)


def whoever_may_borrow(queue, used, victim, unit):
    """Takes a share that may borrow for a borrower whatever it runs."""
    return queue.shares[victim.share].strategy is Strategy.LEND_AND_BORROW and used[victim.share, unit] > 0


def unused_is_the_borrowers(queue, used, victim, unit):
    """Adds the limits of shares that run nothing to the borrower's own, also of those in which a job waits."""
    unused = sum(limit(queue, s, unit) for s in queue.shares if s != victim.share and not used[s, unit])
    return used[victim.share, unit] > limit(queue, victim.share, unit) + unused


def _instead(change):
    """The reference with other victims where it stops anybody: `change` has (queue, the job, the victims)."""

    def decides(queue, policy):
        step = decide(queue, policy)
        if not (isinstance(step, ev.Claim) and step.victims):
            return step
        victims = change(queue, queue.jobs[step.job], [queue.jobs[name] for name in step.victims])
        return replace(step, victims=tuple(dict.fromkeys(v.name for v in victims)))

    return decides


frees_another_unit = _instead(
    lambda queue, job, victims: [
        *[v for v in of_others(queue, job) if not v.size.keys() & job.size.keys()][:1],
        *victims,
    ]
)
"""Stops a job that holds nothing of what the head asks, besides those that do."""

owners_in_the_way = _instead(
    lambda queue, job, victims: [
        *[v for v in of_others(queue, job) if not any(over(queue, queue.due(), v.share, u) for u in v.size)][:1],
        *victims,
    ]
)
"""Adds a job of a share within its limit to the victims."""

every_candidate = _instead(
    lambda queue, job, victims: [
        *victims,
        *[v for v in of_others(queue, job) if any(over(queue, queue.due(), v.share, u) for u in v.size)],
    ]
)
"""Stops all candidates instead of those that were chosen among them."""


def own_victims_put_back(queue, policy):
    """Counts the victims of the own share as gone when it takes from others, and then keeps them."""
    step = decide(queue, policy)
    if isinstance(step, ev.Claim) and step.victims:
        job = queue.jobs[step.job]
        own = all(queue.jobs[v].share == job.share for v in step.victims)
        others = [v for v in of_others(queue, job) if any(over(queue, queue.due(), v.share, u) for u in job.size)]
        if own and others:
            return ev.Claim(step.job, tuple(v.name for v in others[: len(step.victims)]), holds=False)
    return step


def _for_borrowers(borrowers):
    """The reference that, with nothing left to do, stops somebody for a head beyond its share's limit."""

    def decides(queue, policy):
        step = decide(queue, policy)
        for job in heads(queue) if step is None and not any(queue.draining()) else ():
            beyond = any(queue.usage[job.share, u] + n > limit(queue, job.share, u) for u, n in job.size.items())
            others = [(v, any(over(queue, queue.usage, v.share, u) for u in v.size)) for v in of_others(queue, job)]
            able = [victim.name for victim, borrows in others if borrows is borrowers]
            if beyond and able and not room(queue, policy, queue.usage, job):
                return ev.Claim(job.name, (able[0],), holds=False)
        return step

    return decides


borrowers_take_from_owners = _for_borrowers(borrowers=False)
"""Stops a job of a share within its limit so that one above its limit gets more."""

borrowers_take_from_borrowers = _for_borrowers(borrowers=True)
"""Evens out loans: a share above its limit takes from another one that is."""
