"""What AWS would have recorded of a run: EventBridge events, CloudTrail records, dumps of the queue and of its jobs.

`recorded` plays timed events of `spec.events` on the reference and writes what each leaves behind: envelopes cut to
seconds, no claimants, in-share reasons undocumented. Job names are job ids.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from quotaproof.reference.apply import apply
from quotaproof.reference.queue import HOLDING, Queue
from quotaproof.spec import events as ev
from quotaproof.spec.model import QueueConfig, Stage
from quotaproof.spec.readings import Readings

ACCOUNT = "us-east-1:123456789012"
CROSS = "Cross-share preemption triggered to reclaim borrowed capacity"
IN_SHARE = "<UNDOCUMENTED in-share reason text>"


@dataclass
class Recorded:
    """Records in the order of time, and the dumps at the end."""

    config: QueueConfig
    events: list[dict[str, Any]] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    jobs: dict[str, dict[str, Any]] = field(default_factory=dict)

    def shuffled(self, rng: random.Random) -> Recorded:
        """The same records in any order, as they may be delivered."""
        events, calls = list(self.events), list(self.calls)
        rng.shuffle(events)
        rng.shuffle(calls)
        return Recorded(self.config, events, calls, self.jobs)

    def doubled(self, rng: random.Random, part: float = 0.2) -> Recorded:
        """Some records delivered twice."""

        def twice(records):
            return [r for one in records for r in [one] * (1 + (rng.random() < part))]

        return Recorded(self.config, twice(self.events), twice(self.calls), self.jobs)

    def write(self, folder: Path, *, cloudtrail: bool = True, describe: bool = True, eventbridge: bool = True) -> Path:
        """Fill a folder as `audit` reads it; the configuration is the one at the start."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, dump in dumps(self.config).items():
            (folder / f"{name}.json").write_text(json.dumps(dump))
        if eventbridge:
            (folder / "events.ndjson").write_text("".join(json.dumps(e) + "\n" for e in self.events))
        if cloudtrail:
            (folder / "cloudtrail.json").write_text(json.dumps({"Records": self.calls}))
        if describe:
            (folder / "jobs.ndjson").write_text("".join(json.dumps(j) + "\n" for j in self.jobs.values()))
        return folder


def arn(kind: str, name: str) -> str:
    return f"arn:aws:batch:{ACCOUNT}:{kind}/{name}"


def share_tree(share) -> dict[str, Any]:
    return share.model_dump(by_alias=True, mode="json", exclude_none=True)


def dumps(config: QueueConfig) -> dict[str, Any]:
    """The three answers that say how a queue is configured."""
    queue, environment = config.job_queue_name, config.environment
    shares = [
        share_tree(s) | {"jobQueueArn": arn("job-queue", queue), "quotaShareArn": share_arn(queue, s.name)}
        for s in config.shares
    ]
    name = environment.service_environment_name
    order = [{"order": 1, "serviceEnvironment": arn("service-environment", name)}]
    return {
        "list-quota-shares": {"quotaShares": shares},
        "describe-service-environments": {
            "serviceEnvironments": [
                environment.model_dump(by_alias=True, mode="json") | {"serviceEnvironmentType": "SAGEMAKER_TRAINING"}
            ]
        },
        "describe-job-queues": {
            "jobQueues": [
                {
                    "jobQueueName": queue,
                    "jobQueueArn": arn("job-queue", queue),
                    "jobQueueType": "SAGEMAKER_TRAINING",
                    "serviceEnvironmentOrder": order,
                }
            ]
        },
    }


def share_arn(queue: str, share: str) -> str:
    return f"{arn('job-queue', queue)}/quota-share/{share}"


def iso(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).isoformat().replace("+00:00", "Z")


@dataclass
class _Job:
    submit: ev.Submit
    created: int
    attempts: int = 0
    times: dict[str, int] = field(default_factory=dict)
    preempted: list[dict[str, Any]] = field(default_factory=list)
    reason: str = ""

    @property
    def training(self) -> str:
        return f"arn:aws:sagemaker:{ACCOUNT}:training-job/AWSBatch{self.submit.job}-{self.attempts}"


