"""The sum rules over many dispatches at once: running sums as columns, the rules as generated NumPy.

Events are moves of jobs in their order. Each becomes one row for each unit that it wants; cumulative sums of the rows give
every share's usage and every sum over shares just before each row, and the rules are asked on all rows of dispatches
together. Between two changes of an administrator the numbers in force stand still. Trusted: `sums` for what is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...spec import events as ev
from ...spec.administered import Administered
from ...spec.expr.columns import compile_columns
from ...spec.model import QueueConfig, Size
from ...spec.readings import Readings
from .book import Impossible
from .rows import UNLIMITED
from .sums import CODES, Sums, sum_rules

Array = Any
"""A NumPy array; the library is loaded when it is needed."""


@cache
def _rules(readings: Readings) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    made = sum_rules(readings)
    return compile_columns([*made.kept, *made.comes_up], made.names)


@cache
def _protects(readings: Readings) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    return compile_columns([sum_rules(readings).protected], ("usage.a.u", "limit.a.u", "lendable.a.u"))


@dataclass(frozen=True)
class Asked:
    """What a stretch of events comes up to and breaks. Events are counted from the stretch's start."""

    broken: Array
    """Per event, index in `CODES` of the first that it breaks; -1 for none."""
    comes_up: Array
    """Per event, a column for each of `CODES`."""
    rows: Callable[[int], dict[str, list[Any]]]
    """The rows of `sums.FIELDS` of an event, by unit."""


class Kinds:
    """Shares, units, and kinds of jobs: one for each share and size. All by number."""

    def __init__(self) -> None:
        self.shares: dict[str, int] = {}
        self.units: dict[str, int] = {}
        self.sizes: list[tuple[str, Size]] = []
        """Kind -> its share and size."""
        self._kinds: dict[tuple[str, tuple[tuple[str, int], ...]], int] = {}
        self._columns: tuple[Array, ...] = ()

    def kind(self, share: str, size: Size) -> int:
        """The number of jobs of this share and size."""
        key = share, tuple(size.items())
        found = self._kinds.get(key)
        if found is None:
            found = self._kinds[key] = len(self.sizes)
            self.sizes.append((share, dict(size)))
            self.share(share)
            for unit in size:
                self.unit(unit)
        return found

    def share(self, name: str) -> int:
        """The number of a share."""
        return self.shares.setdefault(name, len(self.shares))

    def unit(self, name: str) -> int:
        """The number of a unit."""
        return self.units.setdefault(name, len(self.units))

    def columns(self) -> tuple[Array, ...]:
        """Per kind: share, how many rows, its first row; per row: unit, instances."""
        import numpy as np

        if not self._columns or len(self._columns[0]) != len(self.sizes):
            counts = np.array([len(size) for _, size in self.sizes], dtype=np.int64)
            self._columns = (
                np.array([self.shares[share] for share, _ in self.sizes], dtype=np.int64),
                counts,
                np.cumsum(counts) - counts,
                np.array([self.units[u] for _, size in self.sizes for u in size], dtype=np.int64),
                np.array([n for _, size in self.sizes for n in size.values()], dtype=np.int64),
            )
        return self._columns


