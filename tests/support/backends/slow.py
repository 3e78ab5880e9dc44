"""Takes its time, and says so before."""

import time

from talk import answer, runs

for message in runs(deadline=60):
    until = time.monotonic() + 0.2
    while time.monotonic() < until:
        pass
    answer(message)
