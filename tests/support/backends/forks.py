"""Starts two programs that go on for ever, one of them in a session of its own and nobody's child; then it hangs."""

import os
import signal
import sys
from pathlib import Path

from talk import answer, poisoned, runs


def started(alone):
    if os.fork() == 0:
        if alone:
            os.setsid()
            if os.fork():
                os._exit(0)
        with Path(sys.argv[1]).open("a") as stream:
            stream.write(f"{os.getpid()}\n")
        while True:
            signal.pause()


for message in runs():
    if poisoned(message):
        started(alone=False)
        started(alone=True)
        signal.pause()
    answer(message)
