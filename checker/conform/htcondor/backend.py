"""`HTCondor` is the backend: it starts pools of HTCondor, plays scenarios on them in lanes and reports what was recorded.

Trusted: the logs of the negotiator, the machines and the jobs for what happened and in which order; the machines' own account
of who runs must agree with it whenever a queue has settled.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep, time

from ....spec import events as ev
from ....spec.formats.scenario import Scenario
from ....spec.model import Stage
from ....spec.observations import Observation, Preempted, Preempting, Submitted
from ..backend import Answer, BackendError, Declaration
from ..real.cluster import Administered, ClusterError, Loss, Recorded
from ..real.playing import played
from ..real.sandbox import Ended
from .daemons import Daemons
from .layout import Layout
from .records import READERS, Growing
from .story import Happened, Story
from .variants import NAME, Variant, variant

LANES = 4
_FEATURES = frozenset({"borrowing", "several-units", "priorities", "terminations"})
CHOICES: Mapping[str, str] = {"A5": "borrowable", "A13": "b"}
_TO_END = 10.0


def features(way: Variant) -> frozenset[str]:
    """What HTCondor can be asked in a variant: on a divided slot RANK stops no job of several."""
    return (
        _FEATURES | {"gangs" if way.partitionable else "in-share-preemption"} | ({"timed-stops"} if way.held else set())
    )


class HTCondor:
    """A backend that is an HTCondor of its own."""

    def __init__(self, name: str = NAME, *, keep: bool = False, root: Path | None = None) -> None:
        """Raises BackendError for a variant that does not exist."""
        self._variant = variant(name)
        self._keep, self._root = keep, root
        self._cluster: HTCondorCluster | None = None

    def _open(self) -> HTCondorCluster:
        if self._cluster is None:
            daemons = Daemons(held=self._variant.held, root=self._root, keep=self._keep)
            self._cluster = HTCondorCluster(daemons, self._variant)
        return self._cluster

    def declare(self) -> Declaration:
        name = f"{NAME}:{self._variant.name}" if self._variant.name else NAME
        return Declaration(name, self._open().version(), features(self._variant), claims=False,
                           profile="lend-borrow", choices=CHOICES, own_time=not self._variant.held,
                           lanes=LANES)  # fmt: skip

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        yield from played(self._open(), scenarios, self.declare(), most=LANES)

    def close(self) -> None:
        cluster, self._cluster = self._cluster, None
        if cluster is not None:
            cluster.close()


@dataclass
class _Job:
    """A job as the adapter knows it."""

    submit: ev.Submit
    terminated: bool = False


class _Pool:
    """A lane: its queue, its jobs by HTCondor's number, and what its daemons write."""

    def __init__(self, layout: Layout, daemons: Daemons, lane: str) -> None:
        self.layout = layout
        self.jobs: dict[int, _Job] = {}
        self.rounds = 0
        self._logs = [Growing(daemons.log(lane, name), reader()) for name, reader in READERS.items()]
        self._story = Story()

    def happened(self) -> Iterator[Happened]:
        """What is certain by now."""
        self._story.add([record for log in self._logs for record in log.records()])
        yield from self._story.happened(time())

    def number(self, job: str) -> int:
        return next(number for number, known in self.jobs.items() if known.submit.job == job)


