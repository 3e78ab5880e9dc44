"""Observations as sentences, and their times, for a person who looks at the lines around a fault."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from math import floor

from ...spec.observations import Observation, Preempted, Preempting, Reached, Rejected, Retried, Settled, Submitted
from ..drawn import DATED
from ..witness.words import amount, words

_DAY = 86_400_000


@dataclass(frozen=True)
class Scale:
    """The unit in which machine time is told, so that a short history has numbers too."""

    name: str
    short: str
    per_hour: int

    @classmethod
    def of(cls, milliseconds: int) -> Scale:
        """The one for a time of this length."""
        if milliseconds >= 3_600_000:
            return cls("machine-hours", "h", 1)
        return cls("machine-minutes", "(min)", 60) if milliseconds >= 120_000 else cls("machine-seconds", "(s)", 3600)

    def of_hours(self, hours: float) -> float:
        return hours * self.per_hour


def said(what: Observation) -> str:
    """What was seen, in a sentence."""
    match what:
        case Submitted():
            priority = "" if what.priority is None else f", priority {what.priority}"
            return f"{what.share} submits {what.job}: {amount(what.size)}{priority}"
        case Rejected():
            return f"{what.job} of {what.share} is refused{_because(what.reason)}"
        case Reached():
            return f"{what.job} is {what.stage}"
        case Preempting():
            whom = f" for {what.claimant}" if what.claimant else ""
            return f"{what.job} is told to stop{whom}{_because(what.reason or what.kind or '')}"
        case Preempted():
            return f"{what.job} has stopped" + (f" and is {what.stage}" if what.stage else "")
        case Retried():
            return f"{what.job} is RUNNABLE again after a failed attempt"
        case Settled():
            return "the scheduler has nothing left to do"
        case _:
            return words(what)


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


def instant(at: int) -> str:
    """A time as people read it, UTC: 2026-11-02 15:00:02, with milliseconds where there are any; of a clock without dates:
    day 1 15:00:02. So does a page with its script."""
    when = datetime.fromtimestamp(at / 1000, UTC)
    day = when.strftime("%Y-%m-%d") if at >= DATED else f"day {at // _DAY + 1}"
    text = f"{day} {when:%H:%M:%S}"
    return f"{text}.{at % 1000:03}" if at % 1000 else text


def interval(start: int, end: int) -> str:
    """From when to when; UTC where there are dates."""
    return f"{instant(start)} to {instant(end)}{' UTC' if end >= DATED else ''}"


def tenths(n: float) -> str:
    """With one decimal, as on a page with its script."""
    return _fixed(n, "0.1")


def _fixed(n: float, like: str) -> str:
    """With as many decimals, a half going up, as JavaScript's toFixed has it."""
    return str(Decimal(n).quantize(Decimal(like), ROUND_HALF_UP))


def _rounded(n: float) -> int:
    """A half goes up, as on a page with its script."""
    return floor(n + 0.5)


def duration(seconds: float) -> str:
    """41 s, 2m10, 6h02, 3d04h."""
    if seconds < 60:
        return f"{_rounded(seconds)} s" if seconds >= 1 or seconds == 0 else f"{_fixed(seconds, '0.01')} s"
    minutes, rest = divmod(_rounded(seconds), 60)
    if minutes < 60:
        return f"{minutes}m{rest:02}"
    whole, minutes = divmod(minutes, 60)
    if whole < 48:
        return f"{whole}h{minutes:02}"
    days, whole = divmod(whole, 24)
    return f"{days}d{whole:02}h"
