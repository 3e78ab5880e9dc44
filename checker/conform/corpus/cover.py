"""What a scenario reaches of the rules, when a scheduler runs it: guards that are open, clauses that alone keep one shut.

A *mark* is the name of a guard, reached where it is open, or the code of a clause, reached where the guard is shut and
would be open without it. In every state of a trace the guards are asked of every job, victim, claim and head that there
is. Trusted: the judge's book and its formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import cast

from ....spec.expr.nodes import Bool, Node, all_of
from ....spec.expr.walk import clauses, without
from ....spec.formats.scenario import Scenario
from ....spec.observations import Observation
from ....spec.readings import Readings
from ....spec.rules import actions
from ....spec.rules.view import Running
from ...judge import rules
from ...judge.book import ENDED, HOLDING, Book
from ...judge.jobs import Entry
from ...judge.observe import record
from ...judge.start import other_heads, situation
from ...judge.state import ROLES, Build, Situation, Together

_OF_JOB: Mapping[str, Build] = {"dispatch": rules.dispatch_guard, "claim": rules.claim_guard}
_OF_CLAIM: Mapping[str, Build] = {"hold": rules.holds_guard}
_OF_PROMISE: Mapping[str, Build] = {"release": rules.release_guard}
_OF_HEADS: Mapping[str, Build] = {"yield": rules.yields_guard}
_OF_LOAN: Mapping[str, Build] = {"preempt": rules.cross_guard}
_IN_SHARE: Mapping[str, Build] = {"in-share": rules.in_share_guard}
_OF_VICTIM: Mapping[str, Build] = {
    "stop": lambda view: actions.stop(view, "victim").guard,
    "return": lambda view: actions.back_to_runnable(view, "victim").guard,
    "finish": lambda view: actions.finish(view, "victim").guard,
}
_OF_SHARE: Mapping[str, Build] = {"submit": lambda view: actions.submit(view, "actor").guard}
_ALL = (_OF_JOB, _OF_CLAIM, _OF_PROMISE, _OF_HEADS, _OF_LOAN, _IN_SHARE, _OF_VICTIM, _OF_SHARE)
_WITHIN = ("settled.",)
"""Clauses that stand inside another one: that one is what shuts the guard."""


@cache
def _marks(position: int) -> tuple[tuple[str, ...], Together]:
    """The marks of a table of guards, and a formula for each."""
    named: dict[str, Build] = {}
    for name, guard in _ALL[position].items():
        named[name] = guard
        root = guard(Running(ROLES, ("u0",)))
        codes = [c for c in clauses(root) if not c.startswith(_WITHIN)]
        named.update({code: partial(_shut_by, guard, code) for code in codes})
    return tuple(named), Together(tuple(named.values()))


def _shut_by(guard: Build, code: str, view: Running) -> Node:
    """The guard is shut, and dropping the clause opens it."""
    root = cast("Bool", guard(view))
    return all_of(~root, without(root, code))


def marks() -> frozenset[str]:
    """Every mark there is."""
    return frozenset(name for position in range(len(_ALL)) for name in _marks(position)[0])


def reached(scenario: Scenario, seen: Sequence[Observation], readings: Readings | None = None) -> frozenset[str]:
    """The marks that a trace of a scenario reaches."""
    book = Book(scenario.config, readings or Readings())
    found = set[str]()
    for what in seen:
        record(book, what)
        for table, at in _looks(book):
            names, together = _marks(_ALL.index(table))
            found.update(name for name, true in zip(names, at.all(together), strict=True) if true)
    return frozenset(found)


def _looks(book: Book) -> Iterator[tuple[Mapping[str, Build], Situation]]:
    """Every place from which some guard can be asked in this state."""
    live = [j for j in book.jobs.values() if j.stage not in ENDED]
    holding = [j for j in live if j.stage in HOLDING]
    look: Callable[..., Situation] = partial(situation, book)
    for share in book.now.shares:
        yield _OF_SHARE, Situation(book, share)
    for job in live:
        yield _OF_JOB, look(job)
        yield _OF_VICTIM, look(job, victim=job)
        for promise in book.promises:
            yield (_OF_PROMISE if promise.job is job else _OF_CLAIM), look(job, watched=promise)
        if not _waits(job):
            continue
        for tied in other_heads(book, job):
            yield from ((_OF_HEADS, look(job, other=other)) for other in tied)
        for victim in holding:
            yield (_IN_SHARE if victim.share == job.share else _OF_LOAN), look(job, victim=victim)


def _waits(job: Entry) -> bool:
    return job.stage not in HOLDING
