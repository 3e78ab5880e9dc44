"""For whom a job may have been stopped, and who could have been stopped instead: the specification's guards, asked.

AWS names no claimant. Whoever may be one is a waiting head for which the guard of the preemption holds at the moment,
with nothing kept for other claims or, where they may have claims that nobody saw, with everything kept for them: both
are asked and either suffices, so that nobody who may have been the claimant is missing. Trusted: `judge.state`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...spec.model import Stage
from ..judge import rules
from ..judge.book import Book, Entry
from ..judge.state import Situation
from ..judge.stepwise import heads
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
    if job is None or job.stage not in (Stage.SCHEDULED, Stage.STARTING, Stage.RUNNING):
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
    mates = [share for share in state.book.shares if (share == asks.share) is own]
    return {j.name for share in mates for j in state.book.running(share) if _may_stop(state, asks, j)}


def guard_holds(book: Book, asks: Entry, victim: Entry) -> bool:
    """The guard of one preemption: `victim` is told to stop for `asks`, a head."""
    at = Situation(book, asks.share, asks, victim=victim, best_waiting=asks.priority)
    return at.holds(rules.in_share_guard if asks.share == victim.share else rules.cross_guard)


def _may_stop(state: Following, asks: Entry, victim: Entry) -> bool:
    own = asks.share == victim.share
    if own and {asks.name, victim.name} & state.priority_unknown:
        victim = replace(victim, priority=asks.priority - 1, priority_since_dispatch=asks.priority - 1)
    if guard_holds(state.book, asks, victim):
        return True
    crowded = _with_claims(state, asks, victim)
    return crowded is not None and guard_holds(crowded, asks, victim)


def _heads(state: Following) -> Iterator[Entry]:
    """Waiting jobs that may be heads: all of a share's where a priority is not known."""
    for share in state.book.shares_waiting():
        waiting = list(state.book.waiting(share))
        unknown = any(j.name in state.priority_unknown for j in waiting)
        yield from waiting if unknown else heads(state.book, share)


def _with_claims(state: Following, asks: Entry, victim: Entry) -> Book | None:
    """The book with a claim of every other head that may have one unseen; None where there is none."""
    if state.claims_seen:
        return None
    may = [
        j
        for j in _heads(state)
        if j.share not in (asks.share, victim.share)
        and state.book.promise(j.name) is None
        and state.since[j.name] <= state.drained_last
        and Situation(state.book, j.share, j, best_waiting=j.priority).holds(rules.entitled_head)
    ]
    if not may:
        return None
    crowded = state.book.copy()
    for share in dict.fromkeys(j.share for j in may):
        largest = max((j for j in may if j.share == share), key=lambda j: sum(j.size.values()))
        crowded.open_claim()
        crowded.hold(largest.name)
    return crowded
