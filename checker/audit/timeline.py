"""The times that count: each observation at the middle of the interval in which it happened, and the columns of time.

A job's own observations keep their order. What half an interval may shift is told by `doubt`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TypeAlias

from ...spec.observations import Seen
from ..measured import Period

When: TypeAlias = Callable[[Seen], int]


def middle(seen: Seen) -> int:
    """The middle of the interval in which it happened."""
    return (seen.at + seen.until) // 2


def by_time(seen: Iterable[Seen], *, ordered: bool, when: When = middle) -> Iterator[tuple[int, Seen]]:
    """Observations with the time at which they count, earliest first. `ordered`: they are told in the order they have.
    `when`: which instant of its interval counts.
    """
    if ordered:
        last: int | None = None
        for one in seen:
            last = when(one) if last is None else max(last, when(one))
            yield last, one
        return
    open_: list[tuple[int, int, Seen]] = []
    of_job: dict[str, int] = {}
    for number, one in enumerate(seen):
        while open_ and open_[0][0] <= one.at:
            yield _next(open_, of_job)
        job = getattr(one.what, "job", "")
        at = max(when(one), of_job.get(job, 0)) if job else when(one)
        if job:
            of_job[job] = at
        heappush(open_, (at, number, one))
    while open_:
        yield _next(open_, of_job)


def _next(open_: list[tuple[int, int, Seen]], of_job: dict[str, int]) -> tuple[int, Seen]:
    """The earliest one. What is told of a job needs no memory: whatever follows of it is later."""
    at, _, one = heappop(open_)
    job = getattr(one.what, "job", "")
    if of_job.get(job) == at:
        del of_job[job]
    return at, one


def doubt(seen: Seen) -> int:
    """Milliseconds by which its time may be wrong."""
    return (seen.until - seen.at + 1) // 2


@dataclass(frozen=True)
class Columns:
    """The periods that count, one after the other without a gap."""

    periods: Sequence[Period]

    @classmethod
    def of(cls, start: int, end: int, before: int | None = None) -> Columns:
        """One column, or two that part at `before`."""
        if before is None or not start < before < end:
            return cls((Period("all", start, end),))
        return cls((Period("before", start, before), Period("after", before, end)))

    @property
    def start(self) -> int:
        return self.periods[0].start

    @property
    def end(self) -> int:
        return self.periods[-1].end
