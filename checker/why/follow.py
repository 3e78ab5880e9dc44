"""A queue followed through its history: the judge's book, with the times at which jobs began to wait, run and stop.

Observations are taken in the order in which they were seen. What must have happened for one to be possible, a dispatch
that nobody saw say, is written into the book too; what cannot have happened is kept in `unexplained` and left out.
Trusted: the book. Not judged here: whether anything was allowed.
"""

from __future__ import annotations

import heapq
from collections import ChainMap
from collections.abc import Callable, Generator, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ...spec import events as ev
from ...spec import observations as ob
from ...spec.model import ENDED, HOLDING, LARGEST, QueueConfig, Stage
from ...spec.observations import History, Seen
from ...spec.readings import Readings
from ...spec.rules.lifecycle import DISPATCHED
from ..judge.book import Book, Impossible
from ..judge.jobs import Entry
from . import sums

_MOST_IN_A_GROUP = 512


@dataclass(frozen=True)
class Front:
    """The first of a share's waiting jobs, and since when it is that."""

    job: str
    since: int
    """Milliseconds."""
    clock: int
    """The same as a count of events."""


Recorded = ev.Event | ob.Submitted | ob.Preempted
"""What a book is told: events, and two observations as they were made, which say more."""


def _lines(lines: dict[str, list[tuple[int, int, str]]]) -> dict[str, list[tuple[int, int, str]]]:
    return {share: list(line) for share, line in lines.items()}


def _layer(numbers: MutableMapping[str, int]) -> MutableMapping[str, int]:
    return ChainMap({}, numbers)


_AFRESH: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("since", "started", "made", "place"), _layer),
    **dict.fromkeys(("now", "taken", "clock", "drained"), int),
    "front": dict,
    "unexplained": list,
    "_line": _lines,
}
"""What a trial changes, and what it gets in place of it."""


