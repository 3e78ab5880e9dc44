"""Answers the next run first."""

from talk import answer, poisoned, runs

held = []
for message in runs():
    if poisoned(message):
        held.append(message)
        continue
    answer(message)
    while held:
        answer(held.pop())
