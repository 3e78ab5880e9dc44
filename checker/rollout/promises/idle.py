"""`idle_while_waiting`: no machine that may be lent lies idle while a share that may borrow waits for one.

Whatever the time that the promise allows: a share that its borrow limit stops waits until its own jobs or the limit
change. A machine that a claim holds for its owner is promised, not idle.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....spec.model import Strategy
from ....spec.promises import IdleWhileWaiting, Promise
from ....spec.rules.commitments import idles
from ...promised import How
from ...results import Result, Verdict
from .answers import answered, result
from .case import Case, Judgement
from .envelope import Question, Reached
from .reclaim import shown
from .scenarios import Stage
from .words import in_use

ASSUMES = ("the scheduler starts what fits (rule 26)", "jobs of one machine that are first of their share", "A16b skip")


def idle_while_waiting(case: Case, promise: Promise, term: IdleWhileWaiting) -> Iterator[Judgement]:
    """One judgement a share that may borrow; of the others none can wait for a machine of others."""
    borrowers = [s for s in promise.scope.of(case.config) if s.strategy is Strategy.LEND_AND_BORROW]
    if not borrowers:
        made = Result(promise.code, Verdict.HOLDS_HERE, "no share of the promise may borrow", term.unit)
        yield Judgement(How.PROVED, made)
    for share in borrowers:
        name, unit = share.name, term.unit
        answer = answered(case.envelopes, Question((unit,), lambda view, n=name, u=unit: idles(view.at(n, u))))
        found = answer.found
        grant = next(lot for lot in case.envelopes.lots if lot.unit == unit).grants[case.config.shares.index(share)]
        stops = f"its borrow limit allows {grant.borrowable} more than its {grant.limit}"
        subject = f"{name}, {unit}"
        if isinstance(found, Reached):
            why = f"{in_use(found)}; a machine that may be lent is idle, and {name} waits for one: {stops}"
            made = result(promise.code, subject, answer, because="", broken=why)
            stage = Stage(case.config, case.readings, promise.code, promise.says)
            yield shown(made, stage.waits(found, drains=True, because=why))
        else:
            because = "it can borrow whatever may be lent and is idle"
            yield Judgement(
                How.PROVED, result(promise.code, subject, answer, because=because, broken="", assumes=ASSUMES)
            )
