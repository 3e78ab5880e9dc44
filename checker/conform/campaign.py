"""A campaign: rows of generated scenarios, worked on by anybody, until enough were tried or the time is over.

What it finds depends on which rows were done and on nothing else: not on the workers, their number or order, nor on
having been killed in between. Every finished row is in the journal before it counts.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from ...spec.formats.scenario import own_form
from ...spec.model import QueueConfig
from ..results import SPEC_VERSION
from .backend import Backend
from .batch import Batch, Failure, Mishap, Once, Untold, Work, lost, summed, tried
from .executors import Pool
from .journal import Journal

SIZE = 50
"""Scenarios in a row."""
AHEAD = 2
"""Rows that wait for each worker, so that none is idle."""
KEPT = 5
"""Failures of one guarantee that are looked into, the shortest first."""


@dataclass(frozen=True)
class Plan:
    """What a campaign tries. The same plan finds the same, wherever it is worked on."""

    backend: str
    version: str
    profile: str
    seed: int
    config: QueueConfig | None = None
    """The queue of every scenario; None: any."""
    lanes: int = 0
    """Scenarios that the backend plays at once."""

    @property
    def size(self) -> int:
        """Scenarios in a row: those that are played at once, where that is so."""
        return self.lanes or SIZE

    def header(self) -> dict[str, Any]:
        """As the journal's first line."""
        from importlib.metadata import version

        tools = {"spec": SPEC_VERSION, "quotaproof": version("quotaproof")}
        queue = {} if self.config is None else {"queue": own_form(self.config)}
        return {"campaign": 2, "backend": self.backend, "version": self.version, "profile": self.profile,
                "seed": self.seed, "size": self.size, **queue, **tools}  # fmt: skip


@dataclass(frozen=True)
class Enough:
    """When a campaign ends: after so many scenarios, or so many seconds, whichever is first."""

    examples: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Merged:
    """What all rows amount to."""

    tried: int = 0
    upto: int = 0
    """One more than the highest number that was tried; more than `tried` where time ended a row before its end."""
    events: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict[str, int])
    exercised: Mapping[str, int] = field(default_factory=dict[str, int])
    broken: Mapping[str, int] = field(default_factory=dict[str, int])
    failures: tuple[Failure, ...] = ()
    """The shortest of each guarantee, at most `KEPT` of one."""
    mishaps: tuple[Mishap, ...] = ()
    flakes: tuple[Once, ...] = ()
    losses: tuple[Untold, ...] = ()
    seconds: float = 0.0
    resumed: int = 0

    @classmethod
    def of(cls, batches: Mapping[int, Batch], *, size: int = SIZE, seconds: float = 0.0, resumed: int = 0) -> Merged:
        every = [batches[number] for number in sorted(batches)]
        failures: dict[str, list[Failure]] = {}
        mishaps: dict[str, Mishap] = {}
        for batch in every:
            for failure in batch.failures:
                failures.setdefault(failure.code, []).append(failure)
            for m in batch.mishaps:
                known = mishaps.get(m.failure)
                first = known or m
                number = m.count + (known.count if known else 0)
                mishaps[m.failure] = Mishap(first.failure, first.why, first.hint, first.number, number)
        return cls(
            tried=sum(b.tried for b in every),
            upto=max((b.number * size + b.tried for b in every), default=0),
            events=sum(b.events for b in every),
            statuses=_sum(b.statuses for b in every),
            exercised=_sum(b.exercised for b in every),
            broken=_sum(b.broken for b in every),
            failures=tuple(f for code in sorted(failures) for f in _shortest(failures[code])),
            mishaps=tuple(mishaps[f] for f in sorted(mishaps)),
            flakes=tuple(f for b in every for f in b.flakes),
            losses=summed(lost for b in every for lost in b.losses),
            seconds=seconds,
            resumed=resumed,
        )


