"""Backends that are programs of a few lines, most of them with one fault of conversation. `command` says how to start one."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

HERE = Path(__file__).parent


def command(name, *arguments):
    """What starts the program of that name."""
    return shlex.join([sys.executable, "-I", "-S", str(HERE / f"{name}.py"), *arguments])
