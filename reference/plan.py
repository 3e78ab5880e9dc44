"""Whom to stop for a head that does not fit: cross-share reclaim, in-share preemption, or both (rules 35-42).

A plan is worked out on settled usage: drains under way count as gone, claims as served. It is all or nothing unless A28
greedy says otherwise. Which victim comes first is a free choice (A26).
"""

from __future__ import annotations

from collections.abc import Callable

from ..spec.events import Claim
from .fit import eligible, entitled, filled, lacked, may_borrow, room
from .policy import Policy
from .queue import Job, Queue
from .usage import Usage


def plan(queue: Queue, policy: Policy, job: Job) -> Claim | None:
    """The claim of a head that does not fit now, with its victims in order; None when it has to wait."""
    settled = queue.due()
    within, in_share = entitled(queue, policy, settled, job), queue.shares[job.share].in_share
    if not within and not in_share:
        return None
    if policy.waits_for_environment and any(_over(queue, u) for u in job.size):
        return None
    if room(queue, policy, settled, job):
        return _claim(queue, policy, job, [], settled)
    ways: list[Callable[[], list[Job]]] = [
        lambda: _others(queue, policy, settled, job, []) if within else [],
        lambda: _own(queue, policy, settled, job) if in_share else [],
        lambda: _own(queue, policy, settled, job, alone=True) if in_share else [],
    ]
    for way in reversed(ways) if policy.own_victims_first else ways:
        victims = way()
        if victims and (policy.insufficient or _valid(queue, policy, settled, job, victims)):
            kept = _pruned(queue, policy, settled, job, victims) if policy.prune else victims
            return _claim(queue, policy, job, kept, settled.without(kept))
    return None


def _over(queue: Queue, unit: str) -> bool:
    return queue.usage.total(unit) > queue.capacity.get(unit, 0)


def _claim(queue: Queue, policy: Policy, job: Job, victims: list[Job], used: Usage) -> Claim | None:
    """A claim holds what it asks when its share is entitled and every kept or promised machine is there (A23)."""
    funded = all(filled(queue, used, job, u) <= policy.ceiling(queue, u, False) for u in job.size)
    holds = policy.claims_hold and funded and entitled(queue, policy, used, job)
    holds = holds and room(queue, policy, used, job) and (policy.claims_whole or bool(victims))
    return Claim(job.name, tuple(v.name for v in victims), holds) if victims or holds else None


def _others(queue: Queue, policy: Policy, used: Usage, job: Job, victims: list[Job]) -> list[Job]:
    """Victims of other shares, one by one, until the job fits or nobody is left. Without any victim it does not fit."""
    left = used.without(victims)
    while not victims or not room(queue, policy, left, job):
        lacks = lacked(queue, policy, left, job)
        others = (s for s in queue.shares if s != job.share and may_borrow(queue, policy, left, s, lacks))
        fit = [v for s in others for v in queue.stoppable(s) if eligible(queue, policy, left, v, lacks)]
        fit = [v for v in fit if v not in victims]
        if not fit:
            break
        victims = [*victims, _first(queue, policy, left, fit)]
        left = used.without(victims)
    return victims


def _first(queue: Queue, policy: Policy, used: Usage, fit: list[Job]) -> Job:
    return min(fit, key=lambda v: (*policy.victim(queue, used, v), v.name))


def _own(queue: Queue, policy: Policy, used: Usage, job: Job, *, alone: bool = False) -> list[Job]:
    """Lower-priority victims of the job's own share, then of others where that helps (A30, A31, A59); or the own `alone`."""
    victims: list[Job] = []
    while True:
        left = used.without(victims)
        within = entitled(queue, policy, left, job)
        fits = (within or policy.inherits_loans) and room(queue, policy, left, job)
        if fits or (within and not alone and not policy.own_victims_first):
            break
        anyway = not within and not policy.inherits_loans
        lacks = set(job.size if anyway else lacked(queue, policy, left, job))
        fit = [v for v in below(queue, policy, job) if v not in victims and lacks & v.size.keys()]
        if not fit and within and not alone:
            break
        if not fit:
            return []
        victims.append(_first(queue, policy, left, fit))
    return _others(queue, policy, used, job, victims) if policy.mixed_plans and within and not alone else victims


def below(queue: Queue, policy: Policy, job: Job) -> list[Job]:
    """Jobs of the same share with a lower priority, that may be told to stop (rule 39; A33)."""
    counts = policy.drop_of_priority_counts
    return [v for v in queue.stoppable(job.share) if (v.priority if counts else v.guard_priority) < job.priority]


def _valid(queue: Queue, policy: Policy, used: Usage, job: Job, victims: list[Job]) -> bool:
    """The plan suffices, and victims of other shares are taken only for an entitled head."""
    own = [v for v in victims if v.share == job.share]
    allowed = len(own) == len(victims) or entitled(queue, policy, used.without(own), job)
    return allowed and room(queue, policy, used.without(victims), job)


def _pruned(queue: Queue, policy: Policy, used: Usage, job: Job, victims: list[Job]) -> list[Job]:
    kept = list(victims)
    for victim in reversed(victims):
        fewer = [v for v in kept if v is not victim]
        if _valid(queue, policy, used, job, fewer):
            kept = fewer
    return kept
