"""The rules of lend-and-borrow quota shares, each written once over the expression core.

Read `view` (what a rule may ask), `quantities` and `laws` (derived numbers), `actions` (what may happen), `guarantees`
(what is promised), `lifecycle` (a job's states).
"""
