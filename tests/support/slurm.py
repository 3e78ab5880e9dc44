"""A real Slurm in tests: whether one can be started here, and what of one is there."""

import os
import shutil
import subprocess
from pathlib import Path

from quotaproof.checker.conform.real.sandbox import TOOLS as NAMESPACES
from quotaproof.checker.conform.slurm.daemons import TOOLS


def refused() -> str:
    """Why no Slurm can be started here, '' when it can."""
    lacking = [tool for tool in (*NAMESPACES, *TOOLS) if shutil.which(tool) is None]
    if lacking:
        return f"not installed: {', '.join(lacking)}"
    if os.geteuid() != 0:
        return "needs root"
    made = subprocess.run(["unshare", "-n", "-p", "-m", "-u", "-f", "true"], capture_output=True, check=False)
    return "" if made.returncode == 0 else f"unshare is refused: {made.stderr.decode().strip()}"


def processes(where: Path) -> dict[int, str]:
    """Every process that has something to do with a folder, or one in it: its id -> its name."""
    found: dict[int, str] = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            told = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
            name = (process / "comm").read_text().strip()
        except OSError:
            continue
        if f"{where}/quotaproof-".encode() in told and int(process.name) != os.getpid():
            found[int(process.name)] = name
    return found


def mounts(where: Path) -> list[str]:
    """What this process sees mounted in a folder."""
    return [line for line in Path("/proc/self/mountinfo").read_text().splitlines() if f" {where}/" in line]
