"""That a job can never run (rule 33), in numbers, also before a scheduler has said so. Trusted: `rules.never` decides it."""

from __future__ import annotations

from ..judge import rules
from ..judge.book import Book
from ..judge.jobs import Entry
from ..judge.state import Situation


def never(book: Book, job: Entry) -> str:
    """Why the job can never run as the queue is configured; '' where it can."""
    if not Situation(book, job.share, job).holds(rules.never):
        return ""
    found = [why for unit, n in job.size.items() if (why := _in_unit(book, job.share, unit, n))]
    return f"it asks for {found[0]}"


def _in_unit(book: Book, share: str, unit: str, n: int) -> str:
    mine, exist = book.grant(share, unit), book.now.capacity.get(unit, 0)
    if n > exist:
        return f"{n} {unit}, and the environment has {exist}"
    if n <= mine.limit:
        return ""
    if not book.now.may_borrow(share, book.chosen):
        return f"{n} {unit}, and {share} may use {mine.limit} and borrow nothing"
    if mine.borrowable is not None and n > mine.limit + mine.borrowable:
        return f"{n} {unit}, and {share} may use {mine.limit + mine.borrowable} with what it may borrow"
    grants = [book.grant(s, unit) for s in book.now.shares]
    offered = sum(g.lendable for g in grants) - mine.lendable
    if book.chosen["A5"] == "borrowable":
        offered += max(0, exist - sum(g.limit for g in grants))
    return (
        f"{n} {unit}, and {share} has {mine.limit} and others lend {offered} at most"
        if n > mine.limit + offered
        else ""
    )
