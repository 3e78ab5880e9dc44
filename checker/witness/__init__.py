"""Scenarios that show something: found from the numbers, replayed on the rules and on the reference, made smaller.

`play` runs a scenario, `find` builds one for a broken promise, `shrink` makes it minimal, `replay` is the command.
"""
