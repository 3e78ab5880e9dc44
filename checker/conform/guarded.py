"""A backend that is somebody's object in this process, held to its word: one answer for each scenario, each of them one.

What it raises, `SystemExit` too, what it answers that is no answer, too few answers and too many are its own faults: they
are told of the scenario in which they happen, and those that follow are asked for anew. After `FAILURES` in a row it is
given up. Trusted: nothing of the backend, except that it comes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, cast, get_args

from ...spec.formats.scenario import Scenario
from ...spec.observations import Observation
from ..conformed import Capacity
from .backend import Answer, Backend, BackendError, Bounds, Declaration, Loss, Report, Unable
from .failures import GivenUp
from .in_process import RAISED, observation, raised, short, unable
from .protocol import MOST

FAILURES = 3
"""In a row, after which it is not asked again."""
_FIX = "quotaproof.checker.conform.backend says what each method does."


class Guarded:
    """The backend that was named `name`."""

    def __init__(self, backend: Backend, name: str) -> None:
        self._backend, self._name = backend, name
        self._failures, self._last = 0, ""

    def declare(self) -> Declaration:
        """What it says of itself. Raises BackendError."""
        try:
            found: Any = self._backend.declare()
        except RAISED as error:
            raise BackendError(f"{self._name} cannot say what it is", why=raised(error), fix=_FIX) from error
        if not isinstance(found, Declaration) or not _is_sound(found):
            raise BackendError(f"{self._name} does not say what it is", why=f"declare() gave {short(found)}.",
                               fix="give a Declaration: its name a text, claims True or False.")  # fmt: skip
        return found

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        """One answer for each scenario, in their order."""
        done = 0
        while done < len(scenarios):
            if self._failures > FAILURES:
                yield GivenUp(f"it failed {self._failures} times in a row, the last time: {self._last}").unable()
                done += 1
                continue
            for answer, failed in self._asked(scenarios[done:]):
                done += 1
                self._failures = self._failures + 1 if failed else 0
                if failed and isinstance(answer, Unable):
                    self._last = answer.why
                yield answer

    def _asked(self, scenarios: Sequence[Scenario]) -> Iterator[tuple[Answer, bool]]:
        """Answers up to the first fault; whether it is one."""
        try:
            answers = iter(cast("Any", self._backend.run(scenarios)))
        except RAISED as error:
            yield unable(error), True
            return
        for left in range(len(scenarios) - 1, -1, -1):
            answer, goes_on = self._next(answers)
            if goes_on and not left and (extra := self._extra(answers)):
                answer, goes_on = extra, False
            yield answer, not goes_on
            if not goes_on:
                return

    def _next(self, answers: Iterator[Any]) -> tuple[Answer, bool]:
        try:
            return _checked(next(answers))
        except StopIteration:
            return Unable("it gave fewer answers than it was given scenarios", code="invalid-message", hint=_FIX), False
        except RAISED as error:
            return unable(error), False

    def _extra(self, answers: Iterator[Any]) -> Unable | None:
        """What is wrong after the last answer."""
        try:
            next(answers)
        except StopIteration:
            return None
        except RAISED as error:
            return unable(error)
        return Unable("it gave more answers than it was given scenarios", code="out-of-order", hint=_FIX)

    def close(self) -> None:
        """End it. Raises BackendError."""
        try:
            self._backend.close()
        except RAISED as error:
            raise BackendError(f"{self._name} cannot be closed", why=raised(error), fix=_FIX) from error


def _checked(answer: Any) -> tuple[Answer, bool]:
    """The answer if it is one, and whether those that follow can be trusted to be of their scenarios."""
    if not isinstance(answer, Report | Unable):
        return Unable(f"it answered {short(answer)}, which is no answer", code="invalid-message", hint=_FIX), False
    seen = list[Observation]()
    try:
        for what in islice(cast("Any", answer.seen), MOST + 1):
            seen.append(observation(what))
    except RAISED as error:
        return unable(error, seen), True
    if len(seen) > MOST:
        return Unable(f"it reported more than {MOST:,} observations", code="too-much-output"), True
    try:
        lenders = tuple(str(name) for name in islice(answer.lenders, MOST + 1))
        losses = tuple(Loss(str(lost.what), str(lost.instead)) for lost in islice(getattr(answer, "losses", ()), MOST))
    except RAISED as error:
        return unable(error, seen), True
    if isinstance(answer, Report):
        return Report(seen, lenders, losses), True
    return Unable(str(answer.why), bool(answer.skipped), str(answer.code), str(answer.hint), seen, lenders), True


def _is_sound(d: Declaration) -> bool:
    """Whether everything is of the type that it says."""
    values: tuple[tuple[Any, Any], ...] = (
        (d.name, str), (d.version, str), (d.features, frozenset | set | None), (d.claims, bool), (d.choices, Mapping),
        (d.own_time, bool), (d.issue_url, str), (d.deadline, int | None), (d.capacity, str), (d.profile, str),
        (d.lanes, int), (d.bounds, Bounds),
    )  # fmt: skip
    sound = all(isinstance(value, kind) for value, kind in values)
    return bool(d.name) and sound and d.capacity in get_args(Capacity)
