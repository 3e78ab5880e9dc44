"""What `why` and `status` find out: plain records that every report of theirs is made from, and from nothing else.

Times are milliseconds since 1970, UTC; None is not known, or has not happened. Jobs are told by id and name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...spec.model import Size, Stage

LENT = ("dispatch.pool", "dispatch.reserved", "dispatch.environment")
"""What a job waits for when all that others lend is in use."""


@dataclass(frozen=True)
class Job:
    """A job as its owner knows it."""

    id: str
    name: str
    share: str
    size: Size
    priority: int | None
    """None: not known."""


@dataclass(frozen=True)
class Holding:
    """What a share held of a unit at a moment."""

    unit: str
    used: int
    limit: int
    allowed: int | None
    """Limit and borrow limit together; None: without limit."""

    @property
    def borrowed(self) -> int:
        return max(0, self.used - self.limit)


@dataclass(frozen=True)
class Stop:
    """One time that the job was told to stop."""

    began: int | None
    ended: int | None
    then: Stage
    started: int | None
    """When it had its machines, or was first seen RUNNING."""
    holdings: tuple[Holding, ...]
    asking: tuple[Job, ...]
    """Everybody who may have asked for it; empty: nobody who is known."""
    kinds: tuple[str, ...]
    """Of each of them: cross-share or in-share."""
    named: bool
    """True when the history names the claimant."""
    instead: tuple[Job, ...]
    """Jobs that could have been stopped instead, for one of those who may have asked."""
    complete: bool
    """Whether every order was looked at in which observations of one time may have happened; else there may be more."""
    place: str
    """file:line of the observation."""
    began_by: int | None = None
    """Latest time at which it was told to stop, where no record says when; `began` is the earliest then."""
    kind: str | None = None
    """Kind of the preemption, as the history says."""
    reason: str = ""
    """AWS's own words for it."""

    @property
    def ran(self) -> int | None:
        """Milliseconds that the attempt ran: until it was told, or until it had stopped where that is all that is known."""
        end = self.ended if self.began is None or self.began_by is not None else self.began
        return None if self.started is None or end is None else max(0, end - self.started)

    @property
    def certain(self) -> bool:
        """Whether it is known for whom: it is named, or nobody else could ask."""
        return self.named or (self.complete and len(self.asking) == 1)


@dataclass(frozen=True)
class Lender:
    """A share whose capacity others may use while it is idle."""

    share: str
    unit: str
    used: int
    limit: int


@dataclass(frozen=True)
class Kept:
    """Idle machines that no other share may use."""

    share: str
    unit: str
    idle: int
    """So many are surely there: fewer than it keeps where the environment is smaller than what is used and kept."""
    reserve: bool
    """Its strategy is RESERVE; else it is DISABLED and lends nothing for that (A47)."""


@dataclass(frozen=True)
class Waits:
    """What a RUNNABLE job waits for."""

    place: int
    """In its share's line, from 1."""
    line: int
    """Jobs in that line."""
    behind: Job | None
    """The job before it that must start first; None: there is none, or none that has to (A18, A52)."""
    clause: str
    """Code of the first false clause of what a start needs; '' when nothing that was seen keeps it."""
    sentence: str
    left: int | None
    """The two sides of the clause: what would be, and what there is."""
    right: int | None
    unit: str
    """The unit that the clause is about; '' where it is about none, or where the queue has only one."""
    borrows: bool
    """Whether it would run on more than its share's own machines of what it lacks, once all that drains has stopped."""
    lacks: int
    """Machines of the unit that have to come free before there is room for it; 0 where it waits for something else."""
    loan: int
    """Of the unit that the clause is about, how much its share would borrow for it, once all that drains has stopped."""
    partly: bool
    """Others use what its share owns and it lacks, and do not give it back: part of the job would be a loan (A24)."""
    never: str
    """Why it can never run, in AWS's words."""
    lenders: tuple[Lender, ...]
    kept: tuple[Kept, ...]
    draining: tuple[Job, ...]
    """Jobs that have been told to stop and hold machines of a unit that it needs."""
    claims: tuple[Job, ...]
    """Jobs of others for which machines of a unit that it needs are kept."""
    unseen: bool
    """It fits by what was seen, but claims of others were not seen (A23)."""
    in_line: bool
    """It fits, but would borrow, and so would the head of another share that does not fit (A16b)."""


@dataclass(frozen=True)
class Blocks:
    """Jobs of its share that fit and wait behind it (rule 32; A18)."""

    behind: tuple[Job, ...]
    idle: Mapping[str, int]
    """Unit -> own machines of the share that nobody uses."""


@dataclass(frozen=True)
class Lost:
    """What its stops may have cost, and what comes next."""

    milliseconds: int
    """Time that stopped attempts ran."""
    machines: int
    """Of the job, all units together."""
    checkpoint: str | None
    retries: int | None
    retries_known: bool
    preemptions: int


@dataclass(frozen=True)
class Arrival:
    """A job that is submitted and starts at once."""

    share: str
    unit: str
    size: int


