"""Records out of what they were delivered in: log events, queue messages, notifications, answers of lookups.

An envelope may hold another one; text is decoded where an envelope keeps its record as text. What is no envelope is a
record and comes back as it is. Trusted: nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    for key, reads in _LISTS.items():
        found = value.get(key)
        if isinstance(found, list):
            return [reads(one) if isinstance(one, dict) else one for one in found]
    if isinstance(value.get("CloudTrailEvent"), str):  # one event of lookup-events
        return [value["CloudTrailEvent"]]
    if value.get("Type") == "Notification" and isinstance(value.get("Message"), str):
        return [value["Message"]]
    if value.get("detail-type") == _API_CALL and isinstance(value.get("detail"), dict):
        return [value["detail"]]
    text = value.get("message", value.get("@message"))
    if isinstance(text, str) and ("timestamp" in value or "@timestamp" in value):
        return [text]
    return None


def _text(*keys: str) -> Callable[[dict[str, Any]], Any]:
    """The first of `keys` that is there, else the object itself."""
    return lambda one: next((one[k] for k in keys if k in one), one)


def _record(one: dict[str, Any]) -> Any:
    """An element of "Records": CloudTrail's own, or a message of SQS or SNS as a function receives it."""
    sns = one.get("Sns")
    return sns.get("Message", one) if isinstance(sns, dict) else one.get("body", one)


_LISTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "Records": _record,
    "Events": _text("CloudTrailEvent"),
    "events": _text("message"),
    "logEvents": _text("message"),
    "Messages": _text("Body"),
    "jobSummaryList": _text(),
}
