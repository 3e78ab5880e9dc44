"""What was measured in a history, as events of the stream: how complete it is, the ledger of loans, waits and stops,
how stable the policy was, and where a promise was broken, with the lines around it.

Times are milliseconds since 1970, UTC; machine-hours and seconds are floats. A number that the history does not give is
None. Units are instance types; only what is told of jobs (`ShareJobs`) adds up the machine-hours of different ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ..spec.observations import Gap

HOUR = 3_600_000
"""Milliseconds."""


@dataclass(frozen=True)
class Observed:
    """What the history covers, and how much of what happened is in it."""

    start: int
    end: int
    """The time that counts: of the history, or of --since and --until."""
    observations: int
    jobs: int
    """Submitted in this time."""
    shares: int
    expected: int
    """Moves of jobs that must have happened, seen or not; 0 where nobody knows."""
    seen: int
    gaps: tuple[Gap, ...] = ()
    notes: tuple[str, ...] = ()
    """What is missing throughout, and what the numbers are made from."""
    saves_every: int = 30
    """Minutes between two savings, for the lower end of what stops lost."""

    @property
    def dated(self) -> bool:
        """Whether anything says a time."""
        return self.end > 0


@dataclass(frozen=True)
class Period:
    """A column of the ledger: all, or before and after."""

    period: str
    start: int
    end: int

    @property
    def hours(self) -> float:
        return (self.end - self.start) / HOUR


@dataclass(frozen=True)
class Range:
    """A number between two: what is lost if every job saves now and then, and if none does."""

    low: float
    high: float


@dataclass(frozen=True)
class UnitHours:
    """One unit in one period, in machine-hours. Own and borrowed use add up to `busy`."""

    period: str
    unit: str
    capacity: float
    busy: float
    borrowed: float
    beyond: float
    """Borrowed from nobody: capacity beyond what owners leave idle (A5, or loans that an administrator made too many)."""
    lost: Range
    lost_on_loan: Range
    """Of it what was lost by stops of shares that used more than their limit, as far as is known for other shares."""
    kept: float
    """Idle for its owner, lent to nobody."""
    kept_waiting: float
    """Of it while a job of another share waited for the unit."""


@dataclass(frozen=True)
class ShareHours:
    """One share and unit in one period, in machine-hours."""

    period: str
    share: str
    unit: str
    own: float
    borrowed: float
    lent: float
    """Its part of the loans: each moment's loans are split over all that is idle and may be lent."""
    kept: float
    kept_waiting: float


@dataclass(frozen=True)
class Waits:
    """How long something took, in seconds: how often, and nearest-rank percentiles."""

    times: int
    p50: float | None = None
    p90: float | None = None
    p95: float | None = None
    p99: float | None = None
    worst: float | None = None


@dataclass(frozen=True)
class ShareJobs:
    """The jobs of one share in one period."""

    period: str
    share: str
    """'' for the jobs of all shares."""
    submitted: int
    own_back: Waits
    """From when a head within the share's limit did not fit until it started."""
    waits: Waits
    """Of jobs submitted in the time that counts that started: from their submission to their first start."""
    waiting: int
    """Still waiting at the end of the period."""
    stops: int
    most_stops: int
    """Of one job, in the time that counts."""
    ended_after_stop: int
    succeeded_after_stop: int
    lost: Range
    """Machine-hours of stopped attempts that were not saved."""
    finished: float
    """Machine-hours of attempts that succeeded."""
    finished_on_loan: float
    """Of it on machines of others: a share's loans are spread evenly over its running jobs."""

    @property
    def on_loan(self) -> float | None:
        """The part of the finished work that was done on loans."""
        return self.finished_on_loan / self.finished if self.finished else None


@dataclass(frozen=True)
class Month:
    """How stable the policy was in one calendar month (UTC)."""

    month: str
    limit_changes: Mapping[str, int] = field(default_factory=dict[str, int])
    """Share -> how often its limits, its strategy or its borrow limit changed."""
    submitted: int = 0
    raises: int = 0
    raises_unknown: int = 0
    """Changes of a priority where the old one is not known."""
    median_priority: int | None = None
    """Of the jobs submitted with a known priority."""

    @property
    def raises_per_100(self) -> float | None:
        return 100 * self.raises / self.submitted if self.submitted else None


@dataclass(frozen=True)
class Recovery:
    """Jobs that ran on loans, and what they are ready for."""

    borrowing: int
    without_checkpoint: int
    checkpoint_unknown: int
    without_retry_limit: int
    retry_limit_unknown: int
    examples: tuple[str, ...] = ()
    """Some without a checkpoint setting, by name."""


@dataclass(frozen=True)
class Line:
    """One observation near a fault."""

    number: int
    at: int
    what: str
    place: str


@dataclass(frozen=True)
class FaultSeen:
    """An observation that nothing allowed explains."""

    code: str
    at: int
    until: int
    number: int
    sentence: str
    clause: str
    place: str
    raw: str
    """Its line in the file, '' where there is none."""
    window: tuple[Line, ...]
    """The observations before and after it, itself included."""


@dataclass(frozen=True)
class RuledOut:
    """A choice of an open question that the history rules out."""

    reading: str
    choice: str
    place: str
    sentence: str


@dataclass(frozen=True)
class Unsettled:
    """An open question for which not all of the history was used."""

    reading: str
    why: str


Measured: TypeAlias = (
    Observed | Period | UnitHours | ShareHours | ShareJobs | Month | Recovery | FaultSeen | RuledOut | Unsettled
)  # fmt: skip


@dataclass(frozen=True)
class Audited:
    """The measured events of one stream, each kind in its order."""

    observed: Observed | None = None
    periods: tuple[Period, ...] = ()
    units: tuple[UnitHours, ...] = ()
    hours: tuple[ShareHours, ...] = ()
    jobs: tuple[ShareJobs, ...] = ()
    months: tuple[Month, ...] = ()
    recovery: Recovery | None = None
    faults: tuple[FaultSeen, ...] = ()
    ruled_out: tuple[RuledOut, ...] = ()
    unsettled: tuple[Unsettled, ...] = ()

    @classmethod
    def of(cls, events: tuple[Measured, ...]) -> Audited:
        return cls(
            observed=next((e for e in events if isinstance(e, Observed)), None),
            periods=tuple(e for e in events if isinstance(e, Period)),
            units=tuple(e for e in events if isinstance(e, UnitHours)),
            hours=tuple(e for e in events if isinstance(e, ShareHours)),
            jobs=tuple(e for e in events if isinstance(e, ShareJobs)),
            months=tuple(e for e in events if isinstance(e, Month)),
            recovery=next((e for e in events if isinstance(e, Recovery)), None),
            faults=tuple(e for e in events if isinstance(e, FaultSeen)),
            ruled_out=tuple(e for e in events if isinstance(e, RuledOut)),
            unsettled=tuple(e for e in events if isinstance(e, Unsettled)),
        )
