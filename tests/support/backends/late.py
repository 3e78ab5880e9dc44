"""Answers a run again that had its answer."""

from talk import answer, poisoned, runs

before = None
for message in runs():
    if poisoned(message):
        answer(before)
    answer(message)
    before = message
