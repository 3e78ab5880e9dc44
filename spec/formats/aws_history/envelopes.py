"""Records out of what they were delivered in: log events, queue messages, notifications, answers of lookups.

An envelope may hold another one; text is decoded where an envelope keeps its record as text. What is no envelope is a
record and comes back as it is. Trusted: nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .containers import Broken, decode

_DEEPEST = 6
_API_CALL = "AWS API Call via CloudTrail"


def records(value: Any, depth: int = 0) -> Iterator[Any]:
    """Every record in a decoded value; `Broken` for text in it that is no JSON."""
    if isinstance(value, str):
        try:
            value = decode(value)
        except ValueError:
            yield Broken("an envelope's text is no JSON")
            return
    if isinstance(value, Broken) or depth > _DEEPEST:
        yield value
        return
    inner = value if isinstance(value, list) else _inner(value) if isinstance(value, dict) else None
    if inner is None:
        yield value
    else:
        for one in inner:
            yield from records(one, depth + 1)


def _inner(value: dict[str, Any]) -> list[Any] | None:
    """What the envelope holds; None for a record."""
    if value.get("detail-type") == _API_CALL and isinstance(value.get("detail"), dict):
        return [value["detail"]]
    if any(key in value for key in _OF_RECORDS):
        return None
    for key in _LISTS:
        if isinstance(value.get(key), list):
            return value[key]
    for key in _TEXTS:
        if isinstance(value.get(key), str):
            return [value[key]]
    return [value["Sns"]] if isinstance(value.get("Sns"), dict) else None


_OF_RECORDS = ("detail-type", "eventSource", "jobArn")
"""Keys of what is a record itself."""
_LISTS = ("Records", "Events", "events", "logEvents", "Messages", "jobSummaryList")
_TEXTS = ("CloudTrailEvent", "message", "@message", "Message", "body", "Body")
"""Where an element of such a list, a message or a notification keeps its record as text."""
