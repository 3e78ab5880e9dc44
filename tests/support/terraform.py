"""Terraform's `show -json` in the form in which Terraform 1.11 writes it, built from a few resources."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from quotaproof.spec.formats.terraform_links import steps_of

TYPES = {
    "share": "awscc_batch_quota_share",
    "queue": "awscc_batch_job_queue",
    "environment": "awscc_batch_service_environment",
    "policy": "awscc_batch_scheduling_policy",
}
UNKNOWN = object()
"""As the value of a field: known only after apply, so that Terraform leaves the field out."""


def resource(kind: str, name: str = "x", /, *, index: Any = None, module: str = "", **values: Any) -> dict[str, Any]:
    """A managed resource of one of `TYPES`, or of the type `kind`."""
    type_ = TYPES.get(kind, kind)
    key = "" if index is None else f"[{json.dumps(index)}]"
    address = ".".join(part for part in (module, f"{type_}.{name}{key}") if part)
    return {"address": address, "mode": "managed", "type": type_, "name": name, "values": _known(values)}


def data(kind: str, name: str, **values: Any) -> dict[str, Any]:
    """A data source of one of `TYPES`."""
    made = resource(kind, name, **values)
    return {**made, "address": f"data.{made['address']}", "mode": "data"}


def share(name: str = "vision", *, at: str = "x", index: Any = None, module: str = "", **values: Any) -> dict[str, Any]:
    """A share of the queue `research` called `name`, the resource `at`."""
    standard = {
        "quota_share_name": name,
        "job_queue": "research",
        "capacity_limits": [{"capacity_unit": "ml.p5.48xlarge", "max_capacity": 2}],
        "resource_sharing_configuration": {"strategy": "LEND_AND_BORROW", "borrow_limit": 50},
        "preemption_configuration": {"in_share_preemption": "ENABLED"},
        "state": "ENABLED",
        "tags": None,
    }
    return resource("share", at, index=index, module=module, **{**standard, **values})


def environment(name: str = "research-se", *, at: str = "x", module: str = "", **values: Any) -> dict[str, Any]:
    """A service environment of 16 instances."""
    standard = {
        "service_environment_name": name,
        "service_environment_type": "SAGEMAKER_TRAINING",
        "capacity_limits": [{"capacity_unit": "ml.p5.48xlarge", "max_capacity": 16}],
        "state": "ENABLED",
    }
    return resource("environment", at, module=module, **{**standard, **values})


def queue(
    name: Any = "research", *, at: str = "x", index: Any = None, module: str = "", **values: Any
) -> dict[str, Any]:
    """A queue that dispatches into `research-se`."""
    standard = {
        "job_queue_name": name,
        "job_queue_type": "SAGEMAKER_TRAINING",
        "priority": 1,
        "service_environment_order": [{"order": 1, "service_environment": "research-se"}],
        "scheduling_policy_arn": None,
        "compute_environment_order": None,
    }
    return resource("queue", at, index=index, module=module, **{**standard, **values})


def state(*resources: dict[str, Any]) -> dict[str, Any]:
    """`terraform show -json` of a state."""
    return {"format_version": "1.0", "terraform_version": "1.11.4", "values": {"root_module": _modules(resources)}}


def plan(
    *planned: dict[str, Any],
    prior: Iterable[dict[str, Any]] = (),
    configuration: Mapping[str, Any] | None = None,
    actions: Mapping[str, list[str]] | None = None,
) -> dict[str, Any]:
    """`terraform show -json` of a plan; what happens to a resource follows from where it is, unless `actions` says."""
    before, after = {r["address"] for r in prior}, {r["address"] for r in planned}
    usual = {a: ["no-op"] if a in before else ["create"] for a in after} | {a: ["delete"] for a in before - after}
    changes = {**usual, **(actions or {})}
    return {
        "format_version": "1.2",
        "terraform_version": "1.11.4",
        "planned_values": {"root_module": _modules(planned)},
        "resource_changes": [{"address": a, "change": {"actions": what}} for a, what in changes.items()],
        **({"prior_state": state(*prior)} if prior else {}),
        "configuration": {"root_module": dict(configuration or {})},
        "complete": True,
        "errored": False,
    }


def block(kind: str, name: str = "x", *, for_each: list[str] | None = None, **references: list[str]) -> dict[str, Any]:
    """A resource of the configuration: the references in the expressions of its attributes."""
    type_ = TYPES.get(kind, kind)
    made: dict[str, Any] = {"address": f"{type_}.{name}", "mode": "managed", "type": type_, "name": name}
    made["expressions"] = {field: {"references": names} for field, names in references.items()}
    return made if for_each is None else {**made, "for_each_expression": {"references": for_each}}


def _known(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _known(v) for k, v in value.items() if v is not UNKNOWN}
    return [None if v is UNKNOWN else _known(v) for v in value] if isinstance(value, list) else value


def _modules(resources: Iterable[dict[str, Any]]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for made in resources:
        at, address = root, ""
        for name, key in steps_of(made["address"]):
            address = f"{address}.module.{name}{key}".removeprefix(".")
            children = at.setdefault("child_modules", [])
            at = next((c for c in children if c["address"] == address), {"address": address})
            if at not in children:
                children.append(at)
        at.setdefault("resources", []).append(made)
    return root
