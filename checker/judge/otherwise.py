"""Is a fault one only because an open question was read as it was? The history is judged again under each other choice.

One question at a time, those that the guarantee depends on and that nobody has settled; only up to the fault, and only where
that is not far. What is found is said with the fault, which stays one: it counts under the readings in force.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from ...spec.observations import History, Seen
from ...spec.readings import READINGS, Readings
from ...spec.rules.guarantees import GUARANTEES
from .history import judge_history
from .judged import Fault, Judged

FAR = 5_000
"""Observations before a fault, above which nothing is tried."""


def told_otherwise(judged: Judged, history: History, readings: Readings, *, skew: int = 0) -> Judged:
    """The same; the first fault of each guarantee says which other choice would allow it."""
    faults = list(judged.faults)
    first = {fault.code: i for i, fault in reversed(list(enumerate(faults)))}
    for i in first.values():
        if faults[i].number < FAR:
            allowed = " or ".join(allowing(faults[i], history, readings, skew=skew))
            if allowed:
                said = f"{faults[i].sentence.rstrip('.')}; allowed with --assume {allowed}"
                faults[i] = replace(faults[i], sentence=said)
    return replace(judged, faults=tuple(faults))


def allowing(fault: Fault, history: History, readings: Readings, *, skew: int = 0) -> Iterator[str]:
    """Choices, such as A18=backfill, under which nothing up to the fault is broken that is not broken now."""

    def until() -> Iterator[Seen]:
        return takewhile(lambda seen: seen.at <= fault.seen.until + 2 * skew, history.seen())

    cut = replace(history, seen=until)
    before = {f.number for f in judge_history(cut, readings, skew=skew).faults} - {fault.number}
    settled = dict(readings.chosen)
    for code in GUARANTEES[fault.code].readings:
        for choice in READINGS[code].choices if READINGS[code].modelled and code not in settled else ():
            if choice != readings[code]:
                found = judge_history(cut, readings.assuming({code: choice}), skew=skew)
                if {f.number for f in found.faults} <= before and not found.undecided:
                    yield f"{code}={choice}"
