"""Does a scheduler obey lend and borrow? Any scheduler that can be told what happens to it and says what it does.

`backend` is what a scheduler offers, `reference` the reference as one; `inputs` checks that a trace is of the scenario
that was asked for, `verdict` judges it. Trusted: nothing that a backend says; the judge decides.
"""
