"""Bounds on what a history shows: machine time that stops lost, waits, and how long owners waited for their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil

from ....spec.promises import Measure, Measured
from ...results import Result, Verdict
from ..jobs import Live, lost
from ..numbers import USED
from ..words import duration
from .heads import Heads
from .watch import Now, Watch

_PERCENT = {Measure.WAIT_P50: 50, Measure.WAIT_P95: 95, Measure.OWN_BACK_P95: 95}
"""The others are the worst."""


@dataclass
class LostShare(Watch):
    """Machine time that stops lost, in percent of all that these shares used: if every job saves now and then, and if
    none does.
    """

    term: Measured
    shares: Sequence[str]
    saves_every: int
    used: int = 0
    saving: int = 0
    all_: int = 0
    _held: int = 0
    _at: int | None = None
    _start: int = 0

    def look(self, now: Now) -> None:
        self._count(now.at)
        units = {u for limits in now.follow.shape().values() for u in limits}
        self._held = sum(now.follow.quantities(s, u)[USED] for s in self.shares for u in units)

    def close(self, now: Now) -> None:
        self._count(now.at)

    def _count(self, at: int) -> None:
        if self._at is None:
            self._start = at
        else:
            self.used += self._held * (at - self._at)
        self._at = at

    def freed(self, now: Now, job: Live, *, stopped: bool) -> None:
        if stopped and job.share in self.shares:
            unsaved, all_ = lost(job, now.at, self.saves_every, self._start)
            machines = sum(job.size.values())
            self.saving += machines * unsaved
            self.all_ += machines * all_

    def results(self) -> Iterator[Result]:
        bound = self.term.at_most
        if not self.used:
            yield Result("", Verdict.NEVER_CAME_UP, "no machine was in use")
            return
        low, high = 100 * self.saving / self.used, 100 * self.all_ / self.used
        every = self.saves_every // 60_000
        said = (
            f"{low:.1f} to {high:.1f} % lost, if jobs save every {every} min and if none does; {bound:g} % are promised"
        )
        if high <= bound:
            yield Result("", Verdict.KEPT, said, count=1)
        elif low > bound:
            yield Result("", Verdict.BROKEN_HERE, said, count=1)
        else:
            yield Result("", Verdict.UNKNOWN, f"{said}; --saves-every says how often they do")


@dataclass
class FirstWaits(Watch):
    """From the submission of a job to its first start; of those submitted in the time that counts."""

    term: Measured
    shares: Sequence[str]
    took: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """At least and at most."""
    still: list[int] = field(default_factory=list[int])
    """For how long those that have not started wait, at least."""
    _came: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])

    def submitted(self, now: Now, job: Live) -> None:
        if job.share in self.shares and now.seen is not None:
            self._came[job.name] = now.seen.at, now.seen.until

    def started(self, now: Now, job: Live) -> None:
        came = self._came.pop(job.name, None)
        if came is not None and now.seen is not None:
            least = max(0, now.seen.at - came[1])
            self.took.append((least, max(least, now.seen.until - came[0])))

    def close(self, now: Now) -> None:
        self.still = [now.at - latest for job, (_, latest) in self._came.items() if job in now.follow.live]

    def results(self) -> Iterator[Result]:
        yield bounded(self.term, self.took, self.still, "no job started")


@dataclass
class OwnBack(Watch):
    """How long heads within their share's limits waited that did not fit at first; of several shares together."""

    term: Measured
    heads: Sequence[Heads]

    @classmethod
    def of(cls, term: Measured, shares: Sequence[str]) -> OwnBack:
        return cls(term, [Heads(share, None, None) for share in shares])

    def look(self, now: Now) -> None:
        for heads in self.heads:
            heads.look(now)

    def started(self, now: Now, job: Live) -> None:
        for heads in self.heads:
            heads.started(now, job)

    def close(self, now: Now) -> None:
        for heads in self.heads:
            heads.close(now)

    def results(self) -> Iterator[Result]:
        took = [wait for heads in self.heads for wait in heads.lacked]
        still = [wait for heads in self.heads for wait in heads.still]
        yield bounded(self.term, took, still, "nobody had to wait for its own")


def bounded(term: Measured, took: Sequence[tuple[int, int]], still: Sequence[int], nothing: str) -> Result:
    """The measure of waits against its bound. Of those that go on only the worst is told; they are that long at least."""
    percent = _PERCENT.get(term.measure)
    least, most = [a for a, _ in took], [b for _, b in took]
    longest = max(still, default=0)
    if percent is None and longest > max([term.at_most, *least]):
        return Result("", Verdict.BROKEN_HERE, f"one that has not started has waited {duration(longest / 1000)}; "
                      f"{duration(term.at_most / 1000)} is promised", count=1)  # fmt: skip
    if not took:
        return Result(
            "", Verdict.PENDING if still else Verdict.NEVER_CAME_UP, f"{len(still)} wait still" if still else nothing
        )
    low, high = (_rank(waits, percent or 100) for waits in (least, most))
    which = f"p{percent}" if percent else "worst"
    said = duration(low / 1000) if low == high else f"{duration(low / 1000)} to {duration(high / 1000)}"
    because = f"{said} ({which} of {len(took):,}); {duration(term.at_most / 1000)} is promised"
    over = Verdict.BROKEN_HERE if low > term.at_most else Verdict.UNKNOWN
    verdict = Verdict.KEPT if high <= term.at_most else over
    return Result("", verdict, because, count=len(took))


def _rank(waits: Sequence[int], percent: int) -> int:
    """Nearest rank."""
    return sorted(waits)[ceil(len(waits) * percent / 100) - 1]
