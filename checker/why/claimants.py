"""For whom a job may have been stopped, and who could have been stopped instead: the specification's guards, asked.

AWS names no claimant. Whoever may be one is a waiting head for which the guard of the preemption holds at the moment,
with nothing kept for other claims or, where they may have claims that nobody saw, with everything kept for them: both
are asked and either suffices, so that nobody who may have been the claimant is missing. Trusted: `judge.state`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ...spec.rules.lifecycle import DISPATCHED
from ..judge import rules
from ..judge.book import Book
from ..judge.jobs import Entry
from ..judge.start import heads, situation
from ..judge.state import Situation
from .follow import Following

CROSS, IN_SHARE = "cross-share", "in-share"


@dataclass(frozen=True)
class Claimant:
    """A waiting job, and the kind of preemption it may have asked for."""

    job: str
    kind: str


def claimants(state: Following, victim: str, kind: str | None = None) -> set[Claimant]:
    """Every waiting job for which the victim may be told to stop now. `kind` None: either."""
    job = state.book.jobs.get(victim)
    if job is None or job.stage not in DISPATCHED:
        return set()
    found: set[Claimant] = set()
    for asks in _heads(state):
        made = IN_SHARE if asks.share == job.share else CROSS
        if kind in (None, made) and state.book.promise(asks.name) is None and _may_stop(state, asks, job):
            found.add(Claimant(asks.name, made))
    return found


def victims(state: Following, claimant: Claimant) -> set[str]:
    """Every job that may be told to stop for the claimant now, by the same kind of preemption."""
    asks = state.book.job(claimant.job)
    own = claimant.kind == IN_SHARE
    mates = [share for share in state.book.now.shares if (share == asks.share) is own]
    return {j.name for share in mates for j in state.book.running(share) if _may_stop(state, asks, j)}


def guard_holds(book: Book, asks: Entry, victim: Entry) -> bool:
    """The guard of one preemption: `victim` is told to stop for `asks`, which is the head of its share or would be."""
    at = Situation(book, asks.share, asks, victim=victim)
    return at.holds(rules.in_share_guard if asks.share == victim.share else rules.cross_guard)


def _may_stop(state: Following, asks: Entry, victim: Entry) -> bool:
    if guard_holds(state.book, asks, victim):
        return True
    with _claims_of_others(state, asks, victim) as supposed:
        return supposed and guard_holds(state.book, asks, victim)


def _heads(state: Following) -> Iterator[Entry]:
    """Waiting jobs that may be heads."""
    return (job for share in state.book.shares_waiting() for job in heads(state.book, share))


@contextmanager
def _claims_of_others(state: Following, asks: Entry, victim: Entry) -> Generator[bool]:
    """Every other head that may have a claim unseen counted as having one; false where there is none.

    A claim is opened while something drains, so that a head which came later has none. Of several possible heads of one
    share the largest counts, unit by unit.
    """
    most: dict[tuple[str, str], int] = {}
    for job in () if state.book.claims_known else _heads(state):
        others = job.share not in (asks.share, victim.share) and state.since[job.name] <= state.drained_last
        if others and state.book.promise(job.name) is None and situation(state.book, job).holds(rules.entitled_head):
            for unit, n in job.size.items():
                most[job.share, unit] = max(n, most.get((job.share, unit), 0))
    for (share, unit), n in most.items():
        state.book.suppose(share, unit, n)
    try:
        yield bool(most)
    finally:
        for (share, unit), n in most.items():
            state.book.suppose(share, unit, -n)
