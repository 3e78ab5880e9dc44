"""What is kept of a job and of a request: what the model and its reports need, by name. Everything else stays at AWS.

Of the payload that Batch passes to SageMaker that is how many instances of which type, where checkpoints go, how long it
may take and its training plan; environment, hyperparameters, commands, roles and tags never reach the disk. A field is
kept because it is listed here, so one that AWS adds later is not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

_COUNTS = {"InstanceType": str, "InstanceCount": int}
PAYLOAD: Mapping[str, Any] = {
    "ResourceConfig": {
        **_COUNTS,
        "InstanceGroups": [{**_COUNTS, "InstanceGroupName": str}],
        "InstancePreferences": [{**_COUNTS, "TrainingPlanArns": [str]}],
        "SelectedInstanceType": str,
        "SelectedInstanceCount": int,
        "KeepAlivePeriodInSeconds": int,
        "TrainingPlanArn": str,
    },
    "CheckpointConfig": {"S3Uri": str, "LocalPath": str},
    "StoppingCondition": {"MaxRuntimeInSeconds": int, "MaxWaitTimeInSeconds": int, "MaxPendingTimeInSeconds": int},
}
"""The fields of a CreateTrainingJob request that are kept: a type, [what is in a list], or fields of an object."""


def _words(text: str) -> Sequence[str]:
    return tuple(text.split())


_JOB = _words(
    "jobArn jobId jobName jobQueue serviceJobType status statusReason createdAt scheduledAt startedAt stoppedAt "
    "isTerminated quotaShareName shareIdentifier schedulingPriority capacityUsage attempts latestAttempt retryStrategy "
    "timeoutConfig preemptionConfiguration preemptionSummary"
)
_RECORD = _words(
    "eventVersion eventID requestID eventTime eventSource eventName awsRegion eventType eventCategory managementEvent "
    "readOnly recipientAccountId errorCode errorMessage responseElements"
)
_WHO = _words("type arn accountId userName invokedBy")
_PARAMETERS = _words(
    "jobName jobQueue jobId jobs serviceJobType quotaShareName quotaShareArn shareIdentifier schedulingPriority "
    "retryStrategy timeoutConfig preemptionConfiguration capacityLimits resourceSharingConfiguration state "
    "serviceEnvironment serviceEnvironmentName serviceEnvironmentType serviceEnvironmentOrder jobQueueName jobQueueType "
    "schedulingPolicyArn priority jobStateTimeLimitActions reason"
)

Tree = dict[str, Any]


def job(described: Mapping[str, Any]) -> Tree:
    """An answer of describe-service-job without what is not kept."""
    return _with_payload(described, _JOB)


def record(found: Mapping[str, Any]) -> Tree:
    """A CloudTrail record without what is not kept: no address, no access key, no user agent."""
    kept = _only(found, _RECORD)
    for name, fields in (("userIdentity", _WHO), ("requestParameters", _PARAMETERS)):
        if isinstance(found.get(name), dict):
            kept[name] = _with_payload(found[name], fields)
    return kept


def _with_payload(tree: Mapping[str, Any], fields: Sequence[str]) -> Tree:
    kept = _only(tree, fields)
    payload = _object(tree.get("serviceRequestPayload"))
    if payload is not None:
        kept["serviceRequestPayload"] = json.dumps(_listed(payload, PAYLOAD))
    return kept


def _only(tree: Mapping[str, Any], fields: Sequence[str]) -> Tree:
    return {name: tree[name] for name in fields if name in tree}


def _object(payload: Any) -> Any:
    """The payload's object; None when there is none that can be read, so that nothing of it is kept."""
    try:
        value = json.loads(payload) if isinstance(payload, str) else payload
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _listed(value: Any, shape: Any) -> Any:
    """The part of `value` that `shape` lists; None where it is of another sort, also in a list, whose length tells."""
    if isinstance(shape, Mapping) and isinstance(value, dict):
        parts = ((name, _listed(value[name], part)) for name, part in shape.items() if name in value)
        return {name: part for name, part in parts if part is not None}
    if isinstance(shape, list) and isinstance(value, list):
        return [_listed(part, shape[0]) for part in value]
    return value if type(value) is shape else None
