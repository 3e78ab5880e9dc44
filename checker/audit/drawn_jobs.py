"""The tables of jobs and of stops that are drawn: a row for each, kept while the history is followed.

What a job borrowed and how long it ran is the ledger's (`jobs`). Trusted: it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from ...spec import events as ev
from ...spec.model import Stage
from ...spec.observations import Preempting, Seen, Submitted
from ..drawn import FAILED, HOLDS, NONE, SUCCEEDED, UNSEEN, WAITS, JobTable
from ..measured import HOUR
from .hours import Hours
from .jobs import Jobs, Live

T = TypeVar("T")
Name = Callable[[Submitted], str]
"""What to call a job."""


def numbers() -> array[int]:
    return array("q")


class Places(Generic[T]):
    """Things that are told once, and the place of each."""

    def __init__(self, first: Iterable[T] = ()) -> None:
        self._places: dict[T, int] = {}
        for one in first:
            self.of(one)

    def of(self, one: T) -> int:
        return self._places.setdefault(one, len(self._places))

    def every(self) -> tuple[T, ...]:
        return tuple(self._places)


class Rows(Jobs):
    """Listens to what becomes of jobs. `shares` are the places of shares, `changed` the cells that are to be drawn anew."""

    def __init__(self, hours: Hours, shares: Places[str], changed: set[tuple[str, str]], name: Name) -> None:
        super().__init__(hours, 1)
        self._shares, self._changed, self._name = shares, changed, name
        self.at = 0
        self.seen = Seen(0, 0, ev.Misconfigured("", ""))
        """The observation that is being followed."""
        self.latest: dict[str, int] = {}
        """Job -> its row."""
        self._names: list[str] = []
        self._sizes: Places[tuple[tuple[str, int], ...]] = Places()
        self._columns: dict[str, array[Any]] = {
            name: array("d" if name == "borrowed" else "q")
            for name in ("share", "size", "priority", "submitted", "started", "ended", "ran", "borrowed", "stops", "state")
        }  # fmt: skip
        self.told: list[tuple[int, int, str, str, Seen]] = []
        """Each stop: when, row and id of the job, for whom where the history says so, the observation that tells it."""
        self.drained = numbers()
        self._open: dict[str, int] = {}

    def row(self, job: Live) -> int:
        """The job's row, which is made where it has none."""
        row = self.latest.get(job.name)
        if row is not None and self._columns["submitted"][row] == job.submitted:
            return row
        row = self.latest[job.name] = len(self._names)
        self._names.append(self._name(Submitted(job.name, job.share, job.size, facts=job.facts)))
        new = {"share": self._shares.of(job.share), "size": self._sizes.of(tuple(job.size.items())), "priority": NONE,
               "submitted": job.submitted, "started": NONE, "ended": NONE, "ran": 0, "borrowed": 0.0, "stops": 0,
               "state": UNSEEN}  # fmt: skip
        for name, value in new.items():
            self._columns[name].append(value)
        return row

    def share(self, row: int) -> str:
        """The share of the job in a row."""
        return self._shares.every()[self._columns["share"][row]]

    def begin(self, at: int, live: Iterable[Live]) -> None:
        """From now on it counts, also for the jobs that live now."""
        known = list(live)
        super().begin(at, known)
        self.counts = True
        for job in known:
            self.row(job)
            if job.stage is Stage.DRAINING and job.told is not None:
                self._open[job.name] = NONE

    def submitted(self, at: int, order: int, seen: Submitted) -> Live:
        job = super().submitted(at, order, seen)
        if self.counts:
            self.row(job)
        return job

    def started(self, at: int, job: Live) -> None:
        first = not job.started
        super().started(at, job)
        if self.counts and first:
            self._columns["started"][self.row(job)] = at

    def preempting(self, at: int, job: Live, what: Preempting) -> None:
        super().preempting(at, job, what)
        self._changed.update((job.share, unit) for unit in job.size)
        if self.counts:
            self._stop(at, job, what.claimant or "")

    def _stop(self, at: int, job: Live, claimant: str) -> None:
        self._open[job.name] = len(self.told)
        self.told.append((at, self.row(job), job.name, claimant, self.seen))
        self.drained.append(NONE)

    def _on_loan(self, at: int, job: Live) -> float:
        on_loan = super()._on_loan(at, job)
        if self.counts:
            row = self.row(job)
            self._columns["borrowed"][row] += on_loan / HOUR
            self._columns["ran"][row] += max(0, at - max(job.held_since, self._since))
        return on_loan

    def freed(self, at: int, job: Live, *, stopped: bool = False, succeeded: bool = False) -> None:
        super().freed(at, job, stopped=stopped, succeeded=succeeded)
        if not self.counts:
            return
        if stopped:
            self._columns["stops"][self.row(job)] += 1
            if job.name not in self._open:
                self._stop(at, job, "")
        stop = self._open.pop(job.name, NONE)
        if stop != NONE and job.told is not None:
            self.drained[stop] = at - job.told

    def ended(self, job: Live, *, succeeded: bool) -> None:
        super().ended(job, succeeded=succeeded)
        if self.counts:
            row = self.row(job)
            self._last(row, job, SUCCEEDED if succeeded else FAILED)
            self._columns["ended"][row] = self.at

    def finish(self, live: Iterable[Live]) -> JobTable:
        """The table, when nothing more happens."""
        for job in live:
            state = WAITS if job.stage is Stage.RUNNABLE else UNSEEN if job.stage is None else HOLDS
            self._last(self.row(job), job, state)
        sizes = tuple(dict(size) for size in self._sizes.every())
        return JobTable(tuple(self._names), sizes=sizes, **self._columns)

    def _last(self, row: int, job: Live, state: int) -> None:
        self._columns["priority"][row] = NONE if job.priority is None else job.priority
        self._columns["state"][row] = state
