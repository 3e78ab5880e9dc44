"""AWS in tests: clients of boto3 that answer from a list (botocore's Stubber), and a small queue to answer with.

Nothing here reaches a network: a request that no answer is listed for fails. Time passes only when somebody sleeps.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import boto3
from botocore import xform_name
from botocore.stub import ANY, Stubber
from quotaproof.checker.pull.access import OPERATIONS, Access

ARN = "arn:aws:batch:us-east-1:123456789012"
QUEUE = f"{ARN}:job-queue/gpu"
ENVIRONMENT = f"{ARN}:service-environment/env"
POLICY = f"{ARN}:scheduling-policy/fifo"
NOW = 1_793_700_000_000
HOUR = 3_600_000
DAY = 24 * HOUR
SECRET = "hunter2-s3cr3t"
UNIT = "ml.g5.xlarge"
NAMES = (
    "SubmitServiceJob", "UpdateServiceJob", "TerminateServiceJob", "TerminateServiceJobs", "CreateServiceEnvironment",
    "CreateJobQueue", "CreateQuotaShare", "UpdateQuotaShare", "DeleteQuotaShare", "UpdateServiceEnvironment",
    "UpdateJobQueue",
)  # fmt: skip

_SESSION = boto3.Session(aws_access_key_id="none", aws_secret_access_key="none", region_name="us-east-1")


class Clock:
    """Time that passes only in sleep."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Aws:
    """What AWS is going to answer, in order, for each service."""

    def __init__(self) -> None:
        self.clients = {s: _SESSION.client(s) for s in dict.fromkeys(OPERATIONS.values())}
        self._stubs = {s: Stubber(c) for s, c in self.clients.items()}
        self.clock = Clock()
        self.asked: list[str] = []
        for service, stub in self._stubs.items():
            stub.activate()
            self.clients[service].meta.events.register("before-parameter-build", self._note)

    def _note(self, model: Any, **_: Any) -> None:
        self.asked.append(model.name)

    def access(self, rate: float = 1000) -> Access:
        return Access(self.clients, rate=rate, clock=lambda: self.clock.now, sleep=self.clock.sleep)

    def says(self, operation: str, answer: dict[str, Any], **parameters: Any) -> None:
        """One answer; the parameters must be these, where any are given."""
        self._stubs[OPERATIONS[operation]].add_response(xform_name(operation), answer, parameters or None)

    def fails(self, operation: str, code: str, message: str = "", status: int = 400) -> None:
        self._stubs[OPERATIONS[operation]].add_client_error(xform_name(operation), code, message, status)

    def done(self) -> None:
        """Every answer was asked for."""
        for stub in self._stubs.values():
            stub.assert_no_pending_responses()

    def configuration(self, shares: list[dict[str, Any]] | None = None) -> None:
        self.says("DescribeJobQueues", {"jobQueues": [job_queue()]}, jobQueues=["gpu"])
        self.says("DescribeSchedulingPolicies", {"schedulingPolicies": [policy()]}, arns=[POLICY])
        self.says("ListQuotaShares", {"quotaShares": shares or quota_shares()}, jobQueue=QUEUE)
        self.says(
            "DescribeServiceEnvironments", {"serviceEnvironments": [environment()]}, serviceEnvironments=[ENVIRONMENT]
        )

    def snapshot(self) -> None:
        self.says("GetJobQueueSnapshot", snapshot(), jobQueue=QUEUE)

    def jobs(self, *described: dict[str, Any], again: tuple[dict[str, Any], ...] | None = None) -> None:
        """The list of these jobs, and the description of each, or only of those in `again`."""
        self.says("ListServiceJobs", {"jobSummaryList": [summary(j) for j in described]})
        for one in described if again is None else again:
            self.says("DescribeServiceJob", one, jobId=one["jobId"])

    def requests(self, *records: dict[str, Any], begin: Any = ANY) -> None:
        """CloudTrail's answers for every name of an event."""
        for name in NAMES:
            found = [event(r) for r in records if r["eventName"] == name]
            attributes = [{"AttributeKey": "EventName", "AttributeValue": name}]
            self.says("LookupEvents", {"Events": found}, LookupAttributes=attributes, StartTime=begin, EndTime=ANY,
                      MaxResults=50)  # fmt: skip

    def whole(self, *described: dict[str, Any], records: tuple[dict[str, Any], ...] = ()) -> None:
        """A whole pull of the queue with these jobs."""
        self.configuration()
        self.snapshot()
        self.jobs(*described)
        self.requests(*records)


