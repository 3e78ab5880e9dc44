"""What is drawn of a queue that ran, as an event of the stream: a timeline, its jobs and their stops, in columns.

Made only for a report that draws; nothing in it is judged. Times are milliseconds since 1970, UTC. A column of numbers is
an array, so that a hundred thousand of them stay small; in it `NONE` stands for what is not known, has not happened or has
no bound. Texts that repeat are told once, and a column has their places.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..spec.observations import Gap

NONE = -1
DATED = 10**11
"""Milliseconds from which on a clock counts from 1970; before, it has no dates."""
WAITS, HOLDS, SUCCEEDED, FAILED, UNSEEN = range(5)
STATES = ("waits", "runs", "succeeded", "failed", "not seen")
"""What became of a job by the end."""
KINDS = ("", "cross-share", "in-share")


@dataclass(frozen=True)
class Series:
    """Steps: `n[i]` from `at[i]` on."""

    at: array[int]
    n: array[int]


@dataclass(frozen=True)
class Track:
    """One share and unit, in instances. `most`: limit and borrow limit; `waiting`: jobs that ask for the unit."""

    share: str
    unit: str
    limit: Series
    most: Series
    used: Series
    draining: Series
    waiting: Series


@dataclass(frozen=True)
class Supply:
    """One unit of the environment."""

    unit: str
    capacity: Series
    used: Series


@dataclass(frozen=True)
class JobTable:
    """Jobs that lived in the time that is drawn, in the order of submission."""

    name: tuple[str, ...]
    share: array[int]
    """Place in the timeline's shares."""
    size: array[int]
    """Place in `sizes`."""
    sizes: tuple[Mapping[str, int], ...]
    priority: array[int]
    """The last one."""
    submitted: array[int]
    started: array[int]
    """The first time; `NONE` also where that was before the time that is drawn."""
    ended: array[int]
    ran: array[int]
    """Milliseconds for which it held its machines, drains among them, in the time that is drawn."""
    borrowed: array[float]
    """Of its machine-hours those on machines of others: a share's loans are spread evenly over its running jobs."""
    stops: array[int]
    state: array[int]
    """Place in `STATES`."""


@dataclass(frozen=True)
class StopTable:
    """Each time that a job was told to stop, in their order."""

    at: array[int]
    """When it was told; when it had stopped where only that was seen."""
    job: array[int]
    """Place in the table of jobs."""
    by: array[int]
    """Place of the job for which it was stopped, where that is certain."""
    kind: array[int]
    """Place in `KINDS`."""
    drained: array[int]
    """Milliseconds until it had stopped."""
    whom: array[int]
    """For whom; place in `texts`."""
    why: array[int]
    """Why that was allowed; place in `texts`."""
    instead: array[int]
    """Whether it could have been another; place in `texts`."""
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Happened:
    """Everything that was seen, in order."""

    at: array[int]
    kind: array[int]
    """Place in `kinds`."""
    kinds: tuple[str, ...]
    job: array[int]
    text: array[int]
    """Place in `texts`: what the kind and the job do not say."""
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Timeline:
    """What a queue did from `start` to `end`."""

    label: str
    """The policy, where several are compared."""
    start: int
    end: int
    shares: tuple[str, ...]
    units: tuple[str, ...]
    tracks: tuple[Track, ...]
    supplies: tuple[Supply, ...]
    table: JobTable
    stops: StopTable
    happened: Happened
    gaps: tuple[Gap, ...] = ()
    notes: tuple[str, ...] = ()
    """What is not told."""
