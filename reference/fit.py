"""Fit, entitlement and victims: the rules of a lend-and-borrow scheduler in plain Python, on one page.

`used` maps (share, unit) to instances at the moment the question is about: `queue.usage` now, `queue.due()` once every
drain has ended and every claim is served. The specification states the same rules as expressions; tests compare them.
"""

from __future__ import annotations

from ..spec.model import LARGEST
from .policy import ONLY_ABOVE, Policy
from .queue import Job, Queue
from .usage import Usage

NEVER = -LARGEST, -LARGEST
"""Bounds of a job that its share may not borrow for, however little others use."""


def room(queue: Queue, policy: Policy, used: Usage, job: Job) -> bool:
    """The job fits: physically, within its share's borrow limit, and beside what others use or have kept for them."""
    return all(room_in(queue, policy, used, job, unit) for unit in job.size)


def room_in(queue: Queue, policy: Policy, used: Usage, job: Job, unit: str) -> bool:
    """The same for one unit."""
    return used.within(unit, *bounds(queue, policy, used, job, unit))


def bounds(queue: Queue, policy: Policy, used: Usage, job: Job, unit: str) -> tuple[int, int]:
    """How much all may use, and may use or have kept, for the job to fit beside it, its own share using what it does."""
    mine, own = queue.grant(job.share, unit), used[job.share, unit] + job.size[unit]
    if mine.borrowable is not None and own > mine.limit + mine.borrowable:
        return NEVER
    most_used = queue.capacity.get(unit, 0) - job.size[unit]
    if own <= mine.kept:
        return most_used, LARGEST
    return most_used, policy.ceiling(queue, unit, own > mine.limit) - min(job.size[unit], own - mine.kept)


def filled(queue: Queue, used: Usage, job: Job, unit: str) -> int:
    """What every share uses or, where that is more, what is kept for it, once the job runs."""
    return used.filled(unit) + beyond_kept(queue, used, job, unit)


def beyond_kept(queue: Queue, used: Usage, job: Job, unit: str) -> int:
    """What the job takes beyond what is kept for its share."""
    own, kept = used[job.share, unit], queue.grant(job.share, unit).kept
    return max(own + job.size.get(unit, 0), kept) - max(own, kept)


def lacking_physically(queue: Queue, used: Usage, job: Job, unit: str) -> int:
    """Machines beyond the environment, once the job runs."""
    return used.total(unit) + job.size[unit] - queue.capacity.get(unit, 0)


def lacking(queue: Queue, policy: Policy, used: Usage, job: Job, unit: str) -> int:
    """Machines of a unit that must leave other shares before the owner's job fits."""
    if used[job.share, unit] + job.size[unit] <= queue.grant(job.share, unit).kept:
        return max(0, lacking_physically(queue, used, job, unit))
    return max(0, filled(queue, used, job, unit) - policy.ceiling(queue, unit, False))


def within_limit(queue: Queue, used: Usage, job: Job) -> bool:
    """With this job the share is within its own limit in every unit the job wants."""
    return all(used[job.share, u] + n <= queue.grant(job.share, u).limit for u, n in job.size.items())


def entitled(queue: Queue, policy: Policy, used: Usage, job: Job) -> bool:
    """The share may take its own back for this job (A24); `used` is settled usage without a claim of the job."""
    return all(_entitled_in(queue, policy, used, job, u, n) for u, n in job.size.items())


def _entitled_in(queue: Queue, policy: Policy, used: Usage, job: Job, unit: str, n: int) -> bool:
    mine, own = queue.grant(job.share, unit), used[job.share, unit]
    over = own + n - mine.limit
    if over <= 0 or not policy.part_own:
        return over <= 0
    idle = ((queue.grant(s, unit), used[s, unit]) for s in queue.shares if s != job.share)
    offered = sum(min(grant.lendable, max(0, grant.limit - usage)) for grant, usage in idle)
    return own < mine.limit and (mine.borrowable is None or over <= mine.borrowable) and over <= offered


def lacked(queue: Queue, policy: Policy, used: Usage, job: Job) -> list[str]:
    """Units in which there is no room for the job."""
    return [unit for unit in job.size if not room_in(queue, policy, used, job, unit)]


def may_borrow(queue: Queue, policy: Policy, used: Usage, share: str, lacks: list[str]) -> bool:
    """Whether jobs of the share may hold what a job lacks as a loan, as far as what the share uses tells."""
    return policy.borrows not in ONLY_ABOVE or any(used[share, u] > queue.grant(share, u).limit for u in lacks)


def eligible(queue: Queue, policy: Policy, used: Usage, victim: Job, lacks: list[str]) -> bool:
    """The victim holds what a job lacks, of a share above its limit there (rules 36, 48; A13)."""
    return any(u in victim.size and policy.borrows(queue, used, victim, u) for u in lacks)
