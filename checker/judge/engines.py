"""Two engines, one answer: a history judged step by step, its sum rules once more over columns.

They share the expressions and nothing else. Where an ordered history makes them differ, the rule is undecided, never kept:
then one of them is wrong. Without an order of equal times the stepwise engine, which searches orders, decides alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ...spec.observations import History
from ...spec.readings import Readings
from .columns import CODES, judge_sums
from .history import judge_history
from .judged import Judged


def judge_both(history: History, readings: Readings, *, skew: int = 0) -> Judged:
    """What the history decides. `skew`: milliseconds by which clocks of observations may differ."""
    judged = judge_history(history, readings, skew=skew)
    return agreed(judged, judge_sums(history, readings)) if history.ordered else judged


def agreed(stepwise: Judged, sums: Judged) -> Judged:
    """The stepwise verdicts; sum rules on which the other engine differs are undecided."""
    charged = {f.number for f in stepwise.faults if f.code not in CODES}
    one = {(f.code, f.number) for f in stepwise.faults if f.code in CODES}
    other = {(f.code, f.number) for f in sums.faults if f.number not in charged}
    differ = Counter(code for code, _ in one ^ other)
    differ.update(code for code in CODES if stepwise.exercised.get(code, 0) != sums.exercised.get(code, 0))
    why = "the stepwise engine and the one over columns differ: a fault of quotaproof"
    return replace(stepwise, undecided={**stepwise.undecided, **{code: (n, why) for code, n in differ.items()}})
