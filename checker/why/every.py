"""Every stop of a history in words, for whoever draws them all: for whom, why allowed, whether it could have been another.

Trusted: `stops`, which asks the specification's guards, and `words`.
"""

from __future__ import annotations

from ...spec.observations import History
from ...spec.readings import Readings
from ..audit.drawing import Stops, Told
from .find import submissions
from .stops import every_stop
from .why import Teller
from .words import briefly


def stops_told(history: History, readings: Readings) -> Stops:
    """Each stop, by the observation that tells it."""
    state, found = every_stop(history, readings, lambda _job: True)
    tell = Teller(state, submissions(history))
    told: dict[tuple[str, int, int], Told] = {}
    for job, stops in found.items():
        share = state.book.jobs[job].share
        for one in stops:
            stop = tell.stop(history, one)
            by = stop.asking[0].id if stop.certain and stop.asking else ""
            kinds = {*stop.kinds} or {stop.kind or ""}
            kind = next(iter(kinds)) if len(kinds) == 1 else ""
            told[job, one.seen.at, one.seen.until] = Told(by, kind, *briefly(stop, share))
    return told
