"""Slurm's daemons in a sandbox: their configuration, start, readiness and end.

Every file is named to them as it is called inside: what the temporary directory is called is in no configuration.

munged, and accounting where a mapping needs it, run as long as the sandbox; slurmctld and a slurmd for each node are started
anew for other nodes. Debian's
packages are used as they are.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep

from ..backend import BackendError
from ..real.cluster import ClusterError
from ..real.sandbox import INSIDE, Ended, Sandbox, removed
from .accounting import Accounting
from .layout import GHOST, ROUNDS, Layout
from .legend import header, readme

PACKAGES = "slurmctld slurmd slurm-client munge iproute2"
TOOLS = ("slurmctld", "slurmd", "munged", "sbatch", "squeue", "scontrol", "scancel", "sdiag")
_PORT = 17000
_TO_START = 30.0
_MOST = 1_000_000
_ROOM = 1 << 20
_GONE = "gone"
"""A file that names daemons that have ended."""
_CONF = """ClusterName=quotaproof
SlurmctldHost=cluster(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={inside}/munge.socket,cred_expire=5
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation={inside}/state
SlurmdSpoolDir={inside}/spool/%n
SlurmctldPidFile={inside}/slurmctld.pid
SlurmdPidFile={inside}/spool/%n.pid
SlurmctldLogFile={inside}/slurmctld.log
SlurmdLogFile={inside}/spool/%n.log
SlurmctldDebug=verbose
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters={scheduling}
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PriorityType=priority/basic
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PreemptExemptTime=-1
JobRequeue=1
KillWait=65000
MinJobAge=3600
SlurmctldTimeout=300
SlurmdTimeout=300
MaxJobCount=100000
GresTypes={gres}
"""
SCHEDULING = ("sched_min_interval=0,sched_interval=1,bf_interval=1,bf_max_time=60,bf_max_job_test=10000,bf_resolution=1,"
              "batch_sched_delay=0,"
              "default_queue_depth=10000,partition_job_depth=0,preempt_youngest_first,requeue_delay=0,"
              "nohold_on_prolog_fail")  # fmt: skip
"""A round of the backfill scheduler looks at every job: by default it gives up after `bf_interval`, the lowest tier unseen."""
_JOB = """#!/bin/sh
# Goes on when it is told to stop, until somebody writes into its pipe with which code it ends.
trap '' TERM CONT
read code < "$1"
exit "$code"
"""


_RECLAIMS_LICENCES = (23, 2)


def reclaimed(version: str) -> dict[str, str]:
    """The setting that lets higher priorities preempt for licences, where a Slurm knows it."""
    found = re.match(r"(\d+)\.(\d+)", version)
    knows = found is not None and (int(found[1]), int(found[2])) >= _RECLAIMS_LICENCES
    return {"PreemptParameters": "reclaim_licenses"} if knows else {}


class Daemons:
    """A Slurm in a sandbox of its own."""

    def __init__(self, *, keep: bool = False) -> None:
        """Open the sandbox. Raises BackendError."""
        missing = [tool for tool in TOOLS if shutil.which(tool) is None]
        if missing:
            raise BackendError(f"Slurm is not installed: {', '.join(missing)}", why="quotaproof starts Debian's Slurm.",
                               fix=f"apt-get install --no-install-recommends {PACKAGES}")  # fmt: skip
        self.sandbox = Sandbox("slurm", keep=keep)
        self.folder = self.sandbox.folder
        self.env = {"SLURM_CONF": str(INSIDE / "slurm.conf")}
        self._group: subprocess.Popen[bytes] | None = None
        self._accounting: Accounting | None = None
        self.jobs = self.folder / "jobs"
        self.job = INSIDE / "job.sh"
        script = self.folder / self.job.name
        try:
            self.jobs.mkdir()
            script.write_text(_JOB)
            script.chmod(0o755)
            self._munge()
            self.version = self.run("slurmctld", "-V").split()[-1]
        except (Ended, OSError) as error:
            self.sandbox.close()
            raise BackendError(
                "Slurm does not start", why=str(error), fix=f"look at what is in {self.folder} with --keep."
            ) from error

    def _munge(self) -> None:
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        names = ("key-file", "socket", "pid-file", "log-file", "seed-file")
        self.sandbox.run(["munged", "--force", *[f"--{n}={INSIDE}/munge.{n.removesuffix('-file')}" for n in names]])

    @property
    def log(self) -> Path:
        return self.folder / "slurmctld.log"

    def begin(self, layouts: Sequence[Layout]) -> None:
        """Be a cluster with these lanes and no job. Raises ClusterError."""
        self.end()
        for name in ("state", "spool", "jobs"):
            removed(self.folder / name)
            (self.folder / name).mkdir()
        for name in (self.log, self.folder / _GONE):
            name.unlink(missing_ok=True)
        nodes = [node for layout in layouts for node, _ in layout.nodes()]
        self._configure(layouts)
        if layouts[0].database and self._accounting is None:
            self._accounting = Accounting(self.sandbox, self.env)
        daemons = ["slurmctld -D -i -c", *[f"slurmd -D -N {node}" for node in nodes]]
        script = [*[f"({daemon}; echo '{daemon}' >> {INSIDE / _GONE}) &" for daemon in daemons], "wait"]
        words = ["unshare", "-p", "-m", "-f", "--kill-child", "--mount-proc", "sh", "-c", "\n".join(script)]
        self._group = self.sandbox.start("slurm", words, self.env)
        self._await_idle(len(nodes))
        if self._accounting is not None:
            self._accounting.load(layouts)
        self.run("sbatch", "-o", "/dev/null", "-J", ROUNDS, "-p", ROUNDS, "--wrap", "true")

    def _configure(self, layouts: Sequence[Layout]) -> None:
        nodes = [given for layout in layouts for given in layout.nodes()]
        gres = list(dict.fromkeys(part.split(":")[0] for _, given in nodes for part in given.split(",")))
        conf = _CONF.format(inside=INSIDE, port=_PORT, scheduling=SCHEDULING, gres=",".join(gres))
        settings = dict(line.split("=", 1) for line in conf.splitlines())
        if layouts[0].database:
            settings |= Accounting.settings([f"u{k}" for k in range(len(layouts[0].units))])
        settings |= layouts[0].settings
        licences = ",".join(f"{name}:{n}" for layout in layouts for name, n in layout.licences())
        if licences:
            settings |= {"Licenses": licences} | reclaimed(self.version)
        lines = [*header(layouts), "", *(f"{key}={value}" for key, value in settings.items())]
        counts: list[str] = []
        for port, (node, given) in enumerate(nodes, _PORT + 10):
            lines.append(f"NodeName={node} NodeHostname=cluster NodeAddr=127.0.0.1 Port={port} CPUs=1024 Boards=1 "
                         f"SocketsPerBoard=1 CoresPerSocket=1024 ThreadsPerCore=1 RealMemory=1000000 Gres={given}")  # fmt: skip
            counts += [f"NodeName={node} Name={n} Count={c}" for n, c in (part.split(":") for part in given.split(","))]
        lines.append(f"NodeName={GHOST} NodeHostname=cluster NodeAddr=127.0.0.1 Port={_PORT + 9} CPUs=1024 State=DOWN "
                     f"RealMemory=1000000 Gres={','.join(f'{name}:{_MOST}' for name in gres)}")  # fmt: skip
        lines.append(f"PartitionName={ROUNDS} Nodes={GHOST} PriorityTier=0 MaxTime=INFINITE State=UP")
        counts += [f"NodeName={GHOST} Name={name} Count={_MOST}" for name in gres]
        lines += [line for layout in layouts for line in layout.partitions()]
        (self.folder / "slurm.conf").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (self.folder / "README").write_text(readme(layouts), encoding="utf-8")
        (self.folder / "gres.conf").write_text("\n".join(counts) + "\n")
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")

    def _await_idle(self, nodes: int) -> None:
        until = monotonic() + _TO_START
        while True:
            try:
                states = self.sandbox.run(["sinfo", "-h", "-N", "-o", "%N %T"], env=self.env).split("\n")
            except Ended as error:
                states = [str(error)]
            idle = {state.split()[0] for state in states if state.endswith(" idle")}
            if len(idle) == nodes:
                return
            if not self.sandbox.lives or monotonic() > until:
                raise ClusterError(f"Slurm was not ready in {_TO_START:.0f} s: {states[:3]}")
            sleep(0.03)

    def check(self) -> None:
        """Raise ClusterError where a daemon is gone, or can write nothing any more."""
        if (self.folder / _GONE).exists():
            raise ClusterError(f"it has ended: {(self.folder / _GONE).read_text().strip()}")
        if shutil.disk_usage(self.folder).free < _ROOM:
            raise ClusterError(f"no room is left in {self.folder}: what is recorded may be lost")

    def end(self) -> None:
        """End slurmctld, the slurmds and every job."""
        group, self._group = self._group, None
        if group is None:
            return
        children = Path(f"/proc/{group.pid}/task/{group.pid}/children")
        inner = children.read_text().split() if children.exists() else []
        for pid in inner:
            os.kill(int(pid), 9)
        group.wait()

    def run(self, *words: str, told: str = "") -> str:
        """What a client of Slurm prints. Raises Ended."""
        return self.sandbox.run(words, env=self.env, told=told)

    def close(self) -> None:
        self.end()
        self.sandbox.close()
