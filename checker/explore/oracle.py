"""SPIN as a second opinion: a Promela program searched to its end by SPIN, and what SPIN says of it.

The search is exact (no hashing without storing, no partial-order reduction) and either complete or an error. Needed:
the programs `spin` and `gcc`. Trusted: SPIN and the C compiler.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...spec.formats.errors import InputError

SECONDS = 120.0
"""For each of: translating, compiling, searching."""
DEPTH = 1_000_000
"""Steps of the longest path without repetition that the search may follow; ten times more where that is too few."""
DEEPEST = 100 * DEPTH
MEGABYTES = 2_000
_TABLE = 18
"""Bits of the first hash table, which grows; SPIN's own first one takes longer than a small search."""
_PROCESSES = 4
"""SPIN's measure of how many processes there may be where runs are fair to them: 30."""
_ENTRY = 1
"""SPIN counts the first state as if a transition led to it."""

_STORED = re.compile(r"^\s*(\d+) states, stored", re.M)
_VISITED = re.compile(r"^\s*(\d+) transitions \(= (?:stored|visited)\+matched\)", re.M)
_ERRORS = re.compile(r"depth reached \d+, errors: (\d+)")
_TIME = re.compile(r"elapsed time ([\d.]+) seconds")


class SpinFailed(RuntimeError):
    """SPIN or the compiler stopped with an error, was stopped, or did not search everything."""


@dataclass(frozen=True)
class Searched:
    """What SPIN says of a program that it searched to the end."""

    states: int
    """Distinct states, the first one included."""
    transitions: int
    stuck: int
    """States in which no transition is possible."""
    violated: int
    """Assertions that do not hold, one each time a transition meets it."""
    seconds: float
    """Of the search alone, as SPIN measures it."""


def available() -> str:
    """Why SPIN cannot be asked here; '' when it can."""
    missing = [program for program in ("spin", "gcc") if shutil.which(program) is None]
    return f"no program {' and '.join(missing)} is installed" if missing else ""


def search(program: str, *, seconds: float = SECONDS, fast: bool = False) -> Searched:
    """Every state that the program reaches. `fast`: optimised by the compiler, which takes longer than a small search."""
    with _Built(program, ["-DSAFETY", "-O2" if fast else "-O0"], seconds) as pan:
        return pan.searched()


def accepts(program: str, *, fair: bool = False, seconds: float = SECONDS) -> bool:
    """Whether some run of the program is accepted by its never claim; `fair`: one that is weakly fair to every process."""
    with _Built(program, ["-O0", f"-DNFAIR={_PROCESSES}"], seconds) as pan:
        return pan.finds_cycle(["-f"] if fair else [])


class _Built:
    """A verifier, translated and compiled in a directory of its own, which goes with it."""

    def __init__(self, program: str, flags: Sequence[str], seconds: float) -> None:
        why = available()
        if why:
            raise InputError(
                f"SPIN cannot be asked: {why}",
                where="the oracle of the explorer",
                why="It is SPIN that counts the states a second time; nothing else needs it.",
                fix="Install SPIN and a C compiler (Debian and Ubuntu: apt install spin gcc).",
            )
        self._program, self._seconds, self._flags = program, seconds, flags
        self._folder = tempfile.TemporaryDirectory(prefix="quotaproof-spin-")

    def __enter__(self) -> _Built:
        try:
            self._at("model.pml").write_text(self._program)
            self._run(["spin", "-a", "model.pml"])
            self._run(["gcc", "-w", "-DNOREDUCE", f"-DMEMLIM={MEGABYTES}", *self._flags, "-o", "pan", "pan.c"])
        except BaseException:
            self._folder.cleanup()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        self._folder.cleanup()

    def _at(self, name: str) -> Path:
        return Path(self._folder.name) / name

    def _run(self, command: Sequence[str]) -> str:
        try:
            done = subprocess.run(
                command, cwd=self._folder.name, capture_output=True, text=True, timeout=self._seconds, check=False
            )
        except subprocess.TimeoutExpired:
            raise SpinFailed(f"{command[0]} did not end in {self._seconds:g} s") from None
        if done.returncode:
            raise SpinFailed(f"{command[0]} ended with {done.returncode}: {_last(done.stdout + done.stderr)}")
        return done.stdout

    def _pan(self, flags: Sequence[str]) -> str:
        """What the verifier says, with as much depth as it needs."""
        depth = DEPTH
        while True:
            said = self._run([str(self._at("pan")), "-n", *flags, f"-m{depth}", f"-w{_TABLE}"])
            if "max search depth too small" not in said:
                break
            if depth >= DEEPEST:
                raise SpinFailed(f"a path has more than {depth:,} states")
            depth *= 10
        if "Search not completed" in said and _errors(said) == 0:
            raise SpinFailed(f"the search was not completed: {_last(said)}")
        return said

    def searched(self) -> Searched:
        """Two searches: SPIN counts errors of all kinds together and shows equal ones once."""
        stuck, violated = self._pan(["-c0", "-A"]), self._pan(["-c0", "-E"])
        stored, visited, time = (p.search(stuck) for p in (_STORED, _VISITED, _TIME))
        if not (stored and visited and time):
            raise SpinFailed(f"the verifier's answer is not understood: {_last(stuck)}")
        return Searched(int(stored[1]), int(visited[1]) - _ENTRY, _errors(stuck), _errors(violated), float(time[1]))

    def finds_cycle(self, flags: Sequence[str]) -> bool:
        return _errors(self._pan(["-a", "-E", "-A", *flags])) > 0


def _errors(said: str) -> int:
    found = _ERRORS.search(said)
    if found is None:
        raise SpinFailed(f"the verifier's answer is not understood: {_last(said)}")
    return int(found[1])


def _last(text: str) -> str:
    """The last lines, for a message."""
    return " / ".join(line.strip() for line in text.strip().splitlines()[-3:])[-400:]
