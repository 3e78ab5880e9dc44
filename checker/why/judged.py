"""What the judge says of one job's story: the rules that were broken where it was told, stopped or started."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from ...spec import events as ev
from ...spec.observations import History, Seen
from ...spec.readings import Readings
from ...spec.rules.guarantees import GUARANTEES
from ..judge.history import judge_history
from ..judge.judged import Judged
from .page import count
from .told import Fault


def judged(history: History, readings: Readings, until: int | None = None) -> Judged:
    """The whole history up to a time, judged."""

    def seen() -> Iterator[Seen]:
        return takewhile(lambda s: until is None or s.at <= until, history.seen())

    return judge_history(replace(history, seen=seen), readings)


def faults(history: History, found: Judged, job: str) -> tuple[Fault, ...]:
    """What was broken in observations of the job."""
    own = (fault for fault in found.faults if _concerns(fault.seen, job))
    return tuple(
        Fault(f.code, f"{GUARANTEES[f.code].sentence} Here: {f.sentence}.", history.place(f.seen)) for f in own
    )


def undecided(found: Judged) -> Iterator[str]:
    """Why it is not known whether a rule was broken."""
    for code, (times, why) in found.undecided.items():
        yield f"Whether {code} was kept in {count(times, 'place')} of the history: {why}."


def _concerns(seen: Seen, job: str) -> bool:
    what = seen.what
    return getattr(what, "job", None) == job or (isinstance(what, ev.Claim) and job in what.victims)
