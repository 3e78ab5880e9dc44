"""Answers a run that nobody asked for."""

from talk import answer, poisoned, runs

for message in runs():
    answer({**message, "id": 4711} if poisoned(message) else message)
