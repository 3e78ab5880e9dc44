"""What measures one term of a promise in one time: a `Watch`. It is shown every state at rest, and what becomes of jobs.

Where times are intervals nothing is called broken that another instant of them would explain. A watch says which state it
is to be shown: the one in which the least is held at every instant (`LEAST`), or the one in which the most is (`MOST`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from ....spec.observations import Doubt, Preempting, Seen
from ...results import Result
from ..follow import Follow
from ..jobs import Live

SHOWN = 3
"""Breaks that are told one by one."""
FOR_EVER = 1 << 62
"""A time after everything."""


class Holds(Enum):
    """Which state a watch is shown where times are intervals."""

    LEAST = "least"
    MOST = "most"


@dataclass(frozen=True)
class Window:
    """The time that counts, in milliseconds since 1970; `end` is not included."""

    start: int = 0
    end: int = FOR_EVER

    def both(self, other: Window) -> Window:
        return Window(max(self.start, other.start), min(self.end, other.end))

    @property
    def empty(self) -> bool:
        return self.start >= self.end


@dataclass
class Now:
    """Where the reading stands."""

    follow: Follow
    at: int = 0
    earliest: int = 0
    latest: int = 0
    """What happened last happened between these."""
    seen: Seen | None = None
    place: str = ""
    ordered: bool = False
    """True when observations are in the order in which they happened."""
    doubts: Sequence[Doubt] = ()

    def doubtful(self, start: int, end: int) -> str:
        """Why nothing can be called broken that rests on this time; '' where it can."""
        return next((d.why for d in self.doubts if d.start <= end and start <= d.end), "")


class Watch:
    """Looks on in one time. Whatever it does not ask about it leaves out."""

    holds = Holds.LEAST

    def submitted(self, now: Now, job: Live) -> None:
        """A job was accepted."""

    def started(self, now: Now, job: Live) -> None:
        """The job is about to get its machines: it waits no longer, and does not hold them yet."""

    def told(self, now: Now, job: Live, what: Preempting) -> None:
        """The job is about to be told to stop."""

    def freed(self, now: Now, job: Live, *, stopped: bool) -> None:
        """The job is about to give its machines back; `stopped`: it was preempted."""

    def seen(self, now: Now, seen: Seen) -> None:
        """An observation, before it is followed."""

    def look(self, now: Now) -> None:
        """A state at rest: what happened at this instant is followed."""

    def close(self, now: Now) -> None:
        """The time that counts is over."""

    def results(self) -> Iterator[Result]:
        """What it found. Codes are left out: the promise gives them."""
        return iter(())


@dataclass
class Breaks:
    """Times at which a promise was not kept, or may not have been."""

    times: int = 0
    said: list[str] = field(default_factory=list[str])
    """The first of them."""
    place: str = ""
    worst: float = 0
    undecided: int = 0
    why: str = ""
    """Why one of them is not decided."""

    def add(self, sentence: str, place: str, amount: float = 0) -> None:
        """One that is certain; `amount`: how bad it is, to tell of the worst first."""
        self.times += 1
        if amount > self.worst or not self.said:
            self.said.insert(0, sentence)
            self.worst, self.place = max(amount, self.worst), place
        else:
            self.said.append(sentence)
        del self.said[SHOWN:]

    def doubt(self, why: str) -> None:
        """One that is not."""
        self.undecided += 1
        self.why = self.why or why


def times(n: int) -> str:
    """ "once", "twice", "3 times"."""
    return "once" if n == 1 else "twice" if n == 2 else f"{n:,} times"
