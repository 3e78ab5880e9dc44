"""The smallest change with which a broken promise is proved, verified before it is said.

Tried in this order, the next only where the solver proved that the one before cannot do it: limits and borrow limits;
fewer rights too (strategies, in-share preemption); a larger environment too, which is a purchase. In each the fewest
rights taken count first, then machines by which limits change, limits removed or new, shares touched, percent points.
Promises that are kept now stay kept, limits add up to no more than they may, and no new ERROR is found. Trusted: `solve`,
and the judges, who have the last word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....spec.expr.nodes import Bool, any_of
from ....spec.model import QueueConfig
from ....spec.promises import Promise, Scope, Term
from ...findings.catalogue import every
from ...findings.check import Subject
from ...findings.table import lots
from ...promised import Suggestion
from ...prove.solver import Answer as Said
from ...prove.solver import Solver
from ...results import Result, Severity, Verdict
from .case import Case, Judgement
from .changes import changes, costs
from .demands import demands
from .envelope import Envelope, Question
from .judge import JUDGES
from .solve import Demand, GaveUp, Impossible, Search, Solved
from .symbolic import Freedom, Symbolic

BAD = (Verdict.BROKEN, Verdict.BROKEN_IF)


def is_broken(result: Result) -> bool:
    """Whether it counts as broken: under the readings in force."""
    return result.verdict is Verdict.BROKEN or (result.verdict is Verdict.BROKEN_IF and result.asked)


def suggestion(case: Case, promise: Promise, term: Term, judgement: Judgement) -> Suggestion | None:
    """What to change so that the term holds for what was judged; None where it is not broken, or no change of the
    configuration is asked for."""
    if not is_broken(judgement.result):
        return None
    about = judgement.result.subject.partition(",")[0]
    names = {s.name for s in promise.scope.of(case.config)}
    group = replace(promise, scope=Scope(shares=(about,))) if about in names and not promise.scope.group else promise
    asked = tuple(demands(case.promises, case.config, group, term))
    engine = Envelope(case.config, case.readings, Solver())
    broken = [question for question in asked if engine.can(question) is Said.PROVED]
    if not broken:
        return None
    return _Suggesting(case, asked, frozenset(u for question in broken for u in question.units)).suggest()


@dataclass(frozen=True)
class _Suggesting:
    """The search for one term."""

    case: Case
    asked: tuple[Question, ...]
    units: frozenset[str]
    """In which it is broken."""

    def suggest(self) -> Suggestion:
        most = max((self._widest(unit) for unit in self.units), default=0)
        steps = (
            (Freedom(self.units), "no change of limits and borrow limits"),
            (Freedom(self.units, strategies=True), "no change of limits, borrow limits, strategies"),
            (Freedom(self.units, strategies=True, environment=most), "no change of the configuration"),
        )
        guard = Guard.of(self.case)
        for freedom, _ in steps:
            search = Search(
                Symbolic(self.case.config, self.case.readings, freedom), self._demands, refuses=guard.refuses
            )
            search.require(*sums(search.symbolic))
            match search.best():
                case Solved(config):
                    return self._said(config)
                case GaveUp(reason):
                    return Suggestion((), 0, none=f"none found: {reason}")
                case Impossible():
                    pass
        return Suggestion((), 0, none=f"{steps[-1][1]} can do it, with every promise kept that is kept now: proved")

    def _widest(self, unit: str) -> int:
        had = self.case.config.environment.capacity.get(unit, 0)
        return 2 * max(had, sum(s.limits.get(unit, 0) for s in self.case.config.shares)) + _asked(self.case)

    @property
    def _demands(self) -> tuple[Demand, ...]:
        return (*[Demand("", question) for question in self.asked], *kept_now(self.case))

    def _said(self, config: QueueConfig) -> Suggestion:
        told = tuple(changes(self.case.config, config))
        loses = "; ".join(costs(self.case.config, config, self.case.readings))
        return Suggestion(tuple(c.words for c in told), sum(c.amount for c in told), costs=loses)


def _asked(case: Case) -> int:
    """No promise asks for more machines."""
    every_term = [term for promise in case.promises.promises for term in promise.terms]
    return max((n for term in every_term for n in getattr(term, "amounts", {}).values()), default=0)


def kept_now(case: Case, *, besides: str = "") -> Iterator[Demand]:
    """The demands that the configuration meets today, of every promise in force but the one of this code."""
    engine = Envelope(case.config, case.readings, Solver())
    for promise in case.promises.promises:
        if promise.code != besides and promise.valid.has(case.today):
            for term in promise.terms:
                for question in demands(case.promises, case.config, promise, term):
                    if engine.can(question) is Said.REFUTED:
                        yield Demand(promise.code, question)


def sums(symbolic: Symbolic) -> Iterator[Bool]:
    """Limits add up to no more than the environment has, or than they add up to today."""
    for unit in symbolic.freedom.units:
        given = sum(s.limits.get(unit, 0) for s in symbolic.config.shares)
        yield any_of(symbolic.given(unit) <= symbolic.capacity(unit), symbolic.given(unit) <= given)


@dataclass(frozen=True)
class Guard:
    """The last word on a proposal: judges and findings."""

    case: Case
    errors: frozenset[tuple[str, str, str]]
    broken: frozenset[tuple[str, str, str]]

    @classmethod
    def of(cls, case: Case) -> Guard:
        return cls(case, frozenset(_errors(case, case.config)), frozenset(newly_broken(case)))

    def refuses(self, config: QueueConfig) -> bool:
        """It has an error, or breaks a promise, that the configuration of today has not."""
        if set(_errors(self.case, config)) - self.errors:
            return True
        return bool(set(newly_broken(self.case.with_config(config))) - self.broken)


def _errors(case: Case, config: QueueConfig) -> Iterator[tuple[str, str, str]]:
    found = every(Subject(config, case.readings, lots(config, case.readings)))
    return ((f.code, f.share, f.unit) for f in found if f.severity is Severity.ERROR)


def newly_broken(case: Case) -> Iterator[tuple[str, str, str]]:
    """(promise, term, subject) of every promise in force that the judges find broken."""
    for promise in case.promises.promises:
        for term in promise.terms:
            if promise.valid.has(case.today) and type(term) in JUDGES:
                key, judge = JUDGES[type(term)]
                yield from (
                    (promise.code, key, one.result.subject)
                    for one in judge(case, promise, term)
                    if is_broken(one.result)
                )
