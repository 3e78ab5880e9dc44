"""Facts of a job as records state them: the same fields in events, in answers of describe-service-job, in requests.

Trusted: nothing; `Known.says` remembers what two records say differently.
"""

from __future__ import annotations

from typing import Any

from ...model import MAX_PRIORITY, Stage
from ..errors import shown
from .fields import Unusable, ms, text
from .known import Known, Mark, payload, sizes

_PENDING = {"PENDING": "RUNNABLE"}
_STATUSES = frozenset(s.value for s in Stage) - {Stage.DRAINING.value} | frozenset(_PENDING)


def take_facts(known: Known, tree: dict[str, Any], mark: Mark) -> None:
    """What an event, an answer or a request says of a job."""
    queue, limit = text(tree, "jobQueue").rsplit("/", 1)[-1], tree.get("timeoutConfig")
    known.says(
        mark,
        name=text(tree, "jobName"),
        queue=queue,
        share=text(tree, "quotaShareName"),
        size=sizes(tree.get("capacityUsage")),
        created=ms(tree, "createdAt"),
        timeout=seconds
        if isinstance(limit, dict) and type(seconds := limit.get("attemptDurationSeconds")) is int
        else None,
    )


def take_retries(known: Known, tree: dict[str, Any], mark: Mark) -> None:
    """How often it may be preempted, and how often it may be tried."""
    preemption, strategy = tree.get("preemptionConfiguration"), tree.get("retryStrategy")
    limit = preemption.get("preemptionRetriesBeforeTermination") if isinstance(preemption, dict) else None
    allowed = strategy.get("attempts") if isinstance(strategy, dict) else None
    known.says(
        mark,
        retries=limit if type(limit) is int else None,
        attempts_allowed=allowed if type(allowed) is int else None,
    )


def take_payload(known: Known, tree: dict[str, Any], mark: Mark) -> None:
    """What counts of the request that goes to SageMaker."""
    kept = payload(tree.get("serviceRequestPayload"))
    if kept:
        known.checkpoint, known.training_plan = kept.checkpoint, kept.training_plan
        if not known.size:
            known.says(mark, size=kept.size)


def take_attempts(known: Known, tree: dict[str, Any]) -> str:
    """Attempts that the record lists; the most recent preempted one comes back."""
    summary = tree.get("preemptionSummary")
    recent = summary.get("recentPreemptedAttempts") if isinstance(summary, dict) else None
    newest, latest = "", -1
    for listed, preempted in ((recent, True), (tree.get("attempts"), False)):
        for one in listed if isinstance(listed, list) else ():
            name = training_job(one)
            if not name:
                continue
            started, stopped = ms(one, "startedAt"), ms(one, "stoppedAt")
            if started is not None:
                known.running[name] = started
            if stopped is not None:
                known.stops[name] = stopped
            if preempted:
                known.preempted[name] = text(one, "statusReason")
                if (stopped or 0) > latest:
                    newest, latest = name, stopped or 0
            else:
                known.ended.add(name)
    known.ended -= known.preempted.keys()
    return newest


def training_job(tree: Any) -> str:
    """ARN of the training job of an attempt, '' where none is named."""
    resource = tree.get("serviceResourceId") if isinstance(tree, dict) else None
    return text(resource, "value") if isinstance(resource, dict) else ""


def status_of(tree: dict[str, Any]) -> str:
    """The state of a job. Raises Unusable for what is none."""
    found = text(tree, "status")
    if found not in _STATUSES:
        raise Unusable(f"{shown(found)} is no state of a service job")
    return _PENDING.get(found, found)


def is_priority(value: Any) -> bool:
    """Whether it is a schedulingPriority (rule 27)."""
    return type(value) is int and 0 <= value <= MAX_PRIORITY
