"""A trial: what a person does to a queue, step by step, and what AWS would show after each step under some readings.

The reference scheduler plays AWS. Between two moves everything comes to rest, unless a move says that it is made while
jobs are still stopping, or while those just dispatched are still SCHEDULED. Only what anybody sees from outside counts:
the state of each job, how often it was preempted, its statusReason. Trusted: the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from ...reference.apply import apply
from ...reference.policy import Policy
from ...reference.queue import ENDED, STOPPABLE, Queue
from ...reference.run import GoesRound, settle, signature
from ...spec import events as ev
from ...spec.formats.scenario import Expect, Settle, Step
from ...spec.model import QueueConfig, Stage
from ...spec.readings import Readings


class When(StrEnum):
    """When a move is made."""

    RESTED = "rested"
    """When nothing moves any more and every dispatched job is RUNNING."""
    STOPPING = "stopping"
    """Before the jobs that were told to stop have stopped, or a deleted share is gone."""
    SCHEDULED = "scheduled"
    """When nothing stops any more and the jobs just dispatched are still SCHEDULED."""


@dataclass(frozen=True)
class Move:
    """One thing that a person, or the platform, does."""

    event: ev.Event
    when: When = When.RESTED


STOPPING = "RUNNING, PREEMPTION_IN_PROGRESS"
"""How AWS shows a job that was told to stop and has not stopped yet."""


class Shown(NamedTuple):
    """What AWS shows of a job: its state, preemptedAttemptCount and statusReason."""

    job: str
    stage: Stage
    preemptions: int
    reason: str

    def __str__(self) -> str:
        state = "RUNNING" if self.stage in STOPPABLE else STOPPING if self.stage is Stage.DRAINING else self.stage.value
        n = self.preemptions
        times = f", preempted {n} time{'s' if n > 1 else ''}" if n else ""
        return state + times + (f", {self.reason}" if self.reason else "")


Look = tuple[Shown, ...]
"""What is shown of all jobs at one time; () where nobody looks."""


@dataclass(frozen=True)
class Fact:
    """What is shown of one job at one look. `look` counts from 0, two for each move: before and after jobs stop."""

    look: int
    job: str
    shown: str


Vary = Callable[[Policy], Policy]
"""Another free choice than the policy's own."""


class Refused(ValueError):
    """What cannot be done: a request that AWS refuses (rules 50, 51), or a moment that does not come."""


