"""The YAML form from which AWS's sample repository makes queues: a list `queues`, some of them with quota shares.

It is rewritten into AWS's field tree and judged there; `_path` leads a field of that tree back to the line of this form.
Trusted: nothing; that the table of fields is complete, as far as the form is published.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..model import State, Strategy
from ..readings import Readings
from . import aws, shapes
from .document import Document, Pointer
from .errors import shown
from .items import Aside, Item, Spot, read_share
from .kinds import Kind
from .shapes import check

QUOTA = "quota-management"
_STATE = tuple(State)
_LIMITS: shapes.Shape = [{"capacity_unit": str, "max_capacity": int}]
_QUEUE: shapes.Shape = {
    "name": str,
    "type": str,
    "priority": int,
    "state": _STATE,
    "service_environment": {"name": str, "capacity_limits": _LIMITS, "state": _STATE},
    "scheduling_policy": {"name": str},
    "quota_shares": [
        {
            "name": str,
            "capacity_limits": _LIMITS,
            "sharing_strategy": tuple(Strategy),
            "borrow_limit": int,
            "in_share_preemption": bool,
            "state": _STATE,
        }
    ],
}


def items(document: Document, _: Kind, readings: Readings) -> Iterator[Item | Aside]:
    """The queues for quota management and what belongs to them. Raises InputError."""
    check(document, document.value, {"queues": [shapes.MAP]})
    for index, queue in enumerate(document.value["queues"]):
        pointer = ("queues", index)
        sort = queue.get("type")
        if isinstance(sort, str) and sort != QUOTA:
            yield Aside(left_out=f"queue {shown(queue.get('name'))} is of type {shown(sort)}, not {QUOTA}")
            continue
        check(document, queue, _QUEUE, pointer)
        if sort is None:
            why = "It says whether the queue has quota shares."
            raise document.error((*pointer, "type"), "type is missing", why=why, fix=f"add type: {QUOTA}.")
        yield from _queue(document, queue, pointer, readings)


def _queue(document: Document, queue: Any, pointer: Pointer, readings: Readings) -> Iterator[Item]:
    environment, policy = queue.get("service_environment"), queue.get("scheduling_policy")
    tree: dict[str, Any] = {}
    if "name" in queue:
        tree["jobQueueName"] = queue["name"]
    if environment is not None:
        spot = Spot(document, (*pointer, "service_environment"), _path)
        yield (own := aws.environment(_tree(environment, "serviceEnvironmentName"), spot))
        tree["serviceEnvironmentOrder"] = [{"serviceEnvironment": own.name}]
    if policy is not None:
        fields = {**_tree(policy, "name"), "quotaSharePolicy": {}}
        for item in aws.policy(fields, Spot(document, (*pointer, "scheduling_policy"), _path)):
            yield item
            tree["schedulingPolicyArn"] = item.name
    yield (item := aws.queue(tree, Spot(document, pointer, _path)))
    for index, share in enumerate(queue.get("quota_shares", [])):
        spot = Spot(document, (*pointer, "quota_shares", index), _path)
        yield replace(read_share(_share(share), spot, item.name, readings), whole=True)


def _share(share: Any) -> dict[str, Any]:
    sharing = {"sharing_strategy": "strategy", "borrow_limit": "borrowLimit"}
    tree = _tree(share, "quotaShareName")
    tree["resourceSharingConfiguration"] = {aws: share[key] for key, aws in sharing.items() if key in share}
    tree["preemptionConfiguration"] = {}
    if "in_share_preemption" in share:
        word = State.ENABLED if share["in_share_preemption"] else State.DISABLED
        tree["preemptionConfiguration"] = {"inSharePreemption": word}
    return tree


def _tree(given: Any, name: str) -> dict[str, Any]:
    """The fields that shares, environments and policies have in common."""
    tree: dict[str, Any] = {}
    if "name" in given:
        tree[name] = given["name"]
    if "state" in given:
        tree["state"] = given["state"]
    if "capacity_limits" in given:
        names = {"capacity_unit": "capacityUnit", "max_capacity": "maxCapacity"}
        tree["capacityLimits"] = [{names[key]: limit[key] for key in limit} for limit in given["capacity_limits"]]
    return tree


_FIELDS = {
    "quotaShareName": "name",
    "serviceEnvironmentName": "name",
    "jobQueueName": "name",
    "capacityLimits": "capacity_limits",
    "capacityUnit": "capacity_unit",
    "maxCapacity": "max_capacity",
    "serviceEnvironmentOrder": "service_environment",
    "schedulingPolicyArn": "scheduling_policy",
}


def _path(path: Pointer) -> Pointer:
    match path:
        case ("resourceSharingConfiguration", "borrowLimit"):
            return ("borrow_limit",)
        case ("resourceSharingConfiguration", *_):
            return ("sharing_strategy",)
        case ("preemptionConfiguration", *_):
            return ("in_share_preemption",)
        case _:
            return tuple(_FIELDS.get(step, step) if isinstance(step, str) else step for step in path)
