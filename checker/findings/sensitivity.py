"""On which open questions do the numbers of the share table rest? Those under which another choice gives other numbers.

Only readings that change a number are tried (A4, A5, A6, A8, A46, A47), one at a time, the others as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...spec.model import MAX_LIMITS, MAX_SHARES, QueueConfig
from ...spec.readings import READINGS, Readings
from ..results import Row
from .table import table

NUMBERS = ("A4", "A5", "A6", "A8", "A46", "A47")
MOST_ROWS = 2 * MAX_SHARES * MAX_LIMITS
"""Rows above which the question is not asked: the queue is larger than AWS allows anyway."""


def sensitive(config: QueueConfig, readings: Readings, rows: Sequence[Row]) -> tuple[tuple[str, str], ...]:
    """(reading, what another choice changes first) for every open reading that the rows depend on."""
    if len(rows) > MOST_ROWS:
        return ()
    fixed = dict(readings.chosen)
    return tuple(found for code in NUMBERS if code not in fixed for found in _first(config, readings, rows, code))


def _first(config: QueueConfig, readings: Readings, rows: Sequence[Row], code: str) -> Iterator[tuple[str, str]]:
    before = {(r.share, r.unit): r for r in rows}
    for choice in READINGS[code].choices:
        if choice != readings[code]:
            _, other = table(config, readings.assuming({code: choice}))
            changed = [(r, before.get((r.share, r.unit))) for r in other]
            said = next((text for new, old in changed if (text := _difference(new, old))), "")
            if said:
                yield code, f"read as {readings[code]}; as {choice}, {said}"
                return


def _difference(new: Row, old: Row | None) -> str:
    if old is None:
        return f"{new.share} could hold {new.most} {new.unit}"
    for name, words in (("sure", "could count on"), ("most", "could hold")):
        if getattr(new, name) != getattr(old, name):
            return f"{new.share} {words} {getattr(new, name)} {new.unit}, not {getattr(old, name)}"
    if new.own_back.split(":")[0] != old.own_back.split(":")[0]:
        return f"{new.share} would get its own {new.unit} back {new.own_back}"
    return ""
