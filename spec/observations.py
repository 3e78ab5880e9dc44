"""What can be seen of a queue that ran: a history is a sequence of observations, each with the time it may have had.

What was not seen is absent (None), never invented: AWS names no claim and no claimant, and a job's priority only where
somebody asked for it. Events that mean the same in a scenario are those of `events`; the others say what was seen of them.
Trusted: nothing; a judge decides whether observations can be explained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, TypeAlias

from . import events as ev
from .model import QueueConfig, Size, Stage

Kind: TypeAlias = Literal["cross-share", "in-share"]


@dataclass(frozen=True, slots=True)
class JobFacts:
    """What else is known of a job; of its payload nothing but sizes, types, checkpoint setting and training plan."""

    name: str = ""
    """What its owner calls it; several jobs may have one name."""
    arn: str = ""
    checkpoint: str | None = None
    """Where checkpoints go; '' when none is set, None when that is not known."""
    training_plan: bool | None = None
    timeout: int | None = None
    """Seconds one attempt may take (rule 54)."""
    owner: str = ""
    """Who submitted it, as CloudTrail names them."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """A job was accepted (rules 27, 30, 43)."""

    job: str
    share: str
    size: Size
    priority: int | None = None
    """None: not known. One that was left out is 0 (A22)."""
    retries: int | None = None
    """preemptionRetriesBeforeTermination; None: without limit, or not known."""
    retries_known: bool = True
    facts: JobFacts = JobFacts()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A submission was refused (rule 50)."""

    job: str
    share: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reached:
    """A dispatched job is STARTING or RUNNING (rule 29). Stages between may not have been seen."""

    job: str
    stage: Stage
    attempt: str = ""
    """Name of its training job (rule 45)."""


@dataclass(frozen=True, slots=True)
class Preempting:
    """A job was told to stop (rule 46). For whom is not known where no claimant is named."""

    job: str
    claimant: str | None = None
    kind: Kind | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Preempted:
    """A victim has stopped (rules 43, 46): RUNNABLE again, or FAILED."""

    job: str
    stage: Stage | None = None
    """None: not seen."""
    count: int | None = None
    """preemptedAttemptCount as reported, this one included (rule 47)."""


@dataclass(frozen=True, slots=True)
class Retried:
    """An attempt failed and the job is RUNNABLE again (rule 55); no preemption."""

    job: str


@dataclass(frozen=True, slots=True)
class Settled:
    """The scheduler has nothing left to do: as a scheduler says itself, or after a time in which nothing happened."""


