"""`pulumi stack export`: the aws-native resources of a quota-share queue, as Pulumi last saw them.

Properties are AWS's, in AWS's spelling; what the provider answered (outputs) counts before what it was asked for
(inputs). A value that is secret or not known yet is refused where it matters and ignored elsewhere. Resources that
Pulumi is about to delete do not count. Trusted: nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..readings import Readings
from . import aws, json_text
from .document import Document, Pointer
from .errors import InputError, listed, shown
from .items import Aside, Item, Spot
from .kinds import Kind
from .shapes import a_list, an_object, wrong_type
from .spelling import SHAPES, same, to_aws

_TYPES = {
    "aws-native:batch:QuotaShare": "quotaShares",
    "aws-native:batch:ServiceEnvironment": "serviceEnvironments",
    "aws-native:batch:JobQueue": "jobQueues",
    "aws-native:batch:SchedulingPolicy": "schedulingPolicies",
}
_FOREIGN = ("aws:batch/jobQueue:JobQueue", "aws:batch/schedulingPolicy:SchedulingPolicy")
_STRANGE = re.compile(r"quota_?share", re.IGNORECASE)
_SIGNATURE = "4dabf18193072939515e22adb298388d"
"""The key that marks an object as one of Pulumi's special values: a secret, an asset, a reference, an output."""
_SECRET = "1b47061264138c4ac30d75fd1eb44270"
_UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""What Pulumi writes for a value that no update has found out yet."""


def items(document: Document, _: Kind, readings: Readings) -> Iterator[Item | Aside]:
    """The queues of a stack with their shares, environments and policies. Raises InputError."""
    if document.value["version"] not in range(1, 5):
        raise document.error(
            ("version",),
            f"version {shown(document.value['version'])} of the form is not known",
            why="This quotaproof reads Pulumi's deployments of versions 1 to 4.",
            fix="use a newer quotaproof, or give the output of `aws batch list-quota-shares`.",
        )
    deleted: list[str] = []
    unknown: list[str] = []
    foreign: list[str] = []
    strange: list[Pointer] = []
    deployment = an_object(document, ("deployment",), document.value["deployment"])
    for index, value in enumerate(a_list(document, ("deployment", "resources"), deployment.get("resources", []))):
        pointer: Pointer = ("deployment", "resources", index)
        resource = an_object(document, pointer, value)
        kind, urn = resource.get("type"), resource.get("urn")
        if not isinstance(kind, str) or not isinstance(urn, str):
            field = "urn" if isinstance(kind, str) else "type"
            raise wrong_type(document, (*pointer, field), resource.get(field), "text")
        name = urn.rsplit("::", 1)[-1]
        if kind in _FOREIGN:
            foreign.append(name)
        elif kind not in _TYPES:
            unknown += [name] if _STRANGE.search(kind) else []
        elif resource.get("delete") is True or resource.get("pendingReplacement") is True:
            deleted.append(name)
        else:
            yield from _item(document, pointer, _TYPES[kind], resource, strange, readings)
    if deleted:
        number = f"{len(deleted)} resource{'' if len(deleted) == 1 else 's'}"
        yield Aside(left_out=f"{number} that Pulumi has deleted or is about to delete: {listed(deleted)}")
    if foreign:
        yield Aside(left_out=f"of the package aws, which has no quota shares: {listed(foreign)}")
    if unknown:
        yield Aside(left_out=f"of types that this version does not know: {listed(unknown)}")
    if strange:
        fields = listed(dict.fromkeys(str(p[-1]) for p in strange))
        yield Aside(left_out=f"fields that this version does not know: {fields}")
    pending = deployment.get("pending_operations")
    if isinstance(pending, list) and pending:
        yield Aside(note=f"an update was interrupted ({len(pending)} pending): `pulumi refresh` says what AWS has now")


def _item(
    document: Document, pointer: Pointer, key: str, resource: Any, strange: list[Pointer], readings: Readings
) -> Iterator[Item]:
    """The item that a resource is. A property the provider did not answer with counts as it was asked for."""
    tree: dict[str, Any] = {}
    held: dict[str, str] = {}
    for holder in ("outputs", "inputs"):
        place = (*pointer, holder)
        properties = an_object(document, place, resource.get(holder, {}))
        found = to_aws(
            document,
            {k: v for k, v in properties.items() if k not in held and not k.startswith("__")},
            SHAPES[key],
            place,
            spell=same,
            strange=strange,
            opened=lambda value, where: _opened(document, value, where),
        )
        tree |= found
        held |= dict.fromkeys(found, holder)

    def path(aws_path: Pointer) -> Pointer:
        return (held.get(str(aws_path[0]), "outputs"), *aws_path) if aws_path else ()

    spot = Spot(document, pointer, path, home=aws.home(tree))
    yield from aws.item(key, tree, spot, readings)


def _opened(document: Document, value: Any, pointer: Pointer) -> Any:
    """The value that Pulumi has stored. Raises InputError for one that it does not tell."""
    if value == _UNKNOWN:
        raise document.error(
            pointer,
            f"Pulumi does not know {pointer[-1]} yet",
            why="The value is a placeholder for what an update would find out.",
            fix="run `pulumi refresh` or `pulumi up`, then `pulumi stack export` again.",
        )
    if not isinstance(value, dict) or _SIGNATURE not in value:
        return value
    if value[_SIGNATURE] == _SECRET and isinstance(value.get("plaintext"), str):
        try:
            return json_text.parse(document.name, value["plaintext"]).value
        except InputError:
            pass
    raise document.error(
        pointer,
        f"{pointer[-1]} is encrypted or no plain value",
        why="Pulumi keeps it as a secret, and the promises depend on it.",
        fix="run `pulumi stack export --show-secrets`.",
    )
