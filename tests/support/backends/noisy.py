"""Prints a banner before its first message."""

from talk import answer, runs

print("my scheduler 1.0 (c) me", flush=True)
for message in runs():
    answer(message)
