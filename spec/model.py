"""The nouns of AWS Batch quota management, in AWS's own terms and field names (semantics rules 1-15).

A `QueueConfig` is what a quota-share queue is configured to do. Underneath, every rule speaks of three numbers per
share and unit (`Grant`: limit, lendable, borrowable) and of the environment's capacity per unit, so that other
lend-and-borrow systems map onto the same rules. Trusted: the mapping `grant`, rules 19-22.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

if TYPE_CHECKING:
    from .readings import Readings

NAME = r"^[a-zA-Z0-9_\-]{1,128}$"
MAX_SHARES = 20
"""Quota shares per queue (rule 3)."""
MAX_LIMITS = 5
"""Capacity limits per share and per service environment (rule 4)."""
MAX_PRIORITY = 9999
"""Highest schedulingPriority of a job (rule 27)."""
LARGEST = 10**9
"""No instance count above this is a cluster; larger numbers are refused as mistakes."""


class Strategy(StrEnum):
    """Resource sharing strategy (rule 19)."""

    RESERVE = "RESERVE"
    LEND = "LEND"
    LEND_AND_BORROW = "LEND_AND_BORROW"


class State(StrEnum):
    """State of a share, queue or environment."""

    ENABLED = "ENABLED"
    DISABLED = "DISABLED"


class Form(BaseModel):
    """Fields are snake_case in Python and AWS's camelCase in files."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True, strict=False
    )


class ShareCapacityLimit(Form):
    """A share's own maximum of one unit, without borrowing (rules 5, 14)."""

    max_capacity: Annotated[int, Field(ge=1, le=LARGEST)]
    capacity_unit: Annotated[str, Field(min_length=1, max_length=256)]


class EnvironmentCapacityLimit(Form):
    """How many of one unit service jobs may hold (rule 12). 0 is valid."""

    max_capacity: Annotated[int, Field(ge=0, le=LARGEST)]
    capacity_unit: Annotated[str, Field(min_length=1, max_length=256)]


class ResourceSharing(Form):
    """Strategy and borrow limit: percent of the share's own limit, per unit; -1 and absent are unlimited (rules 19-21)."""

    strategy: Strategy
    borrow_limit: Annotated[int, Field(ge=-1, le=LARGEST)] | None = None


class Preemption(Form):
    """In-share preemption switch (rule 39)."""

    in_share_preemption: State


class QuotaShare(Form):
    """One quota share (rules 4-8)."""

    quota_share_name: Annotated[str, Field(pattern=NAME)]
    capacity_limits: tuple[ShareCapacityLimit, ...]
    resource_sharing_configuration: ResourceSharing
    preemption_configuration: Preemption
    state: State = State.ENABLED

    @property
    def name(self) -> str:
        return self.quota_share_name

    @property
    def strategy(self) -> Strategy:
        return self.resource_sharing_configuration.strategy

    @property
    def borrow_limit(self) -> int | None:
        """Percent of the own limit; None when it was not given."""
        return self.resource_sharing_configuration.borrow_limit

    @property
    def in_share(self) -> bool:
        return self.preemption_configuration.in_share_preemption is State.ENABLED

    @property
    def limits(self) -> dict[str, int]:
        """Unit -> own limit."""
        return {c.capacity_unit: c.max_capacity for c in self.capacity_limits}

    def canonical(self) -> QuotaShare:
        """One form of all that are written for the same share: limits by the names of their units, no maximum left out."""
        limits = tuple(sorted(self.capacity_limits, key=lambda limit: limit.capacity_unit))
        sharing = self.resource_sharing_configuration
        if sharing.borrow_limit == -1:
            sharing = sharing.model_copy(update={"borrow_limit": None})
        return self.model_copy(update={"capacity_limits": limits, "resource_sharing_configuration": sharing})

    def grant(self, unit: str, readings: Readings) -> Grant:
        """The three numbers of this share for `unit` (rules 14, 19-22; A4, A6, A8)."""
        return grant(self.limits.get(unit), self.strategy, self.borrow_limit, readings)


class ServiceEnvironment(Form):
    """The capacity a queue may dispatch into (rules 2, 4, 12)."""

    service_environment_name: Annotated[str, Field(pattern=NAME)]
    capacity_limits: tuple[EnvironmentCapacityLimit, ...]
    state: State = State.ENABLED

    @property
    def capacity(self) -> dict[str, int]:
        """Unit -> how many."""
        return {c.capacity_unit: c.max_capacity for c in self.capacity_limits}


class QueueConfig(Form):
    """A quota-share queue: its environment and its shares, in the order in which they were given."""

    job_queue_name: Annotated[str, Field(pattern=NAME)]
    environment: ServiceEnvironment
    shares: tuple[QuotaShare, ...]

    @property
    def units(self) -> tuple[str, ...]:
        """Every unit of the environment, then those only shares name, in order of appearance."""
        seen = dict.fromkeys(self.environment.capacity)
        for share in self.shares:
            seen.update(dict.fromkeys(share.limits))
        return tuple(seen)

    def share(self, name: str) -> QuotaShare:
        """The share called `name`; KeyError when there is none."""
        for share in self.shares:
            if share.name == name:
                return share
        raise KeyError(name)


@dataclass(frozen=True)
class Grant:
    """What a share has of one unit, in instances. `borrowable` None is unlimited; always 0 <= lendable <= limit."""

    limit: int
    lendable: int
    borrowable: int | None

    @cached_property
    def kept(self) -> int:
        """The part of the limit that nobody else may ever use."""
        return self.limit - self.lendable


def grant(own: int | None, strategy: Strategy, borrow_limit: int | None, readings: Readings) -> Grant:
    """Map AWS's fields for one unit to the three numbers. `own` None: the share has no limit for the unit (A4)."""
    limit = own or 0
    lendable = 0 if strategy is Strategy.RESERVE else limit
    if strategy is not Strategy.LEND_AND_BORROW:
        return Grant(limit, lendable, 0)
    if borrow_limit == 0 and readings["A8"] == "unset":
        borrow_limit = None
    if borrow_limit in (None, -1):
        nothing = own is None and readings["A4"] == "nothing"
        return Grant(limit, lendable, 0 if nothing else None)
    assert borrow_limit is not None
    scaled = limit * borrow_limit
    rounded = {"floor": scaled // 100, "ceil": -(-scaled // 100), "round": (scaled + 50) // 100}[readings["A6"]]
    return Grant(limit, lendable, rounded)


Size = Mapping[str, int]
"""A job's instances: unit -> count, every count at least 1 (rule 15; several units: A53)."""


class Stage(StrEnum):
    """Job states (rule 29). DRAINING is ours: a victim that was told to stop and still holds its machines (rule 46)."""

    SUBMITTED = "SUBMITTED"
    RUNNABLE = "RUNNABLE"
    SCHEDULED = "SCHEDULED"
    STARTING = "STARTING"
    RUNNING = "RUNNING"
    DRAINING = "DRAINING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"


DISPATCHED = (Stage.SCHEDULED, Stage.STARTING, Stage.RUNNING)
"""Stages in which a job holds machines and may be told to stop (rules 16, 35), in the order in which it reaches them."""
HOLDING = (*DISPATCHED, Stage.DRAINING)
ENDED = (Stage.SUCCEEDED, Stage.FAILED)
NEXT = {Stage.SCHEDULED: Stage.STARTING, Stage.STARTING: Stage.RUNNING}
"""Where the platform moves a job on (rule 29)."""
