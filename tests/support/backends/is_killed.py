"""Is ended by a signal."""

import os
import signal

from talk import answer, poisoned, runs

for message in runs():
    if poisoned(message):
        os.kill(os.getpid(), signal.SIGKILL)
    answer(message)
