"""The documented rules 1-56 of AWS Batch quota management, one sentence each, with the AWS text it comes from.

Sources in brackets: UG/x a page of the Batch User Guide, API/x a shape or operation of the Batch API, CFN/x a
CloudFormation resource type, NB AWS's notebook on quota management, INT its live integration test, SDK the SageMaker
Python SDK. "inferred" marks what follows from those texts but is not written there. What they leave open is in
`spec.readings`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

DOCUMENTED, IMPLIED, OPEN = "documented", "implied", "open"
"""How certain a rule is: AWS says it, it follows at least in part from what AWS says, AWS leaves a part of it open."""
_FIRM = (DOCUMENTED, IMPLIED, OPEN)

RULES: Mapping[int, str] = {
    1: "Only a job queue on a SAGEMAKER_TRAINING service environment can have quota management. [UG/quota-management]",
    2: "Such a queue has exactly one service environment, connected to no other queue and limited in instance types, "
    "and a scheduling policy with a quotaSharePolicy. [UG/create-quota-management-resources]",
    3: "A queue has at most 20 quota shares, one environment, and an environment at most one such queue. "
    "[UG/service_limits]",
    4: "A share and a service environment have 1 to 5 capacity limits each. "
    "[UG/quota-shares, UG/create-quota-management-resources]",
    5: "A share's maxCapacity is at least 1 and its borrowLimit at least -1, without an upper bound. [CFN/QuotaShare]",
    6: "A share's name is 1 to 128 letters, digits, hyphens or underscores, and unique in its queue. "
    "[API/CreateQuotaShare; unique: inferred]",
    7: "A share's name and queue are fixed at creation; limits, sharing, preemption and state can be updated. "
    "[CFN/QuotaShare, API/UpdateQuotaShare]",
    8: "Capacity limits, a sharing strategy and the in-share preemption switch must be given; the state is ENABLED "
    "unless said otherwise. [API/CreateQuotaShare]",
    9: "A share can be created only on a queue whose status is VALID. [API/CreateQuotaShare]",
    10: "A scheduling policy is either fair-share or quota-share for ever; a queue's can be replaced, not removed. "
    "[API/CreateSchedulingPolicy, API/UpdateJobQueue]",
    11: "The API knows only client and server errors; it publishes no messages for invalid fields. [API]",
    12: "An environment's limit for a unit is the most of it that service jobs may hold together. [API/CapacityLimit]",
    13: "A job whose unit the environment lacks is accepted and waits until such a limit exists. [API/CapacityLimit]",
    14: "A share's limit for a unit is the most its jobs may hold without borrowing. [API/QuotaShareCapacityLimit]",
    15: "A job's size is the number of instances it asks for, counted in their instance type. "
    "[API/CreateServiceEnvironment, API/ServiceJobCapacityUsageDetail]",
    16: "Capacity is held by jobs that are SCHEDULED, STARTING or RUNNING. "
    "[UG/track-capacity-utilization-service-jobs; STARTING: inferred]",
    17: "Nothing bounds the sum of the share limits by the environment's limit. [not in any text; see A1]",
    18: "A limit is Batch's accounting, not hardware: a dispatched job may still be retried until SageMaker has the "
    "machines, and goes back to RUNNABLE meanwhile. [UG/service-job-retries, API/LatestServiceJobAttempt]",
    19: "RESERVE keeps idle capacity for its own jobs, LEND lends it and never borrows, LEND_AND_BORROW does both. "
    "[UG/quota-shares, API]",
    20: "A borrow limit applies to LEND_AND_BORROW only. [API/QuotaShareResourceSharingConfiguration]",
    21: "The borrow limit is a percentage of the share's own limit, per unit, on top of it; -1 or none: no maximum. "
    "[API, UG/sm_job_stuck_in_runnable_misconfiguration]",
    22: "A share can borrow no more than the other shares that lend have; RESERVE shares are not among them. "
    "[UG/sm_job_stuck_in_runnable_misconfiguration, NB]",
    23: "One job may use own and borrowed instances together. [UG/sm_job_stuck_in_runnable_misconfiguration]",
    24: "An idle instance of a RESERVE share is used by nobody else, even when the environment has it free. "
    "[inferred from NB]",
    25: "Idle capacity goes to borrowing shares first-in-first-out; what is ordered is not defined. "
    "[API/QuotaSharePolicy; see A16]",
    26: "Batch goes through the shares and dispatches jobs that fit their limits and borrow limits. "
    "[UG/quota-management, NB]",
    27: "Within a share a higher schedulingPriority (0 to 9999) goes first; equal priorities have no defined order. "
    "[API/UpdateServiceJob, API/SubmitServiceJob]",
    28: "The queue snapshot calls RUNNABLE jobs ordered by priority and share usage. [API/GetJobQueueSnapshot]",
    29: "A job goes SUBMITTED, RUNNABLE, SCHEDULED, STARTING, RUNNING, then SUCCEEDED or FAILED. "
    "[UG/service-job-status, UG/service-job-submit]",
    30: "On such a queue every job names its quota share, and keeps it. [API/SubmitServiceJob]",
    31: "A job's payload is passed on unchecked. [UG/service-job-submit]",
    32: "The job at the head of its share blocks those behind it. [UG/sm_job_stuck_in_runnable; inferred]",
    33: "A job that can never run is accepted and waits, with a MISCONFIGURATION reason once it is at the head. "
    "[UG/sm_job_stuck_in_runnable_misconfiguration]",
    34: "A time limit of 600 to 86400 s on RUNNABLE may terminate a job that blocks its queue. "
    "[UG/sm_job_stuck_in_runnable, API]",
    35: "Preemption stops a SCHEDULED, STARTING or RUNNING job to make room for a RUNNABLE one. [UG/preemption]",
    36: "Cross-share preemption gives borrowed capacity back to a share when its jobs arrive; it has no switch. "
    "[UG/preemption, NB]",
    37: "A lender takes back what it lent from whichever share has it, even if it cannot borrow itself. [NB]",
    38: "Taking back does not compare the priorities of the two jobs. [inferred from NB]",
    39: "In-share preemption must be switched on for each share: then a job stops one of lower priority in its own "
    "share. [UG/preemption, UG/create-quota-shares]",
    40: "An in-share victim may run on the share's own capacity, and a change of priority alone can trigger it. [NB]",
    41: "Which job is stopped is decided by instances borrowed, priority and duration, by an unpublished heuristic. "
    "[UG/preemption]",
    42: "Priorities can change while a job waits or runs, and preemption follows the new ones. [UG/preemption]",
    43: "A preempted job is requeued without limit, or fails when its preemption retries are used up: with N, at "
    "preemption N+1. [UG/preemption, API/ServiceJobPreemptionConfiguration; N+1: inferred]",
    44: "A preemption consumes none of the job's retry attempts. [inferred from NB]",
    45: "Every attempt is a new training job; preempted attempts are recorded, and only checkpoints keep progress. "
    "[API/ServiceJobPreemptedAttempt, UG/batch-service-job-preemption-events]",
    46: "Preemption takes time: from its start to its completion the victim still holds its machines. "
    "[UG/batch-service-job-preemption-events; inferred]",
    47: "The preemption count is a total; the list of recent preempted attempts is a window of unstated size. "
    "[UG/preemption, API]",
    48: "When a share's limit falls below its usage, its jobs become eligible for preemption, whatever its strategy. "
    "[UG/quota-shares, UG/preemption]",
    49: "When the environment's limit falls below usage nothing is stopped; new jobs respect the new limit. "
    "[UG/updating-service-environments]",
    50: "A DISABLED share refuses new jobs; those already submitted can finish. [API/CreateQuotaShare]",
    51: "A share must be DISABLED before it is deleted; its jobs are terminated in the end. [API/DeleteQuotaShare]",
    52: "A DISABLED environment places no new jobs. [API/UpdateServiceEnvironment, UG/updating-service-environments]",
    53: "Terminating a job makes it FAILED and stops its training job. [API, INT, UG/terminate-service-jobs]",
    54: "A job's timeout counts for each attempt. [API, SDK]",
    55: "A job has 1 to 10 attempts and up to 5 evaluateOnExit patterns on its status reason. [UG/service-job-retries]",
    56: "RESERVE is for jobs that should start sooner, at the price of lower utilisation. [UG/create-quota-shares]",
}

_NAMED = re.compile(r"\b(?:rule\s+\d+|rules\s+\d+(?:(?:-|\s+to\s+|,\s+|\s+and\s+)\d+)*)\b")
_RANGE = re.compile(r"(\d+)(?:(?:-|\s+to\s+)(\d+))?")

_ROOM = {
    "limit": "rules 14, 19", "borrow-limit": "rules 20, 21", "environment": "rule 12", "reserved": "rules 22, 24",
    "pool": "rule 22; A5",
}  # fmt: skip

CLAUSES: Mapping[str, str] = {
    **{f"dispatch.{part}": source for part, source in _ROOM.items()},
    "dispatch.runnable": "rule 29",
    "dispatch.environment-enabled": "rule 52",
    "dispatch.share-kept": "rule 51",
    "dispatch.share-enabled": "rule 50; A46",
    "dispatch.head": "rules 27, 32; A18",
    "dispatch.hold": "A23, A58",
    "dispatch.yields": "A15",
    "preempt.dispatched": "rule 35",
    "preempt.share-kept": "rule 51; A46",
    "preempt.head": "rules 27, 32",
    "preempt.entitled": "rules 36, 37; A24",
    "preempt.needed": "rules 36, 48",
    "preempt.lacks": "rule 35; A32",
    "preempt.above-limit": "rules 36, 48; A13",
    "in-share.enabled": "rule 39",
    "in-share.share-kept": "rule 51; A46",
    "in-share.head": "rules 27, 32",
    "in-share.higher": "rules 39, 42",
    "in-share.needed": "rules 39, 40; A32",
    "in-share.lacks": "rule 35; A32",
    "claim.head": "rules 27, 32",
    "claim.entitled": "rules 36, 37; A24",
    "claim.suffices": "A28",
    "release.over": "A56, A58",
    "stop.draining": "rule 46",
    "finish.holds": "rule 29",
    "return.scheduled": "rule 18; A54",
    "cancel.live": "rule 53",
    "submit.share-enabled": "rule 50",
    "submit.queue-enabled": "rule 50; A49",
}
"""Code of a clause of a guard -> the rules and readings that it rests on."""
_ABOUT = {
    "runnable": "only what waits starts", "environment-enabled": "a disabled environment",
    "share-kept": "a share being deleted",
    "share-enabled": "a disabled share", "queue-enabled": "a disabled queue", "head": "its turn", "limit": "its own limit",
    "borrow-limit": "its borrow limit", "environment": "too few machines", "reserved": "machines kept for owners",
    "pool": "what is lent", "hold": "machines kept for a claim", "yields": "an owner comes first",
    "dispatched": "only what runs is stopped", "entitled": "its own share's limit", "needed": "only what is lacking",
    "lacks": "nothing is lacking", "above-limit": "only borrowers are stopped", "enabled": "in-share preemption",
    "higher": "only for a higher priority", "suffices": "enough, or nobody", "over": "a claim that is over",
    "draining": "only what is stopping", "holds": "only what runs", "scheduled": "only what has not started",
    "live": "only what has not ended",
}  # fmt: skip


def clause_title(code: str) -> str:
    """What a clause is about, in a few words for a button."""
    return _ABOUT[code.partition(".")[2]]


def certainty(rule: int) -> str:
    """How certain the rule is, by what stands in its brackets."""
    sources = RULES[rule].rpartition("[")[2]
    return OPEN if "see A" in sources else IMPLIED if "inferred" in sources else DOCUMENTED


def least(words: Iterable[str]) -> str:
    """The least firm of some certainties."""
    return max(words, key=_FIRM.index, default=DOCUMENTED)


def rules_in(text: str) -> tuple[int, ...]:
    """The rules that a text names: `rule 36`, `rules 12, 49`, `rules 35-38, 48; A5`, `rules 12 to 24`."""
    named = list[int]()
    for several in _NAMED.findall(text):
        for first, last in _RANGE.findall(several):
            named += range(int(first), int(last or first) + 1)
    return tuple(named)
