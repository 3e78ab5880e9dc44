"""What of a job and of a request is kept."""

from __future__ import annotations

import json
from typing import Any

import pytest
from quotaproof.checker.pull import keep


def kept(payload: Any) -> Any:
    found = keep.job({"jobId": "a", "serviceRequestPayload": payload}).get("serviceRequestPayload")
    return None if found is None else json.loads(found)


def test_sizes_types_checkpoints_and_training_plans_are_kept() -> None:
    resources = {
        "InstanceGroups": [{"InstanceType": "ml.p5.48xlarge", "InstanceCount": 2, "InstanceGroupName": "g"}],
        "InstancePreferences": [{"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "TrainingPlanArns": ["arn:p"]}],
        "TrainingPlanArn": "arn:p",
    }
    payload = {"ResourceConfig": resources, "CheckpointConfig": {"S3Uri": "s3://b", "LocalPath": "/opt/c"}}
    assert kept(json.dumps({**payload, "Environment": {"A": "secret"}})) == payload


@pytest.mark.parametrize("payload", ["not json, with a secret", "[1]", "null", 7, None, "[" * 100_000])
def test_nothing_is_kept_of_a_payload_that_cannot_be_read(payload: Any) -> None:
    assert kept(payload) is None


def test_a_secret_in_the_place_of_something_else_is_not_kept() -> None:
    hidden: dict[str, Any] = {"a": "secret"}
    payload = {
        "ResourceConfig": {"InstanceType": hidden, "InstanceCount": "secret", "InstanceGroups": ["secret", hidden]},
        "CheckpointConfig": "secret",
        "StoppingCondition": ["secret"],
    }
    assert kept(payload) == {"ResourceConfig": {"InstanceGroups": [None, {}]}}


def test_a_record_without_an_object_of_parameters_is_kept() -> None:
    found = {"eventID": "e", "requestParameters": None, "userIdentity": None, "errorCode": "AccessDenied"}
    assert keep.record(found) == {"eventID": "e", "errorCode": "AccessDenied"}
