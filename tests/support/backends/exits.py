"""Crashes before it answers, and says why on standard error."""

import sys

from talk import answer, poisoned, runs

for message in runs():
    if poisoned(message):
        sys.exit("IndexError: no such share")
    answer(message)
