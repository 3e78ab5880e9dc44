"""Ends, and leaves a program behind that holds its output open."""

import os
import signal
import sys

from talk import answer, poisoned, runs

for message in runs():
    if poisoned(message):
        if os.fork() == 0:
            signal.pause()
        print('{"id":', end="", flush=True)
        sys.exit(7)
    answer(message)