class _Recorder:
    def __init__(self, config: QueueConfig, readings: Readings, rng: random.Random, jitter: int) -> None:
        self.queue = Queue(config, readings)
        self.made = Recorded(config)
        self.known: dict[str, _Job] = {}
        self.rng, self.jitter = rng, jitter
        self.name = config.job_queue_name

    def event(self, at: int, kind: str, job: str, detail: dict[str, Any]) -> None:
        at += self.rng.randint(0, self.jitter)
        self.made.events.append(
            {
                "version": "0",
                "id": f"e{len(self.made.events)}",
                "detail-type": f"Batch Service Job {kind}",
                "source": "aws.batch",
                "time": iso(at),
                "resources": [arn("service-job", job)],
                "detail": detail,
            }
        )

    def state(self, at: int, job: str, status: str, **more: Any) -> None:
        one = self.known[job]
        detail = {
            "attempts": [],
            "createdAt": one.created,
            "jobArn": arn("service-job", job),
            "jobId": job,
            "jobName": f"name-{job}",
            "jobQueue": arn("job-queue", self.name),
            "serviceJobType": "SAGEMAKER_TRAINING",
            "status": status,
            **more,
        }
        if one.attempts:
            detail["latestAttempt"] = attempt(one.training)
        self.event(at, "State Change", job, detail)

    def call(self, at: int, name: str, asked: dict[str, Any], answer: dict[str, Any] | None = None) -> None:
        self.made.calls.append(
            {
                "eventVersion": "1.11",
                "eventID": f"c{len(self.made.calls)}",
                "userIdentity": {"arn": "arn:aws:sts::123456789012:assumed-role/Admin/alice"},
                "eventTime": iso(at),
                "eventSource": "batch.amazonaws.com",
                "eventName": name,
                "requestParameters": asked,
                "responseElements": answer,
            }
        )

    def record(self, at: int, event: ev.Event) -> None:
        before = {name: j.stage for name, j in self.queue.jobs.items()}
        if isinstance(event, ev.ShareGone):
            self.describe()
        apply(self.queue, event)
        job = getattr(event, "job", "")
        match event:
            case ev.Submit():
                self._submit(at, event)
            case ev.Dispatch():
                one = self.known[job]
                one.attempts += 1
                one.times = {"scheduledAt": at}
                self.state(at, job, "SCHEDULED")
            case ev.Advance():
                self._advance(at, job)
            case ev.Claim():
                for victim in event.victims:
                    self._told(at, victim, before[victim], self.queue.jobs[victim].share != self.queue.jobs[job].share)
            case ev.Stopped():
                self._stopped(at, job)
            case ev.Return():
                self.state(at, job, "RUNNABLE")
            case ev.Finish():
                self._ended(at, job)
            case ev.Terminate():
                self.call(at, "TerminateServiceJob", {"jobId": job, "reason": "no longer needed"})
                self._ended(at, job, held=before[job] in HOLDING)
            case ev.SetPriority():
                self.call(at, "UpdateServiceJob", {"jobId": job, "schedulingPriority": event.priority})
            case ev.Misconfigured():
                self.known[job].reason = event.reason
                detail = {"jobArn": arn("service-job", job), "jobId": job, "status": "RUNNABLE"}
                self.event(at, "Queue Blocked", job, detail | {"statusReason": event.reason})
            case ev.Release() | ev.ShareGone():
                pass
            case _:
                self._administration(at, event)

    def _submit(self, at: int, e: ev.Submit) -> None:
        self.known[e.job] = _Job(e, at)
        asked: dict[str, Any] = {
            "jobName": f"name-{e.job}",
            "jobQueue": self.name,
            "quotaShareName": e.share,
            "serviceJobType": "SAGEMAKER_TRAINING",
        }
        if e.priority is not None:
            asked["schedulingPriority"] = e.priority
        if e.retries is not None:
            asked["preemptionConfiguration"] = {"preemptionRetriesBeforeTermination": e.retries}
        self.call(at, "SubmitServiceJob", asked, {"jobId": e.job, "jobArn": arn("service-job", e.job)})
        self.state(at, e.job, "RUNNABLE")

    def _advance(self, at: int, job: str) -> None:
        stage = self.queue.jobs[job].stage
        if stage is Stage.RUNNING:
            self.known[job].times["startedAt"] = at
            self.state(at, job, stage.value, startedAt=at)
        else:
            self.state(at, job, stage.value)

    def _told(self, at: int, victim: str, stage: Stage, cross: bool) -> None:
        one = self.known[victim]
        one.reason = CROSS if cross else IN_SHARE
        detail = {"preemptedJobArn": arn("service-job", victim), "status": stage.value}
        self.event(at, "Preemption Started", victim, detail | {"statusReason": f"PREEMPTION_IN_PROGRESS: {one.reason}"})

    def _stopped(self, at: int, job: str) -> None:
        one, stage = self.known[job], self.queue.jobs[job].stage
        one.preempted.insert(0, attempt(one.training) | {"stoppedAt": at, "statusReason": one.reason})
        self.state(at, job, stage.value, stoppedAt=at)
        if stage is Stage.FAILED:
            one.times["stoppedAt"] = at
        else:
            one.times = {}
        detail = {"preemptedJobArn": arn("service-job", job), "status": stage.value, "preemptionSummary": self._summary(job)}
        self.event(at, "Preemption Completed", job, detail)

    def _summary(self, job: str) -> dict[str, Any]:
        return {
            "preemptedAttemptCount": self.queue.jobs[job].preemptions,
            "recentPreemptedAttempts": self.known[job].preempted[:5],
        }

    def _ended(self, at: int, job: str, *, held: bool = True) -> None:
        times = {"stoppedAt": at} if held else {}
        self.known[job].times |= times
        self.state(at, job, self.queue.jobs[job].stage.value, **times)

    def _administration(self, at: int, event: ev.Event) -> None:
        share = {"quotaShareArn": share_arn(self.name, getattr(event, "share", ""))} if hasattr(event, "share") else {}
        environment = {"serviceEnvironment": self.made.config.environment.service_environment_name}
        match event:
            case ev.SetLimits():
                self.call(at, "UpdateQuotaShare", share | {"capacityLimits": limits(event.limits)})
            case ev.SetSharing():
                sharing = {"strategy": event.strategy.value}
                if event.borrow_limit is not None:
                    sharing["borrowLimit"] = event.borrow_limit
                self.call(at, "UpdateQuotaShare", share | {"resourceSharingConfiguration": sharing})
            case ev.SetInShare():
                switch = {"inSharePreemption": "ENABLED" if event.enabled else "DISABLED"}
                self.call(at, "UpdateQuotaShare", share | {"preemptionConfiguration": switch})
            case ev.SetShareState():
                self.call(at, "UpdateQuotaShare", share | {"state": event.state.value})
            case ev.CreateShare():
                self.call(at, "CreateQuotaShare", share_tree(event.share) | {"jobQueue": self.name})
            case ev.DeleteShare():
                self.call(at, "DeleteQuotaShare", share)
            case ev.SetCapacity():
                self.call(at, "UpdateServiceEnvironment", environment | {"capacityLimits": limits(event.capacity)})
            case ev.SetEnvironmentState():
                self.call(at, "UpdateServiceEnvironment", environment | {"state": event.state.value})
            case ev.SetQueueState():
                self.call(at, "UpdateJobQueue", {"jobQueue": self.name, "state": event.state.value})

    def describe(self) -> None:
        for job, one in self.known.items():
            now = self.queue.jobs.get(job)
            if now is None:  # of a share that is gone
                continue
            usage = [{"capacityUnit": u, "quantity": float(n)} for u, n in one.submit.size.items()]
            stage = {Stage.DRAINING: Stage.RUNNING}.get(now.stage, now.stage)
            tree = {
                "jobArn": arn("service-job", job),
                "jobId": job,
                "jobName": f"name-{job}",
                "jobQueue": arn("job-queue", self.name),
                "status": stage.value,
                "createdAt": one.created,
                "quotaShareName": one.submit.share,
                "schedulingPriority": now.priority,
                "capacityUsage": usage,
                "attempts": [],
                "retryStrategy": {"attempts": 1},
                **one.times,
            }
            if one.attempts:
                tree["latestAttempt"] = attempt(one.training)
            if one.preempted:
                tree["preemptionSummary"] = self._summary(job)
            if one.submit.retries is not None:
                tree["preemptionConfiguration"] = {"preemptionRetriesBeforeTermination": one.submit.retries}
            self.made.jobs[job] = tree


def attempt(training: str) -> dict[str, Any]:
    return {"serviceResourceId": {"name": "TrainingJobArn", "value": training}}


def limits(sizes) -> list[dict[str, Any]]:
    return [{"capacityUnit": u, "maxCapacity": n} for u, n in sizes.items()]


def recorded(
    config: QueueConfig,
    timed: Iterable[tuple[int, ev.Event]],
    *,
    readings: Readings | None = None,
    rng: random.Random | None = None,
    jitter: int = 0,
) -> Recorded:
    """The records of a run. `jitter`: milliseconds that an envelope may be late."""
    recorder = _Recorder(config, readings or Readings(), rng or random.Random(0), jitter)
    for at, event in timed:
        recorder.record(at, event)
    recorder.describe()
    return recorder.made
