"""Records one by one to what is known of jobs and to requests about the queue: EventBridge, dumps, CloudTrail.

`take` recognises a record by its keys and puts what counts of it where it belongs; what does not count is counted with
the reason. Nothing of a record outlives it but the fields named here. Trusted: the tables of what each record gives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...model import MAX_PRIORITY, Stage
from ...observations import Snapshot
from ..errors import escaped, shown
from .facts import is_priority, status_of, take_attempts, take_facts, take_payload, take_retries, training_job
from .fields import Unusable, an_object, instant, ms, needed, text
from .known import PREEMPTED, PREEMPTING, SECOND, Known, Mark, Move, Request, sizes

STATE = "Batch Service Job State Change"
STARTED = "Batch Service Job Preemption Started"
COMPLETED = "Batch Service Job Preemption Completed"
BLOCKED = "Batch Service Job Queue Blocked"
BLOCKED_STATUS = "BLOCKED"
MISCONFIGURED = "MISCONFIGURATION:"
_OF_SERVICE_JOBS = "Batch Service Job"
_SNAPSHOT = ("frontOfQueue", "frontOfQuotaShares", "queueUtilization")
ADMINISTRATION = (
    "CreateQuotaShare",
    "UpdateQuotaShare",
    "DeleteQuotaShare",
    "CreateServiceEnvironment",
    "UpdateServiceEnvironment",
    "CreateJobQueue",
    "UpdateJobQueue",
)


@dataclass(frozen=True, slots=True)
class Change:
    """An administrator's request that AWS accepted."""

    at: int
    name: str
    parameters: Mapping[str, Any]
    mark: Mark
    id: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A submission that was refused."""

    at: int
    job: str
    share: str
    queue: str
    reason: str
    mark: Mark


@dataclass
class Records:
    """Everything that was read."""

    jobs: dict[str, Known] = field(default_factory=dict[str, Known])
    changes: dict[str, Change] = field(default_factory=dict[str, Change])
    refusals: dict[str, Refusal] = field(default_factory=dict[str, Refusal])
    snapshots: dict[int, Snapshot] = field(default_factory=dict[int, Snapshot])
    problems: list[tuple[Mark, str]] = field(default_factory=list[tuple[Mark, str]])
    aside: Counter[str] = field(default_factory=Counter[str])
    """Why records do not count -> how many."""
    logged: list[int] = field(default_factory=list[int])
    """Times of all EventBridge events of service jobs."""
    calls: list[int] = field(default_factory=list[int])
    """Times of all CloudTrail records of AWS Batch."""
    again: int = 0
    """Records that were there before."""
    preemptions_logged: bool = False
    priorities_from: int | None = None
    """Time of the first CloudTrail record that would tell of a priority."""

    def take(self, record: Any, mark: Mark) -> bool:
        """Read one record; False when it is none of a history."""
        if not isinstance(record, dict):
            return False
        try:
            if "detail-type" in record:
                self._event(record, mark)
            elif "eventSource" in record and "eventName" in record:
                self._call(record, mark)
            elif "jobId" in record and "jobArn" in record and ("status" in record or "createdAt" in record):
                self._described(record, mark)
            elif any(k in record for k in _SNAPSHOT):
                self._snapshot(record)
            else:
                return False
        except Unusable as error:
            self.problems.append((mark, str(error)))
        return True

    def _job(self, arn_or_id: str, mark: Mark) -> Known:
        job = arn_or_id.rsplit("/", 1)[-1]
        known = self.jobs.get(job)
        if known is None:
            known = self.jobs[job] = Known(job, mark)
        if arn_or_id != job:
            known.says(mark, arn=arn_or_id)
        return known

    def _event(self, record: dict[str, Any], mark: Mark) -> None:
        kind, source = record["detail-type"], record.get("source")
        if source != "aws.batch" or kind not in (STATE, STARTED, COMPLETED, BLOCKED):
            if source == "aws.batch" and isinstance(kind, str) and kind.startswith(_OF_SERVICE_JOBS):
                raise Unusable(f"{shown(kind)} is no event of service jobs that is known")
            self.aside[f"EventBridge, {_word(kind)}: not of service jobs"] += 1
            return
        at = instant(record.get("time"), "time")
        detail = an_object(record, "detail")
        if kind in (STARTED, COMPLETED):
            self._preemption(kind, at, detail, mark)
        else:
            self._state(kind, at, detail, mark)
        self.logged.append(at)

    def _state(self, kind: str, at: int, detail: dict[str, Any], mark: Mark) -> None:
        known = self._job(text(detail, "jobArn") or needed(detail, "jobId"), mark)
        take_facts(known, detail, mark)
        status = status_of(detail)
        reason = text(detail, "statusReason")
        if kind == BLOCKED:
            status = BLOCKED_STATUS
            if not reason.startswith(MISCONFIGURED):
                self.aside[f"{BLOCKED}, {_word(reason.split(' - ')[0])}: no rule speaks of it"] += 1
                return
        attempt = training_job(detail.get("latestAttempt"))
        move = Move(status, at - SECOND, at + SECOND, mark, attempt, reason)
        started, stopped = ms(detail, "startedAt"), ms(detail, "stoppedAt")
        if status == Stage.RUNNING and started is not None and abs(started - at) <= 2 * SECOND:
            move.low = move.high = started
        if stopped is not None and attempt and status in (Stage.SUCCEEDED, Stage.FAILED):
            known.stops[attempt] = stopped
        self.again += not known.moved(move)
        take_attempts(known, detail)

    def _preemption(self, kind: str, at: int, detail: dict[str, Any], mark: Mark) -> None:
        known = self._job(text(detail, "preemptedJobArn") or needed(detail, "jobArn"), mark)
        self.preemptions_logged = True
        status, reason = status_of(detail), text(detail, "statusReason")
        if kind == STARTED:
            attempt = training_job(detail.get("latestAttempt"))
            self.again += not known.moved(Move(PREEMPTING, at - SECOND, at + SECOND, mark, attempt, reason))
            return
        summary = detail.get("preemptionSummary")
        count = summary.get("preemptedAttemptCount") if isinstance(summary, dict) else None
        recent = take_attempts(known, detail)
        move = Move(PREEMPTED, at - SECOND, at + SECOND, mark, recent, reason, final=status)
        move.count = count if type(count) is int and count >= 0 else None
        self.again += not known.moved(move)

    def _described(self, tree: dict[str, Any], mark: Mark) -> None:
        known = self._job(needed(tree, "jobArn"), mark)
        take_facts(known, tree, mark)
        take_attempts(known, tree)
        status, attempt = status_of(tree), training_job(tree.get("latestAttempt"))
        known.states.add(status)
        if "attempts" in tree or "serviceRequestPayload" in tree or "retryStrategy" in tree:
            known.described |= status in (Stage.SUCCEEDED, Stage.FAILED)
            known.retries_known = True
            take_retries(known, tree, mark)
            take_payload(known, tree, mark)
            priority = tree.get("schedulingPriority")
            if type(priority) is int and is_priority(priority):
                known.priorities.add(priority)
        reason = text(tree, "statusReason")
        if reason.startswith(MISCONFIGURED):
            known.reasons.setdefault(reason, mark)
        known.terminated |= tree.get("isTerminated") is True
        times = {k: ms(tree, k) for k in ("scheduledAt", "startedAt", "stoppedAt")}
        live = status in (Stage.SCHEDULED, Stage.STARTING, Stage.RUNNING, Stage.SUCCEEDED, Stage.FAILED)
        for key, then in (("scheduledAt", Stage.SCHEDULED), ("startedAt", Stage.RUNNING)):
            moment = times[key]
            if live and moment is not None:
                known.moved(Move(then.value, moment, moment, mark, attempt, logged=False))
        stopped = times["stoppedAt"]
        if stopped is not None and status in (Stage.SUCCEEDED, Stage.FAILED):
            if attempt:
                known.stops[attempt] = stopped
            known.moved(Move(status, stopped, stopped, mark, attempt, reason, logged=False))

    def _snapshot(self, tree: dict[str, Any]) -> None:
        parts = [p for k in _SNAPSHOT if isinstance(p := tree.get(k), dict)]
        times = [at for p in parts if (at := ms(p, "lastUpdatedAt")) is not None]
        if not times:
            raise Unusable("the snapshot has no lastUpdatedAt: nothing says when it was taken")
        usage: dict[str, Mapping[str, int]] = {}
        shares: Any = _at(tree, "queueUtilization", "quotaShareUtilization", "topCapacityUtilization")
        for one in shares if isinstance(shares, list) else ():
            if isinstance(one, dict) and (name := text(one, "quotaShareName")):
                usage[name] = sizes(one.get("capacityUsage")) or {}
        front: dict[str, tuple[tuple[str, int], ...]] = {}
        heads: Any = _at(tree, "frontOfQuotaShares", "quotaShares")
        for name, jobs in heads.items() if isinstance(heads, dict) else ():
            listed = [j for j in (jobs if isinstance(jobs, list) else ()) if isinstance(j, dict)]
            front[name] = tuple(
                (text(j, "jobArn").rsplit("/", 1)[-1], at)
                for j in listed
                if (at := ms(j, "earliestTimeAtPosition")) is not None
            )
        self.again += max(times) in self.snapshots
        self.snapshots[max(times)] = Snapshot(max(times), max(times) - min(times), usage, front)

    def _call(self, record: dict[str, Any], mark: Mark) -> None:
        name, source = text(record, "eventName"), record["eventSource"]
        if source != "batch.amazonaws.com":
            self.aside[f"CloudTrail, {_word(source)}: another service"] += 1
            return
        at = instant(record.get("eventTime"), "eventTime")
        self.calls.append(at)
        jobs = name in ("SubmitServiceJob", "UpdateServiceJob", "TerminateServiceJob", "TerminateServiceJobs")
        if not jobs and name not in ADMINISTRATION:
            self.aside[f"CloudTrail, {_word(name)}: it changes nothing in a quota-share queue"] += 1
            return
        asked = record.get("requestParameters")
        code = text(record, "errorCode")
        if code and not (name == "SubmitServiceJob" and code == "ClientException"):
            self.aside[f"CloudTrail, {name}: refused, {_word(code)}"] += 1
            return
        if not isinstance(asked, dict):
            raise Unusable(f"{name} has no requestParameters, so nothing says what was asked")
        if code:
            reason = f"{code}: {text(record, 'errorMessage')}"
            queue = text(asked, "jobQueue").rsplit("/", 1)[-1]
            refusal = Refusal(at, text(asked, "jobName"), text(asked, "quotaShareName"), queue, reason, mark)
            self._once(self.refusals, record, refusal)
        elif name == "SubmitServiceJob":
            self._submit(at, asked, record, mark)
        elif name == "UpdateServiceJob":
            self._update(at, asked, record, mark)
        elif name in ADMINISTRATION:
            change = Change(at, name, asked, mark, text(record, "eventID"))
            self._once(self.changes, record, change)
        else:
            several = asked.get("jobs", [asked.get("jobId")])
            for job in several if isinstance(several, list) else ():
                if isinstance(job, str):
                    _once(self._job(job, mark).terminations, Request(at, mark))

    def _once(self, found: dict[str, Any], record: dict[str, Any], what: Any) -> None:
        import json

        asked = (record.get("eventTime"), record.get("eventName"), record.get("requestParameters"))
        key = text(record, "eventID") or json.dumps(asked, sort_keys=True, default=str)
        self.again += key in found
        found.setdefault(key, what)

    def _submit(self, at: int, asked: dict[str, Any], record: dict[str, Any], mark: Mark) -> None:
        answer = an_object(record, "responseElements")
        known = self._job(text(answer, "jobArn") or needed(answer, "jobId"), mark)
        priority = asked.get("schedulingPriority", 0)
        if not is_priority(priority):
            raise Unusable(f"schedulingPriority is {shown(priority)}, not a whole number from 0 to {MAX_PRIORITY}")
        self.priorities_from = min(at, self.priorities_from or at)
        self.again += not _once(known.submissions, Request(at, mark, priority))
        known.retries_known = True
        take_facts(known, asked, mark)
        take_retries(known, asked, mark)
        take_payload(known, asked, mark)
        known.says(mark, owner=_who(record))

    def _update(self, at: int, asked: dict[str, Any], record: dict[str, Any], mark: Mark) -> None:
        priority = asked.get("schedulingPriority")
        if not is_priority(priority):
            raise Unusable(f"schedulingPriority is {shown(priority)}, not a whole number from 0 to {MAX_PRIORITY}")
        self.priorities_from = min(at, self.priorities_from or at)
        updates = self._job(needed(asked, "jobId"), mark).updates
        self.again += not _once(updates, Request(at, mark, priority, _who(record)))


def _who(record: dict[str, Any]) -> str:
    """Who made a request."""
    user = record.get("userIdentity")
    return escaped(text(user, "arn") or text(user, "userName")) if isinstance(user, dict) else ""


def _once(requests: list[Request], request: Request) -> bool:
    if any((r.at, r.priority) == (request.at, request.priority) for r in requests):
        return False
    requests.append(request)
    return True


def _word(value: Any) -> str:
    return escaped(value)[:80] if isinstance(value, str) and value else "without a name"


def _at(tree: Any, *keys: str) -> Any:
    for key in keys:
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree
