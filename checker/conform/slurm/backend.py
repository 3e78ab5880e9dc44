"""`Slurm` is the backend: it starts a Slurm, plays scenarios on it in lanes and reports what slurmctld recorded.

Trusted: slurmctld's log for what happened and in which order; `squeue` must agree with it whenever a queue has settled and at
the end of a scenario. Nodes that do not work and jobs that are held are the machine's failure, and never the scheduler's.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ....spec import events as ev
from ....spec.formats.scenario import Scenario
from ....spec.model import Stage
from ....spec.observations import Observation, Preempted, Preempting, Rejected, Submitted
from ..backend import Answer, Declaration
from ..real.cluster import Administered, CannotExpress, ClusterError, Loss, Recorded
from ..real.playing import Patience, played
from ..real.sandbox import INSIDE, Ended
from .daemons import Daemons
from .faulty import AccountPool, BothLimits, InOrder, Label, PreemptsOnce, QosCap, RequeueDelay
from .layout import GHOST, Layout, SlurmJob, loosens
from .log import Line, Log
from .nodes import Nodes
from .pool import Pool
from .spill import Spill

MAPPINGS: Mapping[str, type[Layout]] = {
    "": Nodes,
    "spill": Spill,
    "pool": Pool,
    "qos-cap": QosCap,
    "account-pool": AccountPool,
    "both-limits": BothLimits,
    "label": Label,
    "requeue-delay": RequeueDelay,
    "preempts-once": PreemptsOnce,
    "in-order": InOrder,
}
"""What stands behind `slurm:` -> how a queue is told."""
LANES = 16
ROOM = 48
"""Scenarios that one start of the daemons is for."""
_WORKS = {"idle", "mixed", "allocated", "completing", "planned"}
"""States of a node to which jobs are sent. A `-` behind one says that a start there is planned."""
_FAILED = re.compile(
    r"Held|Hold|[Ll]aunch|NodeDown|UnavailableNodes|BadConstraints|Invalid|Dependency|Reservation|SystemFailure|Prolog"
)
"""Reasons why a job waits that are no answer of the scheduler's: it will not start whatever is free."""


@dataclass
class Slurm:
    """A backend that is a Slurm of its own."""

    mapping: str = ""
    keep: bool = False
    patience: Patience | None = None
    _cluster: SlurmCluster | None = None

    def declare(self) -> Declaration:
        kind = MAPPINGS[self.mapping]
        if self._cluster is None:
            self._cluster = SlurmCluster(kind, Daemons(keep=self.keep))
        return Declaration("slurm", self._cluster.daemons.version, kind.features, choices=kind.choices, lanes=LANES,
                           capacity=kind.capacity, profile=kind.profile, bounds=kind.bounds)  # fmt: skip

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        declared = self.declare()
        assert self._cluster is not None
        yield from played(self._cluster, scenarios, declared, most=LANES, room=ROOM, patience=self.patience)

    def close(self) -> None:
        cluster, self._cluster = self._cluster, None
        if cluster is not None:
            cluster.close()


@dataclass
class _Change:
    """A step of an administrator, how many commands it is, and how many of them the log has told."""

    step: Administered
    commands: int
    told: int = 0


