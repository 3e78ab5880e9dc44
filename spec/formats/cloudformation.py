"""CloudFormation templates, YAML and JSON, also those of CDK: the resources of AWS Batch that make a quota-share queue.

Properties have the tree of AWS's API in PascalCase. They are evaluated (`intrinsics`) into that tree as far as they say
anything about the configuration, checked against `shapes` and read by `aws`. A resource that might be a share and cannot
be read is an error, never left out. Scalars are converted as CloudFormation does. Trusted: nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..readings import Readings
from . import aws, shapes
from .document import Document, Pointer
from .errors import InputError, listed, nearest, shown
from .intrinsics import PROCESSED, Link, Scope, is_function, is_no_value
from .items import Aside, Item, Spot
from .kinds import Kind
from .shapes import an_object, unknown_key, wrong_type, wrong_word

_SHARE = "AWS::Batch::QuotaShare"
_ENVIRONMENT = "AWS::Batch::ServiceEnvironment"
_QUEUE = "AWS::Batch::JobQueue"
_POLICY = "AWS::Batch::SchedulingPolicy"
_ATTRIBUTES = {
    _SHARE: "QuotaShareArn",
    _ENVIRONMENT: "ServiceEnvironmentArn",
    _QUEUE: "JobQueueArn",
    _POLICY: "Arn",
}
_KEYS = {
    _SHARE: "quotaShares",
    _ENVIRONMENT: "serviceEnvironments",
    _QUEUE: "jobQueues",
    _POLICY: "schedulingPolicies",
}
"""By the list an AWS output keeps such objects in."""
_NAMES = {_ENVIRONMENT: "serviceEnvironmentName", _QUEUE: "jobQueueName", _POLICY: "name"}
"""Properties that may be absent; AWS makes up a name then."""
_OTHERS = tuple(f"AWS::Batch::{name}" for name in ("ComputeEnvironment", "ConsumableResource", "JobDefinition"))
_STACKS = ("AWS::CloudFormation::Stack", "AWS::Serverless::Application")
_HARMLESS = re.compile(r"AWS::(Serverless-2016-10-31|LanguageExtensions|CodeDeployBlueGreen|SecretsManager-.*)")
"""Transforms that make no resources of AWS Batch and change none."""
_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]{0,29})")


class _To(str):
    """The shape of a property that names a resource of this type."""

    __slots__ = ()


_READ_ONLY = {"quotaShareArn", "serviceEnvironmentArn", "jobQueueArn", "arn", "status", "statusReason"}


def _of(shape: Mapping[str, Any], **special: Any) -> Mapping[str, Any]:
    return {k: special.get(k, v) for k, v in shape.items() if k not in _READ_ONLY} | {"tags": shapes.ANY}


_SHAPES: Mapping[str, Any] = {
    _SHARE: _of(shapes.QUOTA_SHARE, jobQueue=_To(_QUEUE)),
    _ENVIRONMENT: _of(shapes.SERVICE_ENVIRONMENT),
    _QUEUE: _of(
        shapes.JOB_QUEUE,
        schedulingPolicyArn=_To(_POLICY),
        priority=shapes.ANY,
        computeEnvironmentOrder=[shapes.ANY],
        serviceEnvironmentOrder=[{"order": shapes.ANY, "serviceEnvironment": _To(_ENVIRONMENT)}],
        jobStateTimeLimitActions=shapes.ANY,
    ),
    _POLICY: _of(shapes.SCHEDULING_POLICY, fairsharePolicy=shapes.MAP),
}
"""What does not matter to shares is ANY and not evaluated."""


def items(document: Document, kind: Kind, readings: Readings) -> Iterator[Item | Aside]:
    """The shares, environments, queues and policies of a template. Raises InputError."""
    base: Pointer = ("TemplateBody",) if kind.name == "get-template" else ()
    template = document.value["TemplateBody"] if base else document.value
    if isinstance(template, str):
        fix = "add --query TemplateBody --output text to the command, and name the file with .yaml."
        why = "The command gives a template in YAML as one long text, whose lines could not be pointed to."
        raise document.error(base, "the template is a text inside JSON", why=why, fix=fix)
    an_object(document, base, template)
    for section in ("Parameters", "Resources"):
        if section in template:
            an_object(document, (*base, section), template[section])
    resources = template.get("Resources", {})
    scope = Scope(document, base, template.get("Parameters", {}), resources, _ATTRIBUTES)
    ours: list[str] = []
    for name, resource in resources.items():
        sort = _type(scope, name, resource)
        if sort in _SHAPES:
            ours.append(name)
        elif sort in _STACKS or sort.endswith("::MODULE"):
            yield Aside(left_out=f"{name}, {sort}: its resources are in a template of its own; give that file as well")
    macros = _macros(template)
    if not ours:
        also = f"; its transforms may add some: {listed(macros)}" if macros else ""
        yield Aside(left_out=f"a template without quota shares, job queues or service environments{also}")
    elif macros:
        raise document.error(
            (*base, "Transform" if "Transform" in template else "Fn::Transform"),
            f"the template is rewritten by {listed(macros)}",
            why="What comes out of it may be other shares and other numbers.",
            fix=PROCESSED,
        )
    for name in ours:
        yield from _items(_Resource(scope, name), readings)
    if scope.defaults:
        chosen = listed((f"{k} = {v}" for k, v in scope.defaults.items()), most=len(scope.defaults))
        yield Aside(note=f"parameters at their defaults: {chosen}")


def _type(scope: Scope, name: str, resource: Any) -> str:
    """A resource's type. Raises InputError for what could make or hide a resource of ours."""
    pointer = (*scope.base, "Resources", name)
    if is_function(name):
        raise scope.unsupported(name, pointer)
    an_object(scope.document, pointer, resource)
    function = next(filter(is_function, resource), "")
    if function:
        raise scope.unsupported(function, pointer)
    sort = resource.get("Type")
    if not isinstance(sort, str):
        why = "Without it nobody knows what the resource is."
        raise scope.document.error((*pointer, "Type"), f"resource {name} has no Type", why=why, fix="add its Type.")
    known = (*_SHAPES, *_OTHERS)
    if sort.casefold().startswith("aws::batch::") and sort not in known:
        close = nearest(sort, known)
        raise scope.document.error(
            (*pointer, "Type"),
            f"there is no resource type {shown(sort)}",
            why="It could be meant to be a quota share, which would be lost if it were left out.",
            fix=f"did you mean {close}?" if close else f"the types of AWS Batch are {listed(known)}.",
        )
    if sort in _SHAPES and "Condition" in resource:
        raise scope.document.error(
            (*pointer, "Condition"),
            f"whether {name} exists depends on a Condition",
            why="Conditions are not evaluated, and a queue with one share more or less is another queue.",
            fix="delete the Condition or the resource; or give the output of `aws batch list-quota-shares`.",
        )
    return sort


