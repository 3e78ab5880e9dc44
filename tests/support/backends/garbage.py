"""Prints something else before its answer."""

from talk import answer, poisoned, runs

for message in runs():
    if poisoned(message):
        print("Loading model: 100%", flush=True)
    answer(message)
