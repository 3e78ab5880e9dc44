"""A workload: jobs as users bring them, without what a scheduler made of them; and what shares used, without jobs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from .events import Submit
from .model import QueueConfig


@dataclass(frozen=True, slots=True)
class Effort:
    """What became of the time in which an attempt ran, in milliseconds; together it is that time."""

    restarting: int
    """Reading the checkpoint back in."""
    saved: int
    """Work that need not be done again."""
    lost: int
    """Work that has to be done again."""
    saving: int
    """Writing checkpoints, also one that was cut off."""


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """How a job saves its work: after every `every` ms of work it writes for `save` ms, and an attempt that resumes from
    such a checkpoint reads for `restart` ms first. None: nobody said; without `every` nothing is saved and it costs nothing.

    There is no checkpoint at the end of the work. One that is cut off while it is written does not count.
    """

    every: int | None = None
    save: int | None = None
    restart: int | None = None

    def over(self, default: Checkpoints) -> Checkpoints:
        """These, and the default for what they do not say."""
        return Checkpoints(*(d if own is None else own for own, d in zip(_said(self), _said(default), strict=True)))

    def saves(self, left: int) -> int:
        """How many checkpoints an attempt writes that does all the work that is left."""
        return (left - 1) // self.every if self.every and left > 0 else 0

    def takes(self, left: int, *, resumes: bool) -> int:
        """How long an attempt runs that does all the work that is left."""
        return (self.restart or 0) * resumes + left + self.saves(left) * (self.save or 0)

    def after(self, ran: int, left: int, *, resumes: bool) -> Effort:
        """What became of the time `ran` of an attempt that was cut off."""
        restarting = min(ran, (self.restart or 0) * resumes)
        ran -= restarting
        if not self.every:
            return Effort(restarting, 0, ran, 0)
        cost = self.save or 0
        whole = min(ran // (self.every + cost), self.saves(left))
        rest = ran - whole * (self.every + cost)
        lost = rest if whole == self.saves(left) else min(rest, self.every)
        return Effort(restarting, whole * self.every, lost, whole * cost + rest - lost)


def _said(of: Checkpoints) -> tuple[int | None, int | None, int | None]:
    return of.every, of.save, of.restart


UNSAID = Checkpoints()
"""Nobody said how the job saves its work: it does not."""


How: TypeAlias = Literal["succeeded", "failed", "stopped", "retried"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A time in which a history saw a job hold its machines, in milliseconds."""

    at: int
    running: int | None = None
    """Since when it ran; None: not seen to run."""
    until: int | None = None
    """None: it still held them at the history's end."""
    how: How = "succeeded"
    """How it ended. `stopped`: it was preempted; `retried`: it failed by itself and the job is RUNNABLE again."""
    stopping: int | None = None
    """When it was told to stop, if it was."""


@dataclass(frozen=True, slots=True)
class Work:
    """A job that arrives at `at` and works for `runs`, both in milliseconds, once it has its machines."""

    at: int
    runs: int
    submit: Submit
    deadline: int | None = None
    """When it ought to have ended, on the clock of `at`."""
    checkpoints: Checkpoints = UNSAID
    was: tuple[Attempt, ...] | None = None
    """When a history saw it hold its machines; None: the source does not say."""
    open: bool = False
    """It had not ended when the history did: `runs` is what it had worked by then."""


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
