"""Promises measured on a history: start at `kept.kept`.

`measure` reads the observations once (twice where their times are intervals) and shows the state to watches; each kind of
term is a `Watch` in a module of its theme; `kept` says which watch a term needs and what its results are called.
"""
