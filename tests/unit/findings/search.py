"""The share table's oracle: every reachable state of one unit, by search. It shares no code with `table`.

A state is the usage of each share. Moves: dispatch a job of any size that fits, or give machines back (a job ends or is
stopped). What a share may rely on is read off the states, never computed by a formula.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

State = tuple[int, ...]


@dataclass(frozen=True)
class Queue:
    """One unit: per share (limit, lendable, borrowable or None), the capacity, and reading A5."""

    capacity: int
    grants: tuple[tuple[int, int, int | None], ...]
    unallotted: str = "owners"

    def protected(self, usage: State) -> int:
        return sum(max(r, limit - lendable) for r, (limit, lendable, _) in zip(usage, self.grants, strict=True))

    def cap(self, above_limit: bool) -> int:
        given = sum(limit for limit, _, _ in self.grants)
        loose = {"owners": not above_limit, "void": False, "borrowable": True}[self.unallotted]
        return self.capacity if loose else min(given, self.capacity)

    def fits(self, usage: State, i: int, n: int) -> bool:
        limit, _, borrowable = self.grants[i]
        after = (*usage[:i], usage[i] + n, *usage[i + 1 :])
        grown = self.protected(after) > self.protected(usage)
        return (
            (borrowable is None or after[i] <= limit + borrowable)
            and sum(after) <= self.capacity
            and (not grown or self.protected(after) <= self.cap(after[i] > limit))
        )

    @cached_property
    def states(self) -> frozenset[State]:
        start = (0,) * len(self.grants)
        seen, todo = {start}, [start]
        while todo:
            usage = todo.pop()
            for i, held in enumerate(usage):
                up = [held + n for n in range(1, self.capacity + 1) if self.fits(usage, i, n)]
                for new in [*up, *range(held)]:
                    after = (*usage[:i], new, *usage[i + 1 :])
                    if after not in seen:
                        seen.add(after)
                        todo.append(after)
        return frozenset(seen)

    def most(self, i: int) -> int:
        return max(usage[i] for usage in self.states)

    def sure(self, i: int) -> int:
        limit = self.grants[i][0]
        idle = [usage for usage in self.states if usage[i] == 0]
        within = min(
            max([n for n in range(1, limit + 1) if self.fits(usage, i, n)], default=0)
            for usage in idle
            if all(r <= g[0] for r, g in zip(usage, self.grants, strict=True))
        )
        loans = range(limit + 1, self.most(i) + 1) if within == limit else ()
        return max([n for n in loans if all(self.fits(usage, i, n) for usage in idle)], default=within)

    def at_once(self, i: int) -> int:
        """The largest usage within the limit that the share can come to from every state by a start."""
        limit = self.grants[i][0]
        reached = (
            max((n for n in range(usage[i] + 1, limit + 1) if self.fits(usage, i, n - usage[i])), default=usage[i])
            for usage in self.states
            if usage[i] < limit
        )
        return min(reached, default=0)

    def lacks(self, usage: State, i: int, n: int) -> bool:
        """A job of `n` within the limit of share `i` waits, and protected usage says so."""
        after = (*usage[:i], usage[i] + n, *usage[i + 1 :])
        grown = self.protected(after) > self.protected(usage)
        return after[i] <= self.grants[i][0] and grown and self.protected(after) > self.cap(False)

    def must_take_back(self, i: int) -> bool:
        """Whatever the share holds, one of its jobs within the limit may lack machines."""
        return any(self.lacks(s, i, n) for s in self.states for n in range(1, self.grants[i][0] + 1))

    def loses(self, i: int) -> int:
        """The largest usage above its limit at which another share's owner lacks machines."""
        return max(self._exposed(i), default=0)

    def unstopped(self, i: int) -> int:
        """One less than the smallest."""
        return min(self._exposed(i), default=self.most(i) + 1) - 1

    @cache  # noqa: B019
    def _exposed(self, i: int) -> set[int]:
        others = [j for j in range(len(self.grants)) if j != i]
        return {
            s[i]
            for s in self.states
            if s[i] > self.grants[i][0]
            and any(self.lacks(s, j, n) for j in others for n in range(1, self.grants[j][0] + 1))
        }
