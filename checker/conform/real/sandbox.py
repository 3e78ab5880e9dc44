"""A tree of processes in network, process, host-name and mount namespaces of its own, with a folder of its own.

Only loopback exists in it. Whatever is started in it ends with it, and it ends with the process that opened it: the kernel
sees to that, also after SIGKILL, and a keeper outside removes the folder then. What is left all the same, the keeper killed
too, the next sandbox of the kind ends and removes. A folder is locked as long as its owner or its keeper lives, in whichever
container, and only a folder of this user's that can be locked is removed. A process is ended only if it is the `unshare` of
that folder. Nothing of the user's environment but PATH is seen inside. Trusted: util-linux and iproute2.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from ..backend import BackendError

TOOLS = ("unshare", "nsenter", "setpriv", "ip")
PREFIX = "quotaproof-"
_OUTER, _READY, KEPT = "outer.json", "ready", "kept"
_NAME = re.compile(rf"{PREFIX}(?P<kind>[a-z]+)-\d+-\d+-[a-z0-9_]{{8}}")
"""Of a folder: its owner's id, when that began, and what `mkdtemp` adds."""
MARK = "QUOTAPROOF_SANDBOX"
"""A variable of every process inside: its sandbox's folder."""
INSIDE = Path("/run/q")
"""The sandbox's folder inside it: a socket's name is at most 107 bytes long, and a temporary directory's may be longer."""
_OF_OTHERS = stat.S_IWGRP | stat.S_IWOTH
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
            told = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return None
        fields = told.rpartition(")")[2].split()
        return None if fields[0] in "ZX" else cls(pid, int(fields[19]))

    def ended(self, folder: Path) -> None:
        """End it, if it still is the process that holds a sandbox's namespaces. Raises OSError."""
        handle = os.pidfd_open(self.pid)  # From here on the id is nobody else's.
        try:
            proc = Path(f"/proc/{self.pid}")
            words = (proc / "cmdline").read_bytes().split(b"\0")
            ours = words[0] in (b"setpriv", b"unshare") and os.fsencode(folder) in words
            if ours and proc.stat().st_uid == os.geteuid() and _Process.of(self.pid) == self:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        finally:
            os.close(handle)


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
        try:
            self.folder, self._lock = _made(kind)
        except OSError as error:
            raise _no_room(error, Path(tempfile.gettempdir())) from error
        self.env = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", "HOME": str(INSIDE),
                    "TMPDIR": str(INSIDE), MARK: str(self.folder)}  # fmt: skip
        # Its input ends with this process, and the lock with both.
        words = ["sh", "-c", _KEEPER, "keeper", str(self.folder), KEPT]
        self._keeper = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd="/", env=self.env,
                                        stderr=subprocess.DEVNULL, start_new_session=True, pass_fds=[self._lock])  # fmt: skip
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
            outer = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                                     env=self.env)  # fmt: skip
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
        """Start a daemon in it, in `/`, that stays in the foreground. What it says goes to `NAME.out` in the folder."""
        with (self.folder / f"{name}.out").open("ab") as log:
            daemon = subprocess.Popen(self._words(words), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                      env={**self.env, **(env or {})})  # fmt: skip
        self._started.append(daemon)
        return daemon

    def run(
        self, words: Sequence[str], *, env: Mapping[str, str] | None = None, told: str = "", seconds: float = 20.0
    ) -> str:
        """What a command in it prints. Raises Ended when it fails or takes longer."""
        try:
            done = subprocess.run(self._words(words), input=told, capture_output=True, text=True, errors="replace",
                                  timeout=seconds, env={**self.env, **(env or {})}, check=False)  # fmt: skip
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
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def _no_room(error: OSError, where: Path) -> BackendError:
    return BackendError(f"nothing can be written in {where}", why=str(error),
                        fix="Free some room there, or set TMPDIR to another folder.")  # fmt: skip


def _made(kind: str) -> tuple[Path, int]:
    """A new folder, and the lock on it. Raises OSError."""
    me = _Process.of(os.getpid())
    assert me is not None
    while True:
        folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{kind}-{me.pid}-{me.began}-"))
        try:
            lock = _opened(folder)
        except FileNotFoundError:
            continue
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Before it was locked another process may have taken it for one that was left.
        if folder.exists():
            return folder, lock
        os.close(lock)


def _opened(folder: Path) -> int:
    """Raises OSError, also where it is no directory but a link to one."""
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)


def of_kind(kind: str | None = None) -> list[Path]:
    """The folders of this user's sandboxes, of a kind or of all."""
    found: list[Path] = []
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        named = _NAME.fullmatch(folder.name)
        if named is None or kind not in (None, named["kind"]):
            continue
        with contextlib.suppress(OSError):
            it = folder.lstat()
            if stat.S_ISDIR(it.st_mode) and it.st_uid == os.geteuid() and not it.st_mode & _OF_OTHERS:
                found.append(folder)
    return found


def clean(kind: str) -> list[Path]:
    """End and remove the sandboxes of a kind whose owners are gone; their folders."""
    found: list[Path] = []
    for folder in of_kind(kind):
        try:
            lock = _opened(folder)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _cleaned(folder):
                found.append(folder)
        except BlockingIOError:
            pass
        finally:
            os.close(lock)
    return found


def _cleaned(folder: Path) -> bool:
    """End what holds a folder whose owner is gone; whether the folder has been removed."""
    with contextlib.suppress(OSError, ValueError, TypeError):
        _Process(*json.loads((folder / _OUTER).read_text())).ended(folder)
    if (folder / KEPT).exists():
        return False
    removed(folder)
    return not folder.exists()


def removed(folder: Path) -> None:
    """Remove a folder in which a process that is ending may still write."""
    until = monotonic() + 5.0
    while folder.exists():
        shutil.rmtree(folder, ignore_errors=True)
        if monotonic() > until:
            return
        sleep(0.01)
