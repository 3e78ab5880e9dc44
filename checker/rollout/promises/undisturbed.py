"""`undisturbed`: none of a share's jobs is stopped while its usage is within its limit, or ever.

By other shares: a job is taken from another share only above its limit (G5x, proved for any number of shares), so a share
within its limit is left alone; where one can never be above its limit, under every reading. By anyone: in-share preemption
stops a lower priority of the share itself (G5s), and nobody where it is off. `always`: a share that can be above its limit
while another waits for its own loses jobs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ....spec.expr.nodes import Bool, all_of
from ....spec.model import QuotaShare
from ....spec.promises import By, Promise, Undisturbed
from ....spec.readings import READINGS
from ....spec.rules.commitments import (
    counts_as_borrowing_within,
    is_above_its_limit,
    loses_loans,
    loses_to_its_own,
    loses_what_it_borrowed,
    stops_its_own,
)
from ....spec.rules.view import Cell, Enumerated
from ...promised import How
from ...prove.numbers import Numbers
from ...prove.solver import Broken, Condition, breaking_readings
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
            made = _by_its_own(case, promise, share, made, always=term.always)
        yield made


def _first(case: Case, share: QuotaShare, bad: Callable[[Cell], Bool], *, alone: bool = False) -> Answered:
    """The answer in the first unit in which such a state can be reached; that nothing can be reached, where in none."""
    breaks: list[Combination] = []
    unsure: list[str] = []
    for unit in case.config.units:
        question = Question((unit,), lambda view, u=unit: bad(view.at(share.name, u)), about=(share.name,), alone=alone)
        answer = answered(case.envelopes, question)
        if not isinstance(answer.found, Proved):
            return answer
        breaks += answer.breaks
        unsure += answer.unsure
    return Answered(Proved(), minimal(breaks), unsure=tuple(dict.fromkeys(unsure)))


def _by_others(case: Case, promise: Promise, share: QuotaShare, *, always: bool) -> Judgement:
    if always:
        return _loans(case, promise, share)
    above = _first(case, share, is_above_its_limit, alone=True)
    if isinstance(above.found, Proved) and not above.breaks:
        because = "it never borrows, and others take back only from a share above its limit"
        return Judgement(How.PROVED, result(promise.code, share.name, above, because=because, broken=""))
    return _within(case, promise, share)


def _within(case: Case, promise: Promise, share: QuotaShare) -> Judgement:
    """By Theorem S, and by what counts as borrowing: under A13 a a job keeps its label when the share is within its limit."""
    code, name, proof = promise.code, share.name, case.proofs.by_code["G5x"]
    numbers = Numbers.of(case.config, case.readings)
    labels = _labels(case)
    breaks = minimal(numbers.still_open((*proof.broken, *labels.combinations)))
    if unknown := proof.unknown or case.proofs.laws_fail() or labels.reason:
        return Judgement(How.PROVED, Result(code, Verdict.UNKNOWN, f"G5x: {unknown}", name))
    because = "others take back only from a share above its limit: Theorem S (G5x), any number of shares"
    here = tuple(c for c in breaks if numbers.is_asked(c))
    if not here:
        verdict = Verdict.HOLDS_IF if breaks else Verdict.HOLDS_ALWAYS
        assumes = tuple(dict.fromkeys(f"{c} {READINGS[c].default}" for f in breaks for c in f))
        return Judgement(How.PROVED, Result(code, verdict, because, name, breaks, assumes=assumes))
    answer = _first(case, share, loses_what_it_borrowed)
    why = "a job that started on a loan may be stopped for life, also when its share is within its limit"
    made = Result(code, Verdict.BROKEN_IF, why, name, here, asked=True)
    if not isinstance(answer.found, Reached):
        return Judgement(How.PROVED, Result(code, Verdict.UNKNOWN, f"{why}; no scenario shows it", name, here))
    stage = Stage(case.config, case.readings, promise.code, promise.says)
    return shown(made, stage.loses_label(answer.found, name, why))


def _labels(case: Case) -> Broken:
    """The readings under which a share within its limit may lose a job to others."""
    c = Enumerated(("share",), ("unit",)).at("share", "unit")
    condition = Condition("G5x", "what others take back is above the limit", (), ~counts_as_borrowing_within(c))
    return breaking_readings(case.envelopes.solver, case.envelopes.solver.decide(condition))


def _loans(case: Case, promise: Promise, share: QuotaShare) -> Judgement:
    answer = _first(case, share, loses_loans)
    if not isinstance(answer.found, Reached):
        because = "it never borrows what another share then needs to take back"
        return Judgement(How.PROVED, result(promise.code, share.name, answer, because=because, broken=""))
    found = answer.found
    owner = next(s for s, _ in found.asks)
    above = f"{in_use(found)}: {share.name} is above its limit"
    why = f"{above}, and a job of it is stopped for {asked(found, owner)}, which is within its own"
    made = result(promise.code, share.name, answer, because="", broken=why)
    stage = Stage(case.config, case.readings, promise.code, promise.says)
    return shown(made, stage.loses(found, share.name, why))


def _by_its_own(
    case: Case, promise: Promise, share: QuotaShare, others: Judgement, *, always: bool
) -> Judgement:  # fmt: skip
    if not share.in_share:
        more = "; in-share preemption is off"
        was = others.result
        made = Result(was.code, was.verdict, was.because + more, was.subject, was.combinations, assumes=was.assumes)
        return Judgement(How.PROVED, made)
    stops = stops_its_own if always else loses_to_its_own
    answer = _first(case, share, lambda c: all_of(stops(c), c.asks <= c.limit))
    if isinstance(answer.found, Proved):
        answer = _inheriting(case, _first(case, share, stops))
    if not isinstance(answer.found, Reached):
        because = "no two of its jobs can ever be in each other's way"
        was = others.result
        made = result(promise.code, share.name, answer, because=f"{was.because}; {because}", broken="",
                      breaks=was.combinations, assumes=was.assumes)  # fmt: skip
        return Judgement(How.PROVED, made)
    found = answer.found
    job = asked(found, share.name)
    within = all(n <= share.limits.get(unit, 0) for (name, unit), n in found.usage.items() if name == share.name)
    so = f"{share.name} is {'within' if within else 'above'} its limit"
    why = f"{in_use(found)}: {so}, and its job is stopped for {job} of higher priority"
    made = result(promise.code, share.name, answer, because="", broken=why)
    stage = Stage(case.config, case.readings, promise.code, promise.says)
    return shown(made, stage.loses(found, share.name, why))


def _inheriting(case: Case, answer: Answered) -> Answered:
    """The answer of a job beyond the limit: it stops others of its share only where it inherits their loans (A31)."""
    if not isinstance(answer.found, Reached):
        return answer
    return replace(answer, rests_on={**(answer.rests_on or {}), "A31": case.readings["A31"]})