@dataclass
class SlurmCluster:
    """Slurm as a cluster."""

    kind: type[Layout]
    daemons: Daemons
    _wave: int = 0
    _layouts: dict[str, Layout] = field(default_factory=dict[str, Layout])
    _jobs: dict[int, SlurmJob] = field(default_factory=dict[int, SlurmJob])
    _ids: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _pipes: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _paths: dict[tuple[str, str], Path] = field(default_factory=dict[tuple[str, str], Path])
    """Of the pipes, inside."""
    _said: list[Recorded] = field(default_factory=list[Recorded])
    """What the log does not say: refusals."""
    _changes: dict[str, _Change] = field(default_factory=dict[str, "_Change"])
    """Lane -> a step of an administrator that is under way."""

    def can(self, scenario: Scenario) -> Iterable[Loss]:
        return self.kind("l", scenario, _units([scenario])).check()

    def ready(self, scenarios: Mapping[str, Scenario]) -> None:
        units = _units(scenarios.values())
        self._wave += 1
        # Accounting forgets no name.
        self._layouts = {n: self.kind(f"{n}w{self._wave}", scenario, units) for n, scenario in scenarios.items()}
        self._closed()
        self._jobs, self._ids, self._said, self._changes = {}, {}, [], {}
        self.daemons.begin(list(self._layouts.values()))
        self._log = Log(self.daemons.log)

    def submit(self, lane: str, steps: Sequence[ev.Submit]) -> None:
        """Several begin an hour later until all are there, and now when they are."""
        given: list[SlurmJob] = []
        for step in steps:
            job = self._submitted(lane, step, held=len(steps) > 1)
            if job is not None:
                given.append(job)
                continue
            refused = Recorded(lane, Rejected(step.job, step.share, "its partition takes no jobs"))
            (given[-1].then if given else self._said).append(refused)
        self._moved({lane})
        if len(steps) > 1:
            lines = (f"update jobid={job.number} starttime=now\n" for job in given)
            self.daemons.run("scontrol", told="".join(lines))

    def _submitted(self, lane: str, step: ev.Submit, *, held: bool) -> SlurmJob | None:
        """A job of ours that Slurm has taken; None when it takes none."""
        to, more = self._layouts[lane].route(step, self._of(lane))
        self._pipe(lane, step.job)
        job = SlurmJob(lane, 0, step, to, held=held)
        try:
            self._send(job, more)
        except Ended as error:
            if "inactive or drain" not in str(error):
                raise
            return None
        return job

    def _send(self, job: SlurmJob, more: Sequence[str]) -> None:
        """Give a job to Slurm. Raises Ended where it is refused."""
        step, layout = job.submit, self._layouts[job.lane]
        words = ["sbatch", "--parsable", "--requeue", "-o", "/dev/null", "-J", step.job, "-n1", "-p", ",".join(job.partitions),
                 f"--gres={layout.gres(step.size)}", f"--priority={layout.priority(step, job.partitions)}", *more,
                 *(["--begin=now+1hour"] if job.held else []), str(self.daemons.job),
                 str(self._paths[job.lane, step.job])]  # fmt: skip
        job.number = int(self.daemons.run(*words).split(";")[0])
        self._jobs[job.number] = job
        self._ids[job.lane, step.job] = job.number

    def _of(self, lane: str) -> list[SlurmJob]:
        return [job for job in self._jobs.values() if job.lane == lane]

    def _others(self, job: SlurmJob) -> list[SlurmJob]:
        return [other for other in self._of(job.lane) if other is not job]

    def _moved(self, lanes: Iterable[str]) -> None:
        """Jobs that wait are sent where they belong now."""
        for lane in lanes:
            for job, to, more in list(self._layouts[lane].moves(self._of(lane))):
                if self.kind.sends_again:
                    self._sent_again(job, to, more)
                elif self._updated(job, f"partition={','.join(to)}"):
                    job.partitions = to

    def _updated(self, job: SlurmJob, *what: str) -> bool:
        """Change a job that waits; whether Slurm did it. It does not where the job runs by now, which will be read, nor where a
        partition takes nothing new: then it waits where it is."""
        try:
            self.daemons.run("scontrol", "update", f"jobid={job.number}", *what)
        except Ended as error:
            if not any(why in str(error) for why in ("no longer pending", "inactive or drain")):
                raise
            return False
        return True

    def _sent_again(self, job: SlurmJob, to: tuple[str, ...], more: Sequence[str]) -> None:
        """To Slurm it is another job from now on, if it waits."""
        if self._updated(job, "priority=0"):
            self.daemons.run("scancel", str(job.number))
            del self._jobs[job.number]
            job.partitions = to
            self._send(job, more)

    def _pipe(self, lane: str, job: str) -> None:
        """A new pipe for a job. It stays open here, so that what is written waits for the job to read it."""
        path = self.daemons.jobs / f"{lane}.{len(self._pipes)}"
        self._paths[lane, job] = INSIDE / "jobs" / path.name
        os.mkfifo(path)
        self._pipes[lane, job] = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def _end(self, lane: str, job: str, code: int) -> None:
        """Have the job end with this code."""
        self._jobs[self._ids[lane, job]].ends = code
        os.write(self._pipes[lane, job], f"{code}\n".encode())

    def _emptied(self, lane: str, job: str) -> None:
        """Nothing that was written for an earlier run of the job is left."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._pipes[lane, job], 4096)

    def _closed(self) -> None:
        for pipe in self._pipes.values():
            os.close(pipe)
        self._pipes = {}

    def finish(self, lane: str, step: ev.Finish) -> None:
        self._end(lane, step.job, int(step.failed))

    def let_stop(self, lane: str, job: str) -> None:
        self._end(lane, job, 0)

    def terminate(self, lane: str, step: ev.Terminate) -> None:
        number = self._ids[lane, step.job]
        self._jobs[number].terminated = True
        self.daemons.run("scancel", str(number))
        self._end(lane, step.job, 0)

    def administer(self, lane: str, step: Administered) -> None:
        layout = self._layouts[lane]
        if why := layout.refusal(step, self._of(lane)):
            raise CannotExpress(why)
        commands = layout.change(step)
        self._changes[lane] = _Change(step, commands.count("\n"))
        self.daemons.run("scontrol", told=commands)
        self._moved({lane})

    def _administered(self, line: Line) -> Iterator[Recorded]:
        """A step is recorded with the first of its commands, if Slurm may do more by it, else with the last."""
        for lane, change in list(self._changes.items()):
            if self._layouts[lane].names(line.partition or line.node):
                change.told += 1
                if change.told == (1 if loosens(change.step) else change.commands):
                    yield Recorded(lane, change.step)
                if change.told == change.commands:
                    del self._changes[lane]

    def recorded(self) -> Iterator[Recorded]:
        self.daemons.check()
        yield from self._said
        self._said = []
        touched: dict[str, None] = {}
        for line in self._log.lines():
            job = self._jobs.get(line.job)
            if line.what == "administered":
                yield from self._administered(line)
            elif job is not None:
                touched[job.lane] = None
                yield from self._recorded(line, job)
        self._moved(touched)

    def _arrived(self, job: SlurmJob) -> Iterator[Recorded]:
        """Slurm has the job, told once. It may act on one that is released before it writes that it was."""
        if not job.told:
            job.held, job.told = False, True
            s = job.submit
            yield Recorded(job.lane, Submitted(s.job, s.share, s.size, s.priority or 0, s.retries))
            yield from job.then
            job.then = []

    def _recorded(self, line: Line, job: SlurmJob) -> Iterator[Recorded]:
        what: Observation | None = None
        lender, name = "", job.submit.job
        match line.what:
            case "submitted" | "released" if job.held == (line.what == "released"):
                yield from self._arrived(job)
            case "started":
                yield from self._arrived(job)
                job.partition, job.node = line.partition, line.node
                lender = self._layouts[job.lane].lender(line.node, line.partition, job.submit.share)
                what = ev.Dispatch(name)
            case "preempted":
                claimant = self._jobs.get(line.claimant)
                job.victim = True
                if claimant:
                    claimant.preempted = True
                    yield from self._arrived(claimant)
                what = Preempting(name, claimant.submit.job if claimant else None)
            case "requeued" if not job.victim:
                raise ClusterError(f"{name} was requeued, and nobody preempted it")
            case "requeued":
                job.partition = job.node = ""
                job.victim, job.ends = False, None
                self._emptied(job.lane, name)
                if job.preempted and self.kind.preempts_again:
                    job.preempted = False
                    self._sent_again(job, *self._layouts[job.lane].route(job.submit, self._others(job)))
                elif self.kind.restarts_at_once:
                    # Within the second slurmd takes the new credential for the one that was revoked: the job fails.
                    self.daemons.run("scontrol", "update", f"jobid={line.job}", "starttime=now+1")
                what = Preempted(name, Stage.RUNNABLE)
            case "exited" if job.live and not job.terminated and line.code != job.ends:
                raise ClusterError(f"{name} ended with code {line.code}, which it was not told")
            case "exited" if job.live and not job.terminated:
                job.live, job.node = False, ""
                what = ev.Finish(name, failed=bool(line.code))
            case "signalled" if not job.terminated:
                raise ClusterError(f"signal {line.code} ended {name}, which nobody of ours sent")
            case "unknown":
                raise ClusterError(f"what became of {name} is not known: slurmctld wrote {line.text!r}")
            case "killed" if not job.terminated:
                raise ClusterError(f"{name} was cancelled, and not by us")
            case "killed":
                job.live, job.node = False, ""
                what = ev.Terminate(name)
            case _:
                pass
        if what is not None:
            yield Recorded(job.lane, what, lender)

    def rounds(self) -> int:
        """Of the backfill scheduler, which looks at every waiting job once a second: the main one also does on each event, but
        stops at the first that does not fit."""
        found = re.findall(r"Total cycles:\s*(\d+)", self.daemons.run("sdiag"))
        if len(found) != 2:
            raise ClusterError("sdiag tells no cycles of the main and the backfill scheduler")
        return int(found[1])

    def agrees(self, lane: str, holds: Mapping[str, bool]) -> str:
        # As JSON it tells of every job that ever was.
        told = self.daemons.run("squeue", "-h", "-a", "-t", "PENDING,RUNNING,COMPLETING", "-o", "%A:%N")
        theirs: dict[str, bool] = {}
        for number, nodes in (line.split(":") for line in told.split()):
            known = self._jobs.get(int(number))
            if known and known.lane == lane:
                theirs[known.submit.job] = bool(nodes)
        return "" if theirs == holds else f"squeue says {theirs}, the log {dict(holds)}"

    def unfit(self, lane: str) -> str:
        layout = self._layouts[lane]
        for told in set(self.daemons.run("sinfo", "-h", "-a", "-N", "-o", "%N %T").splitlines()):
            node, state = told.split()
            if layout.names(node) and state.removesuffix("-") not in _WORKS:
                return f"the node {node} is {state}"
        for told in self.daemons.run("squeue", "-h", "-a", "-t", "PENDING", "-o", "%A %r").splitlines():
            number, _, reason = told.partition(" ")
            known = self._jobs.get(int(number))
            if known and known.lane == lane and _FAILED.search(reason.replace(f"UnavailableNodes:{GHOST}", "")):
                return f"{known.submit.job} waits for {reason}"
        return ""

    def close(self) -> None:
        self._closed()
        self.daemons.close()


def _units(scenarios: Iterable[Scenario]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(u for scenario in scenarios for u in scenario.config.units))
