"""Can loans ever exceed the unallotted capacity? Only then has an owner to stop anybody to get its own back.

Loans are made while lendable machines lie idle, later their owners fill up from what nobody owns. So the question is
whether some set of borrowers can borrow enough together without its members' own lendable machines, which are in use:
a knapsack. Taking the best borrowers first settles most cases; the rest is exact for up to 20 shares (rule 3), and
beyond that a doubtful case is answered "yes", the careful side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from ...spec.model import MAX_SHARES

NODES = 20_000
"""Search steps after which a doubtful case counts as "yes"."""


@dataclass(frozen=True)
class Borrower:
    """A share that can borrow: `borrowable` machines (None unlimited), which takes its `lendable` ones out of use."""

    index: int
    borrowable: int | None
    lendable: int

    def rank(self) -> tuple[float, int]:
        """Sort key: most borrowing per lendable machine first."""
        if self.borrowable is None or self.lendable == 0:
            return (-inf, self.lendable)
        return (-self.borrowable / self.lendable, self.lendable)


def reaches(borrowers: Sequence[Borrower], target: int, room: int, *, without: int) -> bool:
    """True when some of the `borrowers` (sorted by rank, none of index `without`) can borrow `target` machines together
    while their own lendable machines are at most `room`."""
    if room < 0:
        return False
    missing, left = target, room
    for b in borrowers:
        if missing <= 0:
            return True
        if b.index != without and b.lendable <= left:
            if b.borrowable is None:
                return True
            missing, left = missing - b.borrowable, left - b.lendable
    worth = [(b.borrowable or 0, b.lendable) for b in borrowers if b.index != without and b.lendable <= room]
    nodes = NODES if len(worth) <= MAX_SHARES else 1
    stack = [(0, target, room)]
    while stack:
        start, missing, left = stack.pop()
        if missing <= 0 or nodes == 0:
            return True
        nodes -= 1
        if not _bounded_below(worth, start, missing, left):
            value, weight = worth[start]
            stack.append((start + 1, missing, left))
            if weight <= left:
                stack.append((start + 1, missing - value, left - weight))
    return False


def _bounded_below(worth: Sequence[tuple[int, int]], start: int, missing: int, left: int) -> bool:
    """True when even taking a fraction of the last item would not do."""
    for value, weight in worth[start:]:
        if weight > left:
            return value * left < missing * weight
        missing -= value
        left -= weight
        if missing <= 0:
            return False
    return True
