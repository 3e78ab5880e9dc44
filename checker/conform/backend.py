"""What is asked of a scheduler under test: to say what it is, to run scenarios, to stop. Nothing else.

A scenario says what users, the platform and administrators do; the scheduler decides what it starts and whom it stops,
and reports everything that happened, in order, in the words of a trace. A step that is impossible as things stand (a job
ends that does not run) is left out. `settle: scheduler`: the scheduler acts until it has nothing left to do and no victim
stops; `settle: all`: victims stop, and shares that were deleted end, as well. At its end stands `Settled`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ...spec.formats.scenario import Scenario
from ...spec.observations import Observation
from ..conformed import Capacity


@dataclass(frozen=True)
class Loss:
    """Something of a queue that a scheduler is not told, or is told in other terms."""

    what: str
    instead: str


@dataclass(frozen=True)
class Bounds:
    """What scenarios that are drawn for a backend keep to, so that few of them are skipped."""

    filled: bool = False
    """Whether the environment has as much of each type as the shares' limits add up to."""
    usable: bool = False
    """Whether a job asks for no more than its share may ever use."""
    whole: bool = False
    """Whether a job also asks for no more than one share has: its own, or one that lends to it."""


@dataclass(frozen=True)
class Declaration:
    """What a backend says of itself before anything is run."""

    name: str
    version: str = ""
    features: frozenset[str] | None = None
    """Of `features.FEATURES`; None: all of them."""
    claims: bool = False
    """Whether its traces name every claim; else promises that rest on claims are judged in their weak form."""
    choices: Mapping[str, str] = field(default_factory=dict[str, str])
    """Its choices where AWS leaves something open: reading -> choice."""
    own_time: bool = False
    """Whether jobs start and victims stop in their own time, whatever a scenario says of that."""
    issue_url: str = ""
    deadline: int | None = None
    """Seconds that one answer may take; None: as long as the harness allows anybody."""
    capacity: Capacity = "pooled"
    """Pooled: a machine is a machine (A12). Per lender: every machine belongs to a share, an owner's job runs on its own, a
    loan is of one lender's machines, and a share takes back its own machines only."""
    profile: str = ""
    """Name of the profile that it is made for; '' where it names none."""
    lanes: int = 0
    """Of one that lives in real time: how many scenarios it plays at once, and so in the time of one. 0: it repeats itself,
    and takes them one by one."""
    bounds: Bounds = Bounds()


@dataclass(frozen=True)
class Report:
    """What a backend says happened in one scenario, in order."""

    seen: Sequence[Observation]
    lenders: Sequence[str] = ()
    """Where capacity is per lender: for each `Dispatch`, in order, the share whose machines the job runs on."""
    losses: Sequence[Loss] = ()
    """What the scheduler was not told of the scenario."""


@dataclass(frozen=True)
class Unable:
    """The backend did not run a scenario: it cannot (`skipped`), or something went wrong."""

    why: str
    skipped: bool = False
    code: str = ""
    """Of the failure class; '' for one that the backend tells itself."""
    hint: str = ""
    seen: Sequence[Observation] = ()
    """What it reported before that, if anything."""
    lenders: Sequence[str] = ()
    """As in a `Report`, of what was seen."""


Answer = Report | Unable


class Backend(Protocol):
    """A scheduler under test."""

    def declare(self) -> Declaration:
        """What it is. Raises BackendError when it cannot be started."""
        ...

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        """One answer for each scenario, in their order. A failure is an answer, never an exception."""
        ...

    def close(self) -> None:
        """End it, with everything it started."""
        ...


class BackendError(Exception):
    """A backend that cannot be used at all: what, why, and what to do."""

    def __init__(self, what: str, *, why: str = "", fix: str = "") -> None:
        super().__init__(what)
        self.what, self.why, self.fix = what, why, fix
