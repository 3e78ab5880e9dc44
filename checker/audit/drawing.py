"""The timeline of a queue from its observations: one pass, which remembers every change of what is drawn.

What jobs and shares do is followed as the ledger follows it (`follow`, `hours`, `drawn_jobs`), so that its numbers are the
ledger's. Trusted: they, and whoever says why jobs were stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ...spec import events as ev
from ...spec.model import QueueConfig
from ...spec.observations import (
    Gap,
    History,
    Observation,
    Preempted,
    Preempting,
    Reached,
    Rejected,
    Retried,
    Seen,
    Settled,
    Submitted,
)  # fmt: skip
from ...spec.readings import Readings
from ..drawn import KINDS, NONE, Happened, Series, StopTable, Supply, Timeline, Track
from .called import Called
from .drawn_jobs import Name, Places, Rows, numbers
from .follow import Follow
from .hours import Hours
from .numbers import LIMIT, USED
from .timeline import Columns, by_time
from .words import said

MOST = 300_000
"""Observations that are drawn."""
_MOVES: tuple[tuple[type[Observation], str], ...] = (
    (Submitted, "submitted"), (Rejected, "refused"), (ev.Dispatch, "gets machines"), (Preempting, "told to stop"),
    (Preempted, "has stopped"), (Retried, "tried again"), (ev.Return, "gives machines back"),
    (ev.Terminate, "terminated"), (ev.SetPriority, "priority"), (ev.Claim, "claims"), (ev.Release, "claim ends"),
    (ev.Misconfigured, "can never run"),
)  # fmt: skip


@dataclass(frozen=True)
class Told:
    """Why a job was stopped, in words: for whom, why that was allowed, whether it could have been another one."""

    by: str = ""
    """The job that it made room for, where that is certain."""
    kind: str = ""
    whom: str = "not known"
    why: str = ""
    instead: str = ""


Watch = Callable[[Iterator[Seen], str], Iterator[Seen]]
Stops: TypeAlias = Mapping[tuple[str, int, int], Told]
"""By job, and earliest and latest time of the observation that tells it."""
StopsTold: TypeAlias = Callable[[History], Stops]


@dataclass
class _Steps:
    """A series that grows."""

    series: Series = field(default_factory=lambda: Series(numbers(), numbers()))

    def add(self, at: int, n: int) -> None:
        times, values = self.series.at, self.series.n
        if values and times[-1] == at:
            del times[-1], values[-1]
        if not values or values[-1] != n:
            times.append(at)
            values.append(n)


class _Cells(Hours):
    """Remembers which cells and which units changed."""

    def __init__(self, start: int) -> None:
        super().__init__(start)
        self.changed: set[tuple[str, str]] = set()
        self.equipped: set[str] = set()

    def change(self, at: int, share: str, unit: str, now: tuple[int, ...]) -> None:
        super().change(at, share, unit, now)
        self.changed.add((share, unit))

    def wait(self, at: int, share: str, unit: str, more: int) -> None:
        super().wait(at, share, unit, more)
        self.changed.add((share, unit))

    def equip(self, at: int, unit: str, capacity: int) -> None:
        super().equip(at, unit, capacity)
        self.equipped.add(unit)


_TRACK = ("limit", "most", "used", "draining", "waiting")


class Drawing:
    """A timeline from `start` to `end` while it grows; observations may begin at `first`, before it. Without `end` it ends
    with the last one."""

    def __init__(
        self, config: QueueConfig, readings: Readings, *, first: int, start: int, end: int | None = None, name: Name
    ) -> None:
        self._start, self._end, self._at = start, end, start
        self._hours = _Cells(first)
        self._shares: Places[str] = Places(share.name for share in config.shares)
        self._rows = Rows(self._hours, self._shares, self._hours.changed, name)
        self._follow = Follow(config, readings, self._hours, self._rows, first)
        self._tracks: dict[tuple[str, str], dict[str, _Steps]] = {}
        self._supplies: dict[str, tuple[_Steps, _Steps]] = {}
        self._begun = False
        self._happened = Happened(numbers(), numbers(), (), numbers(), numbers(), ())
        self._kinds: Places[str] = Places()
        self._texts: Places[str] = Places([""])

    def take(self, at: int, seen: Seen) -> None:
        """One more observation, at a time that does not go back."""
        if not self._begun and at >= self._start:
            self._begin()
        at = self._at = at if self._end is None else min(at, self._end)
        self._rows.at, self._rows.seen = at, seen
        self._follow.record(at, seen.what)
        if self._begun:
            self._note(at, seen.what)
            self._draw(at)

    def _begin(self) -> None:
        self._begun = True
        self._rows.begin(self._start, list(self._follow.live.values()))
        self._hours.changed |= set(self._hours.accounts)
        self._hours.equipped |= set(self._hours.pools)
        self._draw(self._start)

    def _draw(self, at: int) -> None:
        """Write down what has changed."""
        hours, follow = self._hours, self._follow
        for share, unit in sorted(hours.changed):
            now, grant = follow.quantities(share, unit), follow.grant(share, unit)
            used, waiting = now[USED], hours.accounts[share, unit].waiting
            if (share, unit) not in self._tracks:
                if not (now[LIMIT] or used or waiting):
                    continue
                self._tracks[share, unit] = {name: _Steps() for name in _TRACK}
            most = NONE if grant.borrowable is None else grant.limit + grant.borrowable
            draining = used - follow.undrained(share, unit)
            for name, n in zip(_TRACK, (now[LIMIT], most, used, draining, waiting), strict=True):
                self._tracks[share, unit][name].add(at, n)
        for unit in sorted({*hours.equipped, *(unit for _, unit in hours.changed)}):
            capacity, used = self._supplies.setdefault(unit, (_Steps(), _Steps()))
            capacity.add(at, hours.pool(unit).capacity)
            used.add(at, hours.pool(unit).total[USED])
        hours.changed.clear()
        hours.equipped.clear()

    def _note(self, at: int, what: Observation) -> None:
        """A line of what happened."""
        kind, text = _told(what)
        job = getattr(what, "job", "")
        h = self._happened
        h.at.append(at)
        h.kind.append(self._kinds.of(kind))
        h.job.append(self._rows.latest.get(job, NONE))
        h.text.append(self._texts.of(text))

    def timeline(
        self, stops: Stops, *, label: str = "", gaps: Iterable[Gap] = (), notes: tuple[str, ...] = ()
    ) -> Timeline:
        """All of it, when nothing more happens."""
        if not self._begun:
            self._begin()
        end = self._at if self._end is None else self._end
        for job in self._follow.holding():
            self._rows.still_holds(end, job)
        table = self._rows.finish(self._follow.live.values())
        tracks = [
            Track(share, unit, **{name: steps.series for name, steps in found.items()})
            for (share, unit), found in self._tracks.items()
        ]
        order = self._shares.every()
        tracks.sort(key=lambda track: order.index(track.share) if track.share in order else len(order))
        happened = Happened(
            self._happened.at, self._happened.kind, self._kinds.every(), self._happened.job, self._happened.text,
            self._texts.every(),
        )  # fmt: skip
        return Timeline(
            label,
            self._start,
            max(end, self._start + 1),
            order,
            tuple(self._supplies),
            tuple(tracks),
            tuple(Supply(unit, capacity.series, used.series) for unit, (capacity, used) in self._supplies.items()),
            table,
            self._stops(stops),
            happened,
            tuple(gaps),
            notes,
        )

    def _stops(self, stops: Stops) -> StopTable:
        texts: Places[str] = Places()
        at, job, by, kind = (numbers() for _ in range(4))
        phrases = whom, why, instead = tuple(numbers() for _ in range(3))
        rows = self._rows
        for when, row, name, claimant, seen in rows.told:
            told = stops.get((name, seen.at, seen.until)) or self._known(row, claimant)
            at.append(when)
            job.append(row)
            by.append(rows.latest.get(claimant or told.by, NONE))
            kind.append(KINDS.index(told.kind))
            for column, phrase in zip(phrases, (told.whom, told.why, told.instead), strict=True):
                column.append(texts.of(phrase))
        return StopTable(at, job, by, kind, rows.drained, whom, why, instead, texts.every())

    def _known(self, row: int, claimant: str) -> Told:
        """What is to be said of a stop that nobody tells: for whom, where the observation says that."""
        if claimant not in self._rows.latest:
            return Told()
        share, own = (self._rows.share(place) for place in (self._rows.latest[claimant], row))
        whom = f"{'its own share' if share == own else share}, job {claimant}"
        return Told(claimant, KINDS[2 if share == own else 1], whom)


def _told(what: Observation) -> tuple[str, str]:
    """What happened, as a kind and what it does not say."""
    match what:
        case Reached():
            return str(what.stage), ""
        case ev.Finish():
            return ("failed" if what.failed else "succeeded"), ""
        case ev.SetPriority():
            return "priority", str(what.priority)
        case Rejected() | ev.Misconfigured():
            return ("refused" if isinstance(what, Rejected) else "can never run"), what.reason
        case Preempted():
            return "has stopped", "" if what.stage is None else f"is {what.stage}"
        case Settled():
            return "settled", ""
        case _:
            kind = next((word for known, word in _MOVES if isinstance(what, known)), "configuration")
            return kind, said(what) if kind == "configuration" else ""


def drawn(
    history: History, readings: Readings, columns: Columns, stops: StopsTold, many: int, *, watch: Watch, hidden: bool
) -> Timeline:
    """The timeline of the time that counts, in which there are so `many` observations. `hidden`: the names of jobs are to be
    hidden, so that no part of an id may stand beside one."""
    first = min(history.start, columns.start)
    name = Called(history, hidden=hidden).name
    drawing = Drawing(history.config, readings, first=first, start=columns.start, end=columns.end, name=name)
    if many > MOST:
        few = f"More than {MOST:,} observations are not drawn: --since and --until name a shorter time."
        return drawing.timeline({}, notes=(few,))
    for at, one in by_time(watch(history.seen(), "drawing"), ordered=history.ordered):
        drawing.take(max(at, first), one)
    return drawing.timeline(stops(history), gaps=history.completeness.gaps)
