"""The ledger of a history: one pass over its observations, in the columns that were asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...spec.model import QueueConfig, Size
from ...spec.observations import Observation, Seen, Submitted
from ...spec.readings import Readings
from ..measured import HOUR, Measured
from .follow import Follow
from .hours import Hours
from .jobs import Jobs
from .timeline import Columns, by_time, doubt
from .words import Scale

MINUTE = 60_000
SAVES_EVERY = 30
"""Minutes between two savings, for the lower end of what stops lost."""


@dataclass(frozen=True)
class Settings:
    """`saves_every`: minutes."""

    columns: Columns
    readings: Readings
    saves_every: int = SAVES_EVERY


class Ledger:
    """Reads the observations of one history, once."""

    def __init__(self, config: QueueConfig, settings: Settings, start: int) -> None:
        self._columns = settings.columns
        self.saves_every = settings.saves_every
        self._hours = Hours(start)
        self._jobs = Jobs(self._hours, settings.saves_every * MINUTE)
        self._follow = Follow(config, settings.readings, self._hours, self._jobs, start)
        self._at = start
        self._open = -1
        """Index of the present column; -1 before the first."""
        self._rows: list[Measured] = []
        self._doubt = 0
        self.read_any = False
        self.observations = 0
        self.jobs = 0
        """Submitted in the time that counts."""

    def read(self, seen: Iterable[Seen], *, ordered: bool) -> None:
        """All observations; what is after the last column must not be among them."""
        for at, one in by_time(seen, ordered=ordered):
            self.read_any = True
            self._move(min(max(at, self._at), self._columns.end))
            counts = self._jobs.counts = self._open >= 0
            self.observations += counts
            self.jobs += counts and isinstance(one.what, Submitted)
            if counts and one.until > one.at:
                self._doubt += doubt(one) * sum(self._size(one.what).values())
            self._follow.record(self._at, one.what)
        self._move(self._columns.end)
        self._jobs.counts = True
        for job in self._follow.holding():
            self._jobs.still_holds(self._at, job)
        self._close()

    def _size(self, what: Observation) -> Size:
        """What may be counted as used or as idle while nobody knows when it happened."""
        job = self._follow.live.get(getattr(what, "job", ""))
        return {} if job is None or isinstance(what, Submitted) else job.size

    def _move(self, at: int) -> None:
        """Go on to `at`, over the beginnings of columns."""
        periods = self._columns.periods
        while self._open + 1 < len(periods) and periods[self._open + 1].start <= at:
            self._at = max(self._at, periods[self._open + 1].start)
            self._close()
            if self._open < 0:
                self._jobs.begin(self._at, self._follow.live.values())
            self._open += 1
        self._at = at

    def _close(self) -> None:
        """Tell the present column; what was before the first is forgotten."""
        period = self._columns.periods[self._open].period if self._open >= 0 else ""
        rows: list[Measured] = [*self._hours.close(self._at, period)]
        rows += self._jobs.close(period, self._follow.shares, self._follow.waiting())
        if self._open >= 0:
            self._rows += rows

    def told(self) -> Iterator[Measured]:
        """The ledger, stability and recovery."""
        yield from self._columns.periods
        yield from self._rows
        yield from self._follow.stability.months()
        yield self._jobs.recovery

    def notes(self) -> Iterator[str]:
        """What the numbers rest on."""
        if self._doubt:
            scale = Scale.of(self._columns.end - self._columns.start)
            yield (
                "Times that are known only to an interval count at its middle: at most "
                f"{max(scale.of_hours(self._doubt / HOUR), 0.1):,.1f} {scale.name} are in the wrong place."
            )
        if self._follow.no_priority:
            yield (
                f"The priority of {self._follow.no_priority:,} jobs is not known: it counts as 0 where the ledger asks "
                "who is at the head of a share."
            )
        if self._follow.lost:
            yield (
                f"{self._follow.lost:,} observations do not count in the ledger: they are of jobs or shares that are not "
                "there, or that cannot do so then."
            )

    @property
    def shares(self) -> Mapping[str, None]:
        return dict.fromkeys(self._follow.shares)
