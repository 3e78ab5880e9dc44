"""What a job that starts has to leave to others: to live claims what they hold, to entitled heads what loans can give them.

Where `fit` says whether there is room for a job, this says whether the room is somebody else's. Trusted: nothing.
"""

from __future__ import annotations

from .fit import beyond_kept, filled, lacking, within_limit
from .policy import Policy
from .queue import Claim, Job, Queue
from .usage import Usage


def keeps_promises(queue: Queue, policy: Policy, job: Job) -> bool:
    """The dispatch leaves every live claim what was promised to it (A23)."""
    return all(_keeps(queue, policy, claim, job) for claim in queue.claims)


def _keeps(queue: Queue, policy: Policy, claim: Claim, job: Job) -> bool:
    own, held = queue.claim_of(job.name), queue.held(claim)
    if own is not None and own.number <= claim.number:
        return True
    over = (u for u, n in job.size.items() if held[job.share, u] + n > queue.grant(job.share, u).kept)
    return all(filled(queue, held, job, u) <= policy.ceiling(queue, u, False) for u in over)


def yields(queue: Queue, policy: Policy, job: Job, other: Job, settled: Usage) -> bool:
    """A borrower leaves the entitled head of another share what it needs, if loans can serve that head (A15)."""
    return not owed(queue, policy, other, settled) or leaves(queue, policy, job, other, settled)


def owed(queue: Queue, policy: Policy, other: Job, settled: Usage) -> bool:
    """The head is entitled, has no claim, and what it lacks is not more than other shares borrow."""
    if queue.claim_of(other.name) or not within_limit(queue, settled, other):
        return False
    lent = (
        (u, settled.lent(u) - max(0, settled[other.share, u] - queue.grant(other.share, u).limit)) for u in other.size
    )
    return all(lacking(queue, policy, settled, other, unit) <= n for unit, n in lent)


def leaves(queue: Queue, policy: Policy, job: Job, other: Job, settled: Usage) -> bool:
    """Beside what the job borrows there is what the head of another share needs."""
    over = (u for u, n in job.size.items() if queue.usage[job.share, u] + n > queue.grant(job.share, u).limit)
    both = (
        (u, filled(queue, settled, job, u) + beyond_kept(queue, settled, other, u)) for u in over if u in other.size
    )
    return all(n <= policy.ceiling(queue, unit, False) for unit, n in both)
