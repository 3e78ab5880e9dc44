"""What a real scheduler offers so that scenarios can be played on it. A Slurm and an HTCondor are clusters.

A cluster plays several *lanes* at once: scenarios with machines and names of their own, which share nothing but the
scheduler. It says what the scheduler recorded, in the scheduler's order, and nothing else. Jobs are under our control: one
that is told to stop goes on until it is let stop, and none ends by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from ....spec import events as ev
from ....spec.formats.scenario import Scenario
from ....spec.observations import Observation
from ..backend import Loss

Lane = str
Administered: TypeAlias = (
    ev.SetPriority | ev.SetLimits | ev.SetSharing | ev.SetInShare | ev.SetShareState | ev.CreateShare | ev.DeleteShare
    | ev.SetCapacity | ev.SetEnvironmentState | ev.SetQueueState
)  # fmt: skip
"""What users and administrators change."""


class CannotExpress(Exception):
    """A scenario that the mapping cannot tell the scheduler, and why. Nothing of it is run."""


class ClusterError(RuntimeError):
    """The cluster failed: a daemon ended, a command was refused, two of its reports contradict each other."""


@dataclass(frozen=True)
class Recorded:
    """One thing that the scheduler recorded."""

    lane: Lane
    what: Observation
    lender: str = ""
    """Of a dispatch: the share whose machines the job runs on."""


class Cluster(Protocol):
    """A scheduler that runs."""

    def ready(self, scenarios: Mapping[Lane, Scenario]) -> None:
        """Be as after a start, with a lane for each scenario and no job. Raises ClusterError."""
        ...

    def can(self, scenario: Scenario) -> Iterable[Loss]:
        """What the scheduler is not told of the scenario's queue. Raises CannotExpress."""
        ...

    def submit(self, lane: Lane, steps: Sequence[ev.Submit]) -> None:
        """Submit jobs, of which the scheduler starts none before it has them all, as far as that can be had."""
        ...

    def finish(self, lane: Lane, step: ev.Finish) -> None:
        """Let a job that holds machines end by itself."""
        ...

    def terminate(self, lane: Lane, step: ev.Terminate) -> None: ...

    def let_stop(self, lane: Lane, job: str) -> None:
        """Let a victim stop."""
        ...

    def administer(self, lane: Lane, step: Administered) -> None:
        """Do what an administrator or a user changes: a share, the environment, a priority."""
        ...

    def recorded(self) -> Iterable[Recorded]:
        """What was recorded since the last call, of all lanes, in order. Raises ClusterError."""
        ...

    def rounds(self) -> int:
        """How often the scheduler has looked at everything that waits."""
        ...

    def agrees(self, lane: Lane, holds: Mapping[str, bool]) -> str:
        """Whether the scheduler's own account of the lane's live jobs (job -> it holds machines) is this one: '' or the
        difference."""
        ...

    def unfit(self, lane: Lane) -> str:
        """Why the lane's machines or waiting jobs are in no state in which the scheduler could answer: '' or what fails."""
        ...

    def close(self) -> None: ...
