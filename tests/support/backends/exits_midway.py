"""Ends in the middle of an answer."""

import sys

from talk import answer, poisoned, runs

for message in runs():
    if poisoned(message):
        sys.exit(print('{"id": 2, "trace": [', end="", flush=True))
    answer(message)
