"""Every promise about a configuration, judged: by which judge, whether it is in force today, and who accepts what.

Exemptions become waivers of the results that they cover. Nothing here decides a term; `JUDGES` says who does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from ....spec.formats.scenario import as_form
from ....spec.promises import (
    KEYS,
    BorrowsAtMost,
    Changes,
    Exemption,
    Fits,
    Gets,
    HoldsAtMost,
    IdleWhileWaiting,
    Measured,
    PriorityBand,
    Promise,
    Recovery,
    StopsPerJob,
    Term,
    Undisturbed,
)
from ...promised import How, Promised
from ...results import BROKEN, Result, Verdict, Waiver, Witness
from .bounded import at_most, borrows_at_most
from .case import Case, Judge, Judgement
from .gets import fits, gets
from .idle import idle_while_waiting
from .later import changes, measured
from .priority import priority
from .recovery import recovery
from .stops import stops_per_job
from .undisturbed import undisturbed

if TYPE_CHECKING:
    from .suggest import Suggester

JUDGES: Mapping[type[Term], Judge] = {
    Gets: cast("Judge", gets),
    Fits: cast("Judge", fits),
    Undisturbed: cast("Judge", undisturbed),
    HoldsAtMost: cast("Judge", at_most),
    BorrowsAtMost: cast("Judge", borrows_at_most),
    StopsPerJob: cast("Judge", stops_per_job),
    Recovery: cast("Judge", recovery),
    PriorityBand: cast("Judge", priority),
    IdleWhileWaiting: cast("Judge", idle_while_waiting),
    Changes: cast("Judge", changes),
    Measured: cast("Judge", measured),
}
"""Kind of term -> who judges it."""


def judged(case: Case, *, suggest: bool = False) -> Iterator[Promised | Witness]:
    """Every promise, in the order of the file; a witness comes before the promise that names it.

    `suggest` adds to a broken one the smallest change of the configuration with which it holds.
    """
    advice = _suggester(case) if suggest else None
    for promise in case.promises.promises:
        for term in promise.terms:
            key = KEYS[type(term)]
            meant = JUDGES[type(term)](case, promise, term) if promise.scope.of(case.config) else [_nobody(promise)]
            for number, one in enumerate(meant, 1):
                made, name = one.result, f"promise-{promise.code}-{key}-{number}.json"
                if one.scenario is not None:
                    yield Witness(name, as_form(one.scenario))
                    made = replace(made, witness=name)
                said = _promised(case, promise, key, replace(one, result=made))
                yield said if advice is None else said.with_suggestion(advice.suggestion(promise, term, one))


def _suggester(case: Case) -> Suggester:
    from .suggest import Suggester

    return Suggester(case)


def _nobody(promise: Promise) -> Judgement:
    why = "no share of this queue is meant"
    return Judgement(How.RECORDED, Result(promise.code, Verdict.NOT_APPLICABLE, why, promise.scope.group))


def _promised(case: Case, promise: Promise, key: str, one: Judgement) -> Promised:
    waiver = _accepted(case, promise, one)
    return Promised(
        promise.code,
        promise.says,
        key,
        one.how,
        replace(one.result, waiver=waiver, place=one.result.place or promise.place),
        owner=promise.owner,
        why=promise.why,
        valid=promise.valid.words(),
        in_force=promise.valid.has(case.today),
    )


def _accepted(case: Case, promise: Promise, one: Judgement) -> Waiver | None:
    """The exemption that covers what is broken."""
    if one.result.verdict not in BROKEN:
        return None
    found = exemption(case, promise.code, one.result.subject)
    return found and Waiver(found.says or found.why, found.until.isoformat(), found.place)


def exemption(case: Case, code: str, subject: str) -> Exemption | None:
    """What accepts today that the promise is broken for the subject."""
    of = (e for e in case.promises.exemptions if e.to == code and case.today <= e.until)
    return next((e for e in of if e.share in ("", subject.partition(",")[0])), None)
