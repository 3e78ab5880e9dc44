"""How stable the policy was: changes of limits and priorities by calendar month (UTC)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache

from ..measured import Month

DAY = 86_400_000
"""Milliseconds."""


@dataclass
class _Month:
    limits: Counter[str] = field(default_factory=Counter[str])
    submitted: int = 0
    raises: int = 0
    unknown: int = 0
    priorities: Counter[int] = field(default_factory=Counter[int])


class Stability:
    """Counts by month, for the time that counts."""

    def __init__(self) -> None:
        self._months: dict[str, _Month] = {}

    def _of(self, at: int) -> _Month:
        return self._months.setdefault(_name(at // DAY), _Month())

    def submitted(self, at: int, priority: int | None) -> None:
        month = self._of(at)
        month.submitted += 1
        if priority is not None:
            month.priorities[priority] += 1

    def reprioritised(self, at: int, old: int | None, new: int) -> None:
        month = self._of(at)
        if old is None:
            month.unknown += 1
        elif new > old:
            month.raises += 1

    def limits_changed(self, at: int, share: str) -> None:
        self._of(at).limits[share] += 1

    def months(self) -> Iterator[Month]:
        for name, m in sorted(self._months.items()):
            yield Month(name, dict(m.limits), m.submitted, m.raises, m.unknown, _median(m.priorities))


@lru_cache(maxsize=512)
def _name(day: int) -> str:
    return datetime.fromtimestamp(day * DAY / 1000, UTC).strftime("%Y-%m")


def _median(counted: Counter[int]) -> int | None:
    """The lower median."""
    half, seen = (counted.total() + 1) // 2, 0
    for value, n in sorted(counted.items()):
        seen += n
        if seen >= half:
            return value
    return None
