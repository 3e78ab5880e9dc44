"""The reference on a clock: jobs arrive, run for their time, drain, and start again, until the last has ended.

`run` puts what a scheduler does not decide (arrivals, stages, ends, drains) in the order of time; after everything that
happens at one instant the scheduler acts until it has nothing left to do. Another scheduler is another `decide`, another
`Policy` or another kind of `Queue`. Times are milliseconds. Trusted: nothing; `spec.rules` judges what comes out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from operator import itemgetter
from typing import TypeAlias

from ..spec import events as ev
from ..spec.model import ENDED, QueueConfig
from ..spec.observations import Rejected, Settled
from ..spec.readings import Readings
from ..spec.workload import UNSAID, Checkpoints, Work
from .apply import apply
from .decide import decide as obey
from .policy import Policy
from .queue import Queue
from .run import deletion, until_rest

Decide: TypeAlias = Callable[[Queue, Policy], ev.SchedulerEvent | None]
"""A scheduler: its next step, or None when nothing moves. It changes nothing."""
Moment: TypeAlias = tuple[int, ev.Event | Rejected | Settled]
"""When, and what. `Rejected`: a job that is not accepted; `Settled`: the scheduler has nothing left to do."""
_Follows: TypeAlias = ev.Advance | ev.Finish | ev.Stopped
_ENDS = (ev.Return, ev.Terminate, ev.Finish, ev.Stopped)
"""What ends an attempt."""
_UNSEEN = 1000
"""Steps at one instant before states are compared, which costs more than the steps."""


def run(
    config: QueueConfig,
    readings: Readings,
    work: Iterable[Work],
    *,
    drain: int,
    scheduled: int = 0,
    starting: int = 0,
    checkpoints: Checkpoints = UNSAID,
    also: Iterable[tuple[int, ev.Event]] = (),
    until: int | None = None,
    policy: Policy | None = None,
    decide: Decide = obey,
    queue: Callable[[QueueConfig, Readings], Queue] = Queue,
) -> Iterator[Moment]:
    """What happens to a workload, each step with its time, before it is applied.

    A dispatched job is SCHEDULED for `scheduled` ms and STARTING for `starting`; then it RUNS for its time. A victim
    works no more and holds its machines for `drain` ms; when it runs again it does so in full, or from the last checkpoint
    that it wrote (`checkpoints`: of jobs that do not say it themselves). A job that comes to a share or queue that takes
    none is rejected. `also`: what users and administrators do besides, at their times; it must be possible then, except that
    what users ask of a job that is no longer there is left out. Nothing later than `until` happens.

    Raises GoesRound for a scheduler that goes round at one instant; one that goes round in time, while drains pass, goes
    on until it is stopped.
    """
    policy = policy or Policy.of(readings)
    state = queue(config, readings)
    life = _Life(drain, scheduled, starting, checkpoints)
    for job in work:
        life.arrives(job)
    life.comes.extend(also)
    life.comes.sort(key=itemgetter(0))
    life.comes.reverse()
    while (now := life.next()) is not None and (until is None or now <= until):
        for event in life.now(now):
            if isinstance(event, ev.Submit) and (refused := _refused(state, event)):
                yield now, refused
            elif not (isinstance(event, ev.SetPriority | ev.Terminate) and _too_late(state, event)):
                yield now, event
                life.follows(now, event)
                apply(state, event)
        for event in until_rest(state, lambda: decide(state, policy) or deletion(state), unseen=_UNSEEN):
            yield now, event
            life.follows(now, event)
        yield now, Settled()


def _refused(queue: Queue, event: ev.Submit) -> Rejected | None:
    """A job that is not accepted (rules 9, 50; A49)."""
    share = queue.shares.get(event.share)
    if share is None:
        return Rejected(event.job, event.share, f"there is no share {event.share}")
    if not share.enabled or not queue.queue_enabled:
        return Rejected(event.job, event.share, f"the {'queue' if share.enabled else 'share'} is DISABLED")
    return None


def _too_late(queue: Queue, event: ev.SetPriority | ev.Terminate) -> bool:
    """A user asks something of a job that has ended or was never accepted: users cannot know when it does."""
    job = queue.jobs.get(event.job)
    return job is None or job.stage in ENDED


@dataclass(frozen=True)
class _Life:
    """What lies ahead of each job, and what no longer does because its attempt has ended."""

    drain: int
    scheduled: int
    starting: int
    checkpoints: Checkpoints
    due: list[tuple[int, int, int, _Follows]] = field(default_factory=list[tuple[int, int, int, _Follows]])
    """A heap of (time, number, attempt, event) of what follows from what has happened."""
    comes: list[tuple[int, ev.Event]] = field(default_factory=list[tuple[int, ev.Event]])
    """What comes from outside, with its time, the last first; at one instant it comes before what follows."""
    numbers: Iterator[int] = field(default_factory=count)
    attempts: Counter[str] = field(default_factory=Counter[str])
    """Job -> how often its future has changed."""
    saves: dict[str, Checkpoints] = field(default_factory=dict[str, Checkpoints])
    left: dict[str, int] = field(default_factory=dict[str, int])
    """Job -> how long it has to work yet."""
    resumes: set[str] = field(default_factory=set[str])
    """Jobs that have a checkpoint."""
    began: dict[str, int] = field(default_factory=dict[str, int])
    """Job -> since when it runs, or from when on it will."""

    def arrives(self, job: Work) -> None:
        name = job.submit.job
        self.left[name], self.saves[name] = job.runs, job.checkpoints.over(self.checkpoints)
        self.comes.append((job.at, job.submit))

    def at(self, at: int, event: _Follows, attempt: int) -> None:
        heappush(self.due, (at, next(self.numbers), attempt, event))

    def next(self) -> int | None:
        """When the next thing happens, if anything does."""
        if not self.comes:
            return self.due[0][0] if self.due else None
        comes = self.comes[-1][0]
        return min(comes, self.due[0][0]) if self.due else comes

    def now(self, at: int) -> Iterator[ev.Event]:
        """What happens at this time: what comes, then what follows, each in the order in which it was foreseen."""
        while self.comes and self.comes[-1][0] == at:
            yield self.comes.pop()[1]
        while self.due and self.due[0][0] == at:
            _, _, attempt, event = heappop(self.due)
            if attempt == self.attempts[event.job]:
                yield event

    def follows(self, now: int, event: ev.Event) -> None:
        """Foresee what comes of an event."""
        if isinstance(event, ev.Dispatch):
            self._starts(now, event.job)
        elif isinstance(event, ev.Claim):
            for victim in event.victims:
                self._ends(victim)
                self._saves(now, victim)
                self.at(now + self.drain, ev.Stopped(victim), self.attempts[victim])
        elif isinstance(event, _ENDS):
            self._ends(event.job)

    def _starts(self, now: int, job: str) -> None:
        self._ends(job)
        attempt, starting = self.attempts[job], now + self.scheduled
        self.began[job] = starting + self.starting
        for at in (starting, self.began[job]):
            self.at(at, ev.Advance(job), attempt)
        runs = self.saves[job].takes(self.left[job], resumes=job in self.resumes)
        self.at(self.began[job] + runs, ev.Finish(job), attempt)

    def _ends(self, job: str) -> None:
        self.attempts[job] += 1

    def _saves(self, now: int, job: str) -> None:
        ran = max(0, now - self.began[job])
        saved = self.saves[job].after(ran, self.left[job], resumes=job in self.resumes).saved
        if saved:
            self.left[job] -= saved
            self.resumes.add(job)
