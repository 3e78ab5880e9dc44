"""One term about one queue, judged: `judge(proofs, config, Gets({"u": 2}, 0), "a")`."""

from __future__ import annotations

from datetime import date

from quotaproof.checker.results import Verdict
from quotaproof.checker.rollout.promises.case import Case
from quotaproof.checker.rollout.promises.judge import JUDGES
from quotaproof.spec.promises import Promise, Promises, Scope
from quotaproof.spec.readings import Readings

BROKEN = (Verdict.BROKEN, Verdict.BROKEN_IF)
KEPT = (Verdict.HOLDS_ALWAYS, Verdict.HOLDS_HERE, Verdict.HOLDS_IF)
MINUTE = 60_000


def judge(proofs, config, term, *shares, readings=None, borrows=None, group="", **more):
    """The judgements of a promise with this term about these shares; `more` are fields of the file."""
    promise = Promise("P1", "it is promised.", Scope(shares, group, borrows), (term,), "owner")
    case = Case(Promises((promise,), **more), config, readings or Readings(), proofs, date(2026, 11, 30))
    return list(JUDGES[type(term)](case, promise, term))
