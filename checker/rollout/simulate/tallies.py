"""Tallies: what is counted of one share, and of all together; durations are kept and told as distributions.

Nothing here knows what happens in a run; `measure` counts. `simulated.ShareRun` defines each number. Trusted: nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field
from math import ceil

from ...measured import HOUR
from ...simulated import EDGES, MachineTime, ShareRun, Spread
from .attempts import Time

QUANTILES = 200
"""Steps of a drawn distribution."""


def spread(durations: Iterable[int]) -> Spread:
    """Of milliseconds."""
    ordered = sorted(durations)
    n = len(ordered)
    if not n:
        return Spread(0)
    bins = [0] * (len(EDGES) + 1)
    for value in ordered:
        bins[sum(value > edge * 1000 for edge in EDGES)] += 1
    p50, p95, p99 = (ordered[ceil(n * percent / 100) - 1] / 1000 for percent in (50, 95, 99))
    return Spread(n, sum(ordered) / n / 1000, p50, p95, p99, ordered[-1] / 1000, tuple(bins))


def quantiles(durations: Iterable[int]) -> tuple[float, ...]:
    ordered = sorted(durations)
    last, steps = len(ordered) - 1, min(QUANTILES, max(len(ordered) - 1, 1))
    return tuple(ordered[round(k * last / steps)] / 1000 for k in range(steps + 1)) if ordered else ()


def _durations() -> array[int]:
    return array("q")


@dataclass(slots=True)
class Tally:
    """What is counted of one share."""

    jobs: int = 0
    completed: int = 0
    on_loan: int = 0
    retries_out: int = 0
    failed: int = 0
    waits: array[int] = field(default_factory=_durations)
    completion: array[int] = field(default_factory=_durations)
    again: array[int] = field(default_factory=_durations)
    owner: array[int] = field(default_factory=_durations)
    stops: int = 0
    stopped: int = 0
    repeatedly: int = 0
    most_stops: int = 0
    beyond_need: int = 0
    due: int = 0
    """Jobs with a deadline."""
    in_time: int = 0
    time: Time = field(default_factory=Time)
    own: float = 0.0
    borrowed: float = 0.0

    def run(self, column: str, share: str, *, claims: bool) -> ShareRun:
        return ShareRun(
            column,
            share,
            jobs=self.jobs,
            completed=self.completed,
            on_loan=self.on_loan,
            retries_out=self.retries_out,
            failed=self.failed,
            unended=self.jobs - self.completed - self.retries_out - self.failed,
            waits=spread(self.waits),
            completion=spread(self.completion),
            again=spread(self.again),
            owner=spread(self.owner),
            stops=self.stops,
            stopped=self.stopped,
            repeatedly=self.repeatedly,
            most_stops=self.most_stops,
            beyond_need=self.beyond_need if claims else None,
            missed=self.due - self.in_time if self.due else None,
            own=self.own,
            borrowed=self.borrowed,
            work=MachineTime(*(n / HOUR for n in astuple(self.time))),
        )


def together(tallies: Sequence[Tally]) -> Tally:
    """All shares as one."""
    every = Tally()
    for t in tallies:
        for name in ("jobs", "completed", "on_loan", "retries_out", "failed", "stops", "stopped", "repeatedly",
                     "beyond_need", "due", "in_time", "own", "borrowed"):  # fmt: skip
            setattr(every, name, getattr(every, name) + getattr(t, name))
        for name in ("waits", "completion", "again", "owner"):
            getattr(every, name).extend(getattr(t, name))
        every.most_stops = max(every.most_stops, t.most_stops)
        every.time.add(t.time)
    return every
