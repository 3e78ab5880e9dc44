"""A failure that was kept, run on its backend again: is it FIXED, does it still fail, or did something go wrong?

Trusted: nothing of the file; the backend runs the scenario as it would any other, and the trace is judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from ...spec.formats.scenario import Scenario
from ...spec.observations import Seen
from ...spec.readings import Readings
from ...spec.rules.guarantees import GUARANTEES
from ..judge.book import Book
from ..judge.observe import begun, record
from ..replay import KEPT, changed, jobs
from ..results import Began, Ended, Event, Result, Source, Step, Verdict
from .backend import Declaration
from .distinct import falsity
from .explicit import witness
from .features import lacking
from .opening import opened
from .repeat import surely
from .tested import tests
from .told import words
from .verdict import Broken, Status, Tested

_SECOND = 1000


@dataclass(frozen=True)
class Retried:
    """A scenario that a backend has run again. `backend` is the text that names it."""

    backend: str
    tested: Tested
    declared: Declaration
    seconds: float

    def seen(self) -> list[Seen]:
        """What happened, one second for each observation."""
        return [Seen(_SECOND * n, _SECOND * n, what) for n, what in enumerate(self.tested.seen, 1)]


def retried(scenario: Scenario, backend: str, *, keep: bool = False) -> Retried:
    """Run it, several times on a scheduler that lives in real time: one pass of it says little. `keep`: a real scheduler
    leaves its folder. Raises BackendError."""
    start = perf_counter()
    tried = opened(backend, keep=keep)
    try:
        declared = tried.declare()
        if declared.lanes and not lacking(scenario, declared.features):
            tested = surely(tried, declared, scenario)
        else:
            (tested,) = tests(tried, declared, [scenario])
    finally:
        tried.close()
    return Retried(backend, tested, declared, perf_counter() - start)


def told(run: Retried, path: str = "-", *, draws: bool = False) -> Iterator[Event]:
    """The run as a stream. `path` is where the scenario was read from; `draws`: it is told as a scenario, too."""
    yield _began(run.tested.scenario, run.backend, run.declared.choices, path)
    yield from _steps(run)
    yield from _results(run)
    if draws:
        yield witness("", run.tested, run.declared)
    yield Ended(run.seconds)


def cannot_run(scenario: Scenario, backend: str, why: str, path: str = "-") -> Iterator[Event]:
    """The stream where the backend cannot be used: nothing is said of the failure."""
    what, *more = why.splitlines()
    yield _began(scenario, backend, {}, path)
    yield Result((scenario.found and scenario.found.guarantee) or KEPT, Verdict.UNKNOWN, what, more=tuple(more))
    yield Ended(0.0)


def _began(scenario: Scenario, backend: str, choices: Mapping[str, str], path: str) -> Began:
    found = scenario.found
    did = f"broke {found.guarantee}" if found and found.guarantee else "went wrong"
    where = f"found in {found.backend}, which {did}; " if found else ""
    return Began(
        "replay",
        scenario.name,
        sources=(Source("-" if path == "-" else Path(path).name, path, "scenario"),),
        assumed=dict(choices),
        about=f"{where}run by {backend}",
        rests_on=scenario.rests_on,
        jobs=jobs(scenario),
        backends=(backend, *([found.backend] if found else [])),
    )


def _steps(run: Retried) -> Iterator[Step]:
    broken = {b.number: _fault(b) for b in run.tested.broken}
    impossible = {b.number for b in run.tested.broken if b.impossible}
    book = Book(run.tested.scenario.config, Readings().assuming(run.declared.choices), claims_known=run.declared.claims)
    before: dict[str, dict[str, int]] = {}
    for number, what in enumerate(run.tested.seen):
        (begun if number in impossible else record)(book, what)
        now = {share: {unit: book.usage(share, unit) for unit in book.now.units()} for share in book.now.shares}
        yield Step(number + 1, words(what), changed(before, now), broken.get(number, ""))
        before = now


def _results(run: Retried) -> Iterator[Result]:
    """One result for each promise that is broken; else one that says so, or why nothing can be said; and what broke once."""
    tested, found = run.tested, run.tested.scenario.found
    code = (found and found.guarantee) or KEPT
    match tested.status:
        case Status.FAILED:
            for broken in tested.codes:
                where = "" if tested.showing(broken) is tested else " of another run"
                step = f"step {tested.first(broken).number + 1}{where}"
                yield Result(broken, Verdict.BROKEN_HERE, falsity(tested, broken), step)
        case Status.PASSED:
            times = tested.exercised.get(code, 0)
            kept = Verdict.KEPT if found else Verdict.HOLDS_HERE
            yield Result(code, kept, "no step breaks a promise", count=times)
        case Status.FLAKY:
            pass
        case Status.SKIPPED | Status.ERRORED:
            hint = (f"Fix: {tested.hint}",) if tested.hint else ()
            what, *more = tested.why.splitlines() or ["it said nothing"]
            yield Result(code, Verdict.UNKNOWN, what, more=(*more, *hint))
    for flake in tested.flakes:
        yield Result(flake.code, Verdict.UNKNOWN, flake.why)


def _fault(broken: Broken) -> str:
    known = GUARANTEES[broken.code]
    follows = "follows from what is broken before: " if broken.follows else ""
    return f"{follows}{known.code} {known.name}: {broken.violation.sentence}"
