"""A queue as Slurm is told it. A `Layout` is one lane of it; each mapping is a kind of layout and says what it needs.

Names are short and nobody else's: `l3n0` is the node of the first share of lane l3, `l3o0p1` the own partition of that
share for its second priority. An instance type is a counted resource (GRES) `u<k>`. Trusted: nothing; what Slurm then does
is judged.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from ....spec import events as ev
from ....spec.formats.scenario import Scenario
from ....spec.model import QuotaShare, Size
from ..real.cluster import Administered, Loss


@dataclass
class SlurmJob:
    """A job of ours as Slurm has it."""

    lane: str
    submit: ev.Submit
    partitions: tuple[str, ...]
    """Where it may run."""
    partition: str = ""
    """Where it runs; '' while it waits."""
    live: bool = True
    terminated: bool = False


@dataclass(frozen=True)
class Layout(ABC):
    """One lane: a scenario's queue, and names for it."""

    lane: str
    scenario: Scenario
    units: tuple[str, ...]
    """Of all lanes: unit k is the GRES `u<k>`."""

    database: ClassVar[bool] = False
    """Whether it needs accounting: slurmdbd and MariaDB."""
    features: ClassVar[frozenset[str]]
    choices: ClassVar[Mapping[str, str]]

    @property
    def shares(self) -> tuple[QuotaShare, ...]:
        return self.scenario.config.shares

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

    @abstractmethod
    def route(self, step: ev.Submit, jobs: Sequence[SlurmJob]) -> tuple[tuple[str, ...], list[str]]:
        """The partitions a job is sent to, and what else sbatch is told. `jobs`: those of the lane so far."""

    @abstractmethod
    def lender(self, node: str, partition: str, share: str) -> str:
        """The share whose machines a job of a share runs on."""

    @abstractmethod
    def change(self, step: Administered) -> str:
        """What `scontrol` is told for a step of an administrator, a line each command."""
