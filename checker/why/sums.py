"""The specification's quantities of one share, and the jobs that wait, as a book has them."""

from __future__ import annotations

from collections.abc import Iterator

from ...spec.rules.quantities import NOW, Moment
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


def lent(book: Book, unit: str, moment: Moment = NOW) -> dict[str, tuple[int, int]]:
    """Share -> how much of the unit it lends, at least and at most: who lends to whom is not published (A12)."""
    idle = {s: of_share(book, moment.lendable_idle.name, s, unit) for s in book.now.shares}
    loans, unowned = of_all(book, moment.borrowed.name, unit), unowned_lent(book, unit, moment)
    others = {s: sum(idle.values()) - n + unowned for s, n in idle.items()}
    return {s: (min(n, max(0, loans - others[s])), min(n, loans)) for s, n in idle.items()}


def unowned_lent(book: Book, unit: str, moment: Moment = NOW) -> int:
    """How much of what is borrowed may be what no share owns: as much as there is where anybody may borrow it (A5).

    Else nobody borrows of it; but where more is borrowed than lenders leave idle, an administrator's step has made loans
    of what was something else, and of what is not known.
    """
    loans, idle = (of_all(book, q.name, unit) for q in (moment.borrowed, moment.lendable_idle))
    spare = max(0, book.now.capacity.get(unit, 0) - of_all(book, "limit", unit))
    return min(loans, spare) if loans > idle or book.readings["A5"] == "borrowable" else 0


def covered(book: Book, unit: str) -> bool:
    """Whether all that is borrowed may be what lenders leave idle, or what no share owns."""
    loans, idle = (of_all(book, name, unit) for name in ("borrowed", "lendable_idle"))
    return loans <= idle + unowned_lent(book, unit)
