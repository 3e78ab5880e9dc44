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
