"""Which goals does the reference, run on a scenario, come through a state of? The judge's book says so.

Everyone is tried in every role of the guard, in every state between two events. Trusted: the book, and that what the
reference reports is what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from ...spec.expr.nodes import Bool
from ...spec.expr.python import compile_state
from ...spec.expr.walk import variables
from ...spec.formats.scenario import Scenario
from ...spec.model import Stage
from ...spec.observations import Observation
from ..conform.reference import Reference, Session
from ..judge import rules
from ..judge.book import ENDED, Book
from ..judge.jobs import Entry
from ..judge.observe import record
from ..judge.start import other_heads, situation
from ..judge.state import Situation
from .guards import Goal


def passed(scenario: Scenario, wanted: Mapping[Goal, Bool]) -> frozenset[Goal]:
    """Those of the goals, each with its formula, that a state on the way reaches."""
    session = Session(Reference(choices=dict(scenario.readings.chosen)), scenario.config)
    return reached(scenario, (what for step in scenario.steps for what in session.do(step)), wanted)


def reached(scenario: Scenario, seen: Iterable[Observation], wanted: Mapping[Goal, Bool]) -> frozenset[Goal]:
    """The same of any scheduler's trace of the scenario."""
    book = Book(scenario.config, scenario.readings)
    left = {guard: {g: f for g, f in wanted.items() if g.guard == guard} for guard in {g.guard for g in wanted}}
    found = set[Goal]()
    for what in seen:
        record(book, what)
        for guard, goals in left.items():
            if goals:
                names, run = _compiled(tuple(goals.values()))
                for at in _situations(book, guard):
                    true = run([at.value(name) for name in names])
                    found.update(goal for goal, is_true in zip(goals, true, strict=True) if is_true)
        left = {guard: {g: f for g, f in goals.items() if g not in found} for guard, goals in left.items()}
        if not any(left.values()):
            break
    return frozenset(found)


@cache
def _compiled(formulas: tuple[Bool, ...]) -> tuple[tuple[str, ...], Callable[[Sequence[Any]], tuple[Any, ...]]]:
    names = tuple(variables(*formulas))
    return names, compile_state(formulas, names)


def _situations(book: Book, guard: str) -> Iterator[Situation]:
    """Everyone who can play the roles of the guard, where the other parts of a dispatch do not stand in the way."""
    live = [j for j in book.jobs.values() if j.stage not in ENDED]
    waiting = [j for j in live if j.stage is Stage.RUNNABLE]
    if guard == "submit":
        yield from (Situation(book, share) for share in book.now.shares)
        return
    for job in live if guard in ("dispatch", "stop", "finish", "return") else waiting:
        if guard == "dispatch":
            if all(_holds(book, job)) and all(open_ for _, open_ in _yields(book, job)):
                yield situation(book, job)
        elif guard in ("stop", "finish", "return"):
            yield situation(book, job, victim=job)
        elif guard in ("hold", "yield"):
            yield from _beside(book, job, guard)
        elif guard == "release":
            promise = book.promise(job.name)
            if promise is not None:
                yield situation(book, job, watched=promise)
        elif any(p.job.share == job.share for p in book.promises):
            continue
        elif guard == "claim":
            yield situation(book, job)
        else:
            across = guard == "preempt across"
            for victim in live:
                if victim is not job and (victim.share != job.share) is across:
                    yield situation(book, job, victim=victim)


def _beside(book: Book, job: Entry, guard: str) -> Iterator[Situation]:
    """One part of a dispatch beside the guard of the job itself, where all the others are open."""
    if not situation(book, job).holds(rules.dispatch_guard):
        return
    holds, left = list(_holds(book, job)), list(_yields(book, job))
    if guard == "hold" and all(open_ for _, open_ in left):
        for at, promise in enumerate(book.promises):
            if all(holds[:at] + holds[at + 1 :]):
                yield situation(book, job, watched=promise)
    if guard == "yield" and all(holds):
        for at, (tied, _) in enumerate(left):
            if all(open_ for _, open_ in left[:at] + left[at + 1 :]):
                yield from (situation(book, job, other=other) for other in tied)


def _holds(book: Book, job: Entry) -> Iterator[bool]:
    """For each live claim, whether the dispatch leaves it what it was promised."""
    for promise in book.promises:
        yield Situation(book, job.share, job, watched=promise).holds(rules.holds_guard)


def _yields(book: Book, job: Entry) -> Iterator[tuple[list[Entry], bool]]:
    """For each other share its possible heads, and whether the dispatch leaves one of them what it needs."""
    for tied in other_heads(book, job):
        yield tied, any(Situation(book, job.share, job, other=o).holds(rules.yields_guard) for o in tied)
