"""Observations in an order in which they may have happened: what gives machines back as early, what takes them as late
as their times allow.

At one time there is a canonical order, which for sums decides whether there is any: stops begun; releases; jobs that
start and end, one by one; starts of shares that end above their limit; other starts; with submissions and raises before,
cuts after. A job's own observations keep their order, and so do the changes of one share or of the environment.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...spec import events as ev
from ...spec import observations as ob
from ...spec.observations import Observation, Seen
from .book import Book
from .rows import LIMIT, USAGE
from .ties import subject

FIRST, STOPS, RELEASES, PAIRS, LOANS, STARTS, LAST, SETTLED = range(8)
_RELEASES = (ev.Finish, ev.Terminate, ev.Return, ob.Preempted, ob.Retried)
_STARTS = (ev.Dispatch,)
_CHANGES = (*ev.ADMINISTRATOR, ev.ShareGone)


@dataclass(order=True)
class Item:
    """An observation with its place: `position` is the time at which it is first tried."""

    position: int
    number: int
    seen: Seen = field(compare=False)

    @property
    def what(self) -> Observation:
        return self.seen.what

    @property
    def job(self) -> str:
        """The job that it is about, '' where it is about none."""
        return getattr(self.seen.what, "job", "")


def meets(one: Seen, other: Seen, skew: int) -> bool:
    """Whether either may have been first."""
    return one.at - skew <= other.until + skew and other.at - skew <= one.until + skew


class Stream:
    """The observations of a history, one after another, and those that follow as far as somebody has to look."""

    def __init__(self, seen: Iterable[Seen], book: Book) -> None:
        self._seen: Iterator[tuple[int, Seen]] = enumerate(seen)
        self._next = next(self._seen, None)
        self._heap: list[Item] = []
        self._ready: deque[Item] = deque()
        self._last: dict[str, int] = {}
        self._book = book

    def __iter__(self) -> Iterator[Item]:
        while (item := self._take()) is not None:
            yield item

    def _take(self) -> Item | None:
        if not self._ready:
            while self._next is not None and (not self._heap or self._next[1].at <= self._heap[0].position):
                self._read()
            if not self._heap:
                return None
            group = [heapq.heappop(self._heap)]
            while self._heap and self._heap[0].position == group[0].position:
                group.append(heapq.heappop(self._heap))
            self._ready.extend(canonical(group, self._book) if len(group) > 1 else group)
        return self._ready.popleft()

    def _read(self) -> None:
        assert self._next is not None
        number, seen = self._next
        late = isinstance(seen.what, ev.Dispatch | ev.Claim | ob.Preempting | ob.Settled) or _cuts(
            seen.what, self._book
        )
        position = seen.until if late else seen.at
        name = whose(seen.what)
        if name:
            position = self._last[name] = max(position, self._last.get(name, position))
        heapq.heappush(self._heap, Item(position, number, seen))
        self._next = next(self._seen, None)

    def earliest(self) -> int | None:
        """No observation that is still to come happened before this time; None: none is to come."""
        known = [item.seen.at for item in (*self._ready, *self._heap)]
        return min([*known, *([self._next[1].at] if self._next else [])], default=None)

    def after(self, until: int) -> list[Item]:
        """What may still come before a time, in order."""
        while self._next is not None and self._next[1].at <= until:
            self._read()
        return [i for i in (*self._ready, *sorted(self._heap)) if i.seen.at <= until]

    def drop(self, taken: set[int]) -> None:
        """These came before their place."""
        self._ready = deque(i for i in self._ready if i.number not in taken)
        self._heap = [i for i in self._heap if i.number not in taken]
        heapq.heapify(self._heap)


def canonical(group: list[Item], book: Book) -> list[Item]:
    """Observations of one time in the order that is tried first."""
    chains: dict[str, list[Item]] = {}
    for item in group:
        chains.setdefault(whose(item.what) or f" {item.number}", []).append(item)
    above = _ends_above(group, book)
    keyed: list[tuple[int, int, int, Item]] = []
    for own in chains.values():
        least = FIRST
        for index, item in enumerate(own):
            ends = any(isinstance(later.what, _RELEASES) for later in own[index:])
            least = max(least, _class(item, book, above, ends))
            keyed.append((least, own[0].number if least == PAIRS else item.number, item.number, item))
    return [item for *_, item in sorted(keyed, key=lambda k: k[:3])]


def whose(what: Any) -> str:
    """Whose observations keep their order: a job's, and the changes of one share or of the environment; '' for others."""
    return f" {subject(what)}" if type(what) in _CHANGES else getattr(what, "job", "")


def _class(item: Item, book: Book, above: Callable[[str], bool], ends: bool) -> int:
    what = item.what
    if isinstance(what, ob.Preempting | ev.Claim):
        return STOPS
    if isinstance(what, _RELEASES):
        return RELEASES
    if isinstance(what, ev.Dispatch):
        return PAIRS if ends else LOANS if above(what.job) else STARTS
    if isinstance(what, ob.Settled):
        return SETTLED
    return LAST if _cuts(what, book) else FIRST


def _cuts(what: Observation, book: Book) -> bool:
    """Whether an administrator's step takes something away."""
    match what:
        case ev.SetLimits():
            old = book.now.shares[what.share].limits if what.share in book.now.shares else {}
            return any(what.limits.get(unit, 0) < n for unit, n in old.items())
        case ev.SetCapacity():
            return any(what.capacity.get(unit, 0) < n for unit, n in book.now.capacity.items())
        case ev.SetSharing() | ev.DeleteShare() | ev.ShareGone():
            return True
        case ev.SetShareState() | ev.SetEnvironmentState() | ev.SetQueueState():
            return what.state == "DISABLED"
        case ev.SetInShare():
            return not what.enabled
        case _:
            return False


def _ends_above(group: list[Item], book: Book) -> Callable[[str], bool]:
    """Whether the share of a job will be above its limit, in a unit of the job, once all of the group has happened."""
    change: dict[tuple[str, str], int] = {}
    for item in group:
        job = book.jobs.get(item.job)
        sign = isinstance(item.what, _STARTS) - isinstance(item.what, _RELEASES)
        for unit, n in zip(job.units, job.asks, strict=True) if job and sign else ():
            change[job.share, unit] = change.get((job.share, unit), 0) + sign * n  # type: ignore[union-attr]

    def above(name: str) -> bool:
        job = book.jobs.get(name)
        pairs = zip(job.units, job.rows, strict=True) if job else ()
        return any(row[USAGE] + change.get((job.share, u), 0) > row[LIMIT] for u, row in pairs)  # type: ignore[union-attr]

    return above
