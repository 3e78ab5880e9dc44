"""quotaproof's own form of a queue: one short file, for people without an AWS account. Schema: queue.schema.json.

It is rewritten into AWS's field tree and judged there, so that a rule about a limit or a name is stated once; `_path`
leads a field of that tree back to the line of this form. Trusted: nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ..model import NAME, ServiceEnvironment, State, Strategy
from ..readings import Readings
from . import shapes
from .document import Document, Pointer
from .items import EnvironmentItem, Item, QueueItem, Spot, build, check_limits, name_error, read_share
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
