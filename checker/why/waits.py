"""What a RUNNABLE job waits for and what it blocks: the first false clause of what a start needs, and who has the machines.

Trusted: `judge.start.refusal`, which asks the specification's guards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...reference.impossible import reason
from ..judge import rules
from ..judge.book import Book
from ..judge.jobs import Entry
from ..judge.start import refusal
from ..judge.state import Situation
from . import sums
from .follow import Following
from .told import Blocks, Job, Kept, Lender, Waits
from .trial import Trial

Tell = Callable[[Entry], Job]


def waits(state: Following, trial: Trial, job: Entry, tell: Tell) -> Waits:
    """What it waits for. `trial` is the same state."""
    never = reason(trial.queue, trial.policy, trial.queue.jobs[job.name])
    return waits_in(state.book, state.waiting(job.share), never, job, tell)


def waits_in(book: Book, line: Sequence[Entry], never: str, job: Entry, tell: Tell) -> Waits:
    """The same in a book; `line`: the jobs that wait in its share, `never`: why it can never run."""
    place = next(i for i, entry in enumerate(line) if entry is job)
    false = refusal(book, job)
    about = false.unit if false else ""
    units = [about] if about else [*job.size]
    held = [d for d in book.draining() if any(u in d.size for u in units)]
    return Waits(
        place=place + 1,
        line=len(line),
        behind=tell(line[0]) if place else None,
        clause=false.code if false else "",
        sentence=false.sentence if false else "",
        left=false.left if false else None,
        right=false.right if false else None,
        unit=about if len(book.units()) > 1 else "",
        borrows=any(book.usage(job.share, u) + job.size[u] > book.grant(job.share, u).limit for u in units),
        partly=about != "" and _partly(book, job, about),
        never=never,
        lenders=lenders(book, job, units),
        kept=kept(book, job, units),
        draining=tuple(tell(d) for d in held),
        claims=tuple(tell(p.job) for p in book.promises if p.job is not job and any(u in p.job.size for u in units)),
    )


def _partly(book: Book, job: Entry, unit: str) -> bool:
    """Its share owns some of the unit that others use, and cannot take it back, since part of the job would be a loan."""
    lent = any(sums.of_share(book, "settled_borrowed", s, unit) for s in book.now.shares if s != job.share)
    owns = sums.of_share(book, "settled_usage", job.share, unit) < book.grant(job.share, unit).limit
    return (
        lent and owns and book.promise(job.name) is None and not Situation(book, job.share, job).holds(rules.entitled)
    )


def lenders(book: Book, job: Entry, units: Sequence[str]) -> tuple[Lender, ...]:
    """Other shares that lend these units."""
    return tuple(
        Lender(share, unit, book.usage(share, unit), book.grant(share, unit).limit)
        for unit in units
        for share in book.now.shares
        if share != job.share and book.grant(share, unit).lendable > 0
    )


def kept(book: Book, job: Entry, units: Sequence[str]) -> tuple[Kept, ...]:
    """Machines of these units that other shares keep idle for themselves."""
    found = [
        Kept(share, unit, book.grant(share, unit).kept - book.usage(share, unit))
        for unit in units
        for share in book.now.shares
        if share != job.share
    ]
    return tuple(k for k in found if k.idle > 0)


def blocks(state: Following, job: Entry, tell: Tell) -> Blocks:
    """Jobs of its share that fit and wait behind it."""
    line = state.waiting(job.share)
    if state.book.readings["A18"] == "backfill" or line[0] is not job:
        return Blocks((), {})
    behind = [j for j in line[1:] if Situation(state.book, j.share, j).holds(rules.dispatch_guard)]
    return Blocks(tuple(tell(j) for j in behind), idle(state.book, job.share))


def idle(book: Book, share: str) -> dict[str, int]:
    """Unit -> machines within the share's limit that nobody uses."""
    found: dict[str, int] = {}
    for unit in book.now.shares[share].limits:
        free = book.now.capacity.get(unit, 0) - sum(book.usage(s, unit) for s in book.now.shares)
        found[unit] = max(0, min(book.grant(share, unit).limit - book.usage(share, unit), free))
    return found
