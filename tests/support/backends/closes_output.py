"""Closes its output and goes on running."""

import os
import signal

from talk import answer, poisoned, runs

for message in runs():
    if poisoned(message):
        os.close(1)
        signal.pause()
    answer(message)
