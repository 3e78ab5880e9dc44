"""Writes an answer without the end of its line, and waits."""

import json
import signal
import sys

from talk import answer, poisoned, runs, trace

for message in runs():
    if poisoned(message):
        sys.stdout.write(json.dumps({"id": message["id"], "trace": trace(message)}))
        sys.stdout.flush()
        signal.pause()
    answer(message)
