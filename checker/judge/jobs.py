"""A judge's notes on one job and on one claim, and the jobs that wait, by priority and size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...spec.model import Size, Stage
from .rows import Row


@dataclass(slots=True, eq=False)
class Entry:
    """One job as the events tell it."""

    name: str
    share: str
    size: Size
    priority: int | None
    """None: not known."""
    retries: int | None
    stage: Stage = Stage.RUNNABLE
    preemptions: int = 0
    claim: int = 0
    """Number of the claim it drains for."""
    told: int = 0
    """Its place among all that were told to stop."""
    was_scheduled: bool = False
    borrowed: dict[str, int] = field(default_factory=dict[str, int])
    """Unit -> instances beyond the limit at dispatch (A13 a). Replaced, never changed."""
    priority_since_dispatch: int | None = 0
    dispatched: int = 0
    retries_known: bool = True
    units: tuple[str, ...] = ()
    asks: tuple[int, ...] = ()
    rows: tuple[Row, ...] = ()
    """The rows of its share, by unit."""

    def saved(self) -> tuple[Any, ...]:
        """All that changes of a job."""
        return (self.stage, self.preemptions, self.claim, self.was_scheduled, self.borrowed, self.priority,
                self.priority_since_dispatch, self.dispatched, self.told)  # fmt: skip

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Go back to what was `saved`; the stage is the book's to change."""
        (_, self.preemptions, self.claim, self.was_scheduled, self.borrowed, self.priority,
         self.priority_since_dispatch, self.dispatched, self.told) = saved  # fmt: skip


@dataclass(frozen=True)
class Promise:
    """A live claim that holds what its job asks."""

    job: Entry
    number: int
    freed: tuple[tuple[str, int], ...] = ()


class Waiting:
    """The RUNNABLE jobs of one share by priority (None: not known), then by size: equal ones are interchangeable."""

    def __init__(self) -> None:
        self._by: dict[int | None, dict[tuple[Any, ...], dict[str, Entry]]] = {}
        self.count = 0
        self.known = 0
        """Of them with a known priority."""
        self.best = -1
        """The highest known priority; -1 where none is known."""

    def add(self, job: Entry) -> None:
        sizes = self._by.setdefault(job.priority, {})
        sizes.setdefault((job.units, job.asks), {})[job.name] = job
        self.count += 1
        if job.priority is not None:
            self.known += 1
            self.best = max(self.best, job.priority)

    def remove(self, job: Entry) -> None:
        sizes = self._by[job.priority]
        jobs = sizes[job.units, job.asks]
        del jobs[job.name]
        self.count -= 1
        self.known -= job.priority is not None
        if not jobs:
            del sizes[job.units, job.asks]
            if not sizes:
                del self._by[job.priority]
                self.best = max((p for p in self._by if p is not None), default=-1)

    def has(self, job: Entry) -> bool:
        """Whether the job is one of them."""
        return job.name in self._by.get(job.priority, {}).get((job.units, job.asks), {})

    def levels(self) -> list[tuple[int | None, list[Entry]]]:
        """Each priority with one job of each size."""
        return [(p, [next(iter(jobs.values())) for jobs in sizes.values()]) for p, sizes in self._by.items()]

    def at(self, priorities: Iterable[int | None]) -> Iterator[Entry]:
        """The jobs of these priorities."""
        return (j for p in priorities if p in self._by for jobs in self._by[p].values() for j in jobs.values())

    def counted_at(self, priorities: Iterable[int | None]) -> Iterator[tuple[Entry, int]]:
        """One of them for each size, and how many there are of it."""
        levels = (self._by[p].values() for p in priorities if p in self._by)
        return ((next(iter(jobs.values())), len(jobs)) for sizes in levels for jobs in sizes)

    def sizes_at(self, priorities: Iterable[int | None]) -> Iterator[Entry]:
        """One of them for each size."""
        return (next(iter(jobs.values())) for p in priorities if p in self._by for jobs in self._by[p].values())
