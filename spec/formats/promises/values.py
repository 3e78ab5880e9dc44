"""The words in which a file of promises states times, days, notices and percentages. Trusted: nothing."""

from __future__ import annotations

import re
from datetime import date

from ...promises import Notice

_SECOND = 1000
_LENGTHS = {"s": _SECOND, "m": 60 * _SECOND, "h": 3600 * _SECOND, "d": 24 * 3600 * _SECOND}
_DURATION = re.compile(r"([0-9]{1,6}) ?([smhd])")
_NOTICE = re.compile(r"([0-9]{1,4}) ?(?:d|(working )?days?)")
_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?) ?%")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
AT_ONCE = "at-once"


def duration(value: object) -> int | None:
    """Milliseconds of "15m", "90s", "2h", "1d" or "at-once"; None for anything else."""
    if value == AT_ONCE:
        return 0
    found = _DURATION.fullmatch(value) if isinstance(value, str) else None
    return int(found[1]) * _LENGTHS[found[2]] if found else None


def notice(value: object) -> Notice | None:
    """ "5 working days", "5 days" or "5d"; None for anything else."""
    found = _NOTICE.fullmatch(value) if isinstance(value, str) else None
    return Notice(int(found[1]), working=found[2] is not None) if found else None


def percent(value: object) -> float | None:
    """2, 0.5 or "2 %", from 0 to 100; None for anything else."""
    if isinstance(value, str):
        found = _PERCENT.fullmatch(value)
        value = float(found[1]) if found else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 100 else None


def day(value: object) -> date | None:
    """2027-03-01; None for anything else."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None
