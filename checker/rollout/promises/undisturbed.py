"""`undisturbed`: none of a share's jobs is stopped while its usage is within its limit, or ever.

By other shares: a job is taken from another share only above its limit (G5x, proved for any number of shares), so a share
within its limit is left alone; where one can never be above its limit, under every reading. By anyone: in-share preemption
stops a lower priority of the share itself (G5s), and nobody where it is off. `always`: a share that can be above its limit
while another waits for its own loses jobs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....spec.expr.nodes import Bool, any_of
from ....spec.model import QuotaShare
from ....spec.promises import By, Promise, Undisturbed
from ....spec.rules.commitments import loses_loans, loses_to_its_own
from ....spec.rules.view import Cell
from ...promised import How
from ...prove.numbers import Numbers
from ...results import Combination, Result, Verdict
from .answers import Answered, answered, minimal, result
from .case import Case, Judgement
from .envelope import Proved, Question, Reached
from .reclaim import shown
from .scenarios import Stage
from .words import asked, in_use


def undisturbed(case: Case, promise: Promise, term: Undisturbed) -> Iterator[Judgement]:
    """One judgement a share."""
    for share in promise.scope.of(case.config):
        made = _by_others(case, promise, share, always=term.always)
        if term.by is By.ANYONE and made.result.verdict not in (Verdict.BROKEN, Verdict.BROKEN_IF, Verdict.UNKNOWN):
            made = _by_its_own(case, promise, share, made)
        yield made


def _first(case: Case, share: QuotaShare, bad: Callable[[Cell], Bool]) -> Answered:
    """The answer in the first unit in which such a state can be reached; that nothing can be reached, where in none."""
    breaks: list[Combination] = []
    unsure: list[str] = []
    for unit in case.config.units:
        answer = answered(case.envelopes, Question((unit,), lambda view, u=unit: bad(view.at(share.name, u))))
        if not isinstance(answer.found, Proved):
            return answer
        breaks += answer.breaks
        unsure += answer.unsure
    return Answered(Proved(), minimal(breaks), unsure=tuple(dict.fromkeys(unsure)))


def _by_others(case: Case, promise: Promise, share: QuotaShare, *, always: bool) -> Judgement:
    code, name = promise.code, share.name
    above = _first(case, share, lambda c: any_of(c.usage > c.limit))
    if isinstance(above.found, Proved):
        because = "it never borrows: whoever takes back, takes it from a share above its limit"
        if not above.breaks or always:
            return Judgement(How.PROVED, result(code, name, above, because=because, broken=""))
    if always:
        return _loans(case, promise, share)
    proof = case.proofs.by_code["G5x"]
    if unknown := proof.unknown or case.proofs.laws_fail():
        return Judgement(How.PROVED, Result(code, Verdict.UNKNOWN, f"G5x: {unknown}", name))
    numbers = Numbers.of(case.config, case.readings)
    breaks = numbers.still_open(proof.broken)
    because = "only a share above its limit loses jobs to others: Theorem S (G5x), any number of shares"
    if any(numbers.is_asked(c) for c in breaks):
        why = (
            f"{because}; not with {', '.join(f'{k}={v}' for c in breaks if numbers.is_asked(c) for k, v in c.items())}"
        )
        return Judgement(How.PROVED, Result(code, Verdict.UNKNOWN, why, name, breaks))
    verdict = Verdict.HOLDS_IF if breaks else Verdict.HOLDS_ALWAYS
    return Judgement(How.PROVED, Result(code, verdict, because, name, breaks, assumes=proof.assumes))


def _loans(case: Case, promise: Promise, share: QuotaShare) -> Judgement:
    answer = _first(case, share, loses_loans)
    if not isinstance(answer.found, Reached):
        because = "nobody ever needs to take back what it borrows"
        return Judgement(How.PROVED, result(promise.code, share.name, answer, because=because, broken=""))
    found = answer.found
    owner = next(s for s, _ in found.asks)
    why = f"{in_use(found)}, more than its limit: a job of it is stopped for {asked(found, owner)}, within its own"
    made = result(promise.code, share.name, answer, because="", broken=why)
    stage = Stage(case.config, case.readings, promise.code, promise.says)
    return shown(made, stage.loses(found, share.name, why))


def _by_its_own(case: Case, promise: Promise, share: QuotaShare, others: Judgement) -> Judgement:
    if not share.in_share:
        more = "; in-share preemption is off"
        was = others.result
        made = Result(was.code, was.verdict, was.because + more, was.subject, was.combinations, assumes=was.assumes)
        return Judgement(How.PROVED, made)
    answer = _first(case, share, loses_to_its_own)
    if not isinstance(answer.found, Reached):
        because = "no two of its jobs can ever be in each other's way"
        return Judgement(How.PROVED, result(promise.code, share.name, answer, because=because, broken=""))
    found = answer.found
    why = (
        f"{in_use(found)}, within its limit: stopped for {asked(found, share.name)} of higher priority, "
        "as in-share preemption is on"
    )
    made = result(promise.code, share.name, answer, because="", broken=why)
    stage = Stage(case.config, case.readings, promise.code, promise.says)
    return shown(made, stage.loses(found, share.name, why))
