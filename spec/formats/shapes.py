"""The fields AWS Batch gives its objects, as data, and a check that an object has those fields and no others.

A field that AWS does not have is an error and not ignored: a misspelt borrowLimit would otherwise mean "no maximum".
Ranges, patterns and required fields are not stated here but in `spec.model`. The shapes are those of the Batch API of
2016-08-10 (requests and outputs alike, since an output may be kept and edited). Trusted: that the tables are complete.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..model import State, Strategy
from .document import Document, Pointer
from .errors import InputError, kind, listed, nearest, shown

Shape = Any
"""str, int or bool; `NUMBER`; `MAP` for free keys; ANY; a tuple of allowed words; [shape]; {field: shape}."""

NUMBER = float
MAP = dict
ANY = object
_STATE = tuple(State)
_DIGITS = re.compile(r"\s*[-+]?(0|[1-9][0-9]*)\s*", re.ASCII)

_LIMITS: Shape = [{"maxCapacity": int, "capacityUnit": str}]
QUOTA_SHARE: Shape = {
    "quotaShareName": str,
    "quotaShareArn": str,
    "jobQueue": str,
    "jobQueueArn": str,
    "capacityLimits": _LIMITS,
    "resourceSharingConfiguration": {"strategy": tuple(Strategy), "borrowLimit": int},
    "preemptionConfiguration": {"inSharePreemption": _STATE},
    "state": _STATE,
    "status": str,
    "tags": MAP,
}
SERVICE_ENVIRONMENT: Shape = {
    "serviceEnvironmentName": str,
    "serviceEnvironmentArn": str,
    "serviceEnvironmentType": str,
    "state": _STATE,
    "status": str,
    "capacityLimits": _LIMITS,
    "tags": MAP,
}
JOB_QUEUE: Shape = {
    "jobQueueName": str,
    "jobQueueArn": str,
    "state": _STATE,
    "schedulingPolicyArn": str,
    "status": str,
    "statusReason": str,
    "priority": int,
    "computeEnvironmentOrder": [{"order": int, "computeEnvironment": str}],
    "serviceEnvironmentOrder": [{"order": int, "serviceEnvironment": str}],
    "jobQueueType": str,
    "tags": MAP,
    "jobStateTimeLimitActions": [{"reason": str, "state": str, "maxTimeSeconds": int, "action": str}],
}
SCHEDULING_POLICY: Shape = {
    "name": str,
    "arn": str,
    "quotaSharePolicy": {"idleResourceAssignmentStrategy": ("FIFO",)},
    "fairsharePolicy": {
        "shareDecaySeconds": int,
        "computeReservation": int,
        "shareDistribution": [{"shareIdentifier": str, "weightFactor": NUMBER}],
    },
    "tags": MAP,
}


def output(key: str, shape: Shape) -> Shape:
    """An AWS output that lists objects of `shape` under `key`. boto3 adds ResponseMetadata."""
    return {key: [shape], "nextToken": ANY, "ResponseMetadata": ANY}


def check(document: Document, value: Any, shape: Shape, pointer: Pointer = ()) -> None:
    """Raise InputError unless `value`, which stands at `pointer`, is of `shape`. Absent fields are fine."""
    if isinstance(shape, Mapping):
        for key, part in an_object(document, pointer, value).items():
            if key not in shape:
                raise unknown_key(document, (*pointer, key), shape)
            expected = shape[key]
            if type(part) is not expected:
                check(document, part, expected, (*pointer, key))
    elif isinstance(shape, list):
        for index, part in enumerate(a_list(document, pointer, value)):
            check(document, part, shape[0], (*pointer, index))
    elif isinstance(shape, tuple):
        if value not in shape or not isinstance(value, str):
            raise wrong_word(document, pointer, value, shape)
    elif shape is NUMBER:
        if type(value) not in (int, float):
            raise wrong_type(document, pointer, value, "a number")
    elif shape is not ANY and type(value) is not shape:
        raise wrong_type(document, pointer, value, _NAMES[shape])


_NAMES: dict[Any, str] = {str: "text", int: "a whole number", bool: "true or false", MAP: "an object"}


def an_object(document: Document, pointer: Pointer, value: Any) -> dict[str, Any]:
    """The value at `pointer`. Raises InputError unless it is an object."""
    if type(value) is not dict:
        raise wrong_type(document, pointer, value, "an object")
    return value


def a_list(document: Document, pointer: Pointer, value: Any) -> list[Any]:
    """The value at `pointer`. Raises InputError unless it is a list."""
    if type(value) is not list:
        raise wrong_type(document, pointer, value, "a list")
    return value


def unknown_key(document: Document, pointer: Pointer, known: Mapping[str, Any]) -> InputError:
    """The error for a field that does not exist."""
    key = str(pointer[-1])
    close = nearest(key, known)
    fix = f"did you mean {close}?" if close else f"delete it; the fields here are {listed(known)}."
    why = "A field that is misspelt would count as absent, which may mean something else."
    return document.error(pointer, f"there is no field {shown(key)}", why=why, fix=fix)


def wrong_word(document: Document, pointer: Pointer, value: Any, words: tuple[str, ...]) -> InputError:
    """The error for a value that is none of the allowed words."""
    close = nearest(value, words) if isinstance(value, str) else ""
    fix = f"did you mean {close}?" if close else f"write {' or '.join(words)}."
    what = f"{pointer[-1]} cannot be {shown(value)}"
    return document.error(pointer, what, why=f"AWS knows {', '.join(words)}.", fix=fix)


def wrong_type(document: Document, pointer: Pointer, value: Any, expected: str) -> InputError:
    """The error for a value of another sort than expected."""
    found = shown(value) if isinstance(value, str | int | float) else kind(value)
    what = f"{found} stands where {expected} is expected"
    fix = f"write {expected}."
    if value is None:
        fix = f"write {expected}, or delete the field if it may be absent."
    elif expected == "a whole number" and isinstance(value, str) and _DIGITS.fullmatch(value):
        fix = f"write {value.strip()[:30]} without quotes."
    elif expected == "a whole number" and isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        fix = f"write {int(value)}."
    elif expected == "a whole number":
        fix = "write a whole number; instances and percentages have no fractions."
    elif expected == "text" and isinstance(value, int | float):
        fix = "put it in quotes."
    elif expected == "an object" and isinstance(value, str) and ":" in value:
        fix = "put a space after each colon: YAML reads key:value as one word."
    return document.error(pointer, what, why="It is not converted, because a guess could be wrong.", fix=fix)
