"""quotaproof's own form of a queue: one short file, for people without an AWS account. Schema: queue.schema.json.

It is rewritten into AWS's field tree and judged there, so that a rule about a limit or a name is stated once; `_path`
leads a field of that tree back to the line of this form. Trusted: nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ..model import NAME, EnvironmentCapacityLimit, QueueConfig, QuotaShare, ServiceEnvironment, State, Strategy
from ..readings import Readings
from . import shapes
from .document import Document, Pointer
from .errors import shown
from .items import EnvironmentItem, Item, QueueItem, ShareItem, Spot, build, check_limits, name_error, read_share
from .kinds import Kind
from .shapes import check, wrong_type

VERSION = 1
_SHAPE: shapes.Shape = {
    "quotaproof": int,
    "queue": str,
    "environment": shapes.MAP,
    "shares": [
        {
            "name": str,
            "limits": shapes.MAP,
            "strategy": tuple(Strategy),
            "borrowLimit": int,
            "inSharePreemption": bool,
            "state": tuple(State),
        }
    ],
}


def items(document: Document, _: Kind | None, readings: Readings) -> Iterator[Item]:
    """The queue and its shares. Raises InputError."""
    value = document.value
    check(document, value, _SHAPE)
    if "quotaproof" not in value:
        raise document.error(("quotaproof",), "quotaproof is missing", why="It says which version of the form this is.",
                             fix=f"add quotaproof: {VERSION}.")  # fmt: skip
    if value["quotaproof"] != VERSION:
        raise document.error(
            ("quotaproof",),
            f"version {value['quotaproof']} of the form is not known",
            why=f"This quotaproof reads version {VERSION}.",
            fix=f"write quotaproof: {VERSION}.",
        )
    for field in ("queue", "shares"):
        if field not in value:
            raise document.error(
                (field,),
                f"{field} is missing",
                why="The form needs the queue's name and its shares.",
                fix=f"add {field}.",
            )
    top = Spot(document, ())
    queue: str = value["queue"]
    if not re.fullmatch(NAME, queue):
        raise name_error(top, ("queue",), queue)
    if not value["shares"]:
        raise document.error(
            ("shares",),
            "there are no shares",
            why="A queue without shares promises nothing that could be judged.",
            fix="add a share: its name, limits and strategy.",
        )
    yield QueueItem(
        name=queue,
        environments=(),
        own_environment=_environment(document, queue),
        policy="",
        type="",
        has_compute=False,
        spot=top,
    )
    for index, share in enumerate(value["shares"]):
        spot = Spot(document, ("shares", index), _path(list(share.get("limits", {}))))
        yield replace(read_share(_tree(share, document, ("shares", index)), spot, queue, readings), whole=True)


def configuration(document: Document, at: Pointer, readings: Readings) -> QueueConfig:
    """The queue in this form that is part of another document. Without an environment its limits make one."""
    inner = document.part(at)
    if not isinstance(inner.value, dict):
        raise document.error(at, "the queue is not an object", why="`quotaproof explain queue` shows the form.",
                             fix="write it as `quotaproof explain queue` says.")  # fmt: skip
    queue, shares = None, dict[str, QuotaShare]()
    for item in items(inner, None, readings):
        if isinstance(item, QueueItem):
            queue = item
        elif isinstance(item, ShareItem):
            if item.name in shares:
                raise document.error((*at, "shares"), f"the share {shown(item.name)} is given twice",
                                     why="Nothing says which of the two counts.", fix="delete one of the two.")  # fmt: skip
            shares[item.name] = item.share
    assert queue is not None
    if queue.own_environment is not None:
        environment = queue.own_environment.environment
    else:
        total: dict[str, int] = {}
        for share in shares.values():
            for unit, n in share.limits.items():
                total[unit] = total.get(unit, 0) + n
        limits = tuple(EnvironmentCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in total.items())
        environment = ServiceEnvironment(service_environment_name=queue.name, capacity_limits=limits)
    return QueueConfig(job_queue_name=queue.name, environment=environment, shares=tuple(shares.values()))


def new_share(document: Document, at: Pointer, readings: Readings) -> QuotaShare:
    """The share in this form that is part of another document."""
    part = document.part(at)
    tree = {"quotaproof": VERSION, "queue": "q", "shares": [part.value]}
    inner = Document(document.name, tree, lambda: {f"/shares/0{k}": v for k, v in part.find_lines().items()})
    return next(i.share for i in items(inner, None, readings) if isinstance(i, ShareItem))


def _environment(document: Document, queue: str) -> EnvironmentItem | None:
    """The form gives its environment no name; it goes by the queue's."""
    if "environment" not in document.value:
        return None
    limits = document.value["environment"]
    tree = {
        "serviceEnvironmentName": queue,
        "capacityLimits": _limits(limits, document, ("environment",)),
    }
    path = _path(list(limits))
    spot = Spot(document, (), lambda p: ("environment", *path(p)[1:]) if p[0] == "capacityLimits" else ("environment",))
    environment = build(ServiceEnvironment, tree, spot)
    check_limits(environment.capacity, list(limits), spot)
    return EnvironmentItem(environment, "", spot)


def _tree(share: Any, document: Document, pointer: Pointer) -> dict[str, Any]:
    """The share in AWS's tree. What is absent here is absent there, except what has a default."""
    tree: dict[str, Any] = {
        "resourceSharingConfiguration": {k: share[k] for k in ("strategy", "borrowLimit") if k in share},
        "preemptionConfiguration": {
            "inSharePreemption": State.ENABLED if share.get("inSharePreemption", False) else State.DISABLED
        },
    }
    if "name" in share:
        tree["quotaShareName"] = share["name"]
    if "limits" in share:
        tree["capacityLimits"] = _limits(share["limits"], document, (*pointer, "limits"))
    if "state" in share:
        tree["state"] = share["state"]
    return tree


def _limits(limits: dict[str, Any], document: Document, pointer: Pointer) -> list[dict[str, Any]]:
    for unit, count in limits.items():
        if type(count) is not int:
            raise wrong_type(document, (*pointer, unit), count, "a whole number")
    return [{"maxCapacity": count, "capacityUnit": unit} for unit, count in limits.items()]


def _path(units: list[str]) -> Callable[[Pointer], Pointer]:
    def path(aws: Pointer) -> Pointer:
        match aws:
            case ("capacityLimits", int(index), *_):
                return ("limits", units[index])
            case ("capacityLimits", *_):
                return ("limits",)
            case ("resourceSharingConfiguration", "borrowLimit"):
                return ("borrowLimit",)
            case ("resourceSharingConfiguration", *_):
                return ("strategy",)
            case ("preemptionConfiguration", *_):
                return ("inSharePreemption",)
            case ("quotaShareName",):
                return ("name",)
            case _:
                return aws

    return path
