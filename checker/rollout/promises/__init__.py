"""Promises judged: start at `judge.judged`."""
