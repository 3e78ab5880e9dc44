"""The vocabulary of what happens to a queue: users, platform, administrator and scheduler, one small record each.

A run is a sequence of these. A scheduler chooses only its own events (`SCHEDULER`). Numbers of claims are their
order of opening, from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TypeAlias, get_args

from .model import QuotaShare, Size, State, Strategy


@dataclass(frozen=True)
class Submit:
    """A job is submitted (rules 27, 30, 43). `priority` None: left out (A22)."""

    job: str
    share: str
    size: Size
    priority: int | None = None
    retries: int | None = None
    """preemptionRetriesBeforeTermination; None: without limit."""


@dataclass(frozen=True)
class SetPriority:
    """UpdateServiceJob: the priority of a live job changes (rule 42)."""

    job: str
    priority: int


@dataclass(frozen=True)
class Terminate:
    """TerminateServiceJob: the job FAILS, also while it drains (rule 53; A35)."""

    job: str


@dataclass(frozen=True)
class Advance:
    """The platform moves a job on: SCHEDULED, STARTING, RUNNING (rule 29)."""

    job: str


@dataclass(frozen=True)
class Finish:
    """A dispatched or draining job ends by itself (A34)."""

    job: str
    failed: bool = False


@dataclass(frozen=True)
class Return:
    """A SCHEDULED job is RUNNABLE again for lack of machines (rule 18; A54)."""

    job: str


@dataclass(frozen=True)
class Stopped:
    """A draining victim has stopped and its machines are free (rules 43, 46)."""

    job: str


@dataclass(frozen=True)
class SetLimits:
    """UpdateQuotaShare: all capacity limits of a share, replaced (rule 48; A10)."""

    share: str
    limits: Mapping[str, int]


@dataclass(frozen=True)
class SetSharing:
    """UpdateQuotaShare: the strategy and the borrow limit (A9, A44, A45)."""

    share: str
    strategy: Strategy
    borrow_limit: int | None = None


@dataclass(frozen=True)
class SetInShare:
    """UpdateQuotaShare: in-share preemption on or off (rule 39)."""

    share: str
    enabled: bool


@dataclass(frozen=True)
class SetShareState:
    """UpdateQuotaShare: ENABLED or DISABLED (rule 50; A46, A47)."""

    share: str
    state: State


@dataclass(frozen=True)
class CreateShare:
    """CreateQuotaShare."""

    share: QuotaShare


@dataclass(frozen=True)
class DeleteShare:
    """DeleteQuotaShare: its jobs will be terminated (rule 51; A48)."""

    share: str


@dataclass(frozen=True)
class ShareGone:
    """A deleted share has no live job left and no longer exists (rule 9)."""

    share: str


@dataclass(frozen=True)
class SetCapacity:
    """UpdateServiceEnvironment: all capacity limits, replaced (rule 49)."""

    capacity: Mapping[str, int]


@dataclass(frozen=True)
class SetEnvironmentState:
    """UpdateServiceEnvironment: ENABLED or DISABLED (rule 52; A49)."""

    state: State


@dataclass(frozen=True)
class SetQueueState:
    """UpdateJobQueue: ENABLED or DISABLED (A49)."""

    state: State


@dataclass(frozen=True)
class Dispatch:
    """A RUNNABLE job becomes SCHEDULED and holds its machines (rule 16)."""

    job: str


@dataclass(frozen=True)
class Claim:
    """A head claims capacity and its victims, in this order, are told to stop (rules 35-40; A23, A58).

    `holds`: the claim keeps what the job needs for it; false for an in-share claim that ends above the own limit.
    """

    job: str
    victims: tuple[str, ...] = ()
    holds: bool = True


@dataclass(frozen=True)
class Release:
    """A claim ends without a dispatch (A56)."""

    job: str


@dataclass(frozen=True)
class Misconfigured:
    """The scheduler says why a head can never run (rule 33)."""

    job: str
    reason: str


UserEvent: TypeAlias = Submit | SetPriority | Terminate
PlatformEvent: TypeAlias = Advance | Finish | Return | Stopped | ShareGone
AdministratorEvent: TypeAlias = (
    SetLimits | SetSharing | SetInShare | SetShareState | CreateShare | DeleteShare | SetCapacity
    | SetEnvironmentState | SetQueueState
)  # fmt: skip
SchedulerEvent: TypeAlias = Dispatch | Claim | Release | Misconfigured
Event: TypeAlias = UserEvent | PlatformEvent | AdministratorEvent | SchedulerEvent

EVENTS: tuple[type[Event], ...] = get_args(Event)
ADMINISTRATOR: tuple[type[Event], ...] = get_args(AdministratorEvent)
SCHEDULER: tuple[type[Event], ...] = get_args(SchedulerEvent)


def describe(event: Event) -> str:
    """The event in a few words: its name and its first field's value, then the rest that is set."""
    first, *rest = [(f.name, getattr(event, f.name)) for f in fields(event)]
    shown = " ".join(f"{name}={value}" for name, value in rest if value not in (None, (), True))
    subject = first[1].name if isinstance(first[1], QuotaShare) else first[1]
    return f"{type(event).__name__} {subject} {shown}".rstrip()