def job_queue() -> dict[str, Any]:
    return {
        "jobQueueName": "gpu",
        "jobQueueArn": QUEUE,
        "state": "ENABLED",
        "schedulingPolicyArn": POLICY,
        "status": "VALID",
        "priority": 1,
        "computeEnvironmentOrder": [],
        "serviceEnvironmentOrder": [{"order": 1, "serviceEnvironment": ENVIRONMENT}],
        "jobQueueType": "SAGEMAKER_TRAINING",
    }


def policy() -> dict[str, Any]:
    return {"name": "fifo", "arn": POLICY, "quotaSharePolicy": {"idleResourceAssignmentStrategy": "FIFO"}}


def environment() -> dict[str, Any]:
    return {
        "serviceEnvironmentName": "env",
        "serviceEnvironmentArn": ENVIRONMENT,
        "serviceEnvironmentType": "SAGEMAKER_TRAINING",
        "state": "ENABLED",
        "status": "VALID",
        "capacityLimits": [{"maxCapacity": 3, "capacityUnit": UNIT}],
    }


def quota_shares(**limits: int) -> list[dict[str, Any]]:
    return [
        {
            "quotaShareName": name,
            "quotaShareArn": f"{QUEUE}/quota-share/{name}",
            "jobQueueArn": QUEUE,
            "capacityLimits": [{"maxCapacity": limit, "capacityUnit": UNIT}],
            "resourceSharingConfiguration": {"strategy": "LEND"},
            "preemptionConfiguration": {"inSharePreemption": "DISABLED"},
            "state": "ENABLED",
            "status": "VALID",
        }
        for name, limit in (limits or {"vision": 2, "speech": 1}).items()
    ]


def snapshot() -> dict[str, Any]:
    return {
        "frontOfQueue": {"jobs": [], "lastUpdatedAt": NOW},
        "queueUtilization": {"totalCapacityUsage": [{"capacityUnit": UNIT, "quantity": 1.0}], "lastUpdatedAt": NOW},
    }


def job(name: str, status: str = "RUNNING", *, created: int = NOW - HOUR, stopped: int | None = None) -> dict[str, Any]:
    """A job as describe-service-job has it, with a secret in its payload wherever people put one."""
    payload = {
        "TrainingJobName": name,
        "RoleArn": f"arn:aws:iam::123456789012:role/{SECRET}",
        "ResourceConfig": {"InstanceType": UNIT, "InstanceCount": 1, "VolumeSizeInGB": 30},
        "StoppingCondition": {"MaxRuntimeInSeconds": 86400},
        "CheckpointConfig": {"S3Uri": "s3://checkpoints/x"},
        "Environment": {"WANDB_API_KEY": SECRET},
        "HyperParameters": {"token": SECRET},
    }
    ended = {} if stopped is None else {"stoppedAt": stopped}
    return {
        "jobArn": f"{ARN}:service-job/{name}",
        "jobId": name,
        "jobName": name,
        "jobQueue": QUEUE,
        "serviceJobType": "SAGEMAKER_TRAINING",
        "status": status,
        "createdAt": created,
        "startedAt": created + 60_000,
        **ended,
        "quotaShareName": "vision",
        "schedulingPriority": 1,
        "capacityUsage": [{"capacityUnit": UNIT, "quantity": 1.0}],
        "attempts": [],
        "serviceRequestPayload": json.dumps(payload),
        "tags": {"key": SECRET},
    }


def summary(described: dict[str, Any]) -> dict[str, Any]:
    """A job as list-service-jobs has it."""
    fields = ("jobArn", "jobId", "jobName", "serviceJobType", "status", "createdAt", "startedAt", "stoppedAt")
    return {name: described[name] for name in fields if name in described}


def record(name: str, parameters: dict[str, Any], *, at: str = "2026-11-02T15:00:00Z", **more: Any) -> dict[str, Any]:
    """A CloudTrail record."""
    return {
        "eventVersion": "1.11",
        "eventID": sha256(f"{name}{parameters}{at}".encode()).hexdigest()[:32],
        "eventTime": at,
        "eventSource": "batch.amazonaws.com",
        "eventName": name,
        "awsRegion": "us-east-1",
        "sourceIPAddress": "203.0.113.7",
        "userAgent": "aws-cli/2",
        "userIdentity": {"type": "IAMUser", "arn": "arn:aws:iam::123456789012:user/alice", "accessKeyId": SECRET},
        "requestParameters": parameters,
        **more,
    }


def event(found: dict[str, Any]) -> dict[str, Any]:
    """A record as lookup-events wraps it."""
    return {"EventId": found["eventID"], "EventName": found["eventName"], "CloudTrailEvent": json.dumps(found)}
