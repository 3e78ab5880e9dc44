"""What the adapter makes of slurmctld's log and of what its clients print, without a Slurm: these are texts."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from quotaproof.checker.conform.real.cluster import ClusterError
from quotaproof.checker.conform.real.sandbox import Ended
from quotaproof.checker.conform.slurm.backend import SlurmCluster
from quotaproof.checker.conform.slurm.daemons import Daemons
from quotaproof.checker.conform.slurm.nodes import Nodes
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario
from quotaproof.spec.observations import Observation, Preempted, Preempting

from tests.support.queues import queue, share

JOBS = ("x", "y")
STARTED = "sched: Allocate JobId={} NodeList=lw1n0 #CPUs=1 Partition=lw1o0p0"


class Told:
    """Clients of a Slurm that print what they are given."""

    def __init__(self, folder: Path) -> None:
        self.jobs, self.job, self.log = folder / "jobs", Path("job.sh"), folder / "log"
        self.jobs.mkdir()
        self.log.touch()
        self.says = {"sinfo": "lw1n0 idle\nlw2n0 down\nghost down\n", "squeue": ""}
        self.number = 0
        self.refuses: tuple[str, str] | None = None
        """A part of what a client is told last, and with which words it fails then."""

    def run(self, *words: str, told: str = "") -> str:  # noqa: ARG002
        if words[0] == "sbatch":
            assert "--requeue" in words
            self.number += 1
            return f"{self.number}\n"
        if self.refuses and self.refuses[0] in words[-1]:
            raise Ended(self.refuses[1])
        return self.says.get(words[0], "")

    def begin(self, layouts: list[Nodes]) -> None: ...

    def check(self) -> None: ...

    def close(self) -> None: ...


@pytest.fixture
def told(tmp_path: Path) -> Told:
    return Told(tmp_path)


@pytest.fixture
def cluster(told: Told) -> SlurmCluster:
    """Jobs 1 and 2 are x and y, in the lane `l`."""
    steps = tuple(ev.Submit(job, "a", {"u": 1}, 0, None) for job in JOBS)
    made = SlurmCluster(Nodes, cast("Daemons", told))
    made.ready({"l": Scenario("s", "", queue(2, share("a", 2, in_share=True)), steps)})
    for step in steps:
        made.submit("l", [step])
    return made


def read(cluster: SlurmCluster, told: Told, *lines: str) -> list[Observation]:
    with told.log.open("a") as log:
        log.writelines(f"[2026-01-02T03:04:05.678] {line}\n" for line in lines)
    return [recorded.what for recorded in cluster.recorded()]


def test_a_job_that_is_told_to_end_has_finished_and_a_victim_waits_again(cluster: SlurmCluster, told: Told) -> None:
    read(cluster, told, STARTED.format(1), STARTED.format(2))
    cluster.finish("l", ev.Finish("x", failed=True))
    assert read(cluster, told, "_job_complete: JobId=1 WEXITSTATUS 1", "_job_complete: JobId=1 done") == [
        ev.Finish("x", failed=True)
    ]
    preempted = "preempted JobId=2 has been requeued to reclaim resources for JobId=1"
    seen = read(cluster, told, preempted, "Requeuing JobId=2")
    assert [type(what) for what in seen] == [Preempting, Preempted]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("_job_complete: requeue JobId=1 per user/system request", "per user/system request"),
        ("_job_complete: JobId=1 WEXITSTATUS 0", "ended with code 0, which it was not told"),
        ("_job_complete: JobId=1 WTERMSIG 9", "signal 9 ended x"),
        ("Requeuing JobId=1", "x was requeued, and nobody preempted it"),
        ("_slurm_rpc_kill_job: REQUEST_KILL_JOB JobId=1 uid 0", "cancelled, and not by us"),
        ("sched: _hold_job_rec: hold on JobId=1 by uid 0", "_hold_job_rec"),
    ],
)
def test_what_nobody_of_ours_did_to_a_job_is_an_error(cluster: SlurmCluster, told: Told, line: str, why: str) -> None:
    read(cluster, told, STARTED.format(1))
    with pytest.raises(ClusterError, match=why):
        read(cluster, told, line)


def test_a_job_that_is_terminated_may_be_signalled(cluster: SlurmCluster, told: Told) -> None:
    read(cluster, told, STARTED.format(1))
    cluster.terminate("l", ev.Terminate("x"))
    lines = ("_slurm_rpc_kill_job: REQUEST_KILL_JOB JobId=1 uid 0", "_job_complete: JobId=1 WTERMSIG 15")
    assert read(cluster, told, *lines) == [ev.Terminate("x")]


def test_a_line_about_somebody_elses_job_is_passed_over(cluster: SlurmCluster, told: Told) -> None:
    assert read(cluster, told, "sched: _hold_job_rec: hold on JobId=77 by uid 0") == []


@pytest.mark.parametrize("state", ["idle", "mixed", "allocated", "completing", "planned", "mixed-"])
def test_a_node_that_works_can_answer(cluster: SlurmCluster, told: Told, state: str) -> None:
    told.says["sinfo"] = f"lw1n0 {state}\nlw11n0 down\nghost down\n"
    assert cluster.unfit("l") == ""


@pytest.mark.parametrize(
    "state", ["idle*", "mixed*", "allocated*", "down", "down*", "draining", "drained", "fail", "unknown", "reboot^"]
)
def test_a_node_that_does_not_work_is_named(cluster: SlurmCluster, told: Told, state: str) -> None:
    told.says["sinfo"] = f"lw1n0 {state}\n"
    assert cluster.unfit("l") == f"the node lw1n0 is {state}"


@pytest.mark.parametrize(
    ("reason", "unfit"),
    [
        *((reason, False) for reason in ("None", "Priority", "Resources", "Licenses", "BeginTime", "QOSGrpGRES",
                                         "PartitionDown", "ReqNodeNotAvail, UnavailableNodes:ghost")),
        *((reason, True) for reason in ("JobHeldAdmin", "JobHeldUser", "JobHoldMaxRequeue", "BadConstraints", "NodeDown",
                                        "launch failed requeued held", "ReqNodeNotAvail, UnavailableNodes:lw1n0")),
    ],
)  # fmt: skip
def test_a_job_that_will_not_start_whatever_is_free_is_named(
    cluster: SlurmCluster, told: Told, reason: str, unfit: bool
) -> None:
    told.says["squeue"] = f"1 {reason}\n77 JobHeldAdmin\n"
    assert cluster.unfit("l") == (f"x waits for {reason}" if unfit else "")


TAKEN = "_slurm_rpc_submit_batch_job: JobId={} InitPrio=1 usec=1"
RELEASED = "_update_job: setting begin to 2026-01-02T03:04:05 for JobId={}"


@pytest.mark.parametrize("many", [1, 2])
def test_a_job_that_starts_before_its_arrival_is_written_has_been_submitted_before_and_once(
    cluster: SlurmCluster, told: Told, many: int
) -> None:
    cluster.submit("l", [ev.Submit(job, "a", {"u": 1}, 0, None) for job in ("v", "w")[:many]])
    lines = [STARTED.format(3), TAKEN.format(3)] if many == 1 else [TAKEN.format(3), TAKEN.format(4), STARTED.format(3)]
    released = [RELEASED.format(3), RELEASED.format(4)] if many == 2 else []
    seen = read(cluster, told, *lines, *released)
    others = [("Submitted", "w")] if many == 2 else []
    assert [(type(what).__name__, getattr(what, "job", "")) for what in seen] == [
        ("Submitted", "v"),
        ("Dispatch", "v"),
        *others,
    ]


@pytest.mark.parametrize(
    ("why", "fails"),
    [
        ("Job is no longer pending execution", False),
        ("Required partition not available (inactive or drain)", False),
        ("Slurm is out of order", True),
    ],
)
def test_a_waiting_job_that_slurm_does_not_move_waits_where_it_is(
    cluster: SlurmCluster, told: Told, why: str, fails: bool
) -> None:
    job = next(job for job in cluster._jobs.values() if job.submit.job == "x")
    told.refuses = ("partition=", why)
    if fails:
        with pytest.raises(Ended, match=why):
            cluster._updated(job, "partition=elsewhere")
    else:
        assert not cluster._updated(job, "partition=elsewhere")
