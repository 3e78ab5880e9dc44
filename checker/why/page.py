"""A page of a report: a head, tables and labelled sentences, in their order. What they say is decided before; how they
look is decided by the writer of the form (`text`, `md`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from ..report.layout import Column

_WEEK = 6 * 24 * 3600 * 1000


@dataclass(frozen=True)
class Head:
    """What the page is about. `right` stands at the right edge of a screen."""

    name: str
    about: str
    right: str = ""
    more: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """Rows under a title. `notes` stand below."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """Sentences behind a label."""

    label: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Choices:
    """Under a title: what can be done, what comes of it, and how it is done or what else it costs."""

    title: str
    rows: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Foot:
    """The last line."""

    text: str
    exit_code: int


Block = Head | Table | Part | Choices | Foot
Page = tuple[Block, ...]


@dataclass(frozen=True)
class Clock:
    """Times as a reader of `now` says them, UTC: within six days by weekday, else by date."""

    now: int

    def at(self, ms: int | None, *, seconds: bool = True) -> str:
        """Mon 09:14:05, or 2026-11-02 09:14:05."""
        if ms is None:
            return "?"
        near = 0 <= self.now - ms < _WEEK
        return _time(ms).strftime(("%a " if near else "%Y-%m-%d ") + ("%H:%M:%S" if seconds else "%H:%M"))

    def span(self, start: int | None, end: int | None) -> str:
        """From - to; the day is said once where both are on it."""
        if start is not None and end is not None and _time(start).date() == _time(end).date():
            return f"{self.at(start)} - {_time(end):%H:%M:%S}"
        return f"{self.at(start)} - {'not yet' if end is None else self.at(end)}"


def _time(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, tz=UTC)


def day(ms: int) -> str:
    """2026-11-02."""
    return _time(ms).strftime("%Y-%m-%d")


def moment(ms: int) -> str:
    """2026-11-02 09:14:05 UTC."""
    return _time(ms).strftime("%Y-%m-%d %H:%M:%S UTC")


def lasted(ms: int | None) -> str:
    """6 h 02, 41 min or 50 s."""
    if ms is None:
        return "?"
    seconds = ms // 1000
    if seconds < 60:
        return f"{seconds} s"
    minutes = seconds // 60
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02}"


def count(n: int, noun: str) -> str:
    """1 machine, 2 machines."""
    return f"{n} {noun}{'' if n == 1 else 's'}"


def named(names: Iterable[str], *, most: int = 3, last: str = "and") -> str:
    """a, b and c; of a long list the tail is counted."""
    every = list(dict.fromkeys(names))
    if len(every) > most:
        return f"{', '.join(every[:most])} {last} {len(every) - most} more"
    return f" {last} ".join([", ".join(every[:-1]), every[-1]] if len(every) > 1 else every)
