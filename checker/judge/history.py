"""A whole history judged to its end: what came up, what was broken, what cannot be known and why.

After a fault the observation counts as it was seen, and what follows is judged relative to what it left. Where the order
of observations is not known, one is looked for in which nothing is broken; only when there is none, a fault is named.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

from ...spec.observations import History
from ...spec.readings import Readings
from .book import Book
from .doubts import proven
from .judged import Fault, Judged
from .observe import look, record
from .order import Item, Stream, meets
from .rest import due
from .search import search
from .stepwise import Violation
from .unseen import Unseen

SUMS = frozenset({"G1", "G2", "G3", "G4"})
"""What the canonical order of one time decides by itself."""
CAP = 4096
"""Most states of one search."""
_OFTEN = 512


def judge_history(
    history: History, readings: Readings, *, skew: int = 0, cap: int = CAP,
    progress: Callable[[int], None] | None = None,
) -> Judged:  # fmt: skip
    """Judge every observation. `skew`: milliseconds by which times of different sources may differ; `cap`: most states
    of one search for an order; `progress` is told now and then how many observations are done."""
    judge = _Judge(history, readings, skew, cap)
    if history.ordered:
        last = history.start
        for number, seen in enumerate(history.seen()):
            if number and seen.at < last:
                why = f"its time is {last - seen.at} ms before that of the observation in front of it"
                judge.fault(Violation("G10", "", "", why), Item(number, number, seen), (number, number))
            last = seen.at
            judge.take(Item(number, number, seen))
            if progress and not number % _OFTEN:
                progress(number)
    else:
        judge.search_orders(progress)
    return judge.judged()


@dataclass(slots=True)
class _Placed:
    """An observation in the order that stands, with the state before it and what came up."""

    item: Item
    mark: int
    counts: Counter[str]


class _Judge:
    def __init__(self, history: History, readings: Readings, skew: int, cap: int) -> None:
        self.book = Book(history.config, readings, claims_known=history.claims)
        self.unseen = Unseen(self.book)
        self.skew, self.cap = skew, cap
        self.counts: Counter[str] = Counter()
        self.first: dict[str, int] = {}
        self.faults: list[Fault] = []
        self.undecided: dict[str, tuple[int, str]] = {}
        self.events = 0
        self.trail: deque[_Placed] = deque()
        self.searched_until: int | None = None
        """The end of the last window in which a search reached its limit."""
        self._history = history

    def fault(self, found: Violation, item: Item, window: tuple[int, int]) -> None:
        """Note a fault."""
        self.faults.append(Fault(found.code, item.number, item.seen, found.sentence, found.clause, window))

    def take(self, item: Item) -> None:
        """Judge and record an observation whose order is known."""
        found = self._look(item)
        self.unseen.note(item.what)
        if found:
            self.fault(found, item, (item.number, item.number))
        record(self.book, item.what)
        self.events += 1

    def _look(self, item: Item) -> Violation | None:
        counts: Counter[str] = Counter()
        found = look(self.book, item.what, counts)
        self._came_up(counts, item)
        return found

    def _came_up(self, counts: Counter[str], item: Item) -> None:
        self.counts.update(counts)
        for code in counts.keys() - self.first.keys():
            self.first[code] = item.number

    # orders

    def search_orders(self, progress: Callable[[int], None] | None) -> None:
        """Judge observations that have times and no order."""
        self.book.mark()
        stream = Stream(self._history.seen(), self.book)
        for item in stream:
            found = self._place(item)
            if found:
                self._resolve(stream, item, found)
            self.events += 1
            if not self.events % _OFTEN:
                self._forget(stream)
                if progress:
                    progress(self.events)
        self._settle_trail(len(self.trail))

    def _place(self, item: Item) -> Violation | None:
        counts: Counter[str] = Counter()
        found = look(self.book, item.what, counts)
        if found is None:
            self.trail.append(_Placed(item, self.book.mark(), counts))
            record(self.book, item.what)
        return found

    def _forget(self, stream: Stream) -> None:
        """What happened certainly before everything that is to come stays in its order."""
        earliest = stream.earliest()
        kept = 0
        while kept < len(self.trail) and (
            earliest is None or self.trail[kept].item.seen.until + 2 * self.skew < earliest
        ):
            kept += 1
        self._settle_trail(kept)

    def _settle_trail(self, count: int) -> None:
        for _ in range(count):
            placed = self.trail.popleft()
            self._came_up(placed.counts, placed.item)
            self.unseen.note(placed.item.what)
        self.book.forget(self.trail[0].mark if self.trail else self.book.mark())

    def _resolve(self, stream: Stream, item: Item, found: Violation) -> None:
        """Look for another order; where there is none, or none was found, the observation counts as it was seen."""
        first = next((i for i, p in enumerate(self.trail) if meets(p.item.seen, item.seen, self.skew)), len(self.trail))
        placed = [p.item for p in list(self.trail)[first:]]
        later = [i for i in stream.after(item.seen.until + 2 * self.skew) if meets(i.seen, item.seen, self.skew)]
        window = [*placed, item, *later]
        if len(window) > 1 and self._searches(item):
            if placed:
                self.book.undo(self.trail[first].mark)
            told = search(self.book, window, len(placed) + 1, self.skew, self.cap)
            for _ in placed:
                self.trail.pop()
            for one in told.order or placed:
                self._place(one)
            if told.order:
                stream.drop({i.number for i in told.order} - {i.number for i in (*placed, item)})
                self.events += len(told.order) - len(placed) - 1
                return
            if not told.exhausted:
                self.searched_until = max(i.seen.until for i in window)
        decided = not self._open(item) or (found.code in SUMS and _one_time(window) and not self.skew)
        numbers = [i.number for i in window]
        if decided and not self._labels(found, window):
            self.fault(found, item, (min(numbers), max(numbers)))
        else:
            times, _ = self.undecided.get(found.code, (0, ""))
            why = f"more than {self.cap} orders of observations with the same times" if not decided else _LABELS
            self.undecided[found.code] = times + 1, why
        self._settle_trail(len(self.trail))
        self._look(item)
        self.unseen.note(item.what)
        record(self.book, item.what)
        self.book.forget(self.book.mark())

    def _searches(self, item: Item) -> bool:
        return not self._open(item)

    def _open(self, item: Item) -> bool:
        """Whether a search that reached its limit left the order around the observation open."""
        return self.searched_until is not None and item.seen.at - 2 * self.skew <= self.searched_until

    def _labels(self, found: Violation, window: list[Item]) -> bool:
        """Under A13 a, whether a job counts as borrowing depends on the order in which jobs of its share started."""
        return found.code == "G5x" and self.book.chosen["A13"] == "a" and bool(window)

    def judged(self) -> Judged:
        """Everything that was found."""
        self.counts += Counter()
        faults, undecided = proven(sorted(self.faults, key=lambda f: f.number), self._history.doubts, self.skew)
        for code, (times, why) in self.undecided.items():
            undecided[code] = times + undecided.get(code, (0, ""))[0], why
        return Judged(
            self.events,
            dict(self.counts),
            tuple(faults),
            undecided,
            self.unseen.told(),
            due(self.book),
            self.first,
        )


_LABELS = "which job was lent what depends on the order of starts within their times (A13 a)"


def _one_time(window: list[Item]) -> bool:
    first = window[0].seen
    return all((i.seen.at, i.seen.until) == (first.at, first.until) for i in window)
