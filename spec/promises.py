"""What an organisation promises its teams about a queue: the nouns of `promises.yaml`.

A `Promise` has a sentence, an owner, a reason, and one or several `Term`s, each of which says one exact thing. Counts are
instances of a unit, or of a measure such as GPU that the file gives units in; times are milliseconds. Nothing here
judges: whether a term is kept is decided on a configuration, on a history, or when a configuration changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from .model import QueueConfig, QuotaShare

Amounts = Mapping[str, int]
"""Unit or measure -> count, every count at least 0."""


@dataclass(frozen=True)
class Gets:
    """The share gets up to so many machines whenever its job is the first of its share: at once (`within` 0), nobody has
    to be stopped for it; or within so many milliseconds, by taking its own back."""

    amounts: Amounts
    within: int


@dataclass(frozen=True)
class Fits:
    """A job of this size always gets to run, whatever the other shares do."""

    amounts: Amounts


class By(StrEnum):
    """Who might stop a job."""

    OTHER_SHARES = "by-other-shares"
    ANYONE = "by-anyone"


@dataclass(frozen=True)
class Undisturbed:
    """None of the share's jobs is stopped while its usage is within its limit; or `always`, also while it borrows."""

    by: By
    always: bool = False


@dataclass(frozen=True)
class HoldsAtMost:
    """The shares of the promise together never hold more."""

    amounts: Amounts


@dataclass(frozen=True)
class BorrowsAtMost:
    """Each share of the promise never borrows more."""

    amounts: Amounts


@dataclass(frozen=True)
class StopsPerJob:
    """No job comes back by itself after more stops (rule 43): the next one ends it, and somebody decides."""

    at_most: int
    set_at_submit: str = "preemptionRetriesBeforeTermination"
    owner: str = ""
    within: str = ""
    """In what time that person answers, in words."""
    choose: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recovery:
    """Jobs that can be stopped save checkpoints, and evidence shows that they come back."""

    checkpoint: bool
    """Whether every such job must have a checkpoint setting."""
    evidence: str = ""
    """Files that show it, a pattern relative to the file of promises; '' for none."""
    not_older_than: int | None = None
    owner: str = ""


@dataclass(frozen=True)
class PriorityBand:
    """What priorities from `low` to `high` mean, who may set them, and how many jobs may have them at once."""

    low: int
    high: int
    meaning: str = ""
    set_by: tuple[str, ...] = ()
    at_most_jobs: int | None = None


@dataclass(frozen=True)
class IdleWhileWaiting:
    """A machine that may be lent is not idle for longer while a share that may borrow waits for one."""

    unit: str
    at_most: int


@dataclass(frozen=True)
class Notice:
    """So many days before a change; `working`: Mondays to Fridays."""

    days: int
    working: bool = False


@dataclass(frozen=True)
class Changes:
    """No allocation shrinks without notice."""

    shrink_notice: Notice


class Measure(StrEnum):
    """What a history is measured by."""

    LOST_SHARE = "lost_share"
    """Machine time that stops lost, in percent of all machine time used."""
    WAIT_P50 = "wait_p50"
    WAIT_P95 = "wait_p95"
    WAIT_WORST = "wait_worst"
    """From a job's submission to its first start."""
    OWN_BACK_P95 = "own_back_p95"
    OWN_BACK_WORST = "own_back_worst"
    """From when a head within its share's limit did not fit until it started."""


@dataclass(frozen=True)
class Measured:
    """A bound on what a history shows: percent for LOST_SHARE, else milliseconds."""

    measure: Measure
    at_most: float
    over: str = ""
    """In words, such as "quarter"."""


Term: TypeAlias = (
    Gets | Fits | Undisturbed | HoldsAtMost | BorrowsAtMost | StopsPerJob | Recovery | PriorityBand | IdleWhileWaiting
    | Changes | Measured
)  # fmt: skip
KEYS: Mapping[type[Term], str] = {
    Gets: "gets",
    Fits: "fits",
    Undisturbed: "undisturbed",
    HoldsAtMost: "at_most",
    BorrowsAtMost: "borrows_at_most",
    StopsPerJob: "stops_per_job",
    Recovery: "recovery",
    PriorityBand: "priority",
    IdleWhileWaiting: "idle_while_waiting",
    Changes: "changes",
    Measured: "measured",
}
"""Kind of term -> its key in the file."""


@dataclass(frozen=True)
class Scope:
    """Whom a promise is about: named shares (of a group, all of its shares), or the shares that may borrow, or all."""

    shares: tuple[str, ...] = ()
    group: str = ""
    borrows: bool | None = None

    def of(self, config: QueueConfig) -> tuple[QuotaShare, ...]:
        """The shares of the queue that the promise is about, in the queue's order."""
        from .model import Strategy

        if self.borrows is not None:
            return tuple(s for s in config.shares if (s.strategy is Strategy.LEND_AND_BORROW) is self.borrows)
        return tuple(s for s in config.shares if not self.shares or s.name in self.shares)


@dataclass(frozen=True)
class Span:
    """The days on which a promise is in force, both included; None: without an end on that side."""

    first: date | None = None
    last: date | None = None

    def has(self, day: date) -> bool:
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)

    def words(self) -> str:
        """ "from 2027-01-11 until 2027-01-29"; '' where it has no bound."""
        bounds = (("from", self.first), ("until", self.last))
        return " ".join(f"{word} {day.isoformat()}" for word, day in bounds if day is not None)


@dataclass(frozen=True)
class Promise:
    """One promise, as its owner wrote it."""

    code: str
    """Its id in the file, such as P1."""
    says: str
    scope: Scope
    terms: tuple[Term, ...]
    owner: str
    why: str = ""
    valid: Span = Span()
    change: str = ""
    """How it is changed, in words."""
    review: date | None = None
    """When somebody looks at it again."""
    place: str = ""
    """file:line."""


@dataclass(frozen=True)
class Exemption:
    """A decision that a promise need not be kept for a time."""

    code: str
    to: str
    """Code of the promise."""
    says: str
    owner: str
    until: date
    """The last day on which it counts."""
    why: str
    share: str = ""
    """'' for every share of the promise."""
    place: str = ""


@dataclass(frozen=True)
class Promises:
    """One file of promises."""

    promises: tuple[Promise, ...]
    exemptions: tuple[Exemption, ...] = ()
    weights: Mapping[str, Amounts] = field(default_factory=dict[str, Amounts])
    """Measure -> unit -> how many of the measure one instance is."""
    stop_takes: Mapping[str, int] = field(default_factory=dict[str, int])
    """Unit -> milliseconds from "preemption started" until the machine is free."""
    queue: str = ""
    """'' where the file names none."""
    name: str = ""
    """The file, as places write it."""
    folder: str = ""
    """Where patterns of evidence start."""

    def per_unit(self, amounts: Amounts, units: tuple[str, ...]) -> tuple[Mapping[str, int], int] | None:
        """For one measure: unit -> weight, and the bound; None where the amounts are counts of units."""
        for measure, bound in amounts.items():
            if measure in self.weights:
                return {u: n for u, n in self.weights[measure].items() if u in units}, bound
        return None
