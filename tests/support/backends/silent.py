"""Starts nobody and has no fault of conversation."""

from talk import answer, runs

for message in runs():
    answer(message)
