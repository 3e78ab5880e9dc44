"""Pictures as data: what a play looks like after one of its events. The page, the terminal and the reports draw these.

Counts are instances of one unit. Everything is plain: `dataclasses.asdict` of a `Frame` is the JSON that the page is
given. Nothing here is markup; names are whatever the input called things.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

DARK, KEPT, BROKEN, UNPROMISED = "dark", "kept", "broken", "unpromised"
"""A lamp: its guarantee never came up, came up and was kept, is broken; it says nothing of a job that waits now."""


@dataclass(frozen=True)
class Said:
    """A sentence, the code it is about (a guarantee, a clause or a reading; '' for none) and its source (AWS's rules)."""

    sentence: str
    code: str = ""
    source: str = ""


@dataclass(frozen=True)
class Broken:
    """A guarantee that this event breaks, with the numbers."""

    code: str
    name: str
    sentence: str
    job: str = ""
    """The job that waits and should not; '' where another one is to blame."""


@dataclass(frozen=True)
class Line:
    """One event of a play, told."""

    number: int
    """Of the frame after it; 0 is the start, at which nothing has happened."""
    move: int
    """Of the game's move that it belongs to, from 0; -1 for the start."""
    who: str
    """user, administrator, platform, scheduler; '' for the start and for an expectation."""
    kind: str
    """The verb of the event as scenarios write it; start, rest (the scheduler has nothing to do), expect."""
    said: tuple[Said, ...]
    """What happened, then why."""
    broken: tuple[Broken, ...] = ()
    note: str = ""
    """What the reference would have done, where a scenario gives the scheduler's choice; what an expectation found."""
    job: str = ""
    share: str = ""
    at: int | None = None
    """Milliseconds since 1970 where a history says it."""
    beside: str = ""
    """What the other side does in this step, where that is another thing."""


@dataclass(frozen=True)
class UnitState:
    """One unit of the environment."""

    unit: str
    capacity: int
    used: int
    draining: int
    reserved_idle: int
    free: int
    """Neither used nor kept for somebody; never below 0."""
    unowned_lent: int
    """Of what is borrowed, how much may be what no share owns."""


@dataclass(frozen=True)
class Bar:
    """One share and unit. used = own + borrowed; limit = own + lent + idle + reserved idle, `lent` being between two ends."""

    share: str
    unit: str
    limit: int
    lendable: int
    borrowable: int | None
    """Beyond the limit; None: no maximum."""
    reachable: int
    """Of that, what it can get when nobody else uses anything: what others lend, and what the environment has besides."""
    own: int
    borrowed: int
    draining: int
    """Of what it uses."""
    reserved_idle: int
    """Idle, and never lent."""
    lent_least: int
    lent_most: int
    """Who lends to whom is not published: where it does not follow from the numbers these differ."""
    claimed: int
    """Kept for its claims beyond what it uses."""


@dataclass(frozen=True)
class ShareState:
    """A share as it is configured now."""

    name: str
    strategy: str
    borrow_limit: int | None
    in_share: bool
    enabled: bool
    deleting: bool
    waiting: int


@dataclass(frozen=True)
class JobState:
    """A job that has not ended, or ended in the last few events."""

    name: str
    share: str
    size: Mapping[str, int]
    priority: int
    stage: str
    """RUNNABLE, SCHEDULED, STARTING, RUNNING, DRAINING, SUCCEEDED, FAILED."""
    place: int
    """1 for the first that waits in its share; 0 where it does not wait."""
    borrows: Mapping[str, int]
    """unit -> how many of its machines its share borrows; more than 0 only where it could be stopped for a lender."""
    preemptions: int
    retries: int | None
    waits: Said | None = None
    """Why the first of a share does not start; why it never can."""
    drains_for: str = ""
    """The job that it makes room for."""


@dataclass(frozen=True)
class Lamp:
    """One guarantee up to here."""

    code: str
    name: str
    sentence: str
    state: str
    since: int = 0
    """Number of the first frame that breaks it."""
    because: str = ""


@dataclass(frozen=True)
class Frame:
    """A play after one of its events."""

    line: Line
    units: tuple[UnitState, ...]
    bars: tuple[Bar, ...]
    shares: tuple[ShareState, ...]
    jobs: tuple[JobState, ...]
    claims: tuple[str, ...]
    """Jobs for which capacity is kept, oldest claim first."""
    lamps: tuple[Lamp, ...]
    next: Said | None = None
    """What the scheduler or the platform would do now; None where there is nothing left to do. Only at the end of a play."""


def as_json(value: object) -> str:
    """A frame, a line, or anything made of them, as JSON."""
    return json.dumps(value, default=vars, separators=(",", ":"))
