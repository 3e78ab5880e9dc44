"""Why a head can never run: the MISCONFIGURATION reasons of rule 33, worded as AWS words them."""

from __future__ import annotations

from .policy import Policy
from .queue import Job, Queue

ENVIRONMENT = (
    "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE - Service environment(s) associated with the job queue cannot "
    "meet the capacity requirement of the job."
)
_LIMIT = "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED - Job "
OWN = _LIMIT + "requirements exceed quota share capacity limits."
BORROW = _LIMIT + "requirements exceed quota share capacity limits and borrow limits."
POOL = _LIMIT + "requires borrowing that exceeds all configured borrowable capacity."


def reason(queue: Queue, policy: Policy, job: Job) -> str:
    """The reason, or '' when the job can run some day. A51 says which of two reasons comes first."""
    environment = share = ""
    for unit, n in job.size.items():
        environment = ENVIRONMENT if n > queue.capacity.get(unit, 0) else environment
        if not share and n > queue.grant(job.share, unit).limit:
            share = _share_reason(queue, job, unit)
    first, second = (share, environment) if policy.share_reason_first else (environment, share)
    return first or second


def _share_reason(queue: Queue, job: Job, unit: str) -> str:
    """Why more than the share's limit of a unit can never run."""
    n, mine = job.size[unit], queue.grant(job.share, unit)
    if mine.borrowable == 0:
        borrows = queue.shares[job.share].strategy == "LEND_AND_BORROW"
        return BORROW if borrows else OWN
    if mine.borrowable is not None and n > mine.limit + mine.borrowable:
        return BORROW
    offered = sum(queue.grant(s, unit).lendable for s in queue.shares if s != job.share)
    if queue.readings["A5"] == "borrowable":
        offered += max(0, queue.capacity.get(unit, 0) - queue.limits(unit))
    return POOL if n > mine.limit + offered else ""
