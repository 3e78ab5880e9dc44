"""Usage by the hour and changes of quota, as Helios publishes them for its virtual clusters: no jobs, only counts.

What is published as running is cut off at the quota; the excess stands in a column of its own and is added back here.
Trusted: nothing.
"""

from __future__ import annotations

from datetime import UTC, datetime

from ...workload import QuotaChange, Use
from .rows import Row, ms, table

HOURS = ("hour_start_s", "team", "quota_gpus", "running_avg", "running_max", "pending_avg", "pending_max")
CHANGES = ("date", "team", "quota_gpus")
FROM_START = "{file}: hours are counted from the first one, the file does not say which day it is"
_HOUR = 3_600_000
_MINUTE = 60_000


def hours(path: str) -> list[Use]:
    """One row a share and hour. Raises InputError."""
    return [_use(row) for row in table(path)]


def changes(path: str) -> list[QuotaChange]:
    """One row a share and day on which its quota changed. Raises InputError."""
    return [
        QuotaChange(_day(row), row.needs("team"), row.count("quota_gpus"), row.place) for row in table(path)
    ]  # fmt: skip


def _use(row: Row) -> Use:
    at, quota = ms(row.given("hour_start_s")), row.count("quota_gpus")
    beyond = row.number("over_quota_max_gpus") or 0
    most = row.given("running_max") if beyond <= 0 else quota + beyond
    over = row.number("over_quota_minutes") or 0
    if not 0 <= over <= 60:
        raise row.error("over_quota_minutes", f"over_quota_minutes is {row.text('over_quota_minutes')}",
                        why="An hour has 60.", fix="correct it.")  # fmt: skip
    return Use(at, at + _HOUR, row.needs("team"), quota, row.given("running_avg"), round(most),
               row.given("pending_avg"), round(over) * _MINUTE, row.place)  # fmt: skip


def _day(row: Row) -> int:
    text = row.needs("date")
    try:
        return round(datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).timestamp() * 1000)
    except (ValueError, OverflowError):
        raise row.error(
            "date", f"date is {text}", why="A quota counts from a day on.", fix="write 2020-05-31."
        ) from None
