"""The smallest change with which a broken promise is proved, verified before it is said.

Tried in this order, the next only where the one before cannot do it: borrow limits, which take no machine from anybody;
limits; fewer rights (strategies, in-share preemption); fewer rights and limits, which may be removed or given where there
are none; a larger environment too, which is a purchase. In each the fewest rights taken count first, then limits removed
or new, machines by which limits change, shares touched, percent points. Where limits change, taking rights alone is said
beside it. Promises that are kept now stay kept, limits add up to no more than they may, and no new ERROR is found.
Trusted: `solve`, and the judges, who have the last word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ....spec.expr.nodes import Bool, any_of
from ....spec.model import QueueConfig
from ....spec.promises import HoldsAtMost, Promise, Scope, Term
from ...findings.catalogue import every
from ...findings.check import Subject
from ...findings.table import lots
from ...promised import Suggestion
from ...prove.solver import Answer as Said
from ...results import HOLDS, Result, Severity, Verdict
from .case import Case, Judgement
from .changes import changes, costs
from .demands import demands
from .envelope import Question
from .judge import JUDGES
from .solve import Demand, GaveUp, Impossible, Search, Solved
from .symbolic import Freedom, Symbolic


def is_broken(result: Result) -> bool:
    """Whether it counts as broken: under the readings in force."""
    return result.verdict is Verdict.BROKEN or (result.verdict is Verdict.BROKEN_IF and result.asked)


@dataclass(frozen=True)
class Better:
    """The changed configuration; or why there is none."""

    config: QueueConfig | None = None
    instead: QueueConfig | None = None
    """Another, that changes no limit."""
    none: str = ""

    def said(self, case: Case) -> Suggestion:
        if self.config is None:
            return Suggestion((), 0, none=self.none)
        told = tuple(changes(case.config, self.config))
        instead = () if self.instead is None else tuple(c.words for c in changes(case.config, self.instead))
        loses = "; ".join(costs(case.config, self.config, case.readings))
        return Suggestion(tuple(c.words for c in told), sum(c.amount for c in told), costs=loses, instead=instead)


@dataclass(frozen=True)
class Suggester:
    """What the searches for one configuration share."""

    case: Case

    @cached_property
    def kept(self) -> tuple[Demand, ...]:
        return tuple(kept_now(self.case))

    @cached_property
    def guard(self) -> Guard:
        """For what is kept now; each search adds what it is for."""
        return Guard.of(self.case)

    def suggestion(self, promise: Promise, term: Term, judgement: Judgement) -> Suggestion | None:
        """`better` in words."""
        found = self.better(promise, term, judgement)
        return None if found is None else found.said(self.case)

    def better(self, promise: Promise, term: Term, judgement: Judgement) -> Better | None:
        """What to change so that the term holds for what was judged; None where it is not broken, or where it is not
        states that break it, and so not the configuration alone."""
        if not is_broken(judgement.result):
            return None
        about = judgement.result.subject.partition(",")[0]
        one = next((p for p in _parts(self.case, promise, term) if p.scope.shares == (about,)), promise)
        asked = tuple(demands(self.case.promises, self.case.config, one, term))
        engine = self.case.envelopes.in_force
        broken = [question for question in asked if engine.can(question) is not Said.REFUTED]
        if not broken:
            return None
        units = frozenset(u for question in broken for u in question.units)
        guard = replace(self.guard, wanted=((one, term),))
        return _Search(self, tuple(broken), units, guard).better()


@dataclass(frozen=True)
class _Search:
    """The search for one term."""

    of: Suggester
    asked: tuple[Question, ...]
    units: frozenset[str]
    """In which it is broken."""
    guard: Guard

    def better(self) -> Better:
        gave_up: list[str] = []
        rights = Freedom(strategies=True)
        for freedom in (
            Freedom(percents=True),
            Freedom(self.units),
            rights,
            replace(rights, units=self.units),
            self._all,
        ):
            found = self._best(freedom)
            if isinstance(found, Solved):
                beside = self._best(rights) if freedom == Freedom(self.units) else None
                return Better(found.config, beside.config if isinstance(beside, Solved) else None)
            if isinstance(found, GaveUp):
                gave_up.append(found.reason)
        if gave_up:
            return Better(none=f"none found; {gave_up[0]}")
        most = f"also with an environment of up to {self._all.environment}"
        tried = "of limits, borrow limits, rights and a larger environment; deleting a share was not tried"
        return Better(none=f"no change can do it, {most}, if what is kept now is to be kept: proved {tried}")

    @property
    def _all(self) -> Freedom:
        """Everything, and an environment twice as large as what is given and asked."""
        config = self.of.case.config
        had = [
            config.environment.capacity.get(u, 0) + sum(s.limits.get(u, 0) for s in config.shares) for u in self.units
        ]
        return Freedom(self.units, places=True, strategies=True, environment=max(had, default=0) + _asked(self.of.case))

    def _best(self, freedom: Freedom) -> Solved | Impossible | GaveUp:
        case = self.of.case
        wanted = (*[Demand("", question) for question in self.asked], *self.of.kept)
        search = Search(Symbolic(case.config, case.readings, freedom), wanted, case.solver, self.guard.refuses)
        search.require(*sums(search.symbolic))
        return search.best()


def _asked(case: Case) -> int:
    """No promise asks for more machines."""
    every_term = [term for promise in case.promises.promises for term in promise.terms]
    return max((n for term in every_term for n in getattr(term, "amounts", {}).values()), default=0)


def sums(symbolic: Symbolic) -> Iterator[Bool]:
    """Limits add up to no more than the environment has, or than they add up to today."""
    for unit in symbolic.freedom.units:
        given = sum(s.limits.get(unit, 0) for s in symbolic.config.shares)
        yield any_of(symbolic.given(unit) <= symbolic.capacity(unit), symbolic.given(unit) <= given)


@dataclass(frozen=True)
class Guard:
    """The last word on a proposal: findings, and the judges of what is kept now and has to be kept then."""

    case: Case
    errors: frozenset[tuple[str, str, str]]
    watched: tuple[tuple[Promise, Term], ...]
    wanted: tuple[tuple[Promise, Term], ...] = ()
    """What is broken now and has to be proved then."""

    @classmethod
    def of(cls, case: Case) -> Guard:
        return cls(case, frozenset(_errors(case, case.config)), tuple(_kept_terms(case)))

    def refuses(self, config: QueueConfig) -> bool:
        """It has an error that the configuration of today has not, or breaks what it must not, or does not do it."""
        return self.finds_errors(config) or next(self.breaks(config), None) is not None or not self.proves(config)

    def proves(self, config: QueueConfig) -> bool:
        """Everything that is wanted is proved in it, as the judges say."""
        then = self.case.with_config(config)
        every = (one for promise, term in self.wanted for one in JUDGES[type(term)](then, promise, term))
        return all(one.result.verdict in HOLDS for one in every)

    def finds_errors(self, config: QueueConfig) -> bool:
        return bool(set(_errors(self.case, config)) - self.errors)

    def breaks(self, config: QueueConfig) -> Iterator[Promise]:
        """What it breaks of what is watched, as the judges say."""
        then = self.case.with_config(config)
        for promise, term in self.watched:
            if any(is_broken(one.result) for one in JUDGES[type(term)](then, promise, term)):
                yield promise


def _errors(case: Case, config: QueueConfig) -> Iterator[tuple[str, str, str]]:
    found = every(Subject(config, case.readings, lots(config, case.readings)))
    return ((f.code, f.share, f.unit) for f in found if f.severity is Severity.ERROR)


def _kept_terms(case: Case) -> Iterator[tuple[Promise, Term]]:
    """Terms of promises in force that no state breaks today, share by share where each is judged by itself."""
    for promise in case.promises.promises:
        for term in promise.terms if promise.valid.has(case.today) else ():
            for one in _parts(case, promise, term):
                asked = list(demands(case.promises, case.config, one, term))
                if asked and all(case.envelopes.in_force.can(question) is Said.REFUTED for question in asked):
                    yield one, term


def _parts(case: Case, promise: Promise, term: Term) -> list[Promise]:
    if isinstance(term, HoldsAtMost):
        return [promise]
    return [replace(promise, scope=Scope(shares=(s.name,))) for s in promise.scope.of(case.config)]


def kept_now(case: Case) -> Iterator[Demand]:
    """The demands that the configuration meets today, of every promise in force."""
    engine = case.envelopes.in_force
    for promise in case.promises.promises:
        if promise.valid.has(case.today):
            for term in promise.terms:
                for question in demands(case.promises, case.config, promise, term):
                    if engine.can(question) is Said.REFUTED:
                        yield Demand(promise.code, question)
