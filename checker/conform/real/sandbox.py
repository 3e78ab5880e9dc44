"""A tree of processes in network, process, host-name and mount namespaces of its own, with a folder of its own.

Only loopback exists in it. Whatever is started in it ends with it, and it ends with the process that opened it: the kernel
sees to that, also after SIGKILL, and a keeper outside removes the folder then. What is left all the same, the keeper killed
too, the next sandbox of the kind ends and removes. Nobody else's process is ever ended: one is known by its id and the
instant at which it began. Trusted: util-linux and iproute2.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL
from time import monotonic, sleep

from ..backend import BackendError

TOOLS = ("unshare", "nsenter", "setpriv", "ip")
PREFIX = "quotaproof-"
_OUTER, _READY, KEPT = "outer.json", "ready", "kept"
_NAME = re.compile(r"-(?P<pid>\d+)-(?P<began>\d+)-[^-]*$")
"""Of a folder: its owner, and when that began."""
INSIDE = Path("/run/q")
"""The sandbox's folder inside it: a socket's name is at most 107 bytes long, and a temporary directory's may be longer."""
_TO_START = 20.0
_INSIDE = """set -e
hostname cluster
mount --bind "$2" /etc/hosts
mount -t tmpfs -o size=1m,mode=755 run /run
mkdir /run/q
mount --bind "$3" /run/q
ip link set lo up
# Names are only resolved where some address is not loopback; nothing is at the other end.
ip link add v0 type veth peer name v1
ip addr add 192.0.2.1/32 dev v0
ip link set v0 up
ip link set v1 up
# Two small writes in a row must not wait 40 ms for an acknowledgement.
for net in 127.0.0.0/8 127.0.0.1; do
  ip route replace local $net dev lo table local proto kernel scope host src 127.0.0.1 quickack 1
done
: > "$1"
while :; do sleep 3600 & wait $!; done
"""
_KEEPER = """
cat > /dev/null
[ -e "$1/$2" ] && exit
n=0
while [ -e "$1" ] && [ $n -lt 100 ]; do rm -rf --one-file-system "$1"; n=$((n + 1)); [ -e "$1" ] && sleep 0.1; done
"""


class Ended(RuntimeError):
    """The processes of a sandbox are not there any more, or one of its commands failed."""


@dataclass(frozen=True)
class _Process:
    """A process of this machine: its id, and when it began in clock ticks since the machine did."""

    pid: int
    began: int

    @classmethod
    def of(cls, pid: int) -> _Process | None:
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return None
        fields = stat.rpartition(")")[2].split()
        return None if fields[0] in "ZX" else cls(pid, int(fields[19]))

    @property
    def lives(self) -> bool:
        return _Process.of(self.pid) == self


