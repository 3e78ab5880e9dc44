"""`gets` and `fits`: what a share is promised to get, unit by unit, and jobs that always run, whatever their units.

A share that gets several units gets each: a job of one unit is asked for in each, and then one of all of them, which is
entitled only where it is within its limit in every unit. A job that fits is one job of all its units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....spec.model import QuotaShare
from ....spec.promises import Amounts, Fits, Gets, Promise
from ....spec.rules import commitments
from ....spec.rules.commitments import Bound
from ...results import HOLDS
from ...witness.words import amount
from .case import Case, Judgement
from .reclaim import Wanted, judged
from .words import bounds, units_of


def gets(case: Case, promise: Promise, term: Gets) -> Iterator[Judgement]:
    """One judgement a share and unit; one more for jobs of several units where only they are refused."""
    every = bounds(case.promises, term.amounts, case.config)
    for share in promise.scope.of(case.config):
        made = [judged(case, promise, _wanted(share, term.amounts, {name: every[name]}), term.within) for name in every]
        yield from made
        if len(every) > 1 and all(j.result.verdict in HOLDS for j in made):
            together = judged(case, promise, _wanted(share, term.amounts, every), term.within)
            if together.result.verdict not in HOLDS:
                yield together


def _wanted(share: QuotaShare, amounts: Amounts, chosen: Mapping[str, Bound]) -> Wanted:
    says = amount({name: amounts[name] for name in chosen})
    return Wanted(share, units_of(chosen), tuple(chosen.values()), says,
                  commitments.not_at_once, commitments.not_by_stops)  # fmt: skip


def fits(case: Case, promise: Promise, term: Fits) -> Iterator[Judgement]:
    """One judgement a share."""
    every = bounds(case.promises, term.amounts, case.config)
    for share in promise.scope.of(case.config):
        wanted = Wanted(share, units_of(every), tuple(every.values()), amount(term.amounts),
                        commitments.does_not_fit_at_once, commitments.does_not_fit)  # fmt: skip
        yield judged(case, promise, wanted, None)
