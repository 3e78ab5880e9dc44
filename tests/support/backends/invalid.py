"""Misspells a field."""

from talk import answer, poisoned, runs, say, trace

for message in runs():
    if poisoned(message):
        say({"id": message["id"], "trase": trace(message)})
    else:
        answer(message)
