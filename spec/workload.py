"""A workload: jobs as users bring them, without what a scheduler made of them; and what shares used, without jobs."""

from __future__ import annotations

from dataclasses import dataclass, field

from .events import Submit
from .model import QueueConfig


@dataclass(frozen=True, slots=True)
class Work:
    """A job that arrives at `at` and runs for `runs`, both in milliseconds, once it has its machines."""

    at: int
    runs: int
    submit: Submit


@dataclass(frozen=True)
class Workload:
    """Jobs by arrival, and a queue for them."""

    config: QueueConfig
    work: tuple[Work, ...]
    notes: tuple[str, ...] = field(default=())
    """What was changed to make the source fit: fractions of a GPU rounded up, say."""


@dataclass(frozen=True, slots=True)
class Use:
    """What one share used from `at` to `until`, milliseconds from the start of its series. Counts are instances."""

    at: int
    until: int
    share: str
    quota: int
    running: float
    """On average."""
    most: int
    """At the moment of most."""
    pending: float
    """Asked for and not had, on average."""
    over: int = 0
    """For how long of this time more ran than the quota, in milliseconds."""
    place: str = ""

    @property
    def excess(self) -> int:
        """Instances beyond the quota at the moment of most."""
        return max(0, self.most - self.quota)


@dataclass(frozen=True, slots=True)
class QuotaChange:
    """A share's quota from `at` on, in milliseconds since 1970, UTC."""

    at: int
    share: str
    quota: int
    place: str = ""


@dataclass(frozen=True)
class UsageSeries:
    """Usage of shares over time, without jobs: whether quotas were kept, and by how much they were not."""

    uses: tuple[Use, ...] = ()
    changes: tuple[QuotaChange, ...] = ()
    notes: tuple[str, ...] = ()

    def exceeded(self) -> tuple[Use, ...]:
        """Where more ran than the quota."""
        return tuple(use for use in self.uses if use.excess)
