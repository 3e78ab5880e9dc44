"""Files that hold both sides of a change: a Terraform plan, and a CloudFormation change set.

Both speak of what they manage only, so a share that is on neither side stays as it is. A change set names only what it
changes and has property values only with --include-property-values, as JSON inside a text; what is known only after
deployment is a mark in their place and refused. Trusted: nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...model import QuotaShare, ServiceEnvironment
from ...readings import Readings
from .. import cloudformation, json_text, terraform
from ..document import Document, Pointer
from ..errors import InputError, listed
from ..items import Aside, EnvironmentItem, Item, ShareItem
from ..kinds import CHANGE_SET, TERRAFORM_PLAN, Kind, recognise
from ..shapes import a_list, an_object
from ..terraform_resources import actions, resources
from .asked import Asked

BOTH = (TERRAFORM_PLAN, CHANGE_SET)
"""Kinds of files that hold both sides of a change."""
_OURS = ("AWS::Batch::QuotaShare", "AWS::Batch::ServiceEnvironment")
_NOT_READ = {
    "AWS::CloudFormation::Stack": "what changes in a nested stack is in a change set of its own; give that as well",
    "AWS::Batch::JobQueue": "changes of a job queue itself, which are no matter of its shares",
    "AWS::Batch::SchedulingPolicy": "changes of a scheduling policy, which are no matter of shares",
}
_READ_ONLY = frozenset(("QuotaShareArn", "ServiceEnvironmentArn"))
_UNKNOWN = "{{changeSet:KNOWN_AFTER_APPLY}}"
_AGAIN = "aws cloudformation describe-change-set --change-set-name NAME --stack-name NAME --include-property-values"


@dataclass
class Sides:
    """The shares and environments before and after, by name, and where those that come to be stand."""

    before: dict[str, QuotaShare] = field(default_factory=dict[str, QuotaShare])
    after: dict[str, QuotaShare] = field(default_factory=dict[str, QuotaShare])
    environments: dict[str, ServiceEnvironment] = field(default_factory=dict[str, ServiceEnvironment])
    """After the change."""
    places: dict[str, str] = field(default_factory=dict[str, str])
    replaced: set[str] = field(default_factory=set[str])
    """Shares that are deleted and made anew."""
    forgotten: set[str] = field(default_factory=set[str])
    """Shares that are no longer managed, and stay."""
    notes: list[str] = field(default_factory=list[str])
    left_out: list[str] = field(default_factory=list[str])


def starts_from(document: Document) -> Document:
    """What a Terraform plan starts from, as a document of its own. Raises InputError where that is nothing."""
    prior = document.value.get("prior_state")
    if not isinstance(prior, dict) or not prior.get("values"):
        raise document.error(
            ("prior_state",),
            "the plan starts from nothing",
            why="Before it there is no queue, so nobody can be worse off after it.",
            fix="judge what it leads to with `quotaproof verify`, or give the queue as it is as OLD.",
        )
    return document.part(("prior_state",))


def both(document: Document, queue: str, readings: Readings) -> Sides:
    """The two sides, as far as they are of the queue. Raises InputError."""
    kind = recognise(document)
    sides = Sides()
    if kind.name == TERRAFORM_PLAN:
        before: Iterator[Item | Aside] = iter(())
        if isinstance(document.value.get("prior_state"), dict):
            before = terraform.configuration(document, "prior", readings)
        after = terraform.items(document, kind, readings)
        _actions(document, sides)
    else:
        one, other = _templates(document, sides.left_out)
        before, after = _items(one, readings), _items(other, readings)
    for item in before:
        if isinstance(item, ShareItem) and item.queue == queue:
            sides.before[item.name] = item.share
            sides.places.setdefault(item.name, item.spot.place(("quotaShareName",)))
    for item in after:
        _take(item, queue, document.name, sides)
    return sides


def take(document: Document, asked: Asked, left_out: list[str]) -> None:
    """Ask for what becomes of the shares that the document speaks of. Raises InputError."""
    queue = asked.arns.queue
    found = both(document, queue, asked.readings)
    asked.notes += found.notes
    left_out += found.left_out
    name = asked.config.environment.service_environment_name
    for environment in found.environments.values():
        if environment.service_environment_name == name:
            asked.become_environment(environment, found.places[""])
        else:
            other = environment.service_environment_name
            left_out.append(f"{document.name}: environment {other} is not the one of {queue}, {name}")
    now = {share.name: share for share in asked.config.shares}
    for share, before in found.before.items():
        if share not in now:
            asked.notes.append(f"{document.name}: it knows share {share}, which OLD does not have")
        elif before.canonical() != now[share].canonical():
            asked.notes.append(f"{document.name}: share {share} is not as OLD has it; what is planned for it counts")
        gone = share not in found.after and share not in found.forgotten
        if share in now and (gone or share in found.replaced):
            asked.remove(share, found.places[share])
            if not gone:
                asked.notes.append(
                    f"{document.name}: share {share} is replaced: deleted, so its jobs end, and made anew"
                )
    for share in found.after.values():
        asked.become(share, lambda _, share=share: found.places[share.name])


def _actions(document: Document, sides: Sides) -> None:
    """What a plan does with shares that its two sides alone do not tell."""
    known = (resources(document, "planned").managed, resources(document, "prior").managed)
    for address, does in actions(document).items():
        names = [str(side[address].value(("quotaShareName",))) for side in known if address in side]
        if {"create", "delete"} <= set(does):
            sides.replaced.update(names)
        elif "forget" in does:
            sides.forgotten.update(names)


def _take(item: Item | Aside, queue: str, name: str, sides: Sides) -> None:
    match item:
        case ShareItem() if item.queue == queue:
            sides.after[item.name] = item.share
            sides.places[item.name] = item.spot.place(("quotaShareName",))
            sides.notes += item.notes
        case ShareItem():
            line = f"{name}: shares of another queue, {item.queue}"
            if line not in sides.left_out:
                sides.left_out.append(line)
        case EnvironmentItem():
            sides.environments[item.name] = item.environment
            sides.places.setdefault("", item.spot.place(("serviceEnvironmentName",)))
        case Aside(note="", left_out=why):
            sides.left_out.append(f"{name}: {why}")
        case Aside(note=note):
            sides.notes.append(f"{name}: {note}")
        case _:
            pass


def _items(template: Document, readings: Readings) -> Iterator[Item | Aside]:
    if template.value["Resources"]:
        yield from cloudformation.items(template, Kind("CloudFormation template", ()), readings)


def _templates(document: Document, left_out: list[str]) -> tuple[Document, Document]:
    """The resources before and after, each as a template would give them. Raises InputError."""
    if document.value.get("NextToken"):
        raise document.error(
            ("NextToken",),
            "the change set is incomplete: it ends with a NextToken",
            why="What follows is missing, and a change that is judged in part is not judged.",
            fix="run the command again without --max-items and --no-paginate.",
        )
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    lines: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for index, entry in enumerate(a_list(document, ("Changes",), document.value["Changes"])):
        at: Pointer = ("Changes", index, "ResourceChange")
        change = an_object(document, at[:-1], entry).get("ResourceChange")
        sort = change.get("ResourceType") if isinstance(change, dict) else None
        if not isinstance(change, dict) or sort not in _OURS:
            if why := _NOT_READ.get(str(sort)):
                left_out.append(f"{document.name}: {why}")
            continue
        name, action = str(change.get("LogicalResourceId", index)), change.get("Action")
        if action not in ("Add", "Modify", "Remove"):
            raise document.error(
                (*at, "Action"),
                f"what becomes of {name} is not known: its Action is {action}",
                why="Only Add, Modify and Remove say what a deployment does.",
                fix="deploy what it depends on first, and make the change set again.",
            )
        sides = (("BeforeContext", before, action != "Add"), ("AfterContext", after, action != "Remove"))
        for (key, side, wanted), known in zip(sides, lines, strict=True):
            if wanted:
                properties = _properties(document, (*at, key), change.get(key))
                side[name] = {"Type": sort, "Properties": properties}
                known[f"/Resources/{name}"] = document.line((*at, key)) or 1
    return _template(document, before, lines[0]), _template(document, after, lines[1])


def _template(document: Document, resources: dict[str, Any], lines: dict[str, int]) -> Document:
    return Document(document.name, {"Resources": resources}, lambda: {"": 1, **lines}, document.path)


def _properties(document: Document, at: Pointer, text: object) -> dict[str, Any]:
    if not isinstance(text, str):
        raise document.error(
            at,
            "the change set has no property values",
            why="Without them it names what changes, and not to what.",
            fix=f"describe it again: {_AGAIN}",
        )
    try:
        context = json_text.parse(document.place(at), text).value
    except InputError as error:
        raise document.error(at, error.what, why=error.why, fix=f"describe it again: {_AGAIN}") from None
    properties = an_object(document, at, context).get("Properties", {})
    if _UNKNOWN in json.dumps(properties):
        unknown = listed(k for k, v in an_object(document, at, properties).items() if _UNKNOWN in json.dumps(v))
        raise document.error(
            at,
            f"{unknown} is known only after deployment",
            why="The change set has a mark in its place, and a guess could be wrong.",
            fix="write the value out in the template, or deploy what it depends on first.",
        )
    return {k: v for k, v in an_object(document, at, properties).items() if k not in _READ_ONLY}
