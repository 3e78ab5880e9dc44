"""Who is the head of a share, and what keeps a waiting job from starting now."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ...spec.expr.english import FalseClause
from . import rules
from .book import Book
from .jobs import Entry, Promise
from .state import Build, Situation

T = TypeVar("T")


def situation(book: Book, job: Entry, *, watched: Promise | None = None, victim: Entry | None = None,
              other: Entry | None = None) -> Situation:  # fmt: skip
    """The book seen from a job of a share, with the priorities of those who wait."""
    top = best(book, job.share)
    ready = top
    if book.chosen["A18"] == "backfill" and not book.claims_known:
        ready = -1
    elif book.chosen["A18"] == "backfill":
        levels = _levels(book, job.share)
        above = [
            p
            for p, jobs in levels
            if p > (job.priority or 0) and not all(_lacks_room(book, j, _fails, True) for j in jobs)
        ]
        ready = max(above, default=-1)
    return Situation(book, job.share, job, watched=watched, victim=victim, other=other, best_waiting=top,
                     best_ready=ready)  # fmt: skip


def _levels(book: Book, share: str) -> Iterator[tuple[int, list[Entry]]]:
    """Known priorities with one waiting job of each size, without those that can never run where A52 skips them."""
    for priority, jobs in book.waiting(share).levels():
        counted = [j for j in jobs if not _skipped(book, j)]
        if counted and priority is not None:
            yield priority, counted


def _skipped(book: Book, job: Entry) -> bool:
    return book.chosen["A52"] == "skipped" and Situation(book, job.share, job).holds(rules.never)


def best(book: Book, share: str) -> int:
    """The highest known priority among the waiting jobs of a share that count (A52); -1 where there is none."""
    if book.chosen["A52"] == "skipped":
        return max((priority for priority, _ in _levels(book, share)), default=-1)
    return book.waiting(share).best


def heads(book: Book, share: str) -> list[Entry]:
    """Waiting jobs of a share that no other one outranks: several at equal priority, or where priorities are not known."""
    top = best(book, share)
    return [j for j in book.waiting(share).at((None, top)) if not _skipped(book, j)]


def kinds(book: Book, share: str) -> list[Entry]:
    """The heads of a share, one of each size."""
    top = best(book, share)
    return [j for j in book.waiting(share).sizes_at((None, top)) if not _skipped(book, j)]


def is_one(book: Book, job: Entry) -> bool:
    """Whether a waiting job may be the head of its share."""
    known = job.priority is None or job.priority == best(book, job.share)
    return known and book.waiting(job.share).has(job) and not _skipped(book, job)


def other_heads(book: Book, job: Entry) -> Iterator[list[Entry]]:
    """Per other share the jobs of which one is its head (A20), one of each size; none of them has a claim."""
    claimants = [p.job for p in book.promises]
    for share in book.shares_waiting():
        if share != job.share and not any(c.share == share and is_one(book, c) for c in claimants):
            found = kinds(book, share)
            if found:
                yield found


@contextmanager
def supposed(book: Book, head: Entry) -> Generator[None]:
    """Every other share's head that may be entitled counted as claiming all it asks, as where claims are not known.

    Of several possible heads of one share the largest counts, unit by unit.
    """
    added: list[tuple[str, str, int]] = []
    for tied in other_heads(book, head):
        entitled = [j for j in tied if Situation(book, j.share, j).holds(rules.entitled_head)]
        for unit in dict.fromkeys(u for j in entitled for u in j.units):
            added.append((tied[0].share, unit, max(j.size.get(unit, 0) for j in entitled)))
    for share, unit, n in added:
        book.suppose(share, unit, n)
    try:
        yield
    finally:
        for share, unit, n in added:
            book.suppose(share, unit, -n)


@contextmanager
def all_supposed(book: Book, head: Entry, victim: Entry) -> Generator[None]:
    """Of every share as many possible heads counted as claiming as are entitled one after the other, the largest first.

    Of the head's own share those that are its equals count too: for a victim of another share only as far as the head
    stays entitled, which it has to be.
    """
    added: list[Entry] = []

    def suppose(job: Entry, sign: int) -> None:
        for unit in job.units:
            book.suppose(job.share, unit, sign * job.size.get(unit, 0))

    def entitled(job: Entry) -> bool:
        return Situation(book, job.share, job).holds(rules.entitled_head)

    own = victim.share == head.share
    was = entitled(head)
    try:
        for share in [s for s in book.shares_waiting() if s != head.share] + [head.share]:
            refused: set[tuple[tuple[str, int], ...]] = set()
            tied = [j for j in heads(book, share) if j is not head and book.promise(j.name) is None]
            for job in sorted(tied, key=lambda j: -sum(j.size.values())):
                size = tuple(sorted(job.size.items()))
                if size in refused or not ((own and share == head.share) or entitled(job)):
                    refused.add(size)
                    continue
                suppose(job, 1)
                if was and not own and not entitled(head):
                    suppose(job, -1)
                    refused.add(size)
                else:
                    added.append(job)
        yield
    finally:
        for job in added:
            suppose(job, -1)


def refusal(book: Book, job: Entry) -> FalseClause | None:
    """The first false clause of everything that a dispatch of the job needs; None when it may start now."""
    return _refused(book, job, Situation.why_not)


def fits(book: Book, job: Entry) -> bool:
    """Whether the specification lets the job start now."""
    return not _refused(book, job, _fails)


def surely_fits(book: Book, job: Entry) -> bool:
    """The same, whichever of several jobs is the head of another share (A20): then nothing excuses that it waits."""
    return not _fails(situation(book, job), rules.dispatch_guard) and not _lacks_room(book, job, _fails, True)


def may_dispatch(book: Book, job: Entry) -> str | None:
    """None when the specification lets the job start now, else the code of the first false clause."""
    false = refusal(book, job)
    return false.code if false else None


def _fails(at: Situation, build: Build) -> bool:
    return not at.holds(build)


def _refused(book: Book, job: Entry, ask: Callable[[Situation, Build], T]) -> T | None:
    return ask(situation(book, job), rules.dispatch_guard) or _lacks_room(book, job, ask)


def _lacks_room(book: Book, job: Entry, ask: Callable[[Situation, Build], T], surely: bool = False) -> T | None:
    """What is asked of the first guard that is false, without the order of jobs within the share.

    Where one of several jobs may be the head of another share, all have to be in the way; with `surely` one suffices.
    """
    at = Situation(book, job.share, job)
    found: T | None = ask(at, rules.dispatch_guard)
    for promise in book.promises if not found else ():
        found = found or ask(Situation(book, job.share, job, watched=promise), rules.holds_guard)
    if found or not at.holds(rules.borrows_now):
        return found
    for tied in other_heads(book, job):
        asked = (ask(Situation(book, job.share, job, other=other), rules.yields_guard) for other in tied)
        refused = [answer for answer in asked if answer]
        if refused and (surely or len(refused) == len(tied)):
            return refused[0]
    return None
