"""The header of a trace: the queue's configuration at the start, and what may be taken from the lines.

The configuration is written in AWS's fields, which hold all of it; quotaproof's own form is read as well.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from ..model import NAME, QueueConfig, QuotaShare, ServiceEnvironment
from ..readings import Readings
from . import own, shapes
from .conform import Conform
from .document import Document, Pointer
from .errors import shown
from .items import Spot, build, check_limits, name_error, read_share
from .trace_schema import VERSION

HEADER = "trace"
_CHECK = Conform("trace")
_CONFIG: shapes.Shape = {
    "jobQueueName": str,
    "environment": shapes.SERVICE_ENVIRONMENT,
    "shares": [shapes.QUOTA_SHARE],
}


@dataclass(frozen=True)
class Header:
    """What the first line says."""

    config: QueueConfig
    ordered: bool
    claims: bool


def written(config: QueueConfig, *, ordered: bool, claims: bool) -> str:
    """The header's line, without its end."""
    header = {
        HEADER: VERSION,
        "queue": config.job_queue_name,
        "config": config.model_dump(mode="json", by_alias=True, exclude_none=True),
        "ordered": ordered,
        "claims": claims,
    }
    return json.dumps(header, separators=(",", ":"))


def read(document: Document, readings: Readings) -> Header:
    """The header in the first line. Raises InputError."""
    value = document.value
    _CHECK.keys(document, (), value, {HEADER, "queue", "config", "ordered", "claims"}, (HEADER, "config"))
    if value[HEADER] != VERSION or value[HEADER] is True:
        raise _CHECK.wrong(
            document, (HEADER,), f"version {shown(value[HEADER])} of the form is not known", f"write {VERSION}."
        )
    switches: dict[str, Any] = {
        key: _CHECK.typed(document, (key,), value.get(key, False), bool, "true or false")
        for key in ("ordered", "claims")
    }
    _CHECK.typed(document, ("config",), value["config"], dict, "an object")
    form = own.configuration if "quotaproof" in value["config"] else _aws
    config = form(document, ("config",), readings)
    if value.get("queue", config.job_queue_name) != config.job_queue_name:
        raise _CHECK.wrong(
            document,
            ("queue",),
            f"the queue is {shown(value['queue'])}, its configuration is of {shown(config.job_queue_name)}",
            "write the same name in both.",
        )
    return Header(config, **switches)


def _aws(document: Document, at: Pointer, readings: Readings) -> QueueConfig:
    tree = document.part(at).value
    _CHECK.keys(document, at, tree, _CONFIG, _CONFIG)
    shapes.check(document, tree, _CONFIG, at)
    queue = tree["jobQueueName"]
    if not re.fullmatch(NAME, queue):
        raise name_error(Spot(document, at), ("jobQueueName",), queue)
    spot = Spot(document, (*at, "environment"))
    environment = build(ServiceEnvironment, _only(ServiceEnvironment, tree["environment"]), spot)
    check_limits(environment.capacity, [c.capacity_unit for c in environment.capacity_limits], spot)
    shares: dict[str, QuotaShare] = {}
    for index, given in enumerate(tree["shares"]):
        spot = Spot(document, (*at, "shares", index))
        share = read_share(_only(QuotaShare, given), spot, queue, readings).share
        if share.name in shares:
            raise spot.error(("quotaShareName",), f"the share {shown(share.name)} is given twice",
                             why="Nothing says which of the two counts.", fix="delete one of the two.")  # fmt: skip
        shares[share.name] = share
    return QueueConfig(job_queue_name=queue, environment=environment, shares=tuple(shares.values()))


def _only(form: type[ServiceEnvironment] | type[QuotaShare], tree: dict[str, Any]) -> dict[str, Any]:
    """The fields that the model has: AWS's outputs have more."""
    known = {f.alias or n for n, f in form.model_fields.items()}
    return {k: v for k, v in tree.items() if k in known}
