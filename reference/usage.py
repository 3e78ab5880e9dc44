"""What shares use of each unit, and what that adds up to over a queue's shares, kept as counts change.

The sums are worked out anew when they are first asked for after `forget`; tests compare them with that on every step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from ..spec.model import Grant

Key = tuple[str, str]
"""Share, unit."""


class Granting(Protocol):
    """What sums need to know of a queue."""

    @property
    def shares(self) -> Iterable[str]: ...

    def grant(self, share: str, unit: str) -> Grant: ...


class Holds(Protocol):
    """What counts need to know of a job."""

    name: str
    share: str
    size: Mapping[str, int]


class Usage(dict[Key, int]):
    """(share, unit) -> instances, 0 where nothing is used."""

    def __init__(self, queue: Granting, counts: Mapping[Key, int] | None = None) -> None:
        super().__init__(counts or {})
        self._queue = queue
        self._sums: dict[str, list[int]] = {}
        self.victims: frozenset[str] = frozenset()
        """Jobs of a plan that count as gone."""

    def __missing__(self, key: Key) -> int:
        return 0

    def __setitem__(self, key: Key, n: int) -> None:
        sums = self._sums.get(key[1])
        if sums is not None:
            grant, before = self._queue.grant(*key), self.get(key, 0)
            kept, limit = grant.kept, grant.limit
            sums[0] += n - before
            sums[1] += (n if n > kept else kept) - (before if before > kept else kept)
            sums[2] += (n - limit if n > limit else 0) - (before - limit if before > limit else 0)
        dict.__setitem__(self, key, n)

    def copy(self) -> Usage:
        """The same counts, to be changed on their own."""
        new = Usage(self._queue, self)
        new.victims = self.victims
        new._sums = {unit: list(sums) for unit, sums in self._sums.items()}
        return new

    def without(self, victims: Sequence[Holds]) -> Usage:
        """The same counts where these jobs have stopped."""
        left = self.copy()
        left.victims |= {victim.name for victim in victims}
        for victim in victims:
            for unit, n in victim.size.items():
                left[victim.share, unit] -= n
        return left

    def forget(self) -> None:
        """What shares are granted has changed."""
        self._sums.clear()

    def total(self, unit: str) -> int:
        """What all shares use."""
        return self._of(unit)[0]

    def filled(self, unit: str) -> int:
        """What every share uses or, where that is more, what is kept for it."""
        return self._of(unit)[1]

    def lent(self, unit: str) -> int:
        """What shares use beyond their limits."""
        return self._of(unit)[2]

    def within(self, unit: str, used: int, filled: int) -> bool:
        """Whether not more is used, and used or kept, than so much."""
        sums = self._of(unit)
        return sums[0] <= used and sums[1] <= filled

    def _of(self, unit: str) -> list[int]:
        sums = self._sums.get(unit)
        if sums is None:
            counts = [(self[share, unit], self._queue.grant(share, unit)) for share in self._queue.shares]
            sums = self._sums[unit] = [
                sum(n for n, _ in counts),
                sum(max(n, grant.kept) for n, grant in counts),
                sum(max(0, n - grant.limit) for n, grant in counts),
            ]
        return sums
