"""The Debian 13 in which HTCondor is installed: a folder, made once with debootstrap and used by every later run.

It stands in the user's cache (`XDG_CACHE_HOME`), 400 MB; `rm -r` removes it. Nothing in it is changed by a run. Trusted:
Debian's packages, which apt verifies by their signatures.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..backend import BackendError

RELEASE = "trixie"
USER = 1000
"""Of the daemons and the jobs: HTCondor lets root submit nothing."""
MOUNT = "srv/quotaproof"
"""Where in the root a sandbox's folder is."""
_MIRROR = "http://deb.debian.org/debian"
_MINUTES = 15
_INSTALL = """set -e
mount -t proc proc "$1/proc"
printf '#!/bin/sh\\nexit 101\\n' > "$1/usr/sbin/policy-rc.d"
chmod 755 "$1/usr/sbin/policy-rc.d"
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
chroot "$1" apt-get update -q
chroot "$1" apt-get install -q -y --no-install-recommends condor
chroot "$1" apt-get clean
chroot "$1" useradd --create-home --uid "$2" quotaproof
mkdir -p "$1/$3"
"""


def place() -> Path:
    """Where the root is, or will be."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "quotaproof" / "htcondor" / RELEASE


def prepared(root: Path | None = None) -> Path:
    """The root, made when it is not there. Raises BackendError."""
    root = root or place()
    if _complete(root):
        return root
    if os.geteuid() != 0:
        raise BackendError("only root can install HTCondor", why="Debian 13 is unpacked into a folder and entered by chroot.",
                           fix="Run it as root, in a container say.")  # fmt: skip
    if shutil.which("debootstrap") is None:
        raise BackendError("debootstrap is not installed", why="HTCondor comes from Debian 13, unpacked into a folder.",
                           fix="apt-get install --no-install-recommends debootstrap")  # fmt: skip
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        with _alone(root.parent / "lock"):
            if not _complete(root):
                _make(root)
    except OSError as error:
        raise BackendError(
            f"{root} cannot be made", why=str(error), fix="Set XDG_CACHE_HOME to a folder with 1 GB of room."
        ) from error
    return root


def _complete(root: Path) -> bool:
    return (root / "usr/sbin/condor_master").exists() and (root / MOUNT).is_dir()


@contextmanager
def _alone(lock: Path) -> Generator[None]:
    """One at a time; the lock ends with the process."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make(root: Path) -> None:
    part = root.with_name(f"{root.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    print(f"installing HTCondor of Debian 13 into {root}, once (one to two minutes, 400 MB)", file=sys.stderr)
    _run("debootstrap", ["debootstrap", "--variant=minbase", RELEASE, str(part), _MIRROR])
    _run(
        "apt-get",
        ["unshare", "-m", "-p", "-f", "--kill-child", "sh", "-c", _INSTALL, "install", str(part), str(USER), MOUNT],
    )
    part.rename(root)


def _run(name: str, words: Sequence[str]) -> None:
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=60 * _MINUTES, check=False)  # fmt: skip
    except subprocess.TimeoutExpired:
        raise BackendError(f"{name} did not end in {_MINUTES} minutes", fix="Try again with a faster mirror.") from None
    if done.returncode:
        why = " ".join(done.stdout.strip().splitlines()[-2:])
        raise BackendError(f"{name} failed, so HTCondor is not installed", why=why,
                           fix=f"See that {_MIRROR} can be reached and that root may chroot.")  # fmt: skip
