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
    ],
)  # fmt: skip
def test_a_line_says_what_became_of_a_job(text: str, read: Line | None) -> None:
    assert line(AT + text) == read


def test_a_line_is_read_once_and_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(f"{AT}Requeuing JobId=1\n{AT}Requeuing Jo")
    log = Log(path)
    assert list(log.lines()) == [Line("requeued", 1)]
    with path.open("a") as file:
        file.write("bId=2\n")
    assert list(log.lines()) == [Line("requeued", 2)]
    assert list(log.lines()) == []