@dataclass(frozen=True)
class Threat:
    """Jobs that, if one arrived now, could stop the job, were it chosen among those that may be stopped (A26)."""

    share: str
    unit: str
    kind: str
    least: int
    """Every size from this one ..."""
    most: int
    """... to this one; other sizes only as other threats say."""
    priority: int
    """Every priority from this one ..."""
    highest: int
    """... to this one."""
    waits: bool
    """Whether a job of that share waits now that could."""
    after: tuple[Arrival, ...] = ()
    """Jobs that have to come before it and take up what is idle."""


@dataclass(frozen=True)
class Runs:
    """On whose machines a job runs, and who could stop it."""

    holdings: tuple[Holding, ...]
    lenders: tuple[Lender, ...]
    """Shares that leave idle what is lent; empty where they do not leave so much."""
    unowned: bool
    """Whether what is borrowed may also be what no share owns (A5)."""
    threats: tuple[Threat, ...]
    order: tuple[Job, ...]
    """Jobs that a reclaim could stop, the one that the reference would take first first (A26)."""
    later: tuple[Threat, ...]
    """The same of shares that no single arrival lets stop it."""


@dataclass(frozen=True)
class Outcome:
    """What the reference did with a job after a change."""

    starts: bool
    waits_for: tuple[str, ...]
    """Jobs that had to stop before it started; empty: it started at once."""
    threats: tuple[Threat, ...]
    """Who could stop it then; only known where it runs."""
    borrows: bool
    """Whether its share is above a limit then: while it is not, no other share can stop it."""
    never: str
    round: bool
    """The reference went round and the outcome is not known."""
    because: str = ""
    """The first false clause of what a start needs, where it waits."""


@dataclass(frozen=True)
class Help:
    """A change, and what came of it on the reference."""

    change: str
    outcome: Outcome
    hint: str
    """How it is done, or what else it costs."""
    keeps: bool
    """True for a change with which a running job keeps running."""
    rank: int
    """Surest first: 0 runs and its share borrows nothing, 1 no single arrival could stop it, 2 it starts, 3 does not help."""
    own: bool
    """True when it changes nothing against other shares: at most what its own share can do."""


@dataclass(frozen=True)
class Fault:
    """A rule that was broken in the job's story."""

    code: str
    sentence: str
    place: str


@dataclass(frozen=True)
class Request:
    """A job that has not been submitted yet."""

    outcome: Outcome
    holdings: tuple[Holding, ...]
    """Of its share once it runs."""
    stops: tuple[Job, ...]
    """What would be told to stop for it."""
    waits: Waits | None
    """What it would wait for; None when it starts."""
    later: tuple[Threat, ...] = ()
    """Who could stop it then after others have started jobs; its outcome tells of single arrivals."""


@dataclass(frozen=True)
class Why:
    """The whole story of one job, or of one request."""

    queue: str
    job: Job
    stage: Stage
    since: int | None
    owner: str
    arn: str
    alike: tuple[str, ...]
    """Ids of other jobs of this name, newest first."""
    at: int
    stops: tuple[Stop, ...] = ()
    waits: Waits | None = None
    blocks: Blocks | None = None
    runs: Runs | None = None
    lost: Lost | None = None
    request: Request | None = None
    helps: tuple[Help, ...] = ()
    faults: tuple[Fault, ...] = ()
    judged: bool = False
    """Whether the story was judged: no fault means something only then."""
    undecided: tuple[str, ...] = ()
    """What was asked and is not known, with the reason."""
    events: int = 0
    first: int = 0
    """When the history begins."""
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        return 1 if self.faults else 0


@dataclass(frozen=True)
class UnitStatus:
    """One unit over the whole queue."""

    unit: str
    capacity: int
    own: int
    borrowed: int
    kept: int
    disabled: int
    """Of what is kept, by shares that are DISABLED and lend nothing for that (A47); the rest is RESERVE."""
    idle: int
    """Below 0: machines in use or kept beyond the environment."""
    draining: int


@dataclass(frozen=True)
class Stoppable:
    """A running job and the shares whose arrivals could stop it."""

    job: Job
    by: tuple[str, ...]


@dataclass(frozen=True)
class ShareStatus:
    """One share and unit."""

    share: str
    unit: str
    limit: int
    own: int
    borrowed: int
    lent: tuple[int, int]
    """Least and most: who lends to whom is not published (A12)."""
    waiting: int
    draining: int
    stoppable: tuple[Stoppable, ...]
    head: Job | None
    since: int | None
    stuck: str
    """Why its head can never run, in AWS's words."""


@dataclass(frozen=True)
class Status:
    """How a queue stands."""

    queue: str
    at: int
    units: tuple[UnitStatus, ...]
    shares: tuple[ShareStatus, ...]
    snapshot: int | None
    spread: int
    differs: tuple[str, ...]
    """Where the latest snapshot says something else than the history."""
    notes: tuple[str, ...]
    names: tuple[str, ...]
    """Every name of a job, for --redact; not reported."""
