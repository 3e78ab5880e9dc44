"""HTCondor's daemons in a sandbox: a pool for each lane, their configuration, start, readiness and end.

The daemons run as an ordinary user inside the Debian 13 of `root`, with the sandbox's folder bound into it; the pools of one
wave are a group of processes that ends as one. Nothing but loopback is spoken to. Trusted: `root`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from time import monotonic, sleep

from ..backend import BackendError
from ..real.cluster import ClusterError
from ..real.sandbox import Ended, Sandbox
from .layout import Layout
from .root import MOUNT, USER, prepared

_PORT = 19618
_TO_START = 60.0
_ENDED = (b"exited with status", b"died due to", b"(Killed)")
"""What a master says of a daemon that is no more."""
_CONF = """RELEASE_DIR = /usr
LOCAL_DIR = {inside}
LOG = $(LOCAL_DIR)/log
SPOOL = $(LOCAL_DIR)/spool
EXECUTE = $(LOCAL_DIR)/execute
LOCK = $(LOCAL_DIR)/lock
RUN = $(LOCAL_DIR)/run
ETC = $(LOCAL_DIR)
BIN = /usr/bin
SBIN = /usr/sbin
LIB = /usr/lib/x86_64-linux-gnu/condor
LIBEXEC = /usr/libexec/condor
SHARE = /usr/share/condor
REQUIRE_LOCAL_CONFIG_FILE = False
CONDOR_HOST = 127.0.0.1
COLLECTOR_HOST = 127.0.0.1:{port}
SHARED_PORT_PORT = {port}
NETWORK_INTERFACE = 127.0.0.1
BIND_ALL_INTERFACES = False
NO_DNS = True
DEFAULT_DOMAIN_NAME = local
UID_DOMAIN = local
FILESYSTEM_DOMAIN = local
TRUST_UID_DOMAIN = True
DAEMON_LIST = MASTER COLLECTOR NEGOTIATOR SCHEDD STARTD
USE_PROCD = False
SEC_DEFAULT_AUTHENTICATION = OPTIONAL
SEC_DEFAULT_AUTHENTICATION_METHODS = FS, CLAIMTOBE
SEC_CLIENT_AUTHENTICATION_METHODS = FS, CLAIMTOBE
SEC_DEFAULT_ENCRYPTION = OPTIONAL
SEC_DEFAULT_INTEGRITY = OPTIONAL
ALLOW_READ = *
ALLOW_WRITE = *
ALLOW_DAEMON = *
ALLOW_NEGOTIATOR = *
ALLOW_ADMINISTRATOR = *
ALLOW_CLIENT = *
ALLOW_ADVERTISE_STARTD = *
ALLOW_ADVERTISE_SCHEDD = *
ALLOW_ADVERTISE_MASTER = *
STARTD_ATTRS = $(STARTD_ATTRS), Part
STARTD_JOB_ATTRS = $(STARTD_JOB_ATTRS), Group, JobPrio, JobName
# The name keeps every job an autocluster of its own, so that the negotiator says for which job it found a slot.
START = TARGET.JobName =!= undefined && TARGET.Part =?= MY.Part
SUSPEND = False
PREEMPT = False
KILL = False
WANT_SUSPEND = False
WANT_VACATE = True
MaxJobRetirementTime = 0
MachineMaxVacateTime = 86400
CLAIM_PARTITIONABLE_LEFTOVERS = True
RunBenchmarks = False
UPDATE_INTERVAL = 30
POLLING_INTERVAL = 2
# A machine's news takes up to a second to arrive; a round before that gives away what is not free.
NEGOTIATOR_INTERVAL = 3
NEGOTIATOR_CYCLE_DELAY = 3
NEGOTIATOR_MIN_INTERVAL = 3
NEGOTIATOR_UPDATE_AFTER_CYCLE = True
NEGOTIATOR_CONSIDER_PREEMPTION = True
NEGOTIATOR_CONSIDER_EARLY_PREEMPTION = True
NEGOTIATOR_ALLOW_QUOTA_OVERSUBSCRIPTION = True
NEGOTIATOR_PRE_JOB_RANK = isUndefined(RemoteOwner)
PREEMPTION_REQUIREMENTS_STABLE = False
PREEMPTION_RANK = -1 * TotalJobRunTime
PREEMPTION_RANK_STABLE = False
GROUP_AUTOREGROUP = False
PRIORITY_HALFLIFE = 1.0e12
SCHEDD_INTERVAL = 1
SCHEDD_MIN_INTERVAL = 0
SCHEDD_INTERVAL_TIMESLICE = 0.9
JOB_START_DELAY = 0
JOB_START_COUNT = 1000
JOB_STOP_DELAY = 0
SHADOW_QUEUE_UPDATE_INTERVAL = 2
EVENT_LOG = $(LOG)/EventLog
EVENT_LOG_FORMAT_OPTIONS = UTC ISO_DATE SUB_SECOND
EVENT_LOG_MAX_SIZE = 0
MAX_DEFAULT_LOG = 0
ALL_DEBUG = D_SUB_SECOND
NEGOTIATOR_DEBUG = D_FULLDEBUG
STARTD_DEBUG = D_FULLDEBUG
"""
_JOB = """#!/bin/bash
# Ends with the code that is written into its pipe{held}.
{trap}
while ! read -r code < "$1"; do :; done
exit "$code"
"""


class Daemons:
    """The pools of one HTCondor in a sandbox of their own."""

    def __init__(self, *, held: bool, root: Path | None = None, keep: bool = False) -> None:
        """Open the sandbox; install HTCondor where it is not. Raises BackendError."""
        self.root = prepared(root)
        self.sandbox = Sandbox("htcondor", keep=keep)
        self.folder = self.sandbox.folder
        self._group: subprocess.Popen[bytes] | None = None
        try:
            self._bind()
        except Ended as error:
            self.sandbox.close()
            raise BackendError(
                "Debian 13 cannot be entered", why=str(error), fix=f"rm -r {self.root} has it made anew."
            ) from error
        job = self.folder / "job"
        how = (", also when it is told to stop", "trap '' TERM") if held else ("; ends when it is told to stop", "")
        job.write_text(_JOB.format(held=how[0], trap=how[1]))
        job.chmod(0o755)
        self.folder.chmod(0o755)
        self.executable = f"/{MOUNT}/job"

    def _bind(self) -> None:
        for kind, what, where in (
            ("-t", "proc", "proc"),
            ("--bind", "/dev", "dev"),
            ("--bind", str(self.folder), MOUNT),
        ):
            words = ["mount", kind, what, *([what] if kind == "-t" else []), str(self.root / where)]
            self.sandbox.run(words)

    def pool(self, lane: str) -> Path:
        """Where a lane's pool has its files."""
        return self.folder / f"pool-{lane}"

    def log(self, lane: str, name: str) -> Path:
        return self.pool(lane) / "log" / name

    def pipe(self, lane: str, job: str) -> tuple[Path, str]:
        """A job's pipe, and its name inside."""
        name = f"pool-{lane}/jobs/{job}"
        return self.folder / name, f"/{MOUNT}/{name}"

    def begin(self, layouts: Mapping[str, Layout]) -> None:
        """Be these pools, with no job. Raises ClusterError."""
        self.end()
        script: list[str] = []
        for port, (lane, layout) in enumerate(layouts.items(), _PORT):
            try:
                self._configure(lane, layout, port)
            except OSError as error:
                raise ClusterError(f"a pool gets no files: {error.strerror}") from error
            script.append(f"{' '.join(self.words(lane, 'condor_master', '-f'))} &")
        words = ["unshare", "-p", "-m", "-f", "--kill-child", "sh", "-c",
                 "\n".join((f"mount -t proc proc {self.root}/proc", *script, "wait"))]  # fmt: skip
        self._group = self.sandbox.start("htcondor", words)
        until = monotonic() + _TO_START
        for lane, layout in layouts.items():
            self._await(lane, layout, until)

    def _configure(self, lane: str, layout: Layout, port: int) -> None:
        pool = self.pool(lane)
        for name in ("", "log", "spool", "execute", "lock", "run", "jobs"):
            (pool / name).mkdir()
            os.chown(pool / name, USER, USER)
        conf = _CONF.format(inside=f"/{MOUNT}/{pool.name}", port=port) + layout.configuration()
        (pool / "condor_config").write_text(conf)

    def words(self, lane: str, *words: str) -> list[str]:
        config = f"/{MOUNT}/{self.pool(lane).name}/condor_config"
        return ["chroot", f"--userspec={USER}:{USER}", str(self.root), "env", "-i", "PATH=/usr/bin:/usr/sbin:/bin:/sbin",
                "HOME=/home/quotaproof", "TZ=UTC", f"CONDOR_CONFIG={config}", *words]  # fmt: skip

    def run(self, lane: str, *words: str, told: str = "") -> str:
        """What a client of a lane's pool prints. Raises Ended."""
        return self.sandbox.run(self.words(lane, *words), told=told)

    def _await(self, lane: str, layout: Layout, until: float) -> None:
        """Wait until all slots are known and jobs are taken; set the ceilings."""
        said = ""
        while monotonic() < until and self.sandbox.lives:
            try:
                said = self.run(lane, "condor_status", "-af", "Name", "State")
                idle = [line for line in said.splitlines() if line.endswith("Unclaimed")]
                if len(idle) >= max(1, layout.slots):
                    self.run(lane, "condor_q", "-totals")
                    for submitter, most in layout.ceilings():
                        self.run(lane, "condor_userprio", "-setceil", submitter, str(most))
                    return
            except Ended as error:
                said = str(error)
            sleep(0.1)
        raise ClusterError(f"HTCondor was not ready in {_TO_START:.0f} s: {said[-200:]}")

    def lives(self, lane: str) -> bool:
        """Whether no daemon of the pool has ended."""
        master = self.log(lane, "MasterLog")
        said = master.read_bytes() if master.exists() else b""
        return self.sandbox.lives and not any(words in said for words in _ENDED)

    def end(self) -> None:
        """End every daemon and every job."""
        group, self._group = self._group, None
        if group is not None:
            children = Path(f"/proc/{group.pid}/task/{group.pid}/children")
            for pid in children.read_text().split() if children.exists() else []:
                os.kill(int(pid), 9)
            group.wait()
        for pool in self.folder.glob("pool-*"):
            shutil.rmtree(pool, ignore_errors=True)

    def close(self) -> None:
        if not self.sandbox.keep:
            self.end()
        self.sandbox.close()
