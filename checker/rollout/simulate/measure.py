"""What a run gave each share: one pass over its moments, a few numbers for each job.

Machine time and who waits at the head of a share are the audit's (`audit.follow`, `audit.hours`); what became of the time
of an attempt is in `attempts`; `tallies` keeps the counts. Jobs are counted by the share that the workload names, whatever
share a policy has put them into. `simulated.ShareRun` and `docs/reference/simulate.md` define each number.
Trusted: the moments.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ....reference.run import GoesRound
from ....spec import events as ev
from ....spec.model import QueueConfig, Stage
from ....spec.observations import (
    Observation,
    Preempted,
    Preempting,
    Reached,
    Rejected,
    Retried,
    Seen,
    Settled,
    Submitted,
)
from ....spec.readings import Readings
from ....spec.workload import Work
from ...audit.drawing import Drawing
from ...audit.follow import Follow
from ...audit.hours import Hours
from ...audit.jobs import Live
from ...audit.numbers import LIMIT, USED
from ...drawn import Timeline
from ...measured import HOUR, UnitHours
from ...simulated import Curve, ShareRun, UnitTime, Usage
from .attempts import Life, account
from .policies import Moment
from .tallies import Tally, quantiles, together

PARTS = 168
"""Equal parts of the time that counts in which usage is averaged for a drawing."""
MOST_STOPS = 10_000
"""Of one job: a scheduler that stops it once more goes round and round, and would for ever."""


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
    usages: tuple[Usage, ...]
    took: Mapping[str, int]
    """Job that counts and succeeded -> milliseconds from its submission to its end."""
    cost: Mapping[str, int]
    """Share -> machine-milliseconds that stops and checkpoints cost jobs that count."""
    timeline: Timeline | None = None
    """From the beginning of the time that counts to the end of the run, where it is to be drawn."""

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
    claims: bool = True,
    draws: bool = False,
) -> Measured:
    """Measure a run of `work`, whose shares are those of `config`: its limits part own use from loans.

    `keeps`: shares have something of their own, so that idle machines may be kept for them. `claims`: the moments say for
    whom jobs are stopped. Raises GoesRound.
    """
    run = _Run(work, config, readings, window, draws=draws)
    for at, event in moments:
        run.see(at, event)
    return run.told(column, keeps=keeps, claims=claims)


class _Run:
    """The state of a measurement; `Follow` tells it what becomes of jobs."""

    counts = False

    def __init__(
        self, work: Sequence[Work], config: QueueConfig, readings: Readings, window: Window, *, draws: bool
    ) -> None:
        self._readings, self._window = readings, window
        start = min([window.start, *(w.at for w in work)])
        self._lives = {w.submit.job: Life(w, window.start <= w.at < window.end, w.runs) for w in work}
        self._tallies = {share.name: Tally() for share in config.shares}
        for life in self._lives.values():
            tally = self._tallies[life.work.submit.share]
            tally.jobs += life.counts
            tally.due += life.counts and life.work.deadline is not None
        self._hours = Hours(start)
        self._follow = Follow(config, readings, self._hours, self, start)
        self._drawing = (
            Drawing(config, readings, first=start, start=window.start, name=lambda job: job.job) if draws else None
        )
        self._edges = iter([window.start, *window.edges()])
        self._edge: int | None = next(self._edges)
        self._units: dict[str, list[float]] = {unit: [0.0] * 4 for unit in config.units}
        self._usage: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
        """(share, unit) -> machine-hours within and beyond the limit, of each part of the time that counts."""
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
            if self._drawing is not None:
                self._drawing.take(at, Seen(at, at, seen))
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
        claimant, counts = self._lives[claim.job].work.submit, self._lives[claim.job].counts
        freed: dict[str, int] = {}
        for victim in claim.victims:
            life = self._lives[victim]
            life.scheduled = self._follow.live[victim].stage is Stage.SCHEDULED
            for unit, n in life.work.submit.size.items():
                freed[unit] = freed.get(unit, 0) + n
        more = sum(max(0, n - claimant.size.get(unit, 0)) for unit, n in freed.items())
        self._tallies[claimant.share].beyond_need += more * counts

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
        account(at, job, life, succeeded=succeeded)
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
        if succeeded and life.counts and not life.work.open:
            took = at - job.submitted
            tally.completed += 1
            tally.on_loan += life.on_loan
            tally.completion.append(took)
            tally.in_time += life.work.deadline is not None and at <= life.work.deadline
            self._took[job.name] = took

    def ended(self, job: Live, *, succeeded: bool) -> None:
        life, tally = self._lives[job.name], self._tallies[job.share]
        if not succeeded and life.counts:
            tally.retries_out += life.spent
            tally.failed += not life.spent

    def _close(self, edge: int) -> None:
        """End a part of the time that counts; what was before the first does not count."""
        parts = {(share, unit): (0.0, 0.0) for share in self._tallies for unit in self._units}
        for row in self._hours.close(edge, ""):
            if edge == self._window.start:
                continue
            if isinstance(row, UnitHours):
                for k, n in enumerate((row.capacity, row.busy, row.kept, row.kept_waiting)):
                    self._units[row.unit][k] += n
            elif (row.share, row.unit) in parts:
                own, borrowed = parts[row.share, row.unit]
                parts[row.share, row.unit] = own + row.own, borrowed + row.borrowed
        if edge > self._window.start:
            for (share, unit), (own, borrowed) in parts.items():
                tally = self._tallies[share]
                tally.own += own
                tally.borrowed += borrowed
                self._usage[share, unit].append((own, borrowed))
        self._edge = next(self._edges, None)

    def _usages(self, column: str) -> Iterator[Usage]:
        """Of all shares together first."""
        hours = (self._window.end - self._window.start) / PARTS / HOUR
        for share in ("", *self._tallies):
            for unit in self._units:
                each = [self._usage[share or name, unit] for name in ([share] if share else self._tallies)]
                own, borrowed = (
                    tuple(sum(n[k] for n in part) / hours for part in zip(*each, strict=True)) for k in (0, 1)
                )
                yield Usage(column, share, unit, own, borrowed)

    def told(self, column: str, *, keeps: bool, claims: bool) -> Measured:
        """After the last moment."""
        while self._edge is not None:
            self._close(self._edge)
        for job in self._follow.holding():
            self.freed(self._at, job, succeeded=self._lives[job.name].work.open and job.ran_since is not None)
        cost = dict.fromkeys(self._tallies, 0)
        for life in self._lives.values():
            submit, time = life.work.submit, life.time
            saved = sum(submit.size.values()) * life.saved
            time.useful += saved * life.work.open
            time.lost += saved * (not life.work.open)
            self._tallies[submit.share].time.add(time)
            cost[submit.share] += time.cost * life.counts
        tallies = {"": together([*self._tallies.values()]), **self._tallies}
        return Measured(
            tuple(
                UnitTime(column, unit, capacity, busy, *((kept, waiting) if keeps else (None, None)))
                for unit, (capacity, busy, kept, waiting) in self._units.items()
            ),
            tuple(t.run(column, share, claims=claims) for share, t in tallies.items()),
            tuple(Curve(column, share, quantiles(t.waits)) for share, t in tallies.items()),
            tuple(self._usages(column)),
            self._took,
            cost,
            None if self._drawing is None else self._drawing.timeline({}, label=column),
        )
