"""Writes without end and without a newline."""

import sys

from talk import answer, poisoned, runs

for message in runs():
    while poisoned(message):
        sys.stdout.write("x" * (1 << 20))
    answer(message)
