"""Who could stop a job that runs now: which share, with a job of which size and priority, if it arrived.

A job that might arrive is put to the guard of a preemption, which only becomes true as the job grows: the smallest size
is found by halving. Trusted: `judge.state`; that "lacks" grows with the size, which tests compare with every size.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...spec.model import MAX_PRIORITY, Stage, State
from ...spec.rules.lifecycle import DISPATCHED
from ..judge.book import Book
from ..judge.jobs import Entry
from ..judge.start import heads
from . import sums
from .claimants import CROSS, IN_SHARE, guard_holds
from .told import Threat


def threats(book: Book, victim: Entry) -> tuple[Threat, ...]:
    """Every share that could have the job stopped, its own first."""
    if victim.stage not in DISPATCHED or not book.now.environment_enabled:
        return ()
    return tuple(threat for share in _in_order(book, victim.share) for threat in _of_share(book, victim, share))


def borrows(book: Book, job: Entry) -> bool:
    """Whether another share could have the job stopped at all: its share is above a limit, settled (A13)."""
    return any(sums.of_share(book, "settled_usage", job.share, u) > book.grant(job.share, u).limit or job.borrowed.get(u)
               for u in job.size)  # fmt: skip


def _in_order(book: Book, first: str) -> Iterator[str]:
    yield first
    yield from (share for share in book.now.shares if share != first)


def _of_share(book: Book, victim: Entry, name: str) -> Iterator[Threat]:
    share, own = book.now.shares[name], name == victim.share
    takes = share.state is State.ENABLED and name not in book.now.deleting and book.now.queue_enabled
    best = max(0, book.waiting(name).best)
    if own and not share.in_share:
        return
    if not own and not borrows(book, victim):
        return
    priority = max(best, (victim.priority or 0) + 1) if own else best
    if priority > MAX_PRIORITY:
        return
    waits = any(guard_holds(book, j, victim) for j in heads(book, name))
    for unit in victim.size if takes else ():
        asks = Entry("", name, {unit: 1}, priority, None, Stage.RUNNABLE, units=(unit,))
        held = sums.of_share(book, "settled_usage", name, unit)
        most = book.now.capacity.get(unit, 0) if own else book.grant(name, unit).limit - held
        least = _least(book, victim, asks, unit, most)
        if least is not None:
            yield Threat(name, unit, IN_SHARE if own else CROSS, least, most, priority, waits)


def _least(book: Book, victim: Entry, asks: Entry, unit: str, most: int) -> int | None:
    """The smallest size up to `most` with which the guard holds."""

    def holds(n: int) -> bool:
        asks.size = {unit: n}
        return guard_holds(book, asks, victim)

    if most < 1 or not holds(most):
        return None
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
