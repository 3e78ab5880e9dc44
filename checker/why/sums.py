"""The specification's quantities of one share, and the jobs that wait, as a book has them."""

from __future__ import annotations

from collections.abc import Iterator

from ..judge.book import Book
from ..judge.jobs import Entry
from ..judge.rows import quantity


def of_share(book: Book, name: str, share: str, unit: str) -> int:
    """A quantity of one share and unit."""
    row = book.rows.rows.get(unit, {}).get(share)
    return quantity(name, book.readings)(row)[0] if row else 0


def of_all(book: Book, name: str, unit: str) -> int:
    """Its sum over all shares."""
    return book.rows.total(name, unit) if unit in book.rows.rows else 0


def waiting(book: Book, share: str) -> Iterator[Entry]:
    """Every RUNNABLE job of a share, in no order."""
    line = book.waiting(share)
    return (job for priority, _ in line.levels() for job in line.at((priority,)))


def lent(book: Book, unit: str) -> dict[str, tuple[int, int]]:
    """Share -> how much of the unit it lends, at least and at most: who lends to whom is not published (A12)."""
    idle = {s: of_share(book, "lendable_idle", s, unit) for s in book.now.shares}
    loans = sum(of_share(book, "borrowed", s, unit) for s in book.now.shares)
    given = sum(of_share(book, "limit", s, unit) for s in book.now.shares)
    spare = max(0, book.now.capacity.get(unit, 0) - given)
    others = {s: sum(idle.values()) - n + spare for s, n in idle.items()}
    return {s: (min(n, max(0, loans - others[s])), min(n, loans)) for s, n in idle.items()}