class Course:
    """One trial under one choice of everything."""

    def __init__(
        self, config: QueueConfig, readings: Readings, *, vary: Vary | None = None, last_first: bool = False
    ) -> None:
        self.queue = Queue(config, readings)
        policy = Policy.of(readings)
        self.policy = vary(policy) if vary else policy
        self.last_first = last_first
        """Victims stop in the other order."""
        self.goes_round = False
        """Whether scheduler and drains went on for ever when everything should come to rest."""
        self.looks: list[Look] = []
        self._told: list[Step | Look] = []
        self.events: list[tuple[int, ev.Event | None]] = []
        """Every event with the number of its move; None: nothing is left to do."""

    def copy(self) -> Course:
        """An independent course in the same state."""
        new = object.__new__(Course)
        new.queue, new.policy, new.last_first = self.queue.copy(), self.policy, self.last_first
        new.goes_round = self.goes_round
        new.looks, new._told, new.events = list(self.looks), list(self._told), list(self.events)
        return new

    def do(self, move: Move) -> Course:
        """Make a move. Refused; KeyError for an unknown job; GoesRound when the scheduler would go on for ever."""
        if self.looks and move.when is When.STOPPING:
            self.looks.append(())
        elif self.looks:
            self.rest(advance=move.when is When.RESTED)
        self._check(move)
        self._told.append(move.event)
        self._happens(move.event)
        self._settle(drains=False)
        self._shows()
        return self

    def rest(self, *, advance: bool = True) -> Course:
        """Let everything come to rest and look again; nothing is shown of what never does."""
        if len(self.looks) % 2:
            events, told = len(self.events), len(self._told)
            try:
                self._settle(drains=True)
                self._shows()
            except GoesRound:
                self.goes_round = True
                del self.events[events:], self._told[told:]
                self.looks.append(())
        if self.goes_round:
            return self
        for job in self.queue.jobs.values() if advance else ():
            while job.stage in (Stage.SCHEDULED, Stage.STARTING):
                self._told.append(ev.Advance(job.name))
                self._happens(ev.Advance(job.name))
        return self

    def _check(self, move: Move) -> None:
        event, share = move.event, self.queue.shares.get(getattr(move.event, "share", ""))
        refused = isinstance(event, ev.Submit) and share is not None and not share.enabled
        refused = refused or (isinstance(event, ev.DeleteShare) and share is not None and share.enabled)
        refused = refused or self.goes_round
        if (
            refused
            or (move.when is When.STOPPING and not self.stopping)
            or (move.when is When.SCHEDULED and not self.starting)
        ):
            raise Refused(ev.describe(event))

    @property
    def stopping(self) -> bool:
        """Whether a victim has yet to stop, or a job of a share that is being deleted."""
        jobs, shares = self.queue.jobs.values(), self.queue.shares
        return any(j.stage is Stage.DRAINING or (j.stage not in ENDED and shares[j.share].deleting) for j in jobs)

    @property
    def starting(self) -> bool:
        """Whether a dispatched job is not yet STARTING."""
        return any(j.stage is Stage.SCHEDULED for j in self.queue.jobs.values())

    def _happens(self, event: ev.Event) -> None:
        self.events.append((len(self.looks) // 2, event))
        apply(self.queue, event)

    def _settle(self, *, drains: bool) -> None:
        if drains and self.last_first:
            self._stop_last_first()
        number = len(self.looks) // 2
        self.events.extend((number, event) for event in settle(self.queue, self.policy, drains=drains))
        self.events.append((number, None))
        self._told.append(Settle(drains))

    def _stop_last_first(self) -> None:
        draining = sorted((j for j in self.queue.jobs.values() if j.stage is Stage.DRAINING), key=lambda j: j.name)
        for job in reversed(draining):
            self._happens(ev.Stopped(job.name))
            self._settle(drains=False)

    def _shows(self) -> None:
        """Look."""
        jobs = self.queue.jobs.values()
        self.looks.append(tuple(Shown(j.name, j.stage, j.preemptions, j.reason) for j in jobs))
        self._told.append(self.looks[-1])

    @property
    def key(self) -> tuple[object, ...]:
        """What decides how the course can go on."""
        q = self.queue
        shares = tuple(
            (s.name, s.strategy, s.borrow_limit, tuple(s.limits.items()), s.in_share, s.enabled, s.deleting)
            for s in q.shares.values()
        )
        return signature(q), shares, tuple(q.capacity.items()), q.environment_enabled

    def facts(self) -> frozenset[Fact]:
        """Everything that was shown."""
        return frozenset(Fact(n, one.job, str(one)) for n, look in enumerate(self.looks) for one in look)

    def steps(self) -> tuple[Step, ...]:
        """The same as a scenario has it, with all that is shown as expectations."""
        return tuple(_expected(step) if isinstance(step, tuple) else step for step in self._told)


def _expected(look: Look) -> Expect:
    return Expect(
        dispatched=tuple(j.job for j in look if j.stage in STOPPABLE),
        runnable=tuple(j.job for j in look if j.stage is Stage.RUNNABLE),
        draining=tuple(j.job for j in look if j.stage is Stage.DRAINING),
        preemptions={j.job: j.preemptions for j in look if j.preemptions},
        reasons={j.job: j.reason for j in look if j.reason},
    )


def course(config: QueueConfig, moves: Sequence[Move], readings: Readings, *, vary: Vary | None = None,
           last_first: bool = False) -> Course:  # fmt: skip
    """All moves, and rest after the last. Refused; KeyError for an unknown job; GoesRound."""
    made = Course(config, readings, vary=vary, last_first=last_first)
    for move in moves:
        made.do(move)
    return made.rest()


def most_important_first(policy: Policy) -> Policy:
    """A choice of victims that no reading names: highest priority, then oldest."""
    return replace(policy, victim=lambda _queue, _used, job: (-job.priority, job.dispatched))
