"""The awscc_batch resources of a Terraform plan or state, as they stand in its `show -json`.

A document has sides: what a plan leads to, what it starts from, what a state holds. Each side is a tree of modules with
resources, under addresses that are the same on every side. Which fields a resource must have, and which have a default,
is told here by type. Trusted: nothing; a part that is not of Terraform's form is an InputError.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from .document import Document, Pointer
from .errors import shown
from .shapes import a_list, an_object, wrong_type
from .spelling import snake

Side = Literal["planned", "prior", "state"]
"""What a plan leads to, what it starts from, or what a state holds."""
_TOP: dict[Side, Pointer] = {"planned": ("planned_values",), "prior": ("prior_state", "values"), "state": ("values",)}

SHARE, QUEUE = "awscc_batch_quota_share", "awscc_batch_job_queue"
ENVIRONMENT, POLICY = "awscc_batch_service_environment", "awscc_batch_scheduling_policy"
SHARING, BORROW = "resourceSharingConfiguration", "borrowLimit"


@dataclass(frozen=True)
class Type:
    """A resource type: the list in which AWS keeps such objects, the field of its name, what must be known."""

    key: str
    name: str
    required: tuple[Pointer, ...] = ()
    """Fields without a default, in AWS's spelling; "*" is every element of a list."""
    defaults: tuple[Pointer, ...] = ()
    """Fields with a default in AWS."""


_LIMITS: tuple[Pointer, ...] = (
    ("capacityLimits",),
    ("capacityLimits", "*", "maxCapacity"),
    ("capacityLimits", "*", "capacityUnit"),
)
TYPES = {
    SHARE: Type(
        "quotaShares",
        "quotaShareName",
        required=(
            *_LIMITS,
            (SHARING,),
            (SHARING, "strategy"),
            ("preemptionConfiguration",),
            ("preemptionConfiguration", "inSharePreemption"),
        ),
        defaults=(("state",), (SHARING, BORROW)),
    ),
    ENVIRONMENT: Type("serviceEnvironments", "serviceEnvironmentName", required=_LIMITS, defaults=(("state",),)),
    QUEUE: Type("jobQueues", "jobQueueName"),
    POLICY: Type("schedulingPolicies", "name"),
}


@dataclass
class Resource:
    """A managed resource of one of `TYPES`."""

    address: str
    kind: str
    """Its type, as Terraform calls it."""
    values: dict[str, Any]
    pointer: Pointer
    """Where the values stand."""
    name: str = ""
    """Its name in AWS, or one made from its address."""
    tree: dict[str, Any] = field(default_factory=dict)
    """Its fields as AWS spells them."""
    moved: dict[Pointer, Pointer] = field(default_factory=dict)
    """Where fields of the tree stand that do not stand in the values."""

    @property
    def type(self) -> Type:
        return TYPES[self.kind]

    def at(self, path: Pointer) -> Pointer:
        """Where a path of AWS's tree stands in the document."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.moved:
                return (*self.moved[path[:end]], *snaked(path[end:]))
        return (*self.pointer, *snaked(path))

    def unknown(self, path: Pointer) -> list[Pointer]:
        """The paths that `path` stands for whose field is not there, though what would hold it is."""
        found: list[Pointer] = []
        nodes: list[tuple[Pointer, Any]] = [((), self.values)]
        for step in path[:-1]:
            if step == "*":
                nodes = [((*p, i), e) for p, v in nodes if isinstance(v, list) for i, e in enumerate(v)]
                found += [p for p, element in nodes if element is None]
            else:
                key = snake(str(step))
                nodes = [((*p, step), v[key]) for p, v in nodes if isinstance(v, dict) and key in v]
        last = snake(str(path[-1]))
        return found + [(*p, path[-1]) for p, v in nodes if isinstance(v, dict) and last not in v]

    def value(self, path: Pointer) -> Any:
        """The value at a path of fields, None when there is none."""
        at: Any = self.values
        for step in snaked(path):
            at = at.get(step) if isinstance(at, dict) else None
        return at


def snaked(path: Pointer) -> Pointer:
    """A path in AWS's spelling as Terraform spells it."""
    return tuple(snake(step) if isinstance(step, str) else step for step in path)


