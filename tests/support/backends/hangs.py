"""Does not answer."""

import signal

from talk import answer, poisoned, runs

for message in runs():
    if poisoned(message):
        signal.pause()
    answer(message)
