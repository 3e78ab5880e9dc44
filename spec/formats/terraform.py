"""Terraform's `show -json` of a plan or a state, with the awscc_batch resources of a quota-share queue, to items.

A plan is judged by its planned values. A field that is absent there is known only after apply. One that the provider
fills in is taken from the prior state or AWS's default, and a note counts it; one that the configuration derives from
something not yet known is an error, because its prior value is what the plan may change. Links between resources are
followed in `terraform_links`. Trusted: that Terraform writes null for what is known to be absent.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ..model import Strategy
from ..readings import Readings
from . import aws
from .document import Document, Pointer
from .errors import InputError, listed
from .items import Aside, Item, Spot
from .kinds import TERRAFORM_PLAN, Kind
from .spelling import SHAPES, snake, to_aws
from .terraform_links import Found, Links, name_from
from .terraform_resources import (
    BORROW,
    ENVIRONMENT,
    POLICY,
    QUEUE,
    SHARE,
    SHARING,
    TYPES,
    Resource,
    Resources,
    Side,
    actions,
    check_version,
    check_whole,
    resources,
)

_DEFAULTS = {"state": "ENABLED", BORROW: "-1, no maximum"}
_APPLY = "write the value out, or apply the plan and give the output of `terraform show -json`."
_FOREIGN = ("aws_batch_job_queue", "aws_batch_scheduling_policy")
_KNOWN = (*TYPES, *_FOREIGN, *(f"awscc_batch_{kind}" for kind in ("compute_environment", "consumable_resource",
                                                                "job_definition")))  # fmt: skip
_STRANGE = re.compile(r"^awscc_batch_|quota_?share")
_ORDER, _ENTRY = "serviceEnvironmentOrder", "serviceEnvironment"


def items(document: Document, kind: Kind, readings: Readings) -> Iterator[Item | Aside]:
    """What a plan leads to, or what a state holds. Raises InputError."""
    check_version(document)
    if kind.name == TERRAFORM_PLAN:
        check_whole(document)
    yield from configuration(document, "planned" if kind.name == TERRAFORM_PLAN else "state", readings)


def configuration(document: Document, side: Side, readings: Readings) -> Iterator[Item | Aside]:
    """Every item on one side of the document, and what has to be said about it. Raises InputError."""
    found = resources(document, side)
    prior = resources(document, "prior") if side == "planned" else Resources()
    changes = actions(document) if side == "planned" else {}
    yield from _gone(document, found, prior, changes)
    data = [a for a in dict.fromkeys([*found.data, *prior.data]) if re.search(r"(?:^|\.)data\.aws(?:cc)?_batch_", a)]
    if data:
        yield Aside(left_out=f"data sources, which Terraform only reads: {listed(data)}")
    foreign = [address for address, kind in found.types.items() if kind in _FOREIGN]
    if foreign:
        yield Aside(left_out=f"of the provider hashicorp/aws, which has no quota shares: {listed(foreign)}")
    strange = [address for address, kind in found.types.items() if _STRANGE.search(kind) and kind not in _KNOWN]
    if strange:
        yield Aside(left_out=f"of types that this version does not know: {listed(strange)}")
    if found.deposed:
        yield Aside(left_out=f"replaced and still to be destroyed: {_count(found.deposed)}, {listed(found.deposed)}")
    links = Links(document.value.get("configuration"), found.types, prior.data) if side == "planned" else None
    kept = {a: r for a, r in prior.managed.items() if "create" not in changes.get(a, [])}
    yield from _Reader(document, found, kept, links).read(readings)


def _gone(document: Document, found: Resources, prior: Resources, changes: dict[str, list[str]]) -> Iterator[Aside]:
    """What exists before the plan and not after it."""
    gone = [address for address in prior.managed if address not in found.managed]
    for address in gone:
        if not {"delete", "forget"} & set(changes.get(address, [])):
            raise document.error(
                prior.managed[address].pointer,
                f"the plan says nothing about {address}, which exists",
                why="It was made with -target or -refresh-only, and what is missing may be part of the queue.",
                fix="run `terraform plan -out FILE` without them, then `terraform show -json FILE`.",
            )
    forgotten = [a for a in gone if "forget" in changes[a]]
    destroyed = [a for a in gone if a not in forgotten]
    if destroyed:
        yield Aside(note=f"destroyed by the plan and not counted: {_count(destroyed)}, {listed(destroyed)}")
    if forgotten:
        yield Aside(
            note=f"forgotten by the plan and not counted, though kept in AWS: {_count(forgotten)}, {listed(forgotten)}"
        )


def _count(what: Sequence[object], noun: str = "resource") -> str:
    return f"{len(what)} {noun}{'' if len(what) == 1 else 's'}"


class _Reader:
    """The resources of one side to items. `links` is None where everything is known; `prior` by address."""

    def __init__(self, document: Document, found: Resources, prior: dict[str, Resource], links: Links | None) -> None:
        self._document = document
        self._resources = found.managed
        self._prior = prior
        self._links = links
        self._strange: list[Pointer] = []
        self._unnamed: list[str] = []
        self._from_prior: list[str] = []
        self._by_default: dict[str, list[str]] = {}
        self._not_followed: list[str] = []

    def read(self, readings: Readings) -> Iterator[Item | Aside]:
        every = list(self._resources.values())
        for resource in every:
            self._require(resource)
            resource.tree = self._tree(resource)
            self._name(resource)
        self._name_by_address([r for r in every if not r.name], {(r.kind, r.name) for r in every})
        for resource in every:
            self._default(resource)
            self._link(resource)
            yield from self._item(resource, readings)
        yield from self._asides()

    def _item(self, resource: Resource, readings: Readings) -> Iterator[Item]:
        tree = resource.tree
        spot = Spot(self._document, (), resource.at, home=aws.home(tree))
        yield from aws.item(resource.type.key, tree, spot, readings)

    def _require(self, resource: Resource) -> None:
        for path in resource.type.required if self._links else ():
            for unknown in resource.unknown(path):
                raise self._unknown(resource, unknown)

    def _unknown(self, resource: Resource, path: Pointer) -> InputError:
        field = snake(next(str(step) for step in reversed(path) if isinstance(step, str)))
        found = self._follow(resource, str(path[0]), "")
        return self._document.error(
            resource.at(path),
            f"{field} of {resource.address} is known only after apply",
            why=_because(found) or "The plan leaves it open, and AWS has no default for it.",
            fix=_APPLY,
        )

    def _follow(self, resource: Resource, field: str, wanted: str) -> Found:
        return self._links.follow(resource.address, snake(field), wanted) if self._links else Found()

    def _name(self, resource: Resource) -> None:
        path = (resource.type.name,)
        if path[0] not in resource.tree and self._as_before(resource, path):
            self._from_prior.append(f"{snake(path[0])} of {resource.address}")
        resource.name = resource.tree.get(path[0], "")

    def _name_by_address(self, unnamed: Sequence[Resource], taken: set[tuple[str, str]]) -> None:
        """Give names that no other resource of the type has."""
        numbers: Counter[tuple[str, str]] = Counter()
        for resource in unnamed:
            short = name = name_from(resource.address)
            while (resource.kind, name) in taken:
                numbers[resource.kind, short] += 1
                name = f"{short}-{numbers[resource.kind, short] + 1}"
            taken.add((resource.kind, name))
            resource.name = resource.tree[resource.type.name] = name
            self._unnamed.append(name)

    def _default(self, resource: Resource) -> None:
        """What the provider fills in: as it was, else as AWS does by default."""
        for path in resource.type.defaults if self._links else ():
            if not resource.unknown(path):
                continue
            field = str(path[-1])
            if field == BORROW and resource.tree[SHARING].get("strategy") != Strategy.LEND_AND_BORROW:
                continue
            found = self._follow(resource, str(path[0]), "")
            if found.others:
                raise self._unknown(resource, path)
            if self._as_before(resource, path):
                self._from_prior.append(f"{snake(field)} of {resource.name}")
            else:
                self._by_default.setdefault(field, []).append(resource.name)
            if found.locals:
                self._not_followed.append(f"{listed(found.locals)} in {snake(field)} of {resource.name}")

    def _as_before(self, resource: Resource, path: Pointer) -> bool:
        """Take a field from the prior state, if it is there."""
        before = self._prior.get(resource.address)
        if before is None or before.value(path) is None:
            return False
        before.tree = before.tree or self._tree(before)
        value, holder = before.tree, resource.tree
        for step in path[:-1]:
            value, holder = value[str(step)], holder[str(step)]
        holder[str(path[-1])] = value[str(path[-1])]
        resource.moved[path] = before.at(path)
        return True

    def _tree(self, resource: Resource) -> dict[str, Any]:
        values, shape = _without_null_entries(resource), SHAPES[resource.type.key]
        return to_aws(self._document, values, shape, resource.pointer, spell=snake, strange=self._strange)

    def _link(self, resource: Resource) -> None:
        if resource.kind == SHARE and self._open(resource, ("jobQueue",)):
            found = self._follow(resource, "jobQueue", QUEUE)
            if len(found.targets) != 1:
                raise self._unlinked(resource, "jobQueue", "queue", found)
            resource.tree["jobQueue"] = self._linked(resource, "jobQueue", found)
        elif resource.kind == QUEUE:
            self._link_environments(resource)
            if self._open(resource, ("schedulingPolicyArn",)):
                found = self._follow(resource, "schedulingPolicyArn", POLICY)
                if len(found.targets) == 1:
                    resource.tree["schedulingPolicyArn"] = self._linked(resource, "schedulingPolicyArn", found)
                elif _because(found):
                    self._not_followed.append(f"which scheduling policy {resource.name} has ({_because(found)[:-1]})")

    def _link_environments(self, queue: Resource) -> None:
        found = self._follow(queue, _ORDER, ENVIRONMENT)
        if self._open(queue, (_ORDER,)):
            if not _because(found):
                return
            queue.tree[_ORDER] = [{}]
        entries = [entry for entry in queue.tree.get(_ORDER, []) if _ENTRY not in entry]
        if not entries or self._links is None:
            return
        if len(found.targets) != len(entries):
            raise self._unlinked(queue, _ORDER, "service environment", found)
        self._linked(queue, _ORDER, found)
        for entry, target in zip(entries, found.targets, strict=True):
            entry[_ENTRY] = self._resources[target].name

    def _open(self, resource: Resource, path: Pointer) -> bool:
        return self._links is not None and bool(resource.unknown(path))

    def _linked(self, resource: Resource, field: str, found: Found) -> str:
        """The name of the first target; what could not be followed beside it is noted."""
        if beside := [*found.locals, *found.others]:
            self._not_followed.append(f"{listed(beside)} in {snake(field)} of {resource.name}")
        return self._resources[next(iter(found.targets))].name

    def _unlinked(self, resource: Resource, field: str, noun: str, found: Found) -> InputError:
        pointer = self._links.place(resource.address, snake(field)) if self._links else resource.pointer
        why = _because(found) or "The plan's configuration has no expression for it."
        known = snake(TYPES[QUEUE if resource.kind == SHARE else ENVIRONMENT].name)
        fix = f"refer to its {known}, which a plan knows, or apply the plan and give `terraform show -json`."
        if len(found.targets) > 1:
            why = f"It may be any of {listed(found.targets, most=4)}; the plan does not say which of them."
        return self._document.error(
            pointer, f"which {noun} {resource.address} has is known only after apply", why=why, fix=fix
        )

    def _asides(self) -> Iterator[Aside]:
        if self._strange:
            fields = listed(dict.fromkeys(str(p[-1]) for p in self._strange))
            yield Aside(left_out=f"fields that this version does not know: {fields}")
        if self._unnamed:
            yield Aside(
                note=f"{_count(self._unnamed)} without a known name, called after the address: {listed(self._unnamed)}"
            )
        if self._from_prior:
            yield Aside(
                note=f"{_count(self._from_prior, 'value')} known only after apply, taken from the prior state: "
                f"{listed(self._from_prior)}"
            )
        if self._by_default:
            number = [name for names in self._by_default.values() for name in names]
            fields = "; ".join(
                f"{snake(field)} ({_DEFAULTS[field]}) of {listed(names)}" for field, names in self._by_default.items()
            )
            yield Aside(note=f"{_count(number, 'value')} known only after apply, taken as AWS's default: {fields}")
        if self._not_followed:
            yield Aside(note=f"not followed, because Terraform's JSON lacks it: {'; '.join(self._not_followed)}")


def _without_null_entries(resource: Resource) -> dict[str, object]:
    """Terraform writes null for an element of a list that is wholly unknown."""
    key = snake(_ORDER)
    entries = resource.values.get(key)
    if not isinstance(entries, list):
        return resource.values
    return {**resource.values, key: [{} if entry is None else entry for entry in entries]}


def _because(found: Found) -> str:
    if found.others:
        return f"It comes from {listed(found.others, most=4)}."
    if found.locals:
        return f"It comes from {listed(found.locals, most=4)}, and local values are not in Terraform's JSON."
    return f"It comes from {listed(found.targets, most=4)}." if found.targets else ""
