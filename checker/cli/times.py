"""Times as options take them: a date or a time of ISO 8601, UTC unless it says otherwise."""

from __future__ import annotations

from datetime import UTC, datetime

from .output import Unusable


def moment(option: str, text: str | None) -> int | None:
    """Milliseconds since 1970 of what was given for `option`; None where nothing was. Raises Unusable."""
    if text is None:
        return None
    try:
        given = datetime.fromisoformat(text)
        return round((given if given.tzinfo else given.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError):
        raise Unusable(
            f"{option}: {text!r} is not a date or time, such as 2026-07-01 or 2026-07-01T09:30:00Z (UTC)"
        ) from None
