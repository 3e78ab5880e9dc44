"""Says something else of itself each time that it is started, and ends."""

import os
import sys

from talk import answer, poisoned, runs

for message in runs(name=f"process {os.getpid()}"):
    if poisoned(message):
        sys.exit(1)
    answer(message)
