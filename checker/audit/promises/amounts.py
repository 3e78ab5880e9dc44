"""The most that shares held or borrowed at once, weighted over units, with the time; and allocations that shrank.

Where times are intervals the least that was held at every instant counts: what is told as too much was so for certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...results import Result, Verdict
from ..numbers import BORROWED, USED
from ..words import duration, instant
from .watch import Breaks, Now, Watch, times


@dataclass
class AtMost(Watch):
    """What these shares together hold of some units, or borrow, is never more than `bound`."""

    subject: str
    shares: Sequence[str]
    weights: Mapping[str, int]
    """Unit -> how much one instance counts."""
    bound: int
    measure: str
    borrows: bool = False
    most: tuple[int, str] = (0, "")
    breaks: Breaks = field(default_factory=Breaks)
    _over: tuple[int, int, str] | None = None
    """How much too much at most, since when at the latest, and where it began."""

    def look(self, now: Now) -> None:
        which = BORROWED if self.borrows else USED
        total = sum(
            weight * now.follow.quantities(share, unit)[which]
            for unit, weight in self.weights.items()
            for share in self.shares
        )
        if total > self.most[0]:
            self.most = total, instant(now.at)
        if total > self.bound:
            most, since, place = self._over or (0, now.latest, now.place)
            self._over = max(most, total), since, place
        elif self._over is not None:
            self._end(now)

    def close(self, now: Now) -> None:
        if self._over is not None:
            self._end(now)

    def _end(self, now: Now) -> None:
        assert self._over is not None
        (most, since, place), self._over = self._over, None
        if why := now.doubtful(since, now.earliest):
            self.breaks.doubt(why)
            return
        lasted = duration(max(0, now.earliest - since) / 1000)
        self.breaks.add(f"{most} {self.measure} at {instant(since)}, for {lasted}", place, most)

    def results(self) -> Iterator[Result]:
        b, did = self.breaks, "borrowed" if self.borrows else "held"
        if b.times:
            yield Result("", Verdict.BROKEN_HERE, f"{did} {b.said[0]}; at most {self.bound} are promised", self.subject,
                         more=tuple(b.said[1:]), place=b.place, count=b.times)  # fmt: skip
        elif b.undecided:
            yield Result("", Verdict.UNKNOWN, f"not decided {times(b.undecided)}: {b.why}", self.subject)
        elif self.most[0]:
            said = f"{did} at most {self.most[0]} of {self.bound} {self.measure} at once ({self.most[1]})"
            yield Result("", Verdict.KEPT, said, self.subject, count=1)
        else:
            yield Result("", Verdict.NEVER_CAME_UP, f"no {self.measure} was {did}", self.subject)


@dataclass
class Shrinks(Watch):
    """When an allocation became smaller. Whether anybody was told before is in no record."""

    share: str
    notice: str
    """The notice that is promised, in words."""
    found: list[str] = field(default_factory=list[str])
    place: str = ""
    _limits: Mapping[str, int] | None = None

    def look(self, now: Now) -> None:
        after = now.follow.shape().get(self.share)
        before, self._limits = self._limits, after
        if before is None or before == after:
            return
        for unit, old in before.items():
            new = (after or {}).get(unit, 0)
            if new < old:
                self.place = self.place or now.place
                self.found.append(f"{unit} {old} -> {new} at {instant(now.at)}")

    def results(self) -> Iterator[Result]:
        if self.found:
            said = "; ".join(self.found)
            yield Result("", Verdict.NOT_SEEN, f"shrank: {said}. Whether {self.notice} notice was given is in no record",
                         self.share, place=self.place, count=len(self.found))  # fmt: skip
        else:
            yield Result("", Verdict.NEVER_CAME_UP, "no allocation shrank", self.share)