@dataclass
class Resources:
    """What stands on one side."""

    managed: dict[str, Resource] = field(default_factory=dict)
    """By address."""
    data: list[str] = field(default_factory=list)
    """Addresses of data sources."""
    deposed: list[str] = field(default_factory=list)
    """Addresses of resources that were replaced and are still to be destroyed."""
    types: dict[str, str] = field(default_factory=dict)
    """Address -> type of the managed resources of any type."""


def resources(document: Document, side: Side) -> Resources:
    """The resources on one side of the document; none where it has no such side. Raises InputError."""
    found = Resources()
    for entry, pointer in _walk(document, _TOP[side]):
        address, kind = entry.get("address"), entry.get("type")
        if not isinstance(address, str) or not isinstance(kind, str):
            raise wrong_type(document, (*pointer, "address"), address, "text")
        if entry.get("mode") == "data":
            found.data.append(address)
        elif "deposed_key" in entry:
            found.deposed += [address] if kind in TYPES else []
        else:
            found.types[address] = kind
            if kind in TYPES:
                below = (*pointer, "values")
                if address in found.managed:
                    raise document.error(
                        pointer,
                        f"{address} is given twice",
                        why=f"It stands at {document.place(found.managed[address].pointer)} already.",
                        fix="give the file as Terraform wrote it.",
                    )
                found.managed[address] = Resource(address, kind, an_object(document, below, entry.get("values")), below)
    return found


def actions(document: Document) -> dict[str, list[str]]:
    """By address: what the plan does with a resource. Raises InputError."""
    top: Pointer = ("resource_changes",)
    found: dict[str, list[str]] = {}
    for index, value in enumerate(a_list(document, top, document.value.get("resource_changes", []))):
        entry = an_object(document, (*top, index), value)
        below = (*top, index, "change", "actions")
        change = an_object(document, below[:-1], entry.get("change"))
        if "deposed" not in entry:
            found[str(entry.get("address"))] = [str(a) for a in a_list(document, below, change.get("actions"))]
    return found


def check_version(document: Document) -> None:
    """Raise InputError for a form of a version that is not known."""
    version = document.value["format_version"]
    if not (isinstance(version, str) and version.split(".")[0] in ("0", "1")):
        raise document.error(("format_version",), f"version {shown(version)} of the form is not known",
                             why="This quotaproof reads Terraform's JSON of version 1.",
                             fix="use a newer quotaproof, or give the output of `aws batch list-quota-shares`.")  # fmt: skip


def check_whole(document: Document) -> None:
    """Raise InputError for a plan that lacks a part of what the configuration says."""
    for key, bad, what in (
        ("errored", True, "Terraform met an error while it made this plan"),
        ("complete", False, "the plan is only a part: it was made with -target, or something was deferred"),
    ):
        if document.value.get(key) is bad:
            raise document.error(
                (key,),
                what,
                why="Resources may be missing, and a promise that holds for a part need not hold for the whole.",
                fix="run `terraform plan -out FILE` for the whole configuration, then `terraform show -json FILE`.",
            )


def _walk(document: Document, top: Pointer) -> Iterator[tuple[dict[str, Any], Pointer]]:
    """Every resource below `top` and where it stands, those of a module before those of the modules it calls."""
    at: Any = document.value
    for end, step in enumerate(top):
        at = an_object(document, top[: end + 1], at.get(step, {}))
    modules: list[tuple[Any, Pointer]] = [(at.get("root_module", {}), (*top, "root_module"))]
    while modules:
        value, pointer = modules.pop()
        module = an_object(document, pointer, value)
        for index, entry in enumerate(a_list(document, (*pointer, "resources"), module.get("resources", []))):
            place = (*pointer, "resources", index)
            yield an_object(document, place, entry), place
        below = (*pointer, "child_modules")
        children = enumerate(a_list(document, below, module.get("child_modules", [])))
        modules += reversed([(child, (*below, index)) for index, child in children])
