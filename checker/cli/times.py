"""Times as options take them: a date or a time of ISO 8601, UTC unless it says otherwise, of a clock without dates day 2 09:30;
or how long something takes."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from .output import Unusable

_DAY = re.compile(r"day ([1-9]\d{0,3})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?)?", re.ASCII)
"""A time of a clock that counts from its first day."""


def moment(option: str, text: str | None) -> int | None:
    """Milliseconds since 1970 of what was given for `option`; None where nothing was. Raises Unusable."""
    if text is None:
        return None
    if found := _DAY.fullmatch(text.strip()):
        day, hour, minute, second = (int(part or 0) for part in found.groups())
        return (((day - 1) * 24 + hour) * 60 + minute) * 60_000 + second * 1000
    try:
        given = datetime.fromisoformat(text)
        return round((given if given.tzinfo else given.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError):
        raise Unusable(
            f"{option}: {text!r} is not a date or time, such as 2026-07-01 or 2026-07-01T09:30:00Z (UTC), "
            "nor of a clock without dates, such as 'day 2 09:30'"
        ) from None


_UNITS = {"s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
_SPAN = re.compile(r"(\d{1,9}(?:\.\d{1,3})?) ?(s|min|h|d)", re.ASCII)


def span(option: str, text: str) -> int:
    """Milliseconds of a length of time such as 90s, 30min, 6h or 2d. Raises Unusable."""
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise Unusable(f"{option}: {text!r} is not a length of time, such as 90s, 30min, 6h or 2d")
    return round(float(found[1]) * _UNITS[found[2]])