class Sandbox:
    """An open sandbox. `folder` is its own; with `keep` it stays when the sandbox is closed, and is named on
    standard error at once: whoever ends this process by SIGKILL is told nothing more."""

    def __init__(self, kind: str, *, keep: bool = False) -> None:
        """Open it. Raises BackendError where this machine or this user cannot."""
        lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
        if lacking:
            raise BackendError(f"{', '.join(lacking)}: not installed", why="A real scheduler runs in namespaces of its own.",
                               fix="Install util-linux and iproute2.")  # fmt: skip
        if os.geteuid() != 0:
            raise BackendError("only root can start a real scheduler", why="It needs network and process namespaces.",
                               fix="Run it as root, in a container say.")  # fmt: skip
        clean(kind)
        self.keep = keep
        me = _Process.of(os.getpid())
        assert me is not None
        try:
            self.folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{kind}-{me.pid}-{me.began}-"))
        except OSError as error:
            raise _no_room(error, Path(tempfile.gettempdir())) from error
        # Its input ends with this process.
        words = ["sh", "-c", _KEEPER, "keeper", str(self.folder), KEPT]
        self._keeper = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, start_new_session=True)  # fmt: skip
        self._started: list[subprocess.Popen[bytes]] = []
        self._outer: subprocess.Popen[bytes] | None = None
        try:
            self._inner = self._opened()
        except OSError as error:
            self.close()
            raise _no_room(error, self.folder) from error

    def _opened(self) -> int:
        """Make the namespaces; the id of the first process in them. Raises BackendError and OSError."""
        if self.keep:
            (self.folder / KEPT).touch()
            with contextlib.suppress(OSError):
                print(f"stays until you remove it: {self.folder}", file=sys.stderr, flush=True)
        hosts = self.folder / "hosts"
        hosts.write_text("127.0.0.1 localhost cluster\n")
        # The kernel ends `unshare` when this process ends, and all that is inside when `unshare` does.
        words = ["setpriv", "--pdeathsig", "KILL", "unshare", "-n", "-p", "-m", "-u", "-f", "--kill-child", "--mount-proc",
                 "sh", "-c", _INSIDE, "inside", str(self.folder / _READY), str(hosts), str(self.folder)]  # fmt: skip
        with (self.folder / "sandbox.log").open("wb") as log:
            outer = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self._outer = outer
        it = _Process.of(outer.pid)
        (self.folder / _OUTER).write_text(json.dumps([it.pid, it.began] if it else None))
        until = monotonic() + _TO_START
        while not (self.folder / _READY).exists():
            if outer.poll() is not None or monotonic() > until:
                why = (self.folder / "sandbox.log").read_text(errors="replace").strip()
                self.close()
                raise BackendError(
                    "no namespaces can be made here", why=why, fix="Run it as root where unshare is allowed."
                )
            sleep(0.005)
        return int(Path(f"/proc/{outer.pid}/task/{outer.pid}/children").read_text().split()[0])

    @property
    def lives(self) -> bool:
        """Whether its processes are there."""
        return self._outer is not None and self._outer.poll() is None

    def _words(self, words: Sequence[str]) -> list[str]:
        if not self.lives:
            raise Ended("the processes of the cluster are gone")
        return ["nsenter", "-t", str(self._inner), "-n", "-p", "-m", "-u", "--", *words]

    def start(self, name: str, words: Sequence[str], env: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start a daemon in it that stays in the foreground. What it says goes to `NAME.out` in the folder."""
        with (self.folder / f"{name}.out").open("ab") as log:
            daemon = subprocess.Popen(self._words(words), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                      env={**os.environ, **(env or {})}, cwd=self.folder)  # fmt: skip
        self._started.append(daemon)
        return daemon

    def run(
        self, words: Sequence[str], *, env: Mapping[str, str] | None = None, told: str = "", seconds: float = 20.0
    ) -> str:
        """What a command in it prints. Raises Ended when it fails or takes longer."""
        try:
            done = subprocess.run(self._words(words), input=told, capture_output=True, text=True, errors="replace",
                                  timeout=seconds, env={**os.environ, **(env or {})}, cwd=self.folder, check=False)  # fmt: skip
        except subprocess.TimeoutExpired:
            raise Ended(f"{words[0]} did not answer in {seconds:.0f} s") from None
        if done.returncode:
            said = (done.stderr or done.stdout).strip()
            raise Ended(f"{words[0]} failed ({done.returncode}): {said[-500:]}")
        return done.stdout

    def close(self) -> None:
        """End everything in it, and remove the folder unless it is to be kept."""
        if self._outer is not None:
            self._outer.kill()
            self._outer.wait()
        for daemon in self._started:
            daemon.wait()
        if not self.keep:
            removed(self.folder)
        assert self._keeper.stdin is not None
        self._keeper.stdin.close()
        self._keeper.wait()


def _no_room(error: OSError, where: Path) -> BackendError:
    return BackendError(f"nothing can be written in {where}", why=str(error),
                        fix="Free some room there, or set TMPDIR to another folder.")  # fmt: skip


def clean(kind: str) -> list[Path]:
    """End and remove the sandboxes of a kind whose owners are gone; their folders."""
    found: list[Path] = []
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}{kind}-*"):
        named = _NAME.search(folder.name)
        if named is None or _Process(int(named["pid"]), int(named["began"])).lives:
            continue
        with contextlib.suppress(OSError, ValueError, TypeError):
            outer = _Process(*json.loads((folder / _OUTER).read_text()))
            if outer.lives:
                os.kill(outer.pid, SIGKILL)
        if not (folder / KEPT).exists():
            removed(folder)
            found.append(folder)
    return found


def removed(folder: Path) -> None:
    """Remove a folder in which a process that is ending may still write."""
    until = monotonic() + 5.0
    while folder.exists():
        shutil.rmtree(folder, ignore_errors=True)
        if monotonic() > until:
            return
        sleep(0.01)
