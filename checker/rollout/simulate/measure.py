"""What a run gave each share: one pass over its moments, a few numbers for each job.

Machine time and who waits at the head of a share are the audit's (`audit.follow`, `audit.hours`); what became of the
time of an attempt is `Checkpoints`'. Here jobs are counted, by the share that the workload names, whatever share a policy
has put them into. `simulated.ShareRun` and `docs/simulate.md` define each number. Trusted: the moments.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from math import ceil

from ....reference.run import GoesRound
from ....spec import events as ev
from ....spec.model import QueueConfig, Stage
from ....spec.observations import Observation, Preempted, Preempting, Reached, Rejected, Retried, Settled, Submitted
from ....spec.readings import Readings
from ....spec.workload import Work
from ...audit.follow import Follow
from ...audit.hours import Hours
from ...audit.jobs import Live
from ...audit.numbers import LIMIT, USED
from ...measured import HOUR, UnitHours
from ...simulated import EDGES, Curve, MachineTime, ShareRun, Spread, UnitTime
from .policies import Moment

PARTS = 168
"""Equal parts of the time that counts in which usage is averaged for a drawing."""
MOST_STOPS = 10_000
"""Of one job: a scheduler that stops it once more goes round and round, and would for ever."""
QUANTILES = 200
"""Steps of a drawn distribution."""


@dataclass(frozen=True)
class Window:
    """The time that counts, in milliseconds: `start` belongs to it, `end` does not."""

    start: int
    end: int

    def edges(self) -> Iterator[int]:
        """Where its parts end."""
        return (self.start + (self.end - self.start) * k // PARTS for k in range(1, PARTS + 1))


@dataclass(frozen=True)
class Measured:
    """What one column is told of."""

    units: tuple[UnitTime, ...]
    runs: tuple[ShareRun, ...]
    """Of all shares together first."""
    curves: tuple[Curve, ...]
    took: Mapping[str, int]
    """Job that counts and succeeded -> milliseconds from its submission to its end."""

    @property
    def all(self) -> ShareRun:
        return self.runs[0]

    def of(self, share: str) -> ShareRun:
        return next(run for run in self.runs if run.share == share)


def measure(
    column: str,
    moments: Iterable[Moment],
    work: Sequence[Work],
    config: QueueConfig,
    readings: Readings,
    window: Window,
    *,
    keeps: bool = True,
) -> Measured:
    """Measure a run of `work`, whose shares are those of `config`: its limits part own use from loans.

    `keeps`: shares have something of their own, so that idle machines may be kept for them. Raises GoesRound.
    """
    run = _Run(work, config, readings, window)
    for at, event in moments:
        run.see(at, event)
    return run.told(column, keeps=keeps)


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


def _quantiles(durations: Iterable[int]) -> tuple[float, ...]:
    ordered = sorted(durations)
    last, steps = len(ordered) - 1, min(QUANTILES, max(len(ordered) - 1, 1))
    return tuple(ordered[round(k * last / steps)] / 1000 for k in range(steps + 1)) if ordered else ()


@dataclass(slots=True)
class _Life:
    """A job, as far as it is counted."""

    work: Work
    counts: bool
    left: int
    saved: int = 0
    started: bool = False
    stopped_at: int | None = None
    stops: int = 0
    preemptions: int = 0
    """Stops that count against its retries (A38)."""
    scheduled: bool = False
    """It was only SCHEDULED when it was told to stop."""
    on_loan: bool = False
    spent: bool = False
    """It was stopped once more than it allows."""


def _durations() -> array[int]:
    return array("q")


@dataclass(slots=True)
class _Time:
    """Machine-milliseconds, by the fields of `MachineTime`."""

    useful: int = 0
    lost: int = 0
    saving: int = 0
    restarting: int = 0
    starting: int = 0
    draining: int = 0


@dataclass(slots=True)
class _Tally:
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
    time: _Time = field(default_factory=_Time)
    own: float = 0.0
    borrowed: float = 0.0
    curve: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """Machine-hours within and beyond the limit, of each part of the time that counts."""

    def run(self, column: str, share: str) -> ShareRun:
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
            beyond_need=self.beyond_need,
            missed=self.due - self.in_time if self.due else None,
            own=self.own,
            borrowed=self.borrowed,
            work=MachineTime(*(n / HOUR for n in astuple(self.time))),
        )


def _together(tallies: Sequence[_Tally]) -> _Tally:
    """All shares as one."""
    every = _Tally()
    for t in tallies:
        for name in ("jobs", "completed", "on_loan", "retries_out", "failed", "stops", "stopped", "repeatedly",
                     "beyond_need", "due", "in_time", "own", "borrowed"):  # fmt: skip
            setattr(every, name, getattr(every, name) + getattr(t, name))
        for name in ("waits", "completion", "again", "owner"):
            getattr(every, name).extend(getattr(t, name))
        every.most_stops = max(every.most_stops, t.most_stops)
        every.time = _Time(*(a + b for a, b in zip(astuple(every.time), astuple(t.time), strict=True)))
    every.curve = [
        (sum(own for own, _ in part), sum(borrowed for _, borrowed in part))
        for part in zip(*(t.curve for t in tallies), strict=True)
    ]
    return every


class _Run:
    """The state of a measurement; `Follow` tells it what becomes of jobs."""

    counts = False

    def __init__(self, work: Sequence[Work], config: QueueConfig, readings: Readings, window: Window) -> None:
        self._readings, self._window = readings, window
        start = min([window.start, *(w.at for w in work)])
        self._lives = {w.submit.job: _Life(w, window.start <= w.at < window.end, w.runs) for w in work}
        self._tallies = {share.name: _Tally() for share in config.shares}
        for life in self._lives.values():
            tally = self._tallies[life.work.submit.share]
            tally.jobs += life.counts
            tally.due += life.counts and life.work.deadline is not None
        self._hours = Hours(start)
        self._follow = Follow(config, readings, self._hours, self, start)
        self._edges = iter([window.start, *window.edges()])
        self._edge: int | None = next(self._edges)
        self._units: dict[str, list[float]] = {unit: [0.0] * 4 for unit in config.units}
        self._took: dict[str, int] = {}
        self._at = start

    def see(self, at: int, event: ev.Event | Rejected | Settled | Preempting | Retried) -> None:
        """What happens, before it is applied."""
        if isinstance(event, Settled):
            return
        while self._edge is not None and self._edge <= at:
            self._close(self._edge)
        self._at = at
        seen = self._seen(event)
        if seen is not None:
            self._follow.record(at, seen)

    def _seen(self, event: ev.Event | Rejected | Preempting | Retried) -> Observation | None:
        """What the audit's `Follow` understands of it."""
        match event:
            case ev.Submit():
                work = self._lives[event.job].work.submit
                return Submitted(event.job, work.share, work.size, event.priority or 0, event.retries)
            case ev.Advance():
                scheduled = self._follow.live[event.job].stage is Stage.SCHEDULED
                return Reached(event.job, Stage.STARTING if scheduled else Stage.RUNNING)
            case ev.Claim():
                self._claimed(event)
                return event
            case ev.Stopped():
                return self._stopped(event.job)
            case ev.Return() | ev.Dispatch() | ev.Finish() | ev.Terminate() | Preempting() | Retried():
                return event
            case _:
                return None

    def _claimed(self, claim: ev.Claim) -> None:
        claimant = self._lives[claim.job].work.submit
        freed: dict[str, int] = {}
        for victim in claim.victims:
            life = self._lives[victim]
            life.scheduled = self._follow.live[victim].stage is Stage.SCHEDULED
            for unit, n in life.work.submit.size.items():
                freed[unit] = freed.get(unit, 0) + n
        more = sum(max(0, n - claimant.size.get(unit, 0)) for unit, n in freed.items())
        self._tallies[claimant.share].beyond_need += more

    def _stopped(self, name: str) -> Preempted:
        life = self._lives[name]
        life.preemptions += not life.scheduled or self._readings["A38"] == "yes"
        retries = life.work.submit.retries
        life.spent = retries is not None and life.preemptions > retries
        return Preempted(name, Stage.FAILED if life.spent else Stage.RUNNABLE, life.preemptions)

    def submitted(self, at: int, order: int, seen: Submitted) -> Live:
        return Live(seen.job, seen.share, seen.size, seen.priority, at, order, retries=seen.retries)

    def started(self, at: int, job: Live) -> None:
        life, tally = self._lives[job.name], self._tallies[job.share]
        if life.counts:
            if not life.started:
                tally.waits.append(at - job.submitted)
            elif life.stopped_at is not None:
                tally.again.append(at - life.stopped_at)
            if job.due:
                tally.owner.append(job.due)
        life.started, life.stopped_at = True, None
        life.on_loan = any(self._beyond(at, job, unit) for unit in job.size)
        job.due, job.lacked = 0, False
        job.held_since, job.ran_since, job.told = at, None, None

    def preempting(self, at: int, job: Live, what: Preempting) -> None:
        """What matters of it the claim has said before: `_claimed`."""

    def _beyond(self, at: int, job: Live, unit: str) -> bool:
        now = self._hours.account(job.share, unit, at).now
        return now[USED] + job.size[unit] > now[LIMIT]

    def freed(self, at: int, job: Live, *, stopped: bool = False, succeeded: bool = False) -> None:
        life, tally = self._lives[job.name], self._tallies[job.share]
        machines = sum(job.size.values())
        self._account(at, job, life, tally.time, machines, succeeded=succeeded)
        if stopped:
            life.stops += 1
            life.stopped_at = at
            if life.stops > MOST_STOPS:
                raise GoesRound(f"{job.name} of {job.share} has been stopped {MOST_STOPS:,} times")
            if life.counts:
                tally.stops += 1
                tally.stopped += life.stops == 1
                tally.repeatedly += life.stops == 2
                tally.most_stops = max(tally.most_stops, life.stops)
        if succeeded and life.counts:
            took = at - job.submitted
            tally.completed += 1
            tally.on_loan += life.on_loan
            tally.completion.append(took)
            tally.in_time += life.work.deadline is not None and at <= life.work.deadline
            self._took[job.name] = took

    def _account(self, at: int, job: Live, life: _Life, time: _Time, machines: int, *, succeeded: bool) -> None:
        """What became of the attempt that ends: of each moment for which it held its machines."""
        worked_to = at if job.told is None else job.told
        unseen = job.held_since if succeeded else worked_to
        ran_from = unseen if job.ran_since is None else job.ran_since
        time.starting += machines * (ran_from - job.held_since)
        time.draining += machines * (at - worked_to)
        saves, ran, resumes = life.work.checkpoints, worked_to - ran_from, life.saved > 0
        if succeeded:
            restarting = min(ran, (saves.restart or 0) * resumes)
            saving = min(ran - restarting, saves.saves(life.left) * (saves.save or 0))
            time.useful += machines * (life.saved + ran - restarting - saving)
            life.saved = 0
        else:
            effort = saves.after(ran, life.left, resumes=resumes)
            restarting, saving = effort.restarting, effort.saving
            time.lost += machines * effort.lost
            life.saved += effort.saved
            life.left -= effort.saved
        time.restarting += machines * restarting
        time.saving += machines * saving

    def ended(self, job: Live, *, succeeded: bool) -> None:
        life, tally = self._lives[job.name], self._tallies[job.share]
        if not succeeded and life.counts:
            tally.retries_out += life.spent
            tally.failed += not life.spent

    def _close(self, edge: int) -> None:
        """End a part of the time that counts; what was before the first does not count."""
        parts = dict.fromkeys(self._tallies, (0.0, 0.0))
        for row in self._hours.close(edge, ""):
            if edge == self._window.start:
                continue
            if isinstance(row, UnitHours):
                for k, n in enumerate((row.capacity, row.busy, row.kept, row.kept_waiting)):
                    self._units[row.unit][k] += n
            elif row.share in parts:
                own, borrowed = parts[row.share]
                parts[row.share] = own + row.own, borrowed + row.borrowed
        if edge > self._window.start:
            for share, (own, borrowed) in parts.items():
                tally = self._tallies[share]
                tally.own += own
                tally.borrowed += borrowed
                tally.curve.append((own, borrowed))
        self._edge = next(self._edges, None)

    def told(self, column: str, *, keeps: bool) -> Measured:
        """After the last moment."""
        while self._edge is not None:
            self._close(self._edge)
        for job in self._follow.holding():
            self.freed(self._at, job)
        for life in self._lives.values():
            submit = life.work.submit
            self._tallies[submit.share].time.lost += sum(submit.size.values()) * life.saved
        tallies = {"": _together([*self._tallies.values()]), **self._tallies}
        hours = (self._window.end - self._window.start) / PARTS / HOUR
        return Measured(
            tuple(
                UnitTime(column, unit, capacity, busy, *((kept, waiting) if keeps else (None, None)))
                for unit, (capacity, busy, kept, waiting) in self._units.items()
            ),
            tuple(t.run(column, share) for share, t in tallies.items()),
            tuple(
                Curve(
                    column,
                    share,
                    _quantiles(t.waits),
                    tuple(own / hours for own, _ in t.curve),
                    tuple(borrowed / hours for _, borrowed in t.curve),
                )
                for share, t in tallies.items()
            ),
            self._took,
        )
