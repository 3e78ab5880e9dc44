"""What became of jobs: how long they waited, how often they were stopped, what that cost, and whether they recovered.

Lost work is a range. If no job saves anything, a stopped attempt loses all the time for which it held machines. If every
job saves each so many minutes, the whole multiples of that time in which it ran are kept; its start, what it did since
the last one and the time it took to stop are lost. Of all this only the time that counts is told.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from ...spec.model import Size, Stage
from ...spec.observations import JobFacts, Preempting, Submitted
from ..measured import HOUR, Range, Recovery, ShareJobs, Waits
from .hours import Hours

EXAMPLES = 3


@dataclass(slots=True)
class Live:
    """A job that has not ended."""

    name: str
    share: str
    size: Size
    priority: int | None
    submitted: int
    order: int
    """Of its submission."""
    facts: JobFacts = field(default_factory=JobFacts)
    retries: int | None = None
    retries_known: bool = True
    stage: Stage | None = None
    """None: it is between two stages, or it was stopped and what became of it was not seen."""
    held_since: int = 0
    ran_since: int | None = None
    told: int | None = None
    """When it was told to stop."""
    told_on_loan: bool | None = None
    """Whether its share used more than its limit then, and it was not told to stop for a job of its own share."""
    loans: dict[str, float] = field(default_factory=dict[str, float])
    """`Hours.on_loan` of each unit when it started, or when it began to count."""
    started: bool = False
    stops: int = 0
    borrowed: bool = False
    due_since: int | None = None
    """Since when it is an entitled head, while it is one."""
    due: int = 0
    """How long it was one before."""
    lacked: bool = False
    """It was an entitled head and did not fit."""


@dataclass(slots=True)
class Tally:
    """The jobs of one share in the current period."""

    submitted: int = 0
    own_back: array[int] = field(default_factory=lambda: array("q"))
    waits: array[int] = field(default_factory=lambda: array("q"))
    stops: int = 0
    most_stops: int = 0
    ended_after_stop: int = 0
    succeeded_after_stop: int = 0
    lost: list[int] = field(default_factory=lambda: [0, 0])
    finished: int = 0
    finished_on_loan: float = 0.0

    def add(self, other: Tally) -> None:
        """Count the jobs of another share too."""
        self.submitted += other.submitted
        self.own_back += other.own_back
        self.waits += other.waits
        self.stops += other.stops
        self.most_stops = max(self.most_stops, other.most_stops)
        self.ended_after_stop += other.ended_after_stop
        self.succeeded_after_stop += other.succeeded_after_stop
        self.lost = [a + b for a, b in zip(self.lost, other.lost, strict=True)]
        self.finished += other.finished
        self.finished_on_loan += other.finished_on_loan


def waits(durations: Sequence[int]) -> Waits:
    """Nearest-rank percentiles of milliseconds, in seconds."""
    if not durations:
        return Waits(0)
    ordered = sorted(durations)

    def rank(percent: int) -> float:
        return ordered[ceil(len(ordered) * percent / 100) - 1] / 1000

    return Waits(len(ordered), rank(50), rank(90), rank(95), rank(99), ordered[-1] / 1000)


def lost(job: Live, at: int, saves_every: int, since: int) -> tuple[int, int]:
    """Milliseconds, from `since` on, that a job stopped at `at` has lost: if it saves so often, and if it never does."""

    def counted(start: int, end: int) -> int:
        return max(0, end - max(start, since))

    began = job.held_since if job.ran_since is None else job.ran_since
    ran = (at if job.told is None else job.told) - began
    saved = max(0, ran) // saves_every * saves_every
    all_ = counted(job.held_since, at)
    return all_ - counted(began, began + saved), all_


class Jobs:
    """Tallies by share. `saves_every` is in milliseconds."""

    def __init__(self, hours: Hours, saves_every: int) -> None:
        self._hours = hours
        self._saves = saves_every
        self._tallies: dict[str, Tally] = {}
        self.counts = False
        """Whether the present time counts; the machine-hours are told by period, jobs on loan over all that counts."""
        self._since = 0
        """When it began to count."""
        self._recovery = Recovery(0, 0, 0, 0, 0)

    def begin(self, at: int, live: Iterable[Live]) -> None:
        """From `at` on it counts: what these jobs did before is forgotten."""
        self._since = at
        for job in live:
            job.stops, job.due = 0, 0
            job.due_since = None if job.due_since is None else at
            job.loans = {unit: self._hours.on_loan(at, job.share, unit) for unit in job.loans}

    def of(self, share: str) -> Tally:
        return self._tallies.setdefault(share, Tally())

    @property
    def recovery(self) -> Recovery:
        return self._recovery

    def submitted(self, at: int, order: int, seen: Submitted) -> Live:
        self.of(seen.share).submitted += 1
        return Live(seen.job, seen.share, seen.size, seen.priority, at, order, seen.facts, seen.retries,
                    seen.retries_known)  # fmt: skip

    def started(self, at: int, job: Live) -> None:
        tally = self.of(job.share)
        if not job.started:
            job.started = True
            if job.submitted >= self._since:
                tally.waits.append(at - job.submitted)
        if job.lacked:
            tally.own_back.append(job.due)
        job.due, job.lacked = 0, False
        job.held_since, job.ran_since, job.told, job.told_on_loan = at, None, None, None
        job.loans = {unit: self._hours.on_loan(at, job.share, unit) for unit in job.size}

    def preempting(self, at: int, job: Live, what: Preempting) -> None:  # noqa: ARG002
        """What lending has to answer for is known now; nothing is counted before the job has stopped."""
        job.told_on_loan = what.kind != "in-share" and self._borrows_now(job)

    def _borrows_now(self, job: Live) -> bool:
        return any(self._hours.borrows(job.share, unit) for unit in job.size)

    def freed(self, at: int, job: Live, *, stopped: bool = False, succeeded: bool = False) -> None:
        """The job's machines are free: it was stopped, it succeeded, or none of both."""
        on_loan = self._on_loan(at, job)
        tally = self.of(job.share)
        if stopped:
            job.stops += 1
            tally.stops += 1
            tally.most_stops = max(tally.most_stops, job.stops)
            self._lose(at, job, tally)
        if succeeded:
            tally.finished += sum(job.size.values()) * (at - max(job.held_since, self._since))
            tally.finished_on_loan += on_loan

    def _on_loan(self, at: int, job: Live) -> float:
        """Machine-milliseconds of the present attempt that were loans; the first make it a job that borrows."""
        each = {u: self._hours.on_loan(at, job.share, u) - mark for u, mark in job.loans.items()}
        if self.counts and not job.borrowed and any(n > 0 for n in each.values()):
            job.borrowed = True
            self._borrows(job)
        return sum(n * job.size[u] for u, n in each.items())

    def _lose(self, at: int, job: Live, tally: Tally) -> None:
        unsaved, all_ = lost(job, at, self._saves, self._since)
        on_loan = self._borrows_now(job) if job.told_on_loan is None else job.told_on_loan
        for unit, n in job.size.items():
            self._hours.lose(unit, n * unsaved, n * all_, on_loan=on_loan)
            tally.lost[0] += n * unsaved
            tally.lost[1] += n * all_

    def _borrows(self, job: Live) -> None:
        old, facts = self._recovery, job.facts
        bare = facts.checkpoint == ""
        shown = (*old.examples, facts.name or job.name) if bare and len(old.examples) < EXAMPLES else old.examples
        self._recovery = Recovery(
            old.borrowing + 1,
            old.without_checkpoint + bare,
            old.checkpoint_unknown + (facts.checkpoint is None),
            old.without_retry_limit + (job.retries_known and job.retries is None),
            old.retry_limit_unknown + (not job.retries_known),
            shown,
        )

    def ended(self, job: Live, *, succeeded: bool) -> None:
        if job.stops:
            tally = self.of(job.share)
            tally.ended_after_stop += 1
            tally.succeeded_after_stop += succeeded

    def still_holds(self, at: int, job: Live) -> None:
        """The history ends while it holds machines."""
        self._on_loan(at, job)

    def close(self, period: str, shares: Sequence[str], waiting: Mapping[str, int]) -> list[ShareJobs]:
        """The rows of the period that ends: of all jobs, of these shares and of whoever else had jobs. The tallies begin
        anew."""
        rows = [_row(period, share, self.of(share), waiting.get(share, 0))
                for share in dict.fromkeys([*shares, *self._tallies])]  # fmt: skip
        every = Tally()
        for tally in self._tallies.values():
            every.add(tally)
        self._tallies = {}
        return [_row(period, "", every, sum(waiting.values())), *rows]


def _row(period: str, share: str, t: Tally, waiting: int) -> ShareJobs:
    return ShareJobs(
        period,
        share,
        submitted=t.submitted,
        own_back=waits(t.own_back),
        waits=waits(t.waits),
        waiting=waiting,
        stops=t.stops,
        most_stops=t.most_stops,
        ended_after_stop=t.ended_after_stop,
        succeeded_after_stop=t.succeeded_after_stop,
        lost=Range(*(n / HOUR for n in t.lost)),
        finished=t.finished / HOUR,
        finished_on_loan=t.finished_on_loan / HOUR,
    )
