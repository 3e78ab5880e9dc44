"""`Slurm` is the backend: it starts a Slurm, plays scenarios on it in lanes and reports what slurmctld recorded.

Trusted: slurmctld's log for what happened and in which order; `squeue` must agree with it whenever a queue has settled.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ....spec import events as ev
from ....spec.formats.scenario import Scenario
from ....spec.model import Stage, State
from ....spec.observations import Observation, Preempted, Preempting, Rejected, Submitted
from ..backend import Answer, Declaration
from ..real.cluster import Loss, Recorded
from ..real.playing import played
from ..real.sandbox import Ended
from .daemons import Daemons
from .layout import Layout
from .log import Line, Log

FEATURES = frozenset({"borrowing", "several-units", "priorities", "in-share-preemption", "terminations", "timed-stops",
                      "share-states"})  # fmt: skip
LANES = 16


@dataclass
class Slurm:
    """A backend that is a Slurm of its own."""

    keep: bool = False
    _cluster: SlurmCluster | None = None

    def declare(self) -> Declaration:
        if self._cluster is None:
            self._cluster = SlurmCluster(Daemons(keep=self.keep))
        version = self._cluster.daemons.run("slurmctld", "-V").split()[-1]
        return Declaration("slurm", version, FEATURES, claims=False, choices={"A13": "a", "A5": "void"})

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        declared = self.declare()
        assert self._cluster is not None
        yield from played(self._cluster, scenarios, declared, most=LANES)

    def close(self) -> None:
        cluster, self._cluster = self._cluster, None
        if cluster is not None:
            cluster.close()


@dataclass
class _Job:
    """A job as the adapter knows it: who it is to Slurm, and where it was sent."""

    lane: str
    submit: ev.Submit
    own_only: bool
    partition: str = ""
    live: bool = True
    terminated: bool = False


@dataclass
class SlurmCluster:
    """Slurm as a cluster."""

    daemons: Daemons
    _layouts: dict[str, Layout] = field(default_factory=dict[str, Layout])
    _jobs: dict[int, _Job] = field(default_factory=dict[int, _Job])
    _ids: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _said: list[Recorded] = field(default_factory=list[Recorded])
    """What no log says: refusals, and what an administrator did."""

    def can(self, scenario: Scenario) -> Iterable[Loss]:
        return Layout("l", scenario, _units([scenario])).check()

    def ready(self, scenarios: Mapping[str, Scenario]) -> None:
        units = _units(scenarios.values())
        self._layouts = {lane: Layout(lane, scenario, units) for lane, scenario in scenarios.items()}
        self._jobs, self._ids, self._said = {}, {}, []
        self.daemons.begin(list(self._layouts.values()))
        self._log = Log(self.daemons.log)

    def submit(self, lane: str, step: ev.Submit) -> None:
        layout = self._layouts[lane]
        share = layout.scenario.config.share(step.share)
        pipe = self.daemons.jobs / f"{lane}.{step.job}"
        os.mkfifo(pipe)
        priority = step.priority or 0
        own_only = not layout.borrows(share) or all(
            self._own(lane, step.share, u) + n <= share.limits.get(u, 0) for u, n in step.size.items()
        )
        partitions = [layout.own(step.share, priority), *([] if own_only else [layout.loans(step.share)])]
        licences = [f"{cap[0]}:{n}" for u, n in step.size.items() if (cap := layout.cap(share, u))]
        words = ["sbatch", "--parsable", "-o", "/dev/null", "-J", step.job, "-n1", "-p", ",".join(partitions),
                 f"--gres={layout.gres(step.size)}", f"--priority={1000 + priority}",
                 *([f"--licenses={','.join(licences)}"] if licences else []), str(self.daemons.job), str(pipe)]  # fmt: skip
        try:
            number = int(self.daemons.run(*words).split(";")[0])
        except Ended as error:
            if "inactive or drain" not in str(error):
                raise
            self._said.append(Recorded(lane, Rejected(step.job, step.share, "its partition takes no jobs")))
            return
        self._jobs[number], self._ids[lane, step.job] = _Job(lane, step, own_only), number

    def _own(self, lane: str, share: str, unit: str) -> int:
        """What jobs of a share hold, or wait for, of its own node."""
        layout = self._layouts[lane]
        mine = (j for j in self._jobs.values() if j.lane == lane and j.submit.share == share and j.live)
        return sum(
            j.submit.size.get(unit, 0)
            for j in mine
            if (j.partition != layout.loans(share) if j.partition else j.own_only)
        )

    def _end(self, lane: str, job: str, code: int) -> None:
        """Have the job end with this code."""
        with os.fdopen(os.open(self.daemons.jobs / f"{lane}.{job}", os.O_RDWR | os.O_NONBLOCK), "w") as pipe:
            pipe.write(f"{code}\n")

    def finish(self, lane: str, step: ev.Finish) -> None:
        self._end(lane, step.job, int(step.failed))

    def let_stop(self, lane: str, job: str) -> None:
        self._end(lane, job, 0)

    def terminate(self, lane: str, step: ev.Terminate) -> None:
        number = self._ids[lane, step.job]
        self._jobs[number].terminated = True
        self.daemons.run("scancel", str(number))
        self._end(lane, step.job, 0)

    def administer(self, lane: str, step: ev.Event) -> None:
        layout = self._layouts[lane]
        if isinstance(step, ev.SetShareState):
            state = "UP" if step.state is State.ENABLED else "DRAIN"
            names = [layout.own(step.share, level) for level in layout.levels]
            share = layout.scenario.config.share(step.share)
            names += [layout.loans(step.share)] if layout.borrows(share) else []
            self.daemons.run("scontrol", told="".join(f"update partitionname={n} state={state}\n" for n in names))
            self._said.append(Recorded(lane, step))
        else:
            raise NotImplementedError(step)

    def recorded(self) -> Iterator[Recorded]:
        for line in self._log.lines():
            job = self._jobs.get(line.job)
            if job is not None:
                yield from self._recorded(line, job)
        yield from self._said
        self._said = []

    def _recorded(self, line: Line, job: _Job) -> Iterator[Recorded]:
        what: Observation | None = None
        lender, name = "", job.submit.job
        match line.what:
            case "submitted":
                s = job.submit
                what = Submitted(s.job, s.share, s.size, s.priority or 0, s.retries)
            case "started":
                job.partition = line.partition
                lender = self._layouts[job.lane].lender(line.node)
                what = ev.Dispatch(name)
            case "preempted":
                claimant = self._jobs.get(line.claimant)
                what = Preempting(name, claimant.submit.job if claimant else None)
            case "requeued":
                job.partition = ""
                self.daemons.run("scontrol", "update", f"jobid={line.job}", "starttime=now")
                what = Preempted(name, Stage.RUNNABLE)
            case "exited" if job.live and not job.terminated:
                job.live = False
                what = ev.Finish(name, failed=bool(line.code))
            case "killed":
                job.live = False
                what = ev.Terminate(name)
            case _:
                pass
        if what is not None:
            yield Recorded(job.lane, what, lender)

    def rounds(self) -> int:
        told = dict(
            line.strip().rsplit(":", 1) for line in self.daemons.run("sdiag").splitlines() if line.count(":") == 1
        )
        return int(told["Total cycles"])

    def agrees(self, lane: str, holds: Mapping[str, bool]) -> str:
        told = json.loads(self.daemons.run("squeue", "--json", "-t", "all"))["jobs"]
        theirs: dict[str, bool] = {}
        for job in told:
            known = self._jobs.get(job["job_id"])
            if known and known.lane == lane and job["job_state"] in ("PENDING", "RUNNING", "COMPLETING"):
                theirs[known.submit.job] = bool(job["nodes"])
        return "" if theirs == holds else f"squeue says {theirs}, the log {dict(holds)}"

    def close(self) -> None:
        self.daemons.close()


def _units(scenarios: Iterable[Scenario]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(u for scenario in scenarios for u in scenario.config.units))
