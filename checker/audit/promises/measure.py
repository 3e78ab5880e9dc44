"""One history shown to watches: each state at rest, in the time that each of them counts.

Where the order of observations is the order in which they happened, every state between two of them is at rest; else those
of one instant are followed together. Nothing is judged here. Trusted: `Follow` for what observations imply.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....spec import events as ev
from ....spec.observations import History, Preempted, Preempting, Retried, Seen, Submitted
from ....spec.readings import Readings
from ..follow import Follow
from ..hours import Hours
from ..jobs import Jobs, Live
from ..timeline import When, by_time, middle
from .watch import Holds, Now, Watch, Window

_FREES = (Preempted, Retried, ev.Return, ev.Finish, ev.Terminate)


def least(seen: Seen) -> int:
    """The instant at which the least is held: what takes machines does so late, what frees them early."""
    return seen.at if isinstance(seen.what, _FREES) else seen.until


def most(seen: Seen) -> int:
    """The instant at which the most is held; a job still comes late, so that it waits no longer than is certain."""
    return seen.until if isinstance(seen.what, (*_FREES, Submitted)) else seen.at


def measure(history: History, readings: Readings, watched: Iterable[tuple[Window, Watch]], saves_every: int) -> None:
    """Show the history to the watches. `saves_every`: milliseconds between two savings of a job."""
    every = list(watched)
    runs: list[tuple[When, list[tuple[Window, Watch]]]] = [(middle, every)]
    if not history.ordered:
        runs = [
            (when, [(window, w) for window, w in every if w.holds is holds])
            for when, holds in ((least, Holds.LEAST), (most, Holds.MOST))
        ]
    for when, some in runs:
        if some:
            _Reading(history, readings, some, saves_every).read(when)


class _Telling(Jobs):
    """Tallies that pass on what becomes of jobs."""

    reading: _Reading

    def submitted(self, at: int, order: int, seen: Submitted) -> Live:
        job = super().submitted(at, order, seen)
        for watch in self.reading.open:
            watch.submitted(self.reading.now, job)
        return job

    def started(self, at: int, job: Live) -> None:
        for watch in self.reading.open:
            watch.started(self.reading.now, job)
        super().started(at, job)

    def preempting(self, at: int, job: Live, what: Preempting) -> None:
        for watch in self.reading.open:
            watch.told(self.reading.now, job, what)
        super().preempting(at, job, what)

    def freed(self, at: int, job: Live, *, stopped: bool = False, succeeded: bool = False) -> None:
        super().freed(at, job, stopped=stopped, succeeded=succeeded)
        for watch in self.reading.open:
            watch.freed(self.reading.now, job, stopped=stopped)

    def ended(self, job: Live, *, succeeded: bool) -> None:
        super().ended(job, succeeded=succeeded)
        for watch in self.reading.open:
            watch.ended(self.reading.now, job)


class _Reading:
    """One pass."""

    def __init__(
        self, history: History, readings: Readings, watched: Sequence[tuple[Window, Watch]], saves_every: int
    ) -> None:
        self._history = history
        counts = Window(history.start, history.end + 1)
        self._watched = [(window.both(counts), watch) for window, watch in watched]
        self._bounds = sorted({b for window, _ in self._watched for b in (window.start, window.end)}, reverse=True)
        hours = Hours(history.start)
        jobs = _Telling(hours, saves_every)
        jobs.reading = self
        jobs.counts = True
        follow = Follow(history.config, readings, hours, jobs, history.start)
        at = history.start
        self.now = Now(follow, at, at, at, ordered=history.ordered, doubts=history.doubts)
        self.open: list[Watch] = []
        self._looked = -1

    def read(self, when: When) -> None:
        now, ordered = self.now, self._history.ordered
        for at, seen in by_time(self._history.seen(), ordered=ordered, when=when):
            if ordered or at > now.at:
                self._look()
            self._move(at)
            fresh = self._looked == now.follow.changes
            now.earliest = seen.at if fresh else min(now.earliest, seen.at)
            now.latest = seen.until if fresh else max(now.latest, seen.until)
            now.seen, now.place = seen, self._history.place(seen)
            for watch in self.open:
                watch.seen(now, seen)
            now.follow.record(at, seen.what)
        self._look()
        self._move(self._history.end)
        for watch in self.open:
            watch.close(now)

    def _look(self) -> None:
        """Show the state at rest, if anything has changed."""
        if self._looked != self.now.follow.changes:
            self._looked = self.now.follow.changes
            for watch in self.open:
                watch.look(self.now)

    def _move(self, at: int) -> None:
        """Go on to `at`, over beginnings and ends of the times that count."""
        now = self.now
        while self._bounds and self._bounds[-1] <= at:
            now.at = now.earliest = now.latest = bound = self._bounds.pop()
            for watch in [w for window, w in self._watched if window.end == bound and w in self.open]:
                self.open.remove(watch)
                watch.close(now)
            for watch in [w for window, w in self._watched if window.start == bound and not window.empty]:
                self.open.append(watch)
                watch.begin(now)
                watch.look(now)
        now.at = max(now.at, at)
