"""What slurmctld writes into its log of jobs, in the order in which it did it.

Trusted: the log. A line that names a job says either what became of it, or what is known to move no job; any other is
`unknown`, and whoever reads it must not go on as if it had not been written: a launch that failed, a node that failed, a job
that is held or was killed. Lines that name no job are passed over, but for changes of an administrator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_WAYS = (
    ("submitted", re.compile(r"_slurm_rpc_submit_batch_job: JobId=(?P<job>\d+) ")),
    ("released", re.compile(r"setting begin to \S+ for JobId=(?P<job>\d+)")),
    (
        "started",
        re.compile(r"sched: Allocate JobId=(?P<job>\d+) NodeList=(?P<node>\S+) .*Partition=(?P<partition>\S+)"),
    ),
    ("started", re.compile(r"_start_job: Started JobId=(?P<job>\d+) in (?P<partition>\S+) on (?P<node>\S+)")),
    (
        "preempted",
        re.compile(r"preempted JobId=(?P<job>\d+) has been requeued to reclaim resources for JobId=(?P<claimant>\d+)"),
    ),
    ("requeued", re.compile(r"Requeuing JobId=(?P<job>\d+)")),
    ("exited", re.compile(r"_job_complete: JobId=(?P<job>\d+) WEXITSTATUS (?P<code>\d+)")),
    ("signalled", re.compile(r"_job_complete: JobId=(?P<job>\d+) WTERMSIG (?P<code>\d+)")),
    ("killed", re.compile(r"_slurm_rpc_kill_job: REQUEST_KILL_JOB JobId=(?P<job>\d+) ")),
    ("administered", re.compile(r"update_part: setting \S+ to .*for partition (?P<partition>\S+)")),
    ("administered", re.compile(r"_update_node_gres: nodes (?P<node>\S+) gres set to")),
)
_MOVES_NOTHING = re.compile(
    r"_job_complete: JobId=\d+ done$"
    r"|_slurm_rpc_update_job: complete JobId="
    r"|_update_job: (setting (partition|begin) to|set priority to [1-9]|new begin time identical)"
    r"|_start_job: Failed to start JobId="
    r"|_pick_best_nodes: JobId=\d+ never runnable in partition"
    r"|job_signal: \d+ of \w+ JobId=\d+ successful"
    r"|Resending TERMINATE_JOB request JobId="
    r"|JobId=\d+ completion process took"
    r"|Ignoring late or duplicate REQUEST_COMPLETE_BATCH_SCRIPT received for job JobId="
)
"""What a healthy Slurm also writes of jobs: that it tried, was told, or is done with what is recorded already."""
_NAMED = re.compile(r"JobId=(?P<job>\d+)")


@dataclass(frozen=True)
class Line:
    """One line that is about a job, or that an administrator changed something of a partition or a node."""

    what: str
    job: int = 0
    claimant: int = 0
    node: str = ""
    partition: str = ""
    code: int = 0
    text: str = ""
    """Of an unknown line: all of it."""


def line(text: str) -> Line | None:
    """What a line of the log says, if it is about a job or a change."""
    for what, way in _WAYS:
        found = way.search(text)
        if found:
            given = found.groupdict()
            return Line(what, int(given.get("job") or 0), int(given.get("claimant") or 0), given.get("node") or "",
                        given.get("partition") or "", int(given.get("code") or 0))  # fmt: skip
    named = _NAMED.search(text)
    return Line("unknown", int(named["job"]), text=text) if named and not _MOVES_NOTHING.search(text) else None


class Log:
    """A log that grows."""

    def __init__(self, path: Path) -> None:
        self._path, self._at, self._rest = path, 0, ""

    def lines(self) -> Iterator[Line]:
        """Whole lines that were written since the last call."""
        with self._path.open("rb") as file:
            file.seek(self._at)
            more = file.read()
        self._at += len(more)
        *whole, self._rest = (self._rest + more.decode(errors="replace")).split("\n")
        for text in whole:
            found = line(text)
            if found is not None:
                yield found
