"""How a queue stands at a time: what each share uses, borrows and lends, what can be stopped, who is next in line.

Every sum is one of the specification's quantities. Who lends to whom is not published (A12): where it does not follow
from the numbers, what a share lends is told as a range.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...reference.impossible import reason
from ...spec.model import Stage, Strategy
from ...spec.observations import History, Snapshot, Submitted
from ...spec.readings import Readings
from ..judge.book import Book
from ..judge.jobs import Entry
from . import sums
from .caveats import caveats
from .follow import Following, follow
from .threats import threats
from .told import Job, ShareStatus, Status, Stoppable, UnitStatus
from .trial import Trial


def status(history: History, readings: Readings, jobs: Mapping[str, Submitted], at: int | None = None) -> Status:
    """The state at a time, at the history's end without one. `jobs`: every submission by id."""
    state = follow(history, readings, at)
    called = {j: s.facts.name or j for j, s in jobs.items()}
    made = _Made(state, Trial(state, history.config), called)
    taken = [s for s in history.snapshots if s.at <= state.now]
    latest = max(taken, key=lambda s: s.at, default=None)
    return Status(
        queue=history.config.job_queue_name,
        at=state.now,
        units=tuple(_unit(state.book, unit) for unit in state.book.units()),
        shares=tuple(row for unit in state.book.units() for row in made.shares(unit)),
        snapshot=latest.at if latest else None,
        spread=latest.spread if latest else 0,
        differs=tuple(_differs(history, readings, latest, called)) if latest else (),
        notes=caveats(history, state),
        names=tuple(dict.fromkeys([*jobs, *made.names.values()])),
    )


def _unit(book: Book, unit: str) -> UnitStatus:
    capacity = book.now.capacity.get(unit, 0)
    used, borrowed, kept = (sums.of_all(book, name, unit) for name in ("usage", "borrowed", "reserved_idle"))
    draining = sums.of_all(book, "draining", unit)
    other = (s.name for s in book.now.shares.values() if s.strategy is not Strategy.RESERVE)
    disabled = sum(sums.of_share(book, "reserved_idle", name, unit) for name in other)
    return UnitStatus(unit, capacity, used - borrowed, borrowed, kept, disabled, capacity - used - kept, draining)


class _Made:
    """The rows of one state."""

    def __init__(self, state: Following, trial: Trial, names: Mapping[str, str]) -> None:
        self.state, self.trial, self.names = state, trial, names
        self.book = state.book
        self._by: dict[tuple[str, tuple[tuple[str, int], ...], int | None], tuple[str, ...]] = {}

    def shares(self, unit: str) -> Iterator[ShareStatus]:
        """A row for each share that has a limit for the unit or uses it."""
        lent = sums.lent(self.book, unit)
        for name, share in self.book.now.shares.items():
            line = [j for j in self.state.waiting(name) if unit in j.size]
            if unit not in share.limits and not self.book.usage(name, unit) and not line:
                continue
            borrowed = sums.of_share(self.book, "borrowed", name, unit)
            head = self.state.waiting(name)[0] if line else None
            yield ShareStatus(
                share=name,
                unit=unit,
                limit=sums.of_share(self.book, "limit", name, unit),
                own=sums.of_share(self.book, "usage", name, unit) - borrowed,
                borrowed=borrowed,
                lent=lent[name],
                waiting=len(line),
                draining=sums.of_share(self.book, "draining", name, unit),
                stoppable=tuple(self._stoppable(name, unit)),
                head=self._tell(head) if head is not None and unit in head.size else None,
                since=self.state.since.get(head.name) if head is not None else None,
                stuck=self._stuck(head) if head is not None else "",
            )

    def _stoppable(self, share: str, unit: str) -> Iterator[Stoppable]:
        due = self.trial.queue.due()
        jobs = [j for j in self.trial.queue.stoppable() if j.share == share and unit in j.size]
        for job in sorted(jobs, key=lambda j: (*self.trial.policy.victim(self.trial.queue, due, j), j.name)):
            by = self._stopped_by(self.book.job(job.name))
            if by:
                yield Stoppable(self._tell(self.book.job(job.name)), by)

    def _stopped_by(self, job: Entry) -> tuple[str, ...]:
        """Shares whose arrivals could stop the job; jobs that are alike to the rules are asked about once."""
        alike = job.share, tuple(sorted(job.size.items())), job.priority
        if self.book.readings["A13"] != "b":
            return self._threatened_by(job)
        if alike not in self._by:
            self._by[alike] = self._threatened_by(job)
        return self._by[alike]

    def _threatened_by(self, job: Entry) -> tuple[str, ...]:
        return tuple(dict.fromkeys(t.share for t in threats(self.trial.queue, self.trial.policy, job.name)))

    def _stuck(self, job: Entry) -> str:
        return reason(self.trial.queue, self.trial.policy, self.trial.queue.jobs[job.name])

    def _tell(self, entry: Entry) -> Job:
        return Job(entry.name, self.names.get(entry.name, entry.name), entry.share, dict(entry.size), entry.priority)


def _differs(history: History, readings: Readings, snapshot: Snapshot, names: Mapping[str, str]) -> Iterator[str]:
    """Where the queue's own word differs from what its history comes to, at both ends of the snapshot's time."""
    first, last = (follow(history, readings, at).book for at in (snapshot.at - snapshot.spread, snapshot.at))
    for share, counts in snapshot.usage.items():
        for unit, said in counts.items():
            found = last.usage(share, unit)
            if said not in (found, first.usage(share, unit)):
                yield f"{share} uses {said} {unit} by the snapshot, {found} by the history"
    for share, front in snapshot.front.items():
        for job, _ in front:
            stages = [book.jobs[job].stage if job in book.jobs else None for book in (first, last)]
            if Stage.RUNNABLE not in stages:
                told = f"{names.get(job, job)} waits at the front of {share} by the snapshot"
                yield f"{told}; by the history it is {stages[-1] or 'unknown'}"
