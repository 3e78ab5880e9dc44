"""A submit-service-job request that has not been submitted: the job it asks for, and what it says of stops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ...spec import events as ev
from ...spec.formats import jobs
from ...spec.formats.document import Document, Pointer
from ...spec.formats.errors import InputError, listed, nearest, shown
from ...spec.formats.items import Aside
from ...spec.formats.json_text import parse
from ...spec.formats.sources import single
from ...spec.model import MAX_PRIORITY, QueueConfig
from .why import NEW, Asked

_PREEMPTION = ("preemptionConfiguration", "preemptionRetriesBeforeTermination")


def read(path: str, config: QueueConfig) -> Asked:
    """The job of the request at `path`. Raises InputError."""
    document = single(path)
    if not isinstance(document, Document):
        raise _unusable(document.name, document.why)
    if not isinstance(document.value, Mapping):
        raise _unusable(document.name, "it is not one object")
    found = jobs.read(document)
    if isinstance(found, Aside):
        raise _unusable(document.name, found.left_out)
    if found.queue != config.job_queue_name:
        raise document.error(
            ("jobQueue",),
            f"the request is for the queue {shown(found.queue)}",
            why=f"The history is of {config.job_queue_name}.",
            fix="give the history of the queue that the request names.",
        )
    names = [s.name for s in config.shares]
    if found.share not in names:
        close = nearest(found.share, names)
        raise document.error(
            ("quotaShareName",),
            f"there is no share {shown(found.share)}",
            why=f"The queue has {listed(names)}.",
            fix=f"did you mean {close}?" if close else "name one of them.",
        )
    priority = _number(document, ("schedulingPriority",), 0, MAX_PRIORITY)
    retries = _number(document, _PREEMPTION, 0, None)
    return Asked(found.name, ev.Submit(NEW, found.share, found.size, priority, retries), _checkpoint(document))


def _unusable(where: str, why: str) -> InputError:
    return InputError(
        "this is no request for a job", where=where, why=f"Reason: {why}.",
        fix="give what `aws batch submit-service-job --cli-input-json` takes.",
    )  # fmt: skip


def _number(document: Document, pointer: Pointer, least: int, most: int | None) -> int | None:
    """A whole number of the request; None when it is left out. Raises InputError."""
    at: Any = document.value
    for step in pointer:
        at = cast("Mapping[Any, Any]", at).get(step) if isinstance(at, Mapping) else None
    if at is None:
        return None
    if type(at) is not int or at < least or (most is not None and at > most):
        bound = f"from {least} to {most}" if most is not None else f"of at least {least}"
        raise document.error(
            pointer, f"{shown(at)} is given", why=f"AWS takes a whole number {bound}.", fix="correct it."
        )
    return at


def _checkpoint(document: Document) -> str | None:
    """Where the payload has checkpoints go; '' when nowhere."""
    payload = parse("serviceRequestPayload", document.value["serviceRequestPayload"]).value
    config = payload.get("CheckpointConfig")
    uri = cast("Mapping[Any, Any]", config).get("S3Uri") if isinstance(config, Mapping) else None
    return uri if isinstance(uri, str) else ""
