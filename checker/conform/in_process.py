"""A scheduler that is an object of this process, by the two methods that it must have, and how it becomes a backend.

`Scheduler` is what people write who test their own scheduler in Python; `InProcess` runs scenarios on it, a new one for
each. Trusted: nothing; what it raises and what it reports are its own faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from traceback import extract_tb
from typing import Any, Protocol, cast, get_args, runtime_checkable

from ...reference.run import GoesRound
from ...spec import events as ev
from ...spec.formats.scenario import Expect, Scenario, Step
from ...spec.model import QueueConfig
from ...spec.observations import Observation, Preempted, Reached, Submitted
from .backend import Answer, BackendError, Declaration, Report, Unable

MOST = 5_000
"""Observations of one step, at most: a scheduler that reports more does not settle."""
_OBSERVATIONS = frozenset(get_args(Observation))
_SEEN_AS: Mapping[type[Any], type[Any]] = {ev.Submit: Submitted, ev.Advance: Reached, ev.Stopped: Preempted}
"""Steps that are not their own observation."""
RAISED = (Exception, SystemExit, GeneratorExit)
"""What a scheduler in this process may raise, and all of it is its own fault. A KeyboardInterrupt is the user's."""


class Scheduler(Protocol):
    """A scheduler that is told one step after another."""

    def configure(self, config: QueueConfig) -> object:
        """Begin with this queue, without jobs."""
        ...

    def step(self, step: Step) -> Iterable[Observation]:
        """Do a step and say what happens because of it, in order: the step itself first, nothing for one that is
        impossible as things stand; after `Settle` what the scheduler does, and `Settled` at the end."""
        ...


@runtime_checkable
class Lending(Protocol):
    """What a scheduler has beside, where its capacity is per lender."""

    def lender(self, job: str) -> str:
        """The share whose machines a job runs on that was dispatched."""
        ...


class NoObservation(TypeError):
    """Something else than an observation was reported."""


class NeverSettles(RuntimeError):
    """One step has no end."""


def observation(what: object) -> Observation:
    """What an object of this process calls an observation: one of just these kinds. Raises NoObservation."""
    if type(what) in _OBSERVATIONS:
        return cast("Observation", what)
    instead = _SEEN_AS.get(type(what))
    hint = f", {instead.__name__} in its place" if instead else ""
    raise NoObservation(
        f"it reported {short(what)}, which is no observation: quotaproof.spec.observations lists them{hint}"
    )


def short(value: object) -> str:
    """A value in a message."""
    try:
        text = repr(value)
    except RAISED:
        text = f"a {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:80]}..."


def reported(scheduler: Scheduler, step: Step) -> Iterator[Observation]:
    """What a scheduler reports of one step. Raises NoObservation, NeverSettles, and what the scheduler raises."""
    if isinstance(step, Expect):
        return
    for number, what in enumerate(scheduler.step(step)):
        found = observation(what)
        if number >= MOST:
            raise NeverSettles(f"one step, {step}, had more than {MOST:,} observations")
        yield found


def lender(scheduler: Scheduler, what: Observation) -> Iterator[str]:
    """Of a dispatch that was reported last, whose machines the job runs on, where the scheduler says so."""
    if isinstance(what, ev.Dispatch) and isinstance(scheduler, Lending):
        yield str(scheduler.lender(what.job))


@dataclass(frozen=True)
class InProcess:
    """A backend whose scheduler is an object; `make` makes one that is told nothing yet."""

    make: Callable[[], Scheduler]
    declared: Declaration

    @classmethod
    def of(cls, make: Callable[[], Scheduler], declared: Declaration | None = None) -> InProcess:
        """The backend of what makes schedulers, a class say. What it declares may be its attribute `declaration`."""
        if not callable(make):
            raise BackendError(f"{make!r} makes no scheduler", why="Each scenario is run by a new one.",
                               fix="give the class, not an object of it, or a function without arguments.")  # fmt: skip
        given = declared or getattr(make, "declaration", None)
        if not isinstance(given, Declaration):
            given = Declaration(getattr(make, "__name__", type(make).__name__))
        return cls(make, given)

    def declare(self) -> Declaration:
        return self.declared

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        for scenario in scenarios:
            seen, lenders = list[Observation](), list[str]()
            try:
                scheduler = self.make()
                scheduler.configure(scenario.config)
                for step in scenario.steps:
                    for what in reported(scheduler, step):
                        lenders += lender(scheduler, what)
                        seen.append(what)
            except RAISED as error:
                yield replace(unable(error, seen), lenders=lenders)
            else:
                yield Report(seen, lenders)

    def close(self) -> None:
        """There is nothing to end."""


def unable(error: BaseException, seen: Sequence[Observation] = ()) -> Unable:
    """The answer for a scenario in which a scheduler raised this."""
    if isinstance(error, GoesRound):
        return Unable(f"it goes round: {error}", code="never-settles", seen=seen)
    if isinstance(error, NeverSettles):
        return Unable(str(error), code="never-settles", seen=seen)
    if isinstance(error, NoObservation):
        return Unable(str(error), code="garbage", seen=seen)
    code = "exited" if isinstance(error, SystemExit | GeneratorExit) else "raised"
    return Unable(f"it raised {raised(error)}", code=code, seen=seen)


def raised(error: BaseException) -> str:
    """What was raised, and where."""
    at = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} (at {Path(at.filename).name}:{at.lineno})"
