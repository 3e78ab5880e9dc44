"""Starts a program in its group, says so with both numbers, and neither answers nor minds that its input ends."""

import os
import signal
import sys
from pathlib import Path

from talk import runs

for _ in runs():
    started = os.fork()
    if started:
        Path(sys.argv[1]).write_text(f"{os.getpid()} {started}\n")
    while True:
        signal.pause()
