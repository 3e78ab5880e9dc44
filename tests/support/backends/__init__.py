"""Backends that are programs of a few lines, most of them with one fault of conversation. `command` says how to start one.

They start no job. Their fault shows in the scenario in which a job called `poison` is submitted, or at the start.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

HERE = Path(__file__).parent


def command(name, *arguments):
    """What starts the program of that name."""
    return shlex.join([sys.executable, "-S", str(HERE / f"{name}.py"), *arguments])
