"""What a reader may ask of a report. Every form is a function of a stream of events and of these, and of nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

FOLDER = "quotaproof-out"
"""Where witnesses are written unless --out says otherwise."""


class FailOn(StrEnum):
    """The least severity that makes the exit code 1; a broken guarantee is an error."""

    ERROR = "error"
    WARNING = "warning"
    WEAKER = "weaker"
    """Of `plan`: an error, or a share that has less than before."""
    NEVER = "never"


@dataclass(frozen=True)
class Options:
    """`strict`: open theorems count as undecided. `out`: the folder of the witnesses, as the reader can name it."""

    strict: bool = False
    fail_on: FailOn = FailOn.ERROR
    verbose: bool = False
    quiet: bool = False
    out: str = FOLDER
