"""A small valid CloudFormation template to spoil."""

from __future__ import annotations

from typing import Any

UNIT = "ml.p5.48xlarge"


def resource(kind: str, **properties: Any) -> dict[str, Any]:
    return {"Type": f"AWS::Batch::{kind}", "Properties": properties}


def template(**changes: dict[str, Any]) -> dict[str, Any]:
    """One share, its queue and environment; `changes` are properties by logical id."""
    resources = {
        "Environment": resource(
            "ServiceEnvironment",
            ServiceEnvironmentName="research-se",
            ServiceEnvironmentType="SAGEMAKER_TRAINING",
            CapacityLimits=[{"CapacityUnit": UNIT, "MaxCapacity": 16}],
        ),
        "Queue": resource(
            "JobQueue",
            JobQueueName="research",
            JobQueueType="SAGEMAKER_TRAINING",
            Priority=1,
            ServiceEnvironmentOrder=[{"Order": 1, "ServiceEnvironment": {"Ref": "Environment"}}],
        ),
        "QS1": resource(
            "QuotaShare",
            QuotaShareName="QS1",
            JobQueue={"Ref": "Queue"},
            CapacityLimits=[{"CapacityUnit": UNIT, "MaxCapacity": 2}],
            ResourceSharingConfiguration={"Strategy": "LEND_AND_BORROW", "BorrowLimit": 50},
            PreemptionConfiguration={"InSharePreemption": "ENABLED"},
        ),
    }
    for name, properties in changes.items():
        resources[name]["Properties"].update(properties)
    return {"AWSTemplateFormatVersion": "2010-09-09", "Resources": resources}


def at(given: dict[str, Any], name: str) -> dict[str, Any]:
    """The properties of a resource."""
    return given["Resources"][name]["Properties"]
