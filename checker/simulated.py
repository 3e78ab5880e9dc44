"""What simulations of one workload measured, as events: one column for each queue and policy, what each share had in it.

Times are seconds, machine time is hours; units of one kind or of several are added up where no unit is named. None: nothing
to tell. `Simulation` puts a stream together; `docs/reference/simulate.md` defines every number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from .drawn import Timeline

EDGES = (0, 60, 600, 3_600, 6 * 3_600, 24 * 3_600, 7 * 24 * 3_600)
"""Seconds at which the bins of a histogram end, each included; the last bin holds what is longer."""


@dataclass(frozen=True)
class Simulating:
    """The workload, and what every column has in common."""

    workload: str
    """The file's name."""
    start: float
    end: float
    """The time of which machine time is told, and in which a job has to arrive to be counted; seconds of the workload."""
    jobs: int
    """That arrive in this time."""
    compared: int
    """Of them those that every column can run."""
    hours: float
    """Machine-hours of work that jobs which arrive in this time bring."""
    hours_compared: float
    """Of them those of jobs that are compared."""
    shares: tuple[str, ...]
    settings: Mapping[str, str]
    """What the workload does not say: how long a drain takes, when jobs save, what a save costs."""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """Configurations, in the order of the columns."""


@dataclass(frozen=True)
class LeftOut:
    """Jobs of one share that one column can never run, for one reason: no column runs them."""

    column: str
    share: str
    why: str
    jobs: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Column:
    """One queue under one policy."""

    column: str
    policy: str
    sentence: str
    """What the policy does."""
    queue: str
    capacity: Mapping[str, int]
    limits: Mapping[str, Mapping[str, int]]
    """Share -> machines of its own by unit; nothing where no share has any."""
    notes: tuple[str, ...] = ()
    """What was done to make the queue so: the split of `static`, say."""


@dataclass(frozen=True)
class Spread:
    """How long something took, in seconds: how often, the mean, nearest-rank percentiles, and `EDGES`' bins."""

    times: int
    mean: float | None = None
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    worst: float | None = None
    bins: tuple[int, ...] = ()


@dataclass(frozen=True)
class MachineTime:
    """What became of the hours for which jobs held machines, over the whole run; together they are `held`."""

    useful: float = 0.0
    """Work of jobs that succeeded or that a history left open, each piece of it once."""
    lost: float = 0.0
    """Work that was done again, or whose job never succeeded."""
    saving: float = 0.0
    """Checkpoints being written."""
    restarting: float = 0.0
    """Checkpoints being read in again."""
    starting: float = 0.0
    """Held before the job ran."""
    draining: float = 0.0
    """Held after the job was told to stop."""

    @property
    def held(self) -> float:
        return self.useful + self.lost + self.saving + self.restarting + self.starting + self.draining


@dataclass(frozen=True)
class UnitTime:
    """One unit of one column in the time that counts, in machine-hours. `busy` and `idle` add up to `capacity`."""

    column: str
    unit: str
    capacity: float
    busy: float
    kept: float | None
    """Idle and kept for its owner, so that nobody else could use it; None where no share has anything of its own."""
    kept_waiting: float | None
    """Of it while a job of another share waited for the unit."""

    @property
    def idle(self) -> float:
        return self.capacity - self.busy


@dataclass(frozen=True)
class ShareRun:
    """What one share had in one column; share '' is all of them."""

    column: str
    share: str
    jobs: int
    """Compared, and arriving in the time that counts. All that follows but machine time is told of them."""
    completed: int
    on_loan: int
    """Completed jobs whose share was beyond its own limit when their last attempt started."""
    retries_out: int
    """Jobs that ended because they were stopped once more than they allow."""
    failed: int
    """Jobs that ended otherwise without having succeeded."""
    unended: int
    """Jobs that had not ended when nothing more happened, or when the history ended that they are from."""
    waits: Spread
    """From submission to the first start, of jobs that started."""
    completion: Spread
    """From submission to the end, of jobs that succeeded."""
    again: Spread
    """From the moment a victim had stopped until it started again, of each stop."""
    owner: Spread
    """For how long the first job in line of the share waited although its share was within its limit with it."""
    stops: int
    stopped: int
    """Jobs that were told to stop at least once."""
    repeatedly: int
    """Of them, more than once."""
    most_stops: int
    """Of one job."""
    beyond_need: int | None
    """Machines that victims of its jobs' claims held beyond what these ask for; None where nobody recorded the claims."""
    missed: int | None
    """Jobs that had not succeeded by their deadline; None where no job has one."""
    own: float
    borrowed: float
    """Machine-hours within and beyond its own limit, in the time that counts."""
    work: MachineTime = field(default_factory=MachineTime)


