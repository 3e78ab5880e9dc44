"""Writes megabytes to standard error, which is no fault."""

import sys

from talk import answer, runs

for message in runs():
    for _ in range(2000):
        sys.stderr.write("a thousand characters of log " * 35 + "\n")
    answer(message)
