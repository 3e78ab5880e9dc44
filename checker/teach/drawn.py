"""The parts of a picture, from the judge's book: every number is one of the specification's quantities.

Only the order in which jobs wait, and what is said of jobs that can never run, is the scheduler's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ...reference.queue import Queue
from ...spec.model import Stage
from ..judge import rules
from ..judge.book import ENDED, HOLDING, Book
from ..judge.jobs import Entry
from ..judge.rows import CLAIMS, FREED
from ..judge.state import Situation
from ..why import sums
from . import said
from .frame import Bar, JobState, Said, ShareState, UnitState

Drawn: TypeAlias = tuple[
    tuple[UnitState, ...], tuple[Bar, ...], tuple[ShareState, ...], tuple[JobState, ...], tuple[str, ...]
]


@dataclass(frozen=True)
class Lines:
    """Who waits in which order, and which jobs can never run."""

    waiting: Mapping[str, Sequence[str]]
    """Share -> its jobs, the first first."""
    reasons: Mapping[str, str] = field(default_factory=dict[str, str])
    """Job -> why it can never run, where that has been said."""

    @classmethod
    def of(cls, queue: Queue) -> Lines:
        """As a scheduler's queue has them."""
        waiting = {share: [job.name for job in queue.waiting(share)] for share in queue.shares}
        return cls(waiting, {job.name: job.reason for job in queue.jobs.values() if job.reason})


def drawn(book: Book, lines: Lines, ended: Collection[str], claimants: Mapping[int, str]) -> Drawn:
    """Units, bars, shares, jobs and claims. `ended`: jobs shown though they have ended; `claimants`: number -> job."""
    lent = {unit: sums.lent(book, unit) for unit in book.units()}
    return (
        tuple(_unit(book, unit) for unit in book.units()),
        tuple(_bars(book, lent)),
        tuple(_share(book, name) for name in book.now.shares),
        tuple(_jobs(book, lines, ended, claimants, lent)),
        tuple(p.job.name for p in book.promises),
    )


def _unit(book: Book, unit: str) -> UnitState:
    capacity = book.now.capacity.get(unit, 0)
    used, kept, draining = (sums.of_all(book, name, unit) for name in ("usage", "reserved_idle", "draining"))
    held = sums.of_all(book, "held_usage", unit) + sums.of_all(book, "held_reserved_idle", unit)
    free = max(0, capacity - max(used + kept, held))
    return UnitState(unit, capacity, used, draining, kept, free, sums.unowned_lent(book, unit))


def _bars(book: Book, lent: said.Lent) -> Iterator[Bar]:
    wanted = {(s, unit) for s in book.shares_waiting() for job in sums.waiting(book, s) for unit in job.size}
    for unit in book.units():
        for name, share in book.now.shares.items():
            if unit in share.limits or book.usage(name, unit) or (name, unit) in wanted:
                yield _bar(book, name, unit, lent[unit][name])


def _bar(book: Book, share: str, unit: str, lent: tuple[int, int]) -> Bar:
    def of(name: str) -> int:
        return sums.of_share(book, name, share, unit)

    made, row = book.grant(share, unit), book.rows.rows[unit][share]
    return Bar(
        share=share,
        unit=unit,
        limit=made.limit,
        lendable=made.lendable,
        borrowable=made.borrowable,
        reachable=_reachable(book, share, unit),
        own=of("usage") - of("borrowed"),
        borrowed=of("borrowed"),
        draining=of("draining"),
        reserved_idle=of("reserved_idle"),
        lent_least=lent[0],
        lent_most=lent[1],
        claimed=row[CLAIMS] if book.chosen["A58"] == "whole" else row[FREED],
    )


def _reachable(book: Book, share: str, unit: str) -> int:
    """How much it can borrow when nobody else uses anything (rules 12, 21, 22, 24; A5)."""
    made = book.grant(share, unit)
    others = [book.grant(s, unit) for s in book.now.shares if s != share]
    capacity = book.now.capacity.get(unit, 0)
    unowned = max(0, capacity - made.limit - sum(other.limit for other in others))
    lent = sum(other.lendable for other in others) + (unowned if book.readings["A5"] == "borrowable" else 0)
    there = (
        capacity - made.limit - sum(other.kept for other in others) - (unowned if book.readings["A5"] == "void" else 0)
    )
    most = min(lent, max(0, there))
    return most if made.borrowable is None else min(made.borrowable, most)


def _share(book: Book, name: str) -> ShareState:
    share = book.now.shares[name]
    return ShareState(
        name=name,
        strategy=share.strategy.value,
        borrow_limit=share.borrow_limit,
        in_share=share.in_share,
        enabled=share.state == "ENABLED",
        deleting=name in book.now.deleting,
        waiting=book.waiting(name).count,
    )


def _jobs(
    book: Book, lines: Lines, ended: Collection[str], claimants: Mapping[int, str], lent: said.Lent
) -> Iterator[JobState]:
    places = {name: i for line in lines.waiting.values() for i, name in enumerate(line, 1)}
    loans = _Loans(book)
    for job in book.jobs.values():
        if job.stage not in ENDED or job.name in ended:
            yield JobState(
                name=job.name,
                share=job.share,
                size=dict(job.size),
                priority=job.priority or 0,
                stage=job.stage.value,
                place=places.get(job.name, 0) if job.stage is Stage.RUNNABLE else 0,
                borrows=loans.of(job) if job.stage in HOLDING and job.stage is not Stage.DRAINING else {},
                preemptions=job.preemptions,
                retries=job.retries,
                waits=_waits(book, lines, job, lent) if places.get(job.name) == 1 else None,
                drains_for=claimants.get(job.claim, "") if job.stage is Stage.DRAINING else "",
            )


def _waits(book: Book, lines: Lines, job: Entry, lent: said.Lent) -> Said | None:
    return said.waits(book, job, lines.reasons.get(job.name, ""), lent) if job.stage is Stage.RUNNABLE else None


class _Loans:
    """How much of what a job holds its share borrows, where the job could be stopped for a lender (A13)."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._over: dict[tuple[str, str], int] = {}

    def of(self, job: Entry) -> dict[str, int]:
        return {unit: n for i, unit in enumerate(job.units) if (n := self._in(job, unit, i)) > 0}

    def _in(self, job: Entry, unit: str, index: int) -> int:
        labels = self._book.chosen["A13"] == "a"
        over = job.borrowed.get(unit, 0) if labels else min(job.size[unit], self._beyond(job.share, unit))
        borrows = over > 0 and Situation(self._book, job.share, victim=job).holds(rules.borrows_in(index))
        return over if borrows else 0

    def _beyond(self, share: str, unit: str) -> int:
        key = share, unit
        if key not in self._over:
            settled = sums.of_share(self._book, "settled_usage", share, unit)
            self._over[key] = settled - self._book.grant(share, unit).limit
        return self._over[key]
