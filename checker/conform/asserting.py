"""Asserts for people who test their own scheduler: `assert_conforms` runs a scenario on it, `assert_obeys` judges a trace.

Both raise AssertionError with the promise that is broken, the false clause with its numbers, and what led there; pytest
shows the line of the test and no line of ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...spec.formats.scenario import Scenario
from ...spec.model import QueueConfig
from ...spec.observations import Observation
from ...spec.readings import Readings
from ..judge.book import Book
from ..judge.observe import look, record
from .backend import Backend, Declaration
from .in_process import InProcess, NoObservation, Scheduler, observation
from .told import broken, told
from .verdict import Broken, Status, Tested, judged


def assert_conforms(
    scheduler: Backend | Callable[[], Scheduler], *scenarios: Scenario, declared: Declaration | None = None
) -> list[Tested]:
    """Run scenarios and judge what is reported. `scheduler` is a backend, or what makes schedulers, a class say.

    `declared`: what the scheduler says of itself, if not its attribute `declaration`. A scenario that cannot be run is a
    failure too. Returns the verdicts, which say what came up.
    """
    __tracebackhide__ = True
    backend = _backend(scheduler, declared)
    says = declared or backend.declare()
    found = [judged(s, answer, says) for s, answer in zip(scenarios, backend.run(scenarios), strict=True)]
    for tested in found:
        if tested.status is not Status.PASSED:
            raise AssertionError(told(tested, name=says.name))
    return found


def assert_obeys(
    config: QueueConfig,
    seen: Iterable[Observation],
    *,
    claims: bool = False,
    choices: Mapping[str, str] | None = None,
    name: str = "the scheduler",
) -> Counter[str]:
    """Judge what a scheduler did, as observations in their order, from a queue without jobs on.

    `claims`: whether every claim is among them, else promises that rest on claims are judged in their weak form.
    `choices`: reading -> choice where AWS leaves something open. Returns how often each guarantee came up.
    """
    __tracebackhide__ = True
    book = Book(config, Readings().assuming(choices or {}), claims_known=claims, stages_known=True)
    counts: Counter[str] = Counter()
    so_far = list[Observation]()
    for number, reported in enumerate(seen, 1):
        try:
            what = observation(reported)
        except NoObservation as error:
            raise AssertionError(f"observation {number} of {name}: {error}") from None
        so_far.append(what)
        found = look(book, what, counts)
        if found is not None:
            raise AssertionError("\n".join(broken(Broken(len(so_far) - 1, found), so_far, name)))
        record(book, what)
    return +counts


def _backend(scheduler: Any, declared: Declaration | None) -> Backend:
    if isinstance(scheduler, type) or not hasattr(scheduler, "run"):
        return InProcess.of(scheduler, declared)
    return scheduler
