"""What one worker does at a time: a row of scenarios drawn by number, run by the backend, judged, and told in little.

The same numbers of the same seed are the same scenarios everywhere, so that a failure is told by its number. Trusted:
nothing of the backend; `judged` decides.
"""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast

from ...spec.formats.errors import shown
from ...spec.formats.scenario import Scenario
from ...spec.model import QueueConfig
from .backend import Backend, BackendError, Declaration
from .repeat import sure
from .verdict import Status, Tested, judged


@dataclass(frozen=True)
class Work:
    """One row of scenarios to try."""

    backend: str
    seed: int
    number: int
    """Of the batch."""
    first: int
    """Number of its first scenario."""
    size: int
    until: float | None = None
    """When to stop, in seconds since 1970; what is not begun by then is not tried."""
    config: QueueConfig | None = None
    """The queue of every scenario; None: any."""


@dataclass(frozen=True)
class Failure:
    """The shortest scenario of a batch that breaks a guarantee."""

    code: str
    number: int
    steps: int


@dataclass(frozen=True)
class Mishap:
    """A way in which scenarios of a batch went wrong, with the first of them."""

    failure: str
    why: str
    hint: str
    number: int
    count: int = 1


@dataclass(frozen=True)
class Once:
    """A guarantee that a scenario of a batch broke in one run and kept in others."""

    code: str
    number: int
    why: str


@dataclass(frozen=True)
class Untold:
    """Something that the scheduler was not told, in so many scenarios of a batch, and the first of them."""

    what: str
    instead: str
    number: int
    count: int = 1


@dataclass(frozen=True)
class Batch:
    """What became of one row."""

    number: int
    tried: int
    """Scenarios, from its first."""
    events: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict[str, int])
    exercised: Mapping[str, int] = field(default_factory=dict[str, int])
    broken: Mapping[str, int] = field(default_factory=dict[str, int])
    """Guarantee -> scenarios that break it."""
    failures: tuple[Failure, ...] = ()
    mishaps: tuple[Mishap, ...] = ()
    flakes: tuple[Once, ...] = ()
    losses: tuple[Untold, ...] = ()

    def form(self) -> dict[str, Any]:
        """As a line of the journal."""
        return asdict(self)

    @classmethod
    def read(cls, form: Mapping[str, Any]) -> Batch:
        """A line of the journal. Raises ValueError, TypeError or KeyError where it is none."""
        for key, value in form.items():
            _whole(key, value, _TYPES[key])
        known = {k: form[k] for k in ("number", "tried", "events", "statuses", "exercised", "broken")}
        return cls(
            **known,
            failures=tuple(Failure(**f) for f in form["failures"]),
            mishaps=tuple(Mishap(**m) for m in form["mishaps"]),
            flakes=tuple(Once(**f) for f in form["flakes"]),
            losses=tuple(Untold(**lost) for lost in form["losses"]),
        )


_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("number", "tried", "events", "steps", "count"), int),
    **dict.fromkeys(("failures", "mishaps", "flakes", "losses"), list),
    **dict.fromkeys(("statuses", "exercised", "broken"), dict),
    **dict.fromkeys(("code", "failure", "why", "hint", "what", "instead"), str),
}  # fmt: skip


def _whole(key: str, value: Any, kind: type) -> None:
    """Raise TypeError, ValueError or KeyError unless a value of the journal is what was written there."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f"{key} is {shown(value)}")
    if isinstance(value, int) and value < 0:
        raise ValueError(f"{key} is {value}")
    if isinstance(value, dict):
        for name, count in cast("dict[str, Any]", value).items():
            _whole(f"{key}, {name}", count, int)
    for part in cast("list[Any]", value) if isinstance(value, list) else ():
        for name, inner in dict[str, Any](part).items():
            _whole(f"{key}, {name}", inner, _TYPES[name])


def tried(work: Work, started: Backend | None = None) -> Batch:
    """Do it, on a backend that was started or on one of its own. A backend that cannot be used makes the whole row go
    wrong; nothing is raised."""
    from .opening import opened

    try:
        if started is not None:
            return _tried(work, started, started.declare())
        backend = opened(work.backend)
        try:
            with uncollected():
                return _tried(work, backend, backend.declare())
        finally:
            backend.close()
    except BackendError as error:
        return lost(work, Mishap("cannot-start", str(error), error.fix, work.first, work.size))


@contextmanager
def uncollected() -> Generator[None]:
    """A row leaves nothing behind that refers to itself: looking for it would cost a tenth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def lost(work: Work, mishap: Mishap) -> Batch:
    """A row of which nothing came back."""
    return Batch(work.number, work.size, statuses={Status.ERRORED.value: work.size}, mishaps=(mishap,))


def _tried(work: Work, backend: Backend, declared: Declaration) -> Batch:
    from .drawing import drawn

    tally = Tally()
    if work.until is not None and time.time() >= work.until:
        return tally.batch(work.number)
    scenarios = [drawn(work.seed, work.first + k, declared, work.config) for k in range(work.size)]
    told = (
        judged(scenario, answer, declared) for scenario, answer in zip(scenarios, backend.run(scenarios), strict=True)
    )
    for number, tested in enumerate(sure(backend, declared, list(told)) if declared.lanes else told):
        tally.take(work.first + number, tested)
        if work.until is not None and time.time() >= work.until and not declared.lanes:
            break
    return tally.batch(work.number)


class Tally:
    """Counts what became of scenarios, and keeps the shortest that breaks each guarantee."""

    def __init__(self) -> None:
        self.tried = self.events = 0
        self.statuses: Counter[str] = Counter()
        self.exercised: Counter[str] = Counter()
        self.broken: Counter[str] = Counter()
        self._failures: dict[str, Failure] = {}
        self._mishaps: dict[str, Mishap] = {}
        self._flakes: list[Once] = []
        self._losses: list[Untold] = []

    def take(self, number: int, tested: Tested) -> None:
        self.tried += 1
        self.events += len(tested.seen)
        self.statuses[tested.status.value] += 1
        self.exercised.update(tested.exercised)
        self.broken.update(tested.codes)
        for code in tested.codes:
            here = Failure(code, number, length(tested.scenario))
            known = self._failures.get(code)
            if known is None or here.steps < known.steps:
                self._failures[code] = here
        self._flakes += [Once(f.code, number, f.why) for f in tested.flakes]
        self._losses += [Untold(lost.what, lost.instead, number) for lost in tested.losses]
        if tested.status is Status.ERRORED:
            known = self._mishaps.get(tested.failure)
            first = known or Mishap(tested.failure, tested.why, tested.hint, number, 0)
            self._mishaps[tested.failure] = Mishap(first.failure, first.why, first.hint, first.number, first.count + 1)

    def batch(self, number: int) -> Batch:
        return Batch(
            number, self.tried, self.events, dict(self.statuses), dict(self.exercised), dict(self.broken),
            tuple(self._failures.values()), tuple(self._mishaps.values()), tuple(self._flakes), summed(self._losses),
        )  # fmt: skip


def summed(losses: Iterable[Untold]) -> tuple[Untold, ...]:
    """Each loss once, with the first scenario and their number."""
    found: dict[tuple[str, str], Untold] = {}
    for lost in losses:
        key = (lost.what, lost.instead)
        known = found.get(key)
        found[key] = replace(known, count=known.count + lost.count) if known else lost
    return tuple(found.values())


def length(scenario: Scenario) -> int:
    """How long a scenario is to a reader."""
    return len(scenario.steps)
