"""One request to AWS, as `aws batch ... --cli-input-json` takes it, to what it asks for. Trusted: nothing."""

from __future__ import annotations

from ...changes import Verb
from .. import aws, shapes
from ..document import Document
from ..errors import InputError
from ..items import ShareItem, Spot
from ..kinds import OWN_FORM, recognise
from .asked import Asked

_UPDATE_SHARE: shapes.Shape = {
    k: shapes.QUOTA_SHARE[k]
    for k in ("quotaShareArn", "capacityLimits", "resourceSharingConfiguration", "preemptionConfiguration", "state")
}
_UPDATE_ENVIRONMENT: shapes.Shape = {
    "serviceEnvironment": str,
    "capacityLimits": shapes.SERVICE_ENVIRONMENT["capacityLimits"],
    "state": shapes.SERVICE_ENVIRONMENT["state"],
}
_CONFIGURATION = (OWN_FORM, "list-quota-shares", "describe-quota-share", "describe-service-environments",
                  "sample repository form", "CloudFormation template", "Terraform state", "Pulumi stack export")  # fmt: skip


def take(document: Document, asked: Asked, left_out: list[str]) -> bool:
    """Ask for what the request asks for; False, with a line in `left_out`, if that is nothing of ours. Raises InputError."""
    kind = recognise(document)
    spot = Spot(document, ())
    tree = document.value
    if kind.name == Verb.CREATE and not kind.left_out:
        for item in aws.items(document, kind, asked.readings):
            if isinstance(item, ShareItem):
                asked.create(item, tree)
    elif kind.name == Verb.UPDATE:
        shapes.check(document, tree, _UPDATE_SHARE)
        asked.update(tree, spot)
    elif kind.name == Verb.DELETE:
        shapes.check(document, tree, {"quotaShareArn": str})
        asked.delete(tree, spot)
    elif kind.name == Verb.ENVIRONMENT:
        shapes.check(document, tree, _UPDATE_ENVIRONMENT)
        asked.update_environment(tree, spot)
    elif kind.name in _CONFIGURATION:
        raise InputError(
            f"{kind.name} says how things are, and asks for nothing",
            where=document.name,
            why="--apply takes requests: create-, update-, delete-quota-share, update-service-environment.",
            fix="give it as OLD, or as NEW if it is what is to come.",
        )
    else:
        why = kind.left_out if kind.name == Verb.CREATE else "it changes no share and no capacity of an environment"
        left_out.append(f"{document.name}, {kind.name}: {why}")
        return False
    return True
