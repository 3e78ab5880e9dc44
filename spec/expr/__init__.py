"""The expression core: rules as immutable data with several interpretations. Knows nothing of shares.

`nodes` builds expressions, `walk` goes through them; `python` evaluates and compiles them, `columns` compiles them for
many states at once, `smt` turns them into Z3 terms, `english` says them. The meaning the others are tested against is
`python.evaluate`.
"""
