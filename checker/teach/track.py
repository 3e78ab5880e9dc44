"""What has happened in a play, frame by frame, and the state at each: the judge's book and the scheduler's queue.

The book goes back and forward by its marks; the queue is restored from sparse copies, and shared where nobody changes it.
Trusted: that the same events lead to the same states.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...reference.apply import apply
from ...reference.queue import Queue
from ...spec import events as ev
from ...spec.model import QueueConfig
from ...spec.observations import Observation
from ...spec.readings import Readings
from ..conform.reference import Reference
from ..judge.book import Book
from ..judge.observe import record
from .frame import Broken, Line

_APART = 16
"""Frames from one copy of the queue to the next."""
_RECENT = 5
"""Frames for which a job that has ended is still shown."""


@dataclass
class Run:
    """Steps of the scheduler and drains alone, since somebody else last did something."""

    states: dict[object, int] = field(default_factory=dict[object, int])
    """State -> the first frame that has it."""
    claims: list[int] = field(default_factory=list[int])
    """Frames at which somebody was told to stop."""
    given: list[int] = field(default_factory=list[int])
    """Frames to which a choice led that was given."""
    known: tuple[int, bool] = (-1, False)
    """The last frame whose state is among them, and whether choices are given."""


@dataclass(frozen=True)
class Happened:
    """What leads to a frame."""

    line: Line
    event: ev.Event | None = None
    seen: tuple[Observation, ...] = ()
    run: Run = field(default_factory=Run)
    back: int | None = None
    """The frame whose state has come back."""


class Track:
    """The frames, and the state at any of them. `queue` is at the last one; the book is where it was last brought to."""

    def __init__(self, scheduler: Reference, config: QueueConfig, readings: Readings, start: Line) -> None:
        self._new = lambda: scheduler.queue(config, readings)
        self.book = Book(config, readings)
        self.queue = self._new()
        self.frames = [Happened(start)]
        self._marks = [self.book.mark()]
        self._copies: dict[int, Queue] = {}
        self._at = 0

    def add(self, happened: Happened) -> None:
        """One frame more, whose event both book and queue have seen."""
        self.frames.append(happened)
        self._marks.append(self.book.mark())
        self._at = happened.line.number
        if self._at % _APART == 0:
            self._copies[self._at] = self.queue.copy()

    def breaks(self, broken: Broken) -> None:
        """The last frame breaks a guarantee besides."""
        last = self.frames[-1]
        self.frames[-1] = replace(last, line=replace(last.line, broken=(*last.line.broken, broken)))

    def go(self, number: int) -> None:
        """Bring the book to a frame."""
        if number < self._at:
            self.book.undo(self._marks[number])
        for one in self.frames[self._at + 1 : number + 1]:
            for what in one.seen:
                record(self.book, what)
        self._at = number

    def back(self, last: int) -> None:
        """Nothing after a frame has happened."""
        self.queue = self.queue_at(last).copy()
        self.go(last)
        del self.frames[last + 1 :], self._marks[last + 1 :]
        self._copies = {n: copy for n, copy in self._copies.items() if n <= last}
        run = self.frames[last].run
        run.states = {state: n for state, n in run.states.items() if n <= last}
        run.claims = [n for n in run.claims if n <= last]
        run.given = [n for n in run.given if n <= last]
        run.known = (-1, False)

    def queue_at(self, number: int) -> Queue:
        """The scheduler's queue at a frame. Not to be changed."""
        if number == len(self.frames) - 1:
            return self.queue
        start = number - number % _APART
        queue = self._copies[start].copy() if start else self._new()
        for one in self.frames[start + 1 : number + 1]:
            if one.event is not None:
                apply(queue, one.event)
        return queue

    def claimants(self, number: int) -> dict[int, str]:
        """Number of a claim -> its job."""
        claims = [one.event.job for one in self.frames[: number + 1] if isinstance(one.event, ev.Claim)]
        return dict(enumerate(claims, 1))

    def recent(self, number: int) -> set[str]:
        """Jobs of the last few events."""
        events = [one.event for one in self.frames[max(1, number - _RECENT + 1) : number + 1]]
        return {name for event in events if isinstance(name := getattr(event, "job", None), str)}

    def told_to_stop(self) -> list[str]:
        """Jobs that were told to stop since the last expectation."""
        found: list[str] = []
        for one in reversed(self.frames):
            if one.line.kind == "expect":
                break
            if isinstance(one.event, ev.Claim):
                found += reversed(one.event.victims)
        return found[::-1]