class Following:
    """The state after the observations taken so far."""

    def __init__(self, config: QueueConfig, readings: Readings, *, claims_known: bool = False) -> None:
        self.book = Book(config, readings, claims_known=claims_known)
        self.now = 0
        self.taken = 0
        """Observations."""
        self.clock = 0
        """Events."""
        self.since: MutableMapping[str, int] = {}
        """Job -> when it began to wait, to hold machines, to drain, or ended: whichever it does now."""
        self.started: MutableMapping[str, int] = {}
        """Job -> when its latest attempt got its machines, or was first seen RUNNING."""
        self.made: MutableMapping[str, int] = {}
        """Job -> count of events at its submission."""
        self.place: MutableMapping[str, int] = {}
        """Job -> its place among waiting jobs of its priority (A20, A21, A54)."""
        self.front: dict[str, Front] = {}
        self.drained = -1
        """When a drain last began or ended."""
        self.unexplained: list[tuple[Seen, str]] = []
        self._line: dict[str, list[tuple[int, int, str]]] = {}

    @contextmanager
    def trial(self) -> Generator[None]:
        """Observations and events that are taken back at the end."""
        kept = {name: getattr(self, name) for name in _AFRESH}
        for name, afresh in _AFRESH.items():
            setattr(self, name, afresh(kept[name]))
        try:
            with self.book.trial():
                yield
        finally:
            for name, value in kept.items():
                setattr(self, name, value)

    @property
    def drained_last(self) -> int:
        """When a drain was last under way; -1: never."""
        return self.now if any(self.book.draining()) else self.drained

    def waiting(self, share: str) -> list[Entry]:
        """RUNNABLE jobs of a share, first in line first."""
        return sorted(sums.waiting(self.book, share), key=self._rank)

    def take(self, seen: Seen) -> None:
        """One more observation."""
        self.now = max(self.now, seen.at)
        self.taken += 1
        try:
            for event in self._meant(seen.what):
                self.record(event)
        except Impossible as error:
            self.unexplained.append((seen, str(error)))

    def again(self, first: int) -> None:
        """Those of one time that could not have happened yet, from that number of the unexplained on, once more."""
        left, self.unexplained = self.unexplained[first:], self.unexplained[:first]
        self.taken -= len(left)
        for seen, _ in left:
            self.take(seen)

    def _meant(self, what: ob.Observation) -> Iterator[Recorded]:
        """The observation as events, what must have come before it first."""
        match what:
            case ob.Rejected() | ob.Settled() | ev.Misconfigured():
                return
            case ev.Dispatch():
                yield from self._held(what.job, drains=False)
            case ob.Reached():
                yield from self._held(what.job, drains=True)
                job = self.book.job(what.job)
                while job.stage in DISPATCHED and what.stage in DISPATCHED[DISPATCHED.index(job.stage) + 1 :]:
                    yield ev.Advance(what.job)
            case ob.Preempting():
                yield from self._told(what.job, what.claimant)
            case ob.Preempted():
                yield from self._told(what.job)
                yield what
            case ob.Retried():
                yield ev.Return(what.job)
            case _:
                yield what

    def _held(self, name: str, *, drains: bool) -> Iterator[ev.Event]:
        """The job holds machines; `drains`: also when it has been told to stop."""
        job = self.book.job(name)
        if job.stage is Stage.DRAINING and not drains:
            yield ev.Stopped(name)
        if job.stage in ENDED:
            raise Impossible(f"{name} has ended: it is {job.stage}")
        if job.stage is Stage.RUNNABLE:
            yield ev.Dispatch(name)

    def _told(self, name: str, claimant: str | None = None) -> Iterator[ev.Event]:
        """The job is told to stop. A claim for nobody known is written as one of its victim's, which keeps nothing."""
        yield from self._held(name, drains=True)
        if self.book.job(name).stage is not Stage.DRAINING:
            yield ev.Claim(claimant if claimant in self.book.jobs else name, (name,), holds=False)

    def record(self, event: Recorded) -> None:
        """Write what happens now into the book and note the times. Raises Impossible."""
        self.clock += 1
        names = event.victims if isinstance(event, ev.Claim) else tuple(filter(None, (getattr(event, "job", None),)))
        before = {n: self.book.jobs[n].stage for n in names if n in self.book.jobs}
        match event:
            case ob.Submitted():
                self.book.submit(event.job, event.share, event.size, event.priority, event.retries,
                                 known=event.retries_known)  # fmt: skip
            case ob.Preempted():
                self.book.stopped(self.book.job(event.job), event.count, event.stage)
            case _:
                self.book.record(event)
        for name in names:
            if name in self.book.jobs:
                self._note(self.book.jobs[name], before.get(name), event)
        if isinstance(event, ev.ShareGone):
            self.front.pop(event.share, None)

    def _note(self, job: Entry, before: Stage | None, event: Recorded) -> None:
        name, stage = job.name, job.stage
        if before is None:
            self.made[name] = self.clock
            self.place[name] = LARGEST - self.clock if self.book.readings["A20"] == "newest" else self.clock
        moved = stage is not before and not (before in DISPATCHED and stage in DISPATCHED)
        if moved:
            self.since[name] = self.now
        if stage is Stage.SCHEDULED or (stage is Stage.RUNNING and before in DISPATCHED):
            self.started[name] = self.now
        if stage is Stage.DRAINING or before is Stage.DRAINING:
            self.drained = self.now
        if stage is Stage.RUNNABLE and before in HOLDING:
            kept = self.book.readings["A54" if isinstance(event, ev.Return) and before is not Stage.DRAINING else "A21"]
            if kept == "requeued":
                self.place[name] = self.clock
        if stage is Stage.RUNNABLE and (moved or isinstance(event, ev.SetPriority)):
            heapq.heappush(self._line.setdefault(job.share, []), (*self._rank(job), name))
        if Stage.RUNNABLE in (stage, before):
            self._note_front(job.share)

    def _rank(self, job: Entry) -> tuple[int, int]:
        return -(job.priority or 0), self.place[job.name]

    def _note_front(self, share: str) -> None:
        line = self._line.get(share, [])
        while line:
            priority, place, name = line[0]
            job = self.book.jobs.get(name)
            if job is not None and job.stage is Stage.RUNNABLE and self._rank(job) == (priority, place):
                break
            heapq.heappop(line)
        name = line[0][2] if line else ""
        if not name:
            self.front.pop(share, None)
        elif share not in self.front or self.front[share].job != name:
            self.front[share] = Front(name, self.now, self.clock)


def groups(history: History, until: int | None = None) -> Iterator[list[Seen]]:
    """Observations up to a time, those together of which it is not known in which order they happened."""
    group: list[Seen] = []
    end = 0
    for seen in history.seen():
        if until is not None and seen.at > until:
            break
        if group and (history.ordered or seen.at > end or len(group) >= _MOST_IN_A_GROUP):
            yield group
            group = []
        end = seen.until if not group else max(end, seen.until)
        group.append(seen)
    if group:
        yield group


def follow(history: History, readings: Readings, until: int | None = None) -> Following:
    """The state at a time; at its end without one."""
    state = Following(history.config, readings, claims_known=history.claims)
    for group in groups(history, until):
        explained = len(state.unexplained)
        for seen in group:
            state.take(seen)
        state.again(explained)
    state.now = max(state.now, history.end) if until is None else until
    return state
