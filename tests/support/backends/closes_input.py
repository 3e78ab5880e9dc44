"""Reads one run and no more."""

import os
import signal

from talk import answer, poisoned, runs

for message in runs():
    answer(message)
    if not poisoned(message):
        os.close(0)
        signal.pause()