@dataclass(frozen=True)
class Curve:
    """What is drawn of the waits of one share in one column; share '' is all of them."""

    column: str
    share: str
    waits: tuple[float, ...]
    """Quantiles of the waiting times in seconds, at equal steps from the least to the most."""


@dataclass(frozen=True)
class Usage:
    """What is drawn of the use of one unit by one share in one column; share '' is all of them."""

    column: str
    share: str
    unit: str
    own: tuple[float, ...]
    borrowed: tuple[float, ...]
    """Machines in use on average, in equal parts of the time that counts."""


@dataclass(frozen=True)
class Worth:
    """How many machines more a static split needs until its mean wait is that of lending; one unit, or all alike."""

    column: str
    """The column that lends."""
    against: str
    """The column that does not."""
    wait: float
    """The mean wait to be reached."""
    machines: int | None
    """None: not reached with as many as were tried."""
    capacity: Mapping[str, int]
    """Of the column that lends, by unit."""
    tried: int
    """The most machines more that were tried, in runs that were made."""
    runs: int
    reached: float | None = None
    """The mean wait with `machines` more, as it was run."""
    before: float | None = None
    """The mean wait with one machine less, as it was run."""


@dataclass(frozen=True)
class Dearer:
    """A share that lost more by borrowing and lending than it gained, against a column without."""

    column: str
    against: str
    share: str
    later: float | None
    """Seconds by which its jobs ended later on average, where they did."""
    spent: float
    """Machine-hours of lost work, saves, restarts and drains more than without."""
    gained: float
    """Machine-hours: of each job its machines times the time by which it ended earlier; negative: later."""
    borrowed: float
    """Machine-hours beyond its own limit, in the time that counts; 0: it only lent."""


Simulated: TypeAlias = Simulating | LeftOut | Column | UnitTime | ShareRun | Curve | Usage | Worth | Dearer | Timeline


@dataclass(frozen=True)
class Simulation:
    """The events of one command, each kind in its order."""

    simulating: Simulating
    left_out: tuple[LeftOut, ...] = ()
    columns: tuple[Column, ...] = ()
    units: tuple[UnitTime, ...] = ()
    runs: tuple[ShareRun, ...] = ()
    curves: tuple[Curve, ...] = ()
    usages: tuple[Usage, ...] = ()
    worth: tuple[Worth, ...] = ()
    dearer: tuple[Dearer, ...] = ()
    timelines: tuple[Timeline, ...] = ()
    """Of each column, where they are drawn."""

    @classmethod
    def of(cls, events: Iterable[Simulated]) -> Simulation:
        every = list(events)
        return cls(
            next(e for e in every if isinstance(e, Simulating)),
            left_out=tuple(e for e in every if isinstance(e, LeftOut)),
            columns=tuple(e for e in every if isinstance(e, Column)),
            units=tuple(e for e in every if isinstance(e, UnitTime)),
            runs=tuple(e for e in every if isinstance(e, ShareRun)),
            curves=tuple(e for e in every if isinstance(e, Curve)),
            usages=tuple(e for e in every if isinstance(e, Usage)),
            worth=tuple(e for e in every if isinstance(e, Worth)),
            dearer=tuple(e for e in every if isinstance(e, Dearer)),
            timelines=tuple(e for e in every if isinstance(e, Timeline)),
        )

    def run(self, column: str, share: str = "") -> ShareRun:
        """What a share had in a column; KeyError where it is not told."""
        for run in self.runs:
            if (run.column, run.share) == (column, share):
                return run
        raise KeyError((column, share))
