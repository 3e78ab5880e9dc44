"""Histories and runs judged against the specification, step by step.

`book` keeps the state that the events imply, by itself and for itself, with the sums of `rows`; `rules` are the
specification's formulas, `state` evaluates them on a book; `stepwise` says which promise a step breaks, and with which
numbers, `rest` which one a scheduler breaks that stops. `history` judges what was seen of a queue: `observe` one
observation, `weak` a stop of which nobody says for whom, `order` and `search` what came first.
`infer` says which choices of the open questions a history rules out: by the rules (`specified`), and by the reference
scheduler led along it (`guided`), the only module here that asks a scheduler.
"""