def campaign(
    plan: Plan,
    pool: Pool,
    journal: Journal,
    enough: Enough,
    watch: Callable[[int, float], None] | None = None,
    started: Backend | None = None,
) -> Merged:
    """Do what the journal does not have yet. Time that an earlier run has used counts. `watch` is told how many
    scenarios are done and in how many seconds. `started`: the backend, for a pool that works in this process."""
    return _Campaign(plan, pool, journal, enough, watch, started).run()


class _Campaign:
    def __init__(
        self,
        plan: Plan,
        pool: Pool,
        journal: Journal,
        enough: Enough,
        watch: Callable[[int, float], None] | None,
        started: Backend | None,
    ) -> None:
        self._tried_by = partial(tried, started=started) if started is not None and pool.here else tried
        self._ahead = 1 if plan.lanes else AHEAD
        self._plan, self._pool, self._journal, self._enough, self._watch = plan, pool, journal, enough, watch
        self._done = {batch.number: batch for batch, _ in journal.batches()}
        self._before = max((seconds for _, seconds in journal.batches()), default=0.0)
        self._resumed = self._tried = sum(b.tried for b in self._done.values())
        self._start = time.time()

    @property
    def _seconds(self) -> float:
        return self._before + time.time() - self._start

    @property
    def _until(self) -> float | None:
        left = self._enough.seconds
        return None if left is None else self._start + left - self._before

    def run(self) -> Merged:
        pending: dict[Future[Batch], Work] = {}
        work = self._work()
        while True:
            while len(pending) < self._ahead * self._pool.workers and (one := next(work, None)) is not None:
                try:
                    pending[self._pool.executor.submit(self._tried_by, one)] = one
                except self._pool.dead:
                    self._pool.renew()
                    self._alone(one)
            if not pending:
                return Merged.of(self._done, size=self._plan.size, seconds=self._seconds, resumed=self._resumed)
            finished, _ = wait(pending, return_when=FIRST_COMPLETED)
            self._take({f: pending.pop(f) for f in sorted(finished, key=lambda f: pending[f].number)}, pending)

    def _work(self) -> Iterator[Work]:
        """The rows to do, until enough are done."""
        limit, row = self._enough.examples, self._plan.size
        for number in count():
            first = number * row
            size = row if limit is None else min(row, limit - first)
            if size <= 0 or (self._until is not None and time.time() >= self._until):
                return
            known = self._done.get(number)
            if known is None or known.tried < size:
                yield Work(self._plan.backend, self._plan.seed, number, first, size, self._until, self._plan.config)

    def _take(self, finished: dict[Future[Batch], Work], pending: dict[Future[Batch], Work]) -> None:
        """Note what was done. When a worker has died, all that was under way is done again, one by one."""
        died: list[Work] = []
        for future, work in finished.items():
            try:
                self._note(future.result())
            except self._pool.dead:
                died.append(work)
        if died:
            died += pending.values()
            pending.clear()
            self._pool.renew()
            for work in sorted(died, key=lambda w: w.number):
                self._alone(work)

    def _alone(self, work: Work) -> None:
        """Do one row with nothing beside it: a worker that dies now dies of it."""
        try:
            self._note(self._pool.executor.submit(self._tried_by, work).result())
        except self._pool.dead:
            self._pool.renew()
            why = f"the worker process died while scenarios {work.first} to {work.first + work.size - 1} ran"
            hint = "A backend that runs in our process must not end it; `cmd:` gives it a process of its own."
            self._note(lost(work, Mishap("worker-died", why, hint, work.first, work.size)))

    def _note(self, batch: Batch) -> None:
        if batch.tried:
            self._journal.write({"batch": batch.form(), "seconds": round(self._seconds, 3)})
            self._done[batch.number] = batch
            self._tried += batch.tried
        if self._watch is not None:
            self._watch(self._tried, self._seconds)


def _sum(counts: Iterator[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(sorted(total.items()))


def _shortest(failures: list[Failure]) -> list[Failure]:
    return sorted(failures, key=lambda f: (f.steps, f.number))[:KEPT]
