"""What is read in slurmctld's log."""

from pathlib import Path

import pytest
from quotaproof.checker.conform.slurm.log import Line, Log, line

AT = "[2026-01-02T03:04:05.678] "


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("_slurm_rpc_submit_batch_job: JobId=7 InitPrio=1003 usec=480", Line("submitted", 7)),
        ("sched: _update_job: setting begin to 2026-01-02T03:04:05 for JobId=7", Line("released", 7)),
        ("sched: Allocate JobId=7 NodeList=l0n1 #CPUs=1 Partition=l0b0", Line("started", 7, node="l0n1", partition="l0b0")),
        ("sched/backfill: _start_job: Started JobId=7 in l0o0p1 on l0n0",
         Line("started", 7, node="l0n0", partition="l0o0p1")),
        ("preempted JobId=7 has been requeued to reclaim resources for JobId=9", Line("preempted", 7, 9)),
        ("Requeuing JobId=7", Line("requeued", 7)),
        ("_job_complete: JobId=7 WEXITSTATUS 1", Line("exited", 7, code=1)),
        ("_slurm_rpc_kill_job: REQUEST_KILL_JOB JobId=7 uid 0", Line("killed", 7)),
        ("update_part: setting preempt_mode to OFF for partition l0o0p0", Line("administered", partition="l0o0p0")),
        ("_update_node_gres: nodes l0n0 gres set to: u0:5", Line("administered", node="l0n0")),
        ("_job_complete: JobId=7 done", None),
        ("sched/backfill: _start_job: Failed to start JobId=3 with l0n0 avail: Requested nodes are busy", None),
        ("_slurm_rpc_update_job: complete JobId=7 uid=0 usec=300", None),
        ("_update_job: setting partition to l0b0,l0o0p1 for JobId=7", None),
        ("_update_job: set priority to 1007 for JobId=7", None),
        ("_pick_best_nodes: JobId=7 never runnable in partition l0b0", None),
        ("job_signal: 9 of pending JobId=7 successful", None),
        ("Resending TERMINATE_JOB request JobId=7 Nodelist=l0n0", None),
        ("cleanup_completing: JobId=7 completion process took 12 seconds", None),
        ("_job_complete: JobId=7 WTERMSIG 9", Line("signalled", 7, code=9)),
        ("error: Nodes l0n0 not responding", None),
    ],
)  # fmt: skip
def test_a_line_says_what_became_of_a_job(text: str, read: Line | None) -> None:
    assert line(AT + text) == read


@pytest.mark.parametrize(
    "text",
    [
        "_job_complete: requeue JobId=7 per user/system request",
        "_job_complete: requeue JobId=7 due to node failure",
        "_job_complete: JobId=7 cancelled by node failure",
        "_job_complete: JobId=7 OOM failure",
        "_job_complete: Holding JobId=7, repeated requeue failures",
        "requeue job JobId=7 due to failure of node l0n0",
        "Removing failed node l0n0 from JobId=7",
        "Killing JobId=7 on failed node l0n0",
        "Killing JobId=7 on DOWN node l0n0",
        "Killing non-startable batch JobId=7: Socket timed out on send/recv operation",
        "agent waited too long for nodes to respond, abort launch of JobId=7",
        "error: Batch JobId=7 missing from batch node l0n0 (not found BatchStartTime after startup), Requeuing job",
        "Script for JobId=7 lost, state set to FAILED",
        "sched: _hold_job_rec: hold on JobId=7 by uid 0",
        "sched: _update_job: set priority to 0 for JobId=7",
        "error: slurm_job_preempt: preempted JobId=7 had to be killed",
        "preempted JobId=7 has been killed to reclaim resources for JobId=9",
        "preempted JobId=7 could not be requeued: Requested operation is presently disabled",
        "Time limit exhausted for JobId=7",
        "job_time_limit: inactivity time limit reached for JobId=7",
        "Prolog launch failure, JobId=7",
        "error: Can not create job credential, attempting to requeue batch JobId=7",
        "Aborting JobId=7 due to use of invalid GRES configuration",
        "schedule: JobId=7 non-runnable: Requested node configuration is not available",
        "gang: suspending JobId=7",
        "Killing orphan batch JobId=7",
    ],
)
def test_a_line_of_which_nothing_is_known_is_not_passed_over(text: str) -> None:
    assert line(AT + text) == Line("unknown", 7, text=AT + text)


def test_a_line_is_read_once_and_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(f"{AT}Requeuing JobId=1\n{AT}Requeuing Jo")
    log = Log(path)
    assert list(log.lines()) == [Line("requeued", 1)]
    with path.open("a") as file:
        file.write("bId=2\n")
    assert list(log.lines()) == [Line("requeued", 2)]
    assert list(log.lines()) == []
