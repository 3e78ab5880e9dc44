"""A queue as Slurm is told it. A `Layout` is one lane of it; each mapping is a kind of layout and says what it needs.

Names are short and nobody else's: `l3n0` is the node of the first share of lane l3, `l3o0p1` the own partition of that
share for its second priority. An instance type is a counted resource (GRES) `u<k>`. Trusted: nothing; what Slurm then does
is judged.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from ....spec import events as ev
from ....spec.administered import Administered as Now
from ....spec.formats.scenario import Scenario
from ....spec.model import QuotaShare, Size, State
from ..backend import Bounds, Capacity
from ..real.cluster import Administered, Loss, Recorded

WAITED_LONGEST = Loss("which borrower has waited longest",
                      "the higher priority goes first, whichever its share, then the job that was submitted first")  # fmt: skip
WHOLE = Loss("that a job may be its share's own in part and on loan in part", "a job is wholly own or wholly on loan")
GHOST = "ghost"
"""A node that is down for ever: what is larger than every node waits for it, and is not refused."""
ROUNDS = "rounds"
"""A partition in which a job waits for ever: the scheduler goes its rounds also where nobody else waits."""


@dataclass
class SlurmJob:
    """A job of ours as Slurm has it."""

    lane: str
    number: int
    """Its JobId."""
    submit: ev.Submit
    partitions: tuple[str, ...]
    """Where it may run."""
    held: bool = False
    """Whether it is still to be let go."""
    told: bool = False
    """Whether it has been told that the job was submitted."""
    then: list[Recorded] = field(default_factory=list[Recorded])
    """Refusals of jobs that were submitted together with it, and after it."""
    partition: str = ""
    """Where it runs; '' while it waits."""
    node: str = ""
    """The node that it holds machines of, if it does."""
    preempted: bool = False
    """Whether others were preempted for it."""
    victim: bool = False
    """Whether it is preempted and still to stop."""
    ends: int | None = None
    """The code with which it has been told to end."""
    live: bool = True
    terminated: bool = False


@dataclass
class Layout(ABC):
    """One lane: a scenario's queue as it is now, and names for it."""

    lane: str
    scenario: Scenario
    units: tuple[str, ...]
    """Of all lanes: unit k is the GRES `u<k>`."""

    database: ClassVar[bool] = False
    """Whether it needs accounting: slurmdbd and MariaDB."""
    settings: ClassVar[Mapping[str, str]] = {}
    """What slurm.conf says otherwise than for other mappings."""
    sends_again: ClassVar[bool] = False
    """Whether a job that is sent elsewhere is cancelled and submitted anew: one whose GRES are changed never starts."""
    preempts_again: ClassVar[bool] = True
    """Whether a preempted job for which others were preempted is submitted anew: until KillWait and MessageTimeout are over
    Slurm preempts nobody more for it, and jobs that end only when they are let need a long KillWait."""
    restarts_at_once: ClassVar[bool] = True
    """Whether a preempted job may start again before its credential has expired, in a second, by a change of its start time."""
    features: ClassVar[frozenset[str]]
    choices: ClassVar[Mapping[str, str]]
    capacity: ClassVar[Capacity]
    profile: ClassVar[str]
    """The profile that it is judged by."""
    bounds: ClassVar[Bounds] = Bounds()

    def __post_init__(self) -> None:
        self.now = Now.of(self.scenario.config)
        """What is in force: `change` keeps it."""

    @property
    def shares(self) -> tuple[QuotaShare, ...]:
        return tuple(self.now.shares.values())

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The priorities that occur, lowest first."""
        steps = (s for s in self.scenario.steps if isinstance(s, ev.Submit | ev.SetPriority))
        return tuple(sorted({0, *(s.priority or 0 for s in steps)}))

    def index(self, share: str) -> int:
        return [s.name for s in self.shares].index(share)

    def gres(self, size: Size) -> str:
        """Counts of instance types as Slurm writes them."""
        return ",".join(f"u{self.units.index(u)}:{n}" for u, n in size.items())

    def tres(self, size: Size) -> str:
        """Counts of instance types as accounting writes them."""
        return ",".join(f"gres/u{self.units.index(u)}={n}" for u, n in size.items())

    @abstractmethod
    def check(self) -> list[Loss]:
        """What Slurm is not told. Raises CannotExpress."""

    @abstractmethod
    def nodes(self) -> Iterator[tuple[str, str]]:
        """Every node with its GRES."""

    @abstractmethod
    def partitions(self) -> Iterator[str]:
        """Every partition as slurm.conf says it."""

    def licences(self) -> Iterator[tuple[str, int]]:
        """Every licence and its count."""
        yield from ()

    def qos(self) -> Iterator[str]:
        """Every QOS as sacctmgr is told to add it."""
        yield from ()

    def accounts(self) -> Iterator[str]:
        """Accounts, and the user root in them, as sacctmgr is told to add them."""
        yield from ()

    def limited(self) -> Iterator[tuple[str, str]]:
        """Every partition that has a QOS, with it."""
        yield from ()

    @abstractmethod
    def stands_for(self, share: QuotaShare) -> Iterator[tuple[str, str]]:
        """What of the configuration is a share's: what it is, and its name, for people."""

    @abstractmethod
    def route(self, step: ev.Submit, jobs: Sequence[SlurmJob]) -> tuple[tuple[str, ...], list[str]]:
        """The partitions a job is sent to, and what else sbatch is told. `jobs`: those of the lane so far."""

    def priority(self, step: ev.Submit, to: Sequence[str]) -> int:  # noqa: ARG002
        """The priority of a job that is sent to these partitions, above 0."""
        return 1000 + (step.priority or 0)

    def moves(self, jobs: Sequence[SlurmJob]) -> Iterator[tuple[SlurmJob, tuple[str, ...], list[str]]]:  # noqa: ARG002
        """Jobs of the lane that wait and are sent elsewhere now: the partitions, and what else Slurm is told.
        `jobs`: all of the lane."""
        yield from ()

    @abstractmethod
    def lender(self, node: str, partition: str, share: str) -> str:
        """The share whose machines a job of a share runs on."""

    def refusal(self, step: Administered, jobs: Sequence[SlurmJob]) -> str:  # noqa: ARG002
        """Why Slurm cannot be told a step of an administrator as things stand, '' when it can. `jobs`: all of the lane."""
        return ""

    @abstractmethod
    def change(self, step: Administered) -> str:
        """What `scontrol` is told for a step of an administrator, a line each command, one thing of a partition or a node."""

    def names(self, what: str) -> bool:
        """Whether a node or a partition is the lane's."""
        return re.match(rf"{self.lane}\D", what) is not None


def loosens(step: Administered) -> bool:
    """Whether Slurm may do more after a step of an administrator, from its first command on; else less, from its last on."""
    match step:
        case ev.SetShareState() | ev.SetEnvironmentState() | ev.SetQueueState():
            return step.state is State.ENABLED
        case ev.SetInShare():
            return step.enabled
        case _:
            return False
