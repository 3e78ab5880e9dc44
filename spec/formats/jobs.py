"""Submit-service-job requests to jobs: how many instances of what they ask for, and of which share (rule 15).

A request is not configuration: one that cannot be read is left out with the reason, never an error. Trusted: nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..model import LARGEST, MAX_PRIORITY
from . import json_text
from .document import Document
from .errors import InputError, shown
from .items import Aside, JobItem, Spot

RETRIES = "preemptionRetriesBeforeTermination"


def read(document: Document) -> JobItem | Aside:
    """The job of a request, or why it is left out."""
    value = document.value
    name, share, queue, payload = (
        value.get(field) for field in ("jobName", "quotaShareName", "jobQueue", "serviceRequestPayload")
    )
    if not (isinstance(name, str) and isinstance(queue, str) and isinstance(share, str)):
        return _left_out("it does not name a job, a job queue and a quota share")
    if not isinstance(payload, str):
        return _left_out("it has no serviceRequestPayload, so its size is not known")
    try:
        asked = json_text.parse("serviceRequestPayload", payload).value
    except InputError as error:
        return _left_out(f"its serviceRequestPayload cannot be read, {error.what}")
    size = size_of(asked)
    if not size:
        return _left_out("its serviceRequestPayload names no number of instances of one type")
    priority, preemption = value.get("schedulingPriority", 0), value.get("preemptionConfiguration")
    if type(priority) is not int or not 0 <= priority <= MAX_PRIORITY:
        return _left_out(f"schedulingPriority is {shown(priority)}, not a whole number from 0 to {MAX_PRIORITY}")
    retries = preemption.get(RETRIES) if isinstance(preemption, dict) else None
    if retries is not None and (type(retries) is not int or retries < 0):
        return _left_out(f"{RETRIES} is {shown(retries)}, not a whole number, 0 or more")
    return JobItem(
        name, queue.rsplit("/", 1)[-1], share, size, Spot(document, ()), priority, retries, checkpoint_of(asked)
    )


def names(document: Document) -> Iterator[str]:
    """Names of jobs in a request, an answer or a list of AWS, whether or not it counts."""
    value = document.value
    summaries = value.get("jobSummaryList") if isinstance(value, dict) else None
    for tree in (value, *(summaries if isinstance(summaries, list) else ())):
        name = tree.get("jobName") if isinstance(tree, dict) else None
        if isinstance(name, str) and name:
            yield name


def _left_out(why: str) -> Aside:
    return Aside(left_out=why)


def checkpoint_of(payload: Any) -> str:
    """Where a CreateTrainingJob request lets checkpoints go; '' when it sets nothing."""
    config = payload.get("CheckpointConfig") if isinstance(payload, dict) else None
    uri = config.get("S3Uri") if isinstance(config, dict) else None
    return uri if isinstance(uri, str) else ""


def size_of(payload: Any) -> Mapping[str, int]:
    """Unit -> instances of a CreateTrainingJob request; empty when it does not say exactly (A53, A60)."""
    resources = payload.get("ResourceConfig") if isinstance(payload, dict) else None
    groups = resources.get("InstanceGroups", [resources]) if isinstance(resources, dict) else None
    size: dict[str, int] = {}
    for group in groups if isinstance(groups, list) else ():
        unit, count = (group.get(k) if isinstance(group, dict) else None for k in ("InstanceType", "InstanceCount"))
        if not isinstance(unit, str) or type(count) is not int or not 1 <= count <= LARGEST:
            return {}
        size[unit] = size.get(unit, 0) + count
    return size
