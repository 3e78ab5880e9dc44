"""A what-if: the queue as it is, a change, and what the reference makes of it. Nothing is said that was not run here.

The judge's book is kept beside the reference's queue, so that the specification says who could stop the job afterwards.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from copy import copy

from ...reference.apply import apply
from ...reference.impossible import reason
from ...reference.policy import Policy
from ...reference.queue import Queue
from ...reference.run import GoesRound, settle
from ...spec import events as ev
from ...spec.model import QueueConfig, Stage
from ...spec.rules.lifecycle import DISPATCHED
from ..judge.start import refusal
from .follow import Following
from .rebuilt import queue_of
from .threats import borrows, threats
from .told import Outcome


class Trial:
    """A queue on which changes can be tried, and how it is once one has been made."""

    def __init__(self, state: Following, config: QueueConfig) -> None:
        self.queue: Queue = queue_of(state, config)
        self.policy = Policy.of(self.queue.readings)
        self.book = state.book
        self.steps: list[ev.Event] = []
        self.round = False

    @contextmanager
    def after(self, *events: ev.Event) -> Generator[Trial]:
        """The queue after a change, when the scheduler has done all it can and every drain has ended.

        The book is in that state as well, until the end.
        """
        new = copy(self)
        new.queue, new.steps = self.queue.copy(), []
        with self.book.trial():
            for event in events:
                apply(new.queue, event)
                self.book.record(event)
            try:
                for step in settle(new.queue, new.policy):
                    new.steps.append(step)
                    self.book.record(step)
            except GoesRound:
                new.round = True
            yield new

    def outcome(self, job: str, *events: ev.Event) -> Outcome:
        """What becomes of a job after a change."""
        with self.after(*events) as then:
            return then.became(job)

    def became(self, job: str) -> Outcome:
        """What has become of a job."""
        entry = self.queue.jobs.get(job)
        runs = entry is not None and entry.stage in DISPATCHED
        start = next((i for i, s in enumerate(self.steps) if isinstance(s, ev.Dispatch) and s.job == job), None)
        before = self.steps[:start] if start is not None else []
        return Outcome(
            starts=runs,
            waits_for=tuple(s.job for s in before if isinstance(s, ev.Stopped)),
            threats=threats(self.queue, self.policy, job) if runs else (),
            borrows=runs and borrows(self.book, self.book.job(job)),
            never=reason(self.queue, self.policy, entry) if entry is not None and entry.stage is Stage.RUNNABLE else "",
            round=self.round,
            because=self._because(job) if entry is not None and entry.stage is Stage.RUNNABLE else "",
        )

    def _because(self, job: str) -> str:
        false = refusal(self.book, self.book.job(job))
        return false.sentence if false else ""

    def victims(self, job: str) -> tuple[str, ...]:
        """Jobs that were told to stop for a job."""
        return tuple(v for s in self.steps if isinstance(s, ev.Claim) and s.job == job for v in s.victims)
