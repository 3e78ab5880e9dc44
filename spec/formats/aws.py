"""AWS's requests and outputs to items: which list an output keeps its objects in, and how they name each other.

Names are given bare or as ARNs (`...:job-queue/NAME/quota-share/SHARE`); the last component counts. Trusted: nothing;
the fields are checked against `shapes`, their values by `items`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..model import NAME, QuotaShare, ServiceEnvironment, State
from ..readings import Readings
from . import jobs, shapes
from .document import Document, Pointer
from .items import (
    Aside,
    EnvironmentItem,
    Item,
    PolicyItem,
    QueueItem,
    ShareItem,
    Spot,
    build,
    check_limits,
    name_error,
    read_share,
)
from .kinds import SUBMIT, Kind

_NAME = re.compile(NAME)
_SHARE_FIELDS = tuple(f.alias or n for n, f in QuotaShare.model_fields.items())
_ENVIRONMENT_FIELDS = tuple(f.alias or n for n, f in ServiceEnvironment.model_fields.items())
_LISTS = {
    "quotaShares": shapes.QUOTA_SHARE,
    "serviceEnvironments": shapes.SERVICE_ENVIRONMENT,
    "jobQueues": shapes.JOB_QUEUE,
    "schedulingPolicies": shapes.SCHEDULING_POLICY,
}
_SINGLE = {
    "quota-share": "quotaShares",
    "service-environment": "serviceEnvironments",
    "job-queue": "jobQueues",
    "scheduling-polic": "schedulingPolicies",
}


def items(document: Document, kind: Kind, readings: Readings) -> Iterator[Item | Aside]:
    """Every item in an AWS document of a kind that counts. Raises InputError."""
    key = next((k for k in _LISTS if k in document.value), "")
    if kind.name == SUBMIT:
        yield jobs.read(document)
        return
    if key:
        shapes.check(document, document.value, shapes.output(key, _LISTS[key]))
        _refuse_part(document, kind)
        found: list[tuple[Any, Pointer]] = [(v, (key, i)) for i, v in enumerate(document.value[key])]
    else:
        key = next(name for part, name in _SINGLE.items() if part in kind.name)
        shapes.check(document, document.value, {**_LISTS[key], "ResponseMetadata": shapes.ANY})
        found = [(document.value, ())]
    for tree, pointer in found:
        spot = Spot(document, pointer, home=home(tree))
        for one in item(key, tree, spot, readings, "jobQueue" if kind.name.startswith("create-") else "jobQueueArn"):
            yield replace(one, whole=kind.name == "list-quota-shares") if isinstance(one, ShareItem) else one


def item(key: str, tree: Any, spot: Spot, readings: Readings, queue_field: str = "jobQueue") -> Iterator[Item]:
    """The object in `tree`, if it counts; `key` is the list an AWS output keeps such objects in. Raises InputError."""
    if key == "quotaShares":
        yield share(tree, spot, readings, queue_field)
    elif key == "serviceEnvironments":
        yield environment(tree, spot)
    elif key == "jobQueues":
        yield queue(tree, spot)
    else:
        yield from policy(tree, spot)


def _refuse_part(document: Document, kind: Kind) -> None:
    if document.value.get("nextToken"):
        raise document.error(
            ("nextToken",),
            "the list is incomplete: it ends with a nextToken",
            why="What follows is missing, and a promise that holds for a part need not hold for the whole.",
            fix=f"run `aws batch {kind.name}` again without --max-items, --max-results or --no-paginate.",
        )


def share(tree: Any, spot: Spot, readings: Readings, queue_field: str) -> ShareItem:
    """The share in `tree`; `queue_field` is asked for when nothing says its queue. Raises InputError."""
    fields = {k: tree[k] for k in _SHARE_FIELDS if k in tree}
    arn = tree.get("quotaShareArn", "").split("/")
    by_arn = arn[-3] if len(arn) >= 4 and arn[-2] == "quota-share" else ""
    given = next((k for k in ("jobQueue", "jobQueueArn") if k in tree), "")
    queue = _name(tree, spot, given) if given else by_arn
    if not queue:
        field = spot.path((queue_field,))[-1]
        raise spot.error(
            (queue_field,),
            f"{field} is missing",
            why="Nothing says which queue the share belongs to.",
            fix=f"add {field}, the name of the queue.",
        )
    if not given and not _NAME.fullmatch(by_arn):
        raise name_error(spot, ("quotaShareArn",), by_arn)
    if by_arn and by_arn != queue:
        raise spot.error(
            (given,),
            f"{given} says queue {queue}, quotaShareArn says {by_arn[:128]}",
            why="A share belongs to one queue for good (rule 7).",
            fix="correct one of the two.",
        )
    found = read_share(fields, spot, queue, readings)
    return replace(found, notes=(*found.notes, *_status(tree, f"share {found.name}")))


def environment(tree: Any, spot: Spot) -> EnvironmentItem:
    """The service environment in `tree`. Raises InputError."""
    fields = {k: tree[k] for k in _ENVIRONMENT_FIELDS if k in tree}
    built = build(ServiceEnvironment, fields, spot)
    check_limits(built.capacity, [c.capacity_unit for c in built.capacity_limits], spot)
    notes = _status(tree, f"environment {built.service_environment_name}")
    return EnvironmentItem(built, tree.get("serviceEnvironmentType", ""), spot, tuple(notes))


def queue(tree: Any, spot: Spot) -> QueueItem:
    """The job queue in `tree`. Raises InputError."""
    order = tree.get("serviceEnvironmentOrder", [])
    environments = tuple(
        _name(entry, spot, "serviceEnvironment", within=("serviceEnvironmentOrder", i)) for i, entry in enumerate(order)
    )
    policy = _name(tree, spot, "schedulingPolicyArn") if "schedulingPolicyArn" in tree else ""
    name = _name(tree, spot, "jobQueueName", "jobQueueArn")
    notes = list(_status(tree, f"queue {name}"))
    if tree.get("state") == State.DISABLED:
        notes.append(f"queue {name} is DISABLED: it takes no new jobs (A49)")
    return QueueItem(
        name=name,
        environments=environments,
        own_environment=None,
        policy=policy,
        type=tree.get("jobQueueType", ""),
        has_compute=bool(tree.get("computeEnvironmentOrder")),
        spot=spot,
        notes=tuple(notes),
    )


def policy(tree: Any, spot: Spot) -> Iterator[PolicyItem]:
    """The scheduling policy in `tree`, if it says what it is for. Raises InputError."""
    if "quotaSharePolicy" in tree or "fairsharePolicy" in tree:
        yield PolicyItem(_name(tree, spot, "name", "arn"), "quotaSharePolicy" in tree, spot)


def _status(tree: Any, what: str) -> Iterator[str]:
    """What AWS says about an object that is no longer, or not yet, in use."""
    if tree.get("status") == "DELETING":
        yield f"{what} is being deleted, says its status; it is judged as if it stayed (A48)"
    elif tree.get("status") == "INVALID":
        yield f"{what} is INVALID, says its status; it is judged as if AWS used it"


def home(tree: Any) -> str:
    """Region:account, as far as an ARN in `tree` says it."""
    arns = (tree.get(k, "").split(":") for k in ("quotaShareArn", "jobQueueArn", "serviceEnvironmentArn", "jobQueue"))
    return next((":".join(arn[3:5]) for arn in arns if arn[0] == "arn" and len(arn) > 5), "")


def _name(tree: Any, spot: Spot, *fields: str, within: Pointer = ()) -> str:
    """The name in the first of `fields` that is there: bare, or the last component of an ARN. `within` leads to `tree`."""
    field = next((f for f in fields if f in tree), "")
    if not field:
        path = (*within, fields[0])
        missing = spot.path(path)[-1]
        raise spot.error(
            path,
            f"{missing} is missing",
            why="It is required, and nothing else says what was meant.",
            fix=f"add {missing}.",
        )
    value: str = tree[field]
    name = value.rsplit("/", 1)[-1] if value.startswith("arn:") else value
    if not _NAME.fullmatch(name):
        raise name_error(spot, (*within, field), value)
    return name