class ColumnState:
    """Usage of each share in each unit, and the numbers in force, as arrays."""

    def __init__(self, config: QueueConfig, readings: Readings) -> None:
        import numpy as np

        self.readings = readings
        self.now = Administered.of(config)
        self.kinds = Kinds()
        self._ask, self._protect = _rules(readings), _protects(readings)
        self._usage: Array = np.zeros((0, 0), dtype=np.int64)
        self._current = False

    def change(self, event: ev.Event) -> None:
        """An administrator's event. Raises Impossible."""
        after = self.now.after(event, self.readings)
        if isinstance(after, str):
            raise Impossible(after)
        self.now = after
        self._current = False

    def usage(self) -> Array:
        """What every share uses of every unit."""
        self._refresh()
        return self._usage.copy()

    def sums(self, usage: Array = None, kinds: Array = (), signs: Array = ()) -> Sums:
        """The state for questions one by one: the one now, or that after some events from an earlier usage."""
        import numpy as np

        self._refresh()
        usage = self.usage() if usage is None else usage.copy()
        if len(kinds):
            _, share, unit, delta = self._rows(kinds, signs)
            np.add.at(usage, (share, unit), delta)
        made = Sums(self.now, self.readings)
        for share, s in self.kinds.shares.items():
            for unit, u in self.kinds.units.items():
                if usage[s, u] and share in self.now.shares:
                    made.move(share, {unit: int(usage[s, u])}, 1)
        return made

    def advance(self, kinds: Array, signs: Array, judged: Array) -> Asked:
        """Play a stretch of events: the kind of each one's job, 1 or -1, and whether it is a dispatch to be judged."""
        import numpy as np

        self._refresh()
        event, share, unit, delta = self._rows(kinds, signs)
        cell = share * len(self.kinds.units) + unit
        before = self._cells(cell, delta)
        limit, lendable = self._limit[cell], self._lendable[cell]
        protected = self._protect((before, limit, lendable))[0]
        shift = self._protect((before + delta, limit, lendable))[0] - protected
        total_usage, total_protected = self._totals(unit, delta, shift)
        rows = np.flatnonzero(judged[event])
        asks, cells, units = delta[rows], cell[rows], unit[rows]
        columns = (before[rows], asks, limit[rows], lendable[rows], self._borrowable[cells], self._unlimited[cells],
                   self._may_borrow[share[rows]], self._capacity[units], total_usage[rows], total_protected[rows],
                   self._limits[units])  # fmt: skip
        found = [np.broadcast_to(column, len(rows)) for column in self._ask(columns)]
        asked = event[rows]
        broken = np.full(len(kinds), -1, dtype=np.int64)
        comes_up = np.zeros((len(kinds), len(CODES)), dtype=bool)
        for index in reversed(range(len(CODES))):
            broken[asked[~found[index]]] = index
            comes_up[asked[found[len(CODES) + index]], index] = True
        names = list(self.kinds.units)

        def row(number: int) -> dict[str, list[Any]]:
            return {names[units[i]]: [column[i].item() for column in columns] for i in np.flatnonzero(asked == number)}

        return Asked(broken, comes_up, row)

    def above(self, kinds: Array, signs: Array, groups: Array) -> Array:
        """Per event, whether its share is above its limit in a unit of its job when its group is over."""
        import numpy as np

        self._refresh()
        event, share, unit, delta = self._rows(kinds, signs)
        cell = share * len(self.kinds.units) + unit
        order = np.argsort(cell, kind="stable")
        cells, group = cell[order], groups[event][order]
        after = self._cells(cell, delta, keep=False)[order] + delta[order]
        last = np.flatnonzero(np.append((np.diff(cells) != 0) | (np.diff(group) != 0), True))
        at_end = np.repeat(after[last], np.diff(np.append(-1, last)))
        found = np.zeros(len(kinds), dtype=bool)
        found[event[order][at_end > self._limit[cells]]] = True
        return found

    def _rows(self, kinds: Array, signs: Array) -> tuple[Array, Array, Array, Array]:
        """Per row: its event, share, unit, and what it adds."""
        import numpy as np

        shares, counts, first, units, sizes = self.kinds.columns()
        n = counts[kinds]
        event = np.repeat(np.arange(len(kinds)), n)
        part = np.arange(len(event)) - np.repeat(np.cumsum(n) - n, n) + first[kinds][event]
        return event, shares[kinds][event], units[part], sizes[part] * signs[event]

    def _cells(self, cell: Array, delta: Array, *, keep: bool = True) -> Array:
        """Usage of each row's share and unit before the row. `keep`: the state becomes that after the rows."""
        import numpy as np

        # Sorting 16-bit numbers takes a tenth of the time of wider ones.
        order = np.argsort(cell.astype(np.uint16) if self._usage.size < 1 << 16 else cell, kind="stable")
        cells, added = cell[order], delta[order]
        total = np.cumsum(added)
        first = np.flatnonzero(np.append(True, np.diff(cells) != 0)) if len(cells) else np.zeros(0, dtype=np.int64)
        lengths = np.diff(np.append(first, len(cells)))
        base = self._usage.reshape(-1)[cells[first]] - (total - added)[first]
        before = np.empty_like(delta)
        before[order] = total - added + np.repeat(base, lengths)
        if keep and len(first):
            self._usage.reshape(-1)[cells[first]] = base + total[first + lengths - 1]
        return before

    def _totals(self, unit: Array, delta: Array, shift: Array) -> tuple[Array, Array]:
        """What all shares use and protect of each row's unit before the row; the state's sums become those after."""
        import numpy as np

        usage, protected = np.empty_like(delta), np.empty_like(delta)
        for u in range(len(self.kinds.units)):
            at = np.flatnonzero(unit == u)
            for column, added, total in ((usage, delta[at], self._used), (protected, shift[at], self._protected)):
                run = np.cumsum(added)
                column[at] = total[u] + run - added
                if len(run):
                    total[u] += run[-1]
        return usage, protected

    def _refresh(self) -> None:
        """Arrays for every share and unit that there is now."""
        import numpy as np

        kinds = self.kinds
        for share in self.now.shares:
            kinds.share(share)
        for unit in self.now.units():
            kinds.unit(unit)
        shape = len(kinds.shares), len(kinds.units)
        if self._current and self._usage.shape == shape:
            return
        usage = np.zeros(shape, dtype=np.int64)
        usage[: self._usage.shape[0], : self._usage.shape[1]] = self._usage
        self._usage = usage
        there = np.array([s in self.now.shares for s in kinds.shares], dtype=bool)
        usage[~there] = 0
        grants = [
            [self.now.grant(s, u, self.readings) if s in self.now.shares else None for u in kinds.units]
            for s in kinds.shares
        ]
        flat = [g for row in grants for g in row]
        self._limit: Array = np.array([g.limit if g else 0 for g in flat], dtype=np.int64)
        self._lendable: Array = np.array([g.lendable if g else 0 for g in flat], dtype=np.int64)
        self._unlimited: Array = np.array([bool(g) and g.borrowable is None for g in flat], dtype=bool)
        borrowable = [0 if g is None else UNLIMITED if g.borrowable is None else g.borrowable for g in flat]
        self._borrowable: Array = np.array(borrowable, dtype=np.int64)
        may = [s in self.now.shares and self.now.may_borrow(s, self.readings) for s in kinds.shares]
        self._may_borrow: Array = np.array(may, dtype=bool)
        self._capacity: Array = np.array([self.now.capacity.get(u, 0) for u in kinds.units], dtype=np.int64)
        self._limits: Array = self._limit.reshape(shape).sum(axis=0)
        self._used: Array = usage.sum(axis=0)
        protected = self._protect((usage.reshape(-1), self._limit, self._lendable))[0]
        self._protected: Array = protected.reshape(shape).sum(axis=0)
        self._current = True