def _macros(template: Mapping[str, Any]) -> list[str]:
    """What rewrites the template before it is deployed, except what leaves AWS Batch alone."""
    given = template.get("Transform", [])
    names = [shown(t) if not isinstance(t, str) else t for t in (given if isinstance(given, list) else [given])]
    names += ["Fn::Transform"] if "Fn::Transform" in template else []
    return [name for name in names if not _HARMLESS.fullmatch(name)]


def _items(resource: _Resource, readings: Readings) -> Iterator[Item | Aside]:
    tree, spot = resource.read()
    name = _NAMES.get(resource.type, "")
    if name and name not in tree:
        tree[name] = resource.id
        why = f"has no {_pascal(name)}, AWS will make one up"
        if resource.unnamed:
            why = f"has a {_pascal(name)} that only a deployment knows ({resource.unnamed})"
        yield Aside(note=f"{resource.id} {why}; its logical id stands for it")
    yield from aws.item(_KEYS[resource.type], tree, spot, readings)


class _Resource:
    """A resource of ours, on its way into AWS's tree."""

    def __init__(self, scope: Scope, name: str) -> None:
        self.scope = scope
        self.id = name
        self.pointer = (*scope.base, "Resources", name)
        self.type: str = scope.resources[name]["Type"]
        self.unnamed = ""
        """Why its name is not known though the template gives one."""
        self._kept: dict[Pointer, list[int]] = {}
        """Path of a list in AWS's tree -> where each of its entries stands in the file's list."""

    def read(self) -> tuple[dict[str, Any], Spot]:
        properties = self.scope.resources[self.id].get("Properties", {})
        key = _pascal(_NAMES.get(self.type, ""))
        if isinstance(properties, dict) and key in properties and not self._named(properties[key], key):
            properties = {k: v for k, v in properties.items() if k != key}
        tree = self._value(properties, _SHAPES[self.type], (*self.pointer, "Properties"), ())
        return tree, Spot(self.scope.document, self.pointer, self._path, aws.home(tree))

    def name(self) -> str:
        """What links to it lead to."""
        properties = self.scope.resources[self.id].get("Properties", {})
        key = _pascal(_NAMES[self.type])
        if not isinstance(properties, dict) or is_no_value(properties.get(key, {"Ref": "AWS::NoValue"})):
            return self.id
        return self._named(properties[key], key) or self.id

    def _named(self, value: Any, key: str) -> str:
        """The name that a property gives; '' where only a deployment decides it."""
        if is_no_value(value):
            return ""
        try:
            return self.scope.text(value, (*self.pointer, "Properties", key))
        except InputError as error:
            if not isinstance(value, dict):
                raise
            self.unnamed = error.what
            return ""

    def _path(self, path: Pointer) -> Pointer:
        steps: list[str | int] = ["Properties"] if path else []
        for depth, step in enumerate(path):
            kept = self._kept.get(path[:depth], ())
            steps.append(_pascal(step) if isinstance(step, str) else kept[step] if step < len(kept) else step)
        return tuple(steps)

    def _value(self, value: Any, shape: Any, at: Pointer, path: Pointer) -> Any:
        """The value at `at` as AWS's API would have it at `path`. Raises InputError unless it is of `shape`."""
        document = self.scope.document
        if shape is shapes.ANY:
            return value
        if isinstance(shape, _To):
            return self._linked(value, shape, at)
        if isinstance(shape, tuple):
            word = self.scope.text(value, at)
            if word not in shape:
                raise wrong_word(document, at, word, shape)
            return word
        if shape is str:
            return self.scope.text(value, at)
        found = self.scope.known(value, at)
        if shape is int:
            if isinstance(found, str) and _WHOLE.fullmatch(found):
                return int(found)
            if type(found) is not int:
                raise wrong_type(document, at, found, "a whole number")
            return found
        if isinstance(shape, list):
            if not isinstance(found, list):
                raise wrong_type(document, at, found, "a list")
            kept = self._kept[path] = [i for i, part in enumerate(found) if not is_no_value(part)]
            return [self._value(found[i], shape[0], (*at, i), (*path, n)) for n, i in enumerate(kept)]
        an_object(document, at, found)
        return found if shape is shapes.MAP else self._fields(found, shape, at, path)

    def _fields(self, found: dict[str, Any], shape: Mapping[str, Any], at: Pointer, path: Pointer) -> dict[str, Any]:
        names = {_pascal(name): name for name in shape}
        tree: dict[str, Any] = {}
        for key, part in found.items():
            if key not in names:
                raise unknown_key(self.scope.document, (*at, key), names)
            if not is_no_value(part):
                name = names[key]
                tree[name] = self._value(part, shape[name], (*at, key), (*path, name))
        return tree

    def _linked(self, value: Any, wanted: str, at: Pointer) -> str:
        target = self.scope.target(value, at)
        if not isinstance(target, Link):
            return target
        resource = self.scope.resources[target.resource]
        sort = resource["Type"]
        if sort not in _SHAPES:
            raise self.scope.document.error(
                at,
                f"what {target.resource}, {shown(sort)}, gives is known after deployment only",
                why="Its outputs are not in this template.",
                fix="write the name out, or give the output of `aws batch list-quota-shares` of what is deployed.",
            )
        if sort != wanted:
            raise self.scope.document.error(
                at,
                f"{target.resource} is {shown(sort)}, not {wanted}",
                why="CloudFormation would refuse the link, or AWS Batch what it leads to.",
                fix=f"refer to a resource of type {wanted}.",
            )
        return _Resource(self.scope, target.resource).name()


def _pascal(name: str) -> str:
    return name[:1].upper() + name[1:]