Observation: TypeAlias = (
    Submitted | Rejected | Reached | Preempting | Preempted | Retried | Settled | ev.Dispatch | ev.Claim | ev.Release
    | ev.Return | ev.Finish | ev.Terminate | ev.SetPriority | ev.Misconfigured | ev.SetLimits | ev.SetSharing
    | ev.SetInShare | ev.SetShareState | ev.CreateShare | ev.DeleteShare | ev.ShareGone | ev.SetCapacity
    | ev.SetEnvironmentState | ev.SetQueueState
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seen:
    """One observation. It happened at some instant from `at` to `until`, both in milliseconds since 1970, UTC."""

    at: int
    until: int
    what: Observation
    file: int = 0
    """Index in the history's `files`."""
    line: int = 0
    """From 1; 0 where the file has no lines."""
    inferred: bool = False
    """True when no record says it but later ones prove that it happened between these times."""
    by: str = ""
    """Who asked for it, as CloudTrail names them; '' where that is not known."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A time of which observations are missing, and how that is known."""

    start: int
    end: int
    why: str


Doubtful: TypeAlias = Literal[
    "limits", "capacity", "sharing", "in-share", "state", "gone", "priority", "moves", "ends", "jobs"
]
"""`gone`: when a deleted share was no more; `ends`: whether somebody ended a job; `jobs`: those that are left out."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A time in which something is not known that promises look at; what was taken in its place may be wrong."""

    start: int
    end: int
    of: Doubtful
    why: str
    job: str = ""
    """Whose records are missing. What is seen of the job itself has times that allow for it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a history that cannot be used, and why."""

    place: str
    """file:line; '' when it is about no single place."""
    sentence: str


@dataclass(frozen=True)
class Completeness:
    """How much of what happened is in a history."""

    expected: int = 0
    """Moves of jobs that must have happened, seen or not."""
    seen: int = 0
    gaps: tuple[Gap, ...] = ()
    notes: tuple[str, ...] = ()
    """What is missing throughout, one sentence each: which field, and what would give it."""


@dataclass(frozen=True)
class Snapshot:
    """What a queue said of itself at a time: usage and front jobs."""

    at: int
    spread: int
    """Milliseconds between its oldest and its newest part."""
    usage: Mapping[str, Mapping[str, int]]
    """Share -> unit -> instances."""
    front: Mapping[str, tuple[tuple[str, int], ...]]
    """Share -> jobs at its front with the time since when."""


@dataclass(frozen=True)
class History:
    """What was seen of one queue."""

    config: QueueConfig
    """In force at the start."""
    seen: Callable[[], Iterator[Seen]]
    """The observations by time, from the start each time it is called. A job's own are in the order of its life."""
    files: tuple[str, ...] = ()
    """Names, as places write them."""
    paths: tuple[str, ...] = ()
    """Where each of `files` can be opened; empty for a history that was not read from files."""
    ordered: bool = False
    """True when the order of observations is the order in which they happened; else equal times have none."""
    claims: bool = False
    """True when every claim is in it, with its victims; else claims are unknown."""
    start: int = 0
    end: int = 0
    jobs: Mapping[str, Submitted] = field(default_factory=dict[str, Submitted])
    """By id; empty for a history that is read as it is judged."""
    attempts: Mapping[str, str] = field(default_factory=dict[str, str])
    """Training job -> id of its job."""
    completeness: Completeness = Completeness()
    doubts: tuple[Doubt, ...] = ()
    """What is not known for a time: nothing that rests on it is called broken."""
    snapshots: tuple[Snapshot, ...] = ()
    notes: tuple[str, ...] = ()
    """How it was understood: a configuration that is today's, say."""
    remarks: tuple[str, ...] = ()
    """How it was understood where nothing is in doubt: for whoever wants to know everything."""
    left_out: tuple[str, ...] = ()
    """One line for each file or record that does not count: which, and why."""
    others: tuple[str, ...] = ()
    """Queues that the jobs among the records are of, where none is of this one."""
    promises: tuple[str, ...] = ()
    """Paths of files of promises that were found beside it, by their names."""
    problems: list[Problem] = field(default_factory=list[Problem])
    """What could not be used; complete once `seen` has been read to its end. A history with problems is never in order."""

    def place(self, seen: Seen) -> str:
        """file:line of an observation."""
        name = self.files[seen.file] if self.files else ""
        return f"{name}:{seen.line}" if seen.line else name


def known_names(jobs: Mapping[str, Submitted]) -> tuple[str, ...]:
    """The names of jobs and their ids, in the order of ids."""
    said = (name for job in sorted(jobs) for name in (jobs[job].facts.name, job))
    return tuple(dict.fromkeys(name for name in said if name))


class Known(Protocol):
    """A job as a scheduler or a judge knows it after an event."""

    share: str
    stage: Stage
    preemptions: int


def observed(
    at: int,
    event: ev.Event,
    jobs: Mapping[str, Known],
    *,
    claims: bool = True,
    claimants: bool = True,
    kinds: bool = True,
    coarse: int = 1,
) -> Iterator[Seen]:
    """What is seen of an event at `at`, `jobs` being those after it.

    Without `claims` only the victims' stops are seen, as AWS shows them; without `claimants` not for whom, without
    `kinds` not why. Times are known up to `coarse` milliseconds.
    """
    start = at - at % coarse
    for what in shown(event, jobs, claims):
        if isinstance(what, Preempting):
            what = replace(what, claimant=what.claimant if claimants else None, kind=what.kind if kinds else None)
        yield Seen(start, start + coarse - 1, what)


def shown(event: ev.Event, jobs: Mapping[str, Known], claims: bool = True) -> Iterator[Observation]:
    """What an event, applied last, is to somebody who looks on."""
    match event:
        case ev.Submit():
            yield Submitted(event.job, event.share, event.size, event.priority or 0, event.retries)
        case ev.Advance():
            yield Reached(event.job, jobs[event.job].stage)
        case ev.Stopped():
            yield Preempted(event.job, jobs[event.job].stage, jobs[event.job].preemptions)
        case ev.Claim() if not claims:
            for victim in event.victims:
                own = jobs[victim].share == jobs[event.job].share
                yield Preempting(victim, event.job, "in-share" if own else "cross-share")
        case ev.Release() if not claims:
            return
        case _:
            yield event
