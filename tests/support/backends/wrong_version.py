"""Speaks another version of the protocol."""

from talk import answer, runs

for message in runs(protocol=2):
    answer(message)
