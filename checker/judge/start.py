"""Who is the head of a share, and what keeps a waiting job from starting now."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ...spec.expr.english import FalseClause
from . import rules
from .book import Book
from .jobs import Entry, Promise
from .rows import CLAIMS, DRAINS, LIMIT, USAGE
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
        counted = [j for j in jobs if not skipped(book, j)]
        if counted and priority is not None:
            yield priority, counted


def skipped(book: Book, job: Entry) -> bool:
    """Whether the job can never run and its share goes on without it (A52)."""
    return book.chosen["A52"] == "skipped" and Situation(book, job.share, job).holds(rules.never)


def best(book: Book, share: str) -> int:
    """The highest known priority among the waiting jobs of a share that count (A52); -1 where there is none."""
    if book.chosen["A52"] == "skipped":
        return max((priority for priority, _ in _levels(book, share)), default=-1)
    return book.waiting(share).best


def heads(book: Book, share: str) -> list[Entry]:
    """Waiting jobs of a share that no other one outranks: several at equal priority, or where priorities are not known."""
    top = best(book, share)
    return [j for j in book.waiting(share).at((None, top)) if not skipped(book, j)]


def kinds(book: Book, share: str) -> list[Entry]:
    """The heads of a share, one of each size."""
    top = best(book, share)
    return [j for j in book.waiting(share).sizes_at((None, top)) if not skipped(book, j)]


def is_one(book: Book, job: Entry) -> bool:
    """Whether a waiting job may be the head of its share."""
    known = job.priority is None or job.priority == best(book, job.share)
    return known and book.waiting(job.share).has(job) and not skipped(book, job)


def other_heads(book: Book, job: Entry) -> Iterator[list[Entry]]:
    """Per other share the jobs of which one is its head (A20), one of each size; none of them has a claim."""
    claimants = [p.job for p in book.promises]
    for share in book.shares_waiting():
        if share != job.share and not any(c.share == share and is_one(book, c) for c in claimants):
            found = kinds(book, share)
            if found:
                yield found


@contextmanager
def supposed(book: Book, head: Entry, *, mates: int | None = None) -> Generator[None]:
    """As many machines counted as claimed as heads that may be entitled can claim, as where claims are not known.

    Of one share several equal heads may have claims at once, as far as its limit goes: a claim beyond it is over (A56).
    With A24 b claims may go beyond the limit, and all that heads ask counts. Also the head's own share counts where
    `mates` is given, up to its limit less so many times what the head asks.
    """
    added: list[tuple[str, str, int]] = []
    for share in book.shares_waiting():
        if share != head.share:
            added += _claimable(book, share)
        elif mates is not None:
            added += _claimable(book, share, head, mates)
    for share, unit, n in added:
        book.suppose(share, unit, n)
    try:
        yield
    finally:
        for share, unit, n in added:
            book.suppose(share, unit, -n)


def _claimable(book: Book, share: str, head: Entry | None = None, times: int = 0) -> Iterator[tuple[str, str, int]]:
    """Share, unit and the most that its heads may claim beside a `head`, for which room is left so many `times`."""
    beyond = book.chosen["A24"] == "b"
    asked: dict[str, list[tuple[int, int]]] = {}
    for job, count in book.waiting(share).counted_at((None, best(book, share))):
        same = head is not None and book.waiting(share).has(head) and _alike(job, head)
        able = beyond or Situation(book, share, job).holds(rules.entitled_head)
        if able and count > same and not skipped(book, job):
            for unit, n in job.size.items():
                asked.setdefault(unit, []).append((n, count - same))
    for unit, sizes in asked.items():
        row = book.rows.rows[unit][share]
        used = row[USAGE] - row[DRAINS] + row[CLAIMS] + times * (head.size.get(unit, 0) if head else 0)
        yield share, unit, sum(n * m for n, m in sizes) if beyond else most(sizes, row[LIMIT] - used)


def _alike(one: Entry, other: Entry) -> bool:
    return (one.priority, one.units, one.asks) == (other.priority, other.units, other.asks)


def most(sizes: Iterable[tuple[int, int]], room: int) -> int:
    """The largest sum within the room of at most so many of each size."""
    sums = 1  # bit n: n machines are a sum
    whole = (2 << max(0, room)) - 1
    for size, many in sizes:
        left, some = (min(many, room // size) if size else 0), 1
        while left > 0:
            sums |= (sums << size * min(some, left)) & whole
            left, some = left - some, 2 * some
    return sums.bit_length() - 1


def refusal(book: Book, job: Entry) -> FalseClause | None:
    """The first false clause of everything that a dispatch of the job needs; None when it may start now."""
    return _refused(book, job, Situation.why_not)


def perhaps_refused(book: Book, job: Entry) -> FalseClause | None:
    """The same where one of several jobs that may be the head of another share (A20) is in the way."""
    return _lacks_room(book, job, Situation.why_not, True)


def fits(book: Book, job: Entry) -> bool:
    """Whether the specification lets the job start now."""
    return not _refused(book, job, _fails)


def has_room(book: Book, job: Entry) -> bool:
    """The same, whatever waits in its share before it."""
    return not _lacks_room(book, job, _fails)


def surely_fits(book: Book, job: Entry) -> bool:
    """The same, whichever of several jobs is the head of another share (A20): then nothing excuses that it waits."""
    return not _fails(situation(book, job), rules.dispatch_guard) and not _lacks_room(book, job, _fails, True)


def held_by(book: Book, job: Entry) -> Promise | None:
    """The first claim that holds what the job needs (A23, A58)."""
    watching = ((p, Situation(book, job.share, job, watched=p)) for p in book.promises)
    return next((p for p, at in watching if _fails(at, rules.holds_guard)), None)


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
