"""Single fields of a record, as they are needed: text, objects, times.

Trusted: nothing; what is not as AWS writes it is `Unusable`, with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ..errors import shown
from .known import SECOND

_EARLIEST, _LATEST = 10**12, 10**13
"""Milliseconds since 1970 that are taken for a time: 2001 to 2286."""


class Unusable(ValueError):
    """A record lacks what it must have; the text says what."""


def text(tree: Mapping[str, Any], key: str) -> str:
    """The text at `key`, '' where there is none."""
    value = tree.get(key)
    return value if isinstance(value, str) else ""


def needed(tree: Mapping[str, Any], key: str) -> str:
    """The text at `key`. Raises Unusable when there is none."""
    value = text(tree, key)
    if not value:
        raise Unusable(f"the record has no {key}")
    return value


def an_object(tree: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The object at `key`. Raises Unusable when there is none."""
    value = tree.get(key)
    if not isinstance(value, dict):
        raise Unusable(f"the record has no {key}")
    return value


def ms(tree: Mapping[str, Any], key: str) -> int | None:
    """The time in milliseconds at `key`, None where there is none. Raises Unusable for what is no time."""
    value = tree.get(key)
    if value is None:
        return None
    if isinstance(value, str):
        return instant(value, key)
    if type(value) not in (int, float) or not _EARLIEST <= value < _LATEST:
        raise Unusable(f"{key} is {shown(value)}, which is no time in milliseconds")
    return int(value)


def instant(value: Any, key: str) -> int:
    """An ISO 8601 time as milliseconds. Raises Unusable."""
    try:
        found = datetime.fromisoformat(value)
        if found.tzinfo is None:
            raise Unusable(f"{key} is {shown(value)}: it does not say its time zone")
        return round(found.timestamp() * SECOND)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, Unusable):
            raise
        raise Unusable(f"{key} is {shown(value)}, which is no time") from None
