"""Backends that are programs of a few lines, most of them with one fault of conversation. `command` says how to start one.

They start no job. Their fault shows in the scenario in which a job called `poison` is submitted, or at the start.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

HERE = Path(__file__).parent


def command(name, *arguments, packages=False):
    """What starts the program of that name; with `packages` it may import what is installed."""
    return shlex.join([sys.executable, *([] if packages else ["-S"]), str(HERE / f"{name}.py"), *arguments])