@dataclass
class HTCondorCluster:
    """HTCondor as a cluster."""

    daemons: Daemons
    variant: Variant
    _pools: dict[str, _Pool] = field(default_factory=dict[str, _Pool])
    _rounds: int = 0
    _seen: dict[str, int] = field(default_factory=dict[str, int])
    """Rounds of each pool when all had had one more the last time."""

    def version(self) -> str:
        """HTCondor's own. Raises BackendError."""
        try:
            return self.daemons.sandbox.run(self.daemons.words("", "condor_version")).split()[1]
        except Ended as error:
            raise BackendError("HTCondor does not say what it is", why=str(error),
                               fix=f"rm -r {self.daemons.root} has it installed anew.") from error  # fmt: skip

    def can(self, scenario: Scenario) -> Iterable[Loss]:
        return Layout(scenario, self.variant).check()

    def ready(self, scenarios: Mapping[str, Scenario]) -> None:
        layouts = {lane: Layout(scenario, self.variant) for lane, scenario in scenarios.items()}
        self.daemons.begin(layouts)
        self._pools = {lane: _Pool(layout, self.daemons, lane) for lane, layout in layouts.items()}
        self._rounds, self._seen = 0, dict.fromkeys(layouts, 0)

    def submit(self, lane: str, steps: Sequence[ev.Submit]) -> None:
        for step in steps:
            self._submit(lane, step)

    def _submit(self, lane: str, step: ev.Submit) -> None:
        pool = self._pools[lane]
        outside, inside = self.daemons.pipe(lane, f"j{len(pool.jobs)}")
        try:
            os.mkfifo(outside)
            outside.chmod(0o666)
        except OSError as error:
            raise ClusterError(f"{step.job} gets no pipe: {error.strerror}") from error
        told = pool.layout.job(step, self.daemons.executable, inside)
        said = self.daemons.run(lane, "condor_submit", "-terse", "-", told=told)
        pool.jobs[int(said.split(".")[0])] = _Job(step)

    def _end(self, lane: str, job: str, code: int) -> None:
        """Have a job that runs end with this code, as soon as it listens."""
        pool = self._pools[lane]
        outside, _ = self.daemons.pipe(lane, f"j{list(pool.jobs).index(pool.number(job))}")
        until = monotonic() + _TO_END
        while True:
            try:
                with os.fdopen(os.open(outside, os.O_WRONLY | os.O_NONBLOCK), "w") as pipe:
                    pipe.write(f"{code}\n")
            except OSError as error:
                if error.errno != errno.ENXIO or monotonic() > until:
                    raise ClusterError(f"{job} does not listen: {error}") from error
                sleep(0.01)
            else:
                return

    def finish(self, lane: str, step: ev.Finish) -> None:
        self._end(lane, step.job, int(step.failed))

    def let_stop(self, lane: str, job: str) -> None:
        if self.variant.held:
            self._end(lane, job, 0)

    def terminate(self, lane: str, step: ev.Terminate) -> None:
        pool = self._pools[lane]
        number = pool.number(step.job)
        pool.jobs[number].terminated = True
        self.daemons.run(lane, "condor_rm", str(number))

    def administer(self, lane: str, step: Administered) -> None:
        raise ClusterError(f"{lane}: HTCondor is not told {ev.describe(step)}")

    def recorded(self) -> Iterator[Recorded]:
        for lane, pool in self._pools.items():
            if not self.daemons.lives(lane):
                raise ClusterError("a daemon of HTCondor has ended")
            for happened in pool.happened():
                if happened.what == "round":
                    pool.rounds += 1
                elif (job := pool.jobs.get(happened.job)) is not None:
                    for what in self._observed(lane, pool, job, happened):
                        yield Recorded(lane, what)

    def _observed(self, lane: str, pool: _Pool, job: _Job, happened: Happened) -> Iterator[Observation]:
        s = job.submit
        match happened.what:
            case "submitted":
                yield Submitted(s.job, s.share, s.size, s.priority or 0, s.retries)
            case "dispatched":
                yield ev.Dispatch(s.job)
            case "left" if job.terminated and self.variant.held:
                self._end(lane, s.job, 0)
            case "preempted":
                claimant = pool.jobs.get(happened.claimant)
                yield Preempting(s.job, claimant.submit.job if claimant else None)
            case "evicted" if not job.terminated:
                yield Preempted(s.job, Stage.RUNNABLE)
            case "terminated":
                yield ev.Finish(s.job, failed=happened.code != 0)
            case "aborted":
                yield ev.Terminate(s.job)
            case _:
                pass

    def rounds(self) -> int:
        if self._pools and all(pool.rounds > self._seen[lane] for lane, pool in self._pools.items()):
            self._seen = {lane: pool.rounds for lane, pool in self._pools.items()}
            self._rounds += 1
        return self._rounds

    def agrees(self, lane: str, holds: Mapping[str, bool]) -> str:
        pool = self._pools[lane]
        slots = self.daemons.run(lane, "condor_status", "-af", "JobId").split()
        running = {int(job.split(".")[0]) for job in slots if job != "undefined"}
        queued = [int(job) for job in self.daemons.run(lane, "condor_q", "-allusers", "-af", "ClusterId").split()]
        theirs = {pool.jobs[number].submit.job: number in running for number in queued}
        return "" if theirs == holds else f"condor_status and condor_q say {theirs}, the logs {dict(holds)}"

    def unfit(self, lane: str) -> str:
        held = self.daemons.run(
            lane, "condor_q", "-allusers", "-constraint", "JobStatus == 5", "-af", "ClusterId", "HoldReason"
        )
        jobs = self._pools[lane].jobs
        told = [(int(number), why) for number, _, why in (line.partition(" ") for line in held.splitlines())]
        return "; ".join(f"{jobs[number].submit.job} is held: {why}" for number, why in told if number in jobs)

    def close(self) -> None:
        self.daemons.close()
