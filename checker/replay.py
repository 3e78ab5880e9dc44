"""`replay`: one scenario to one stream of events, by way of a play. Nothing here judges; the play does.

A broken promise is a result of its guarantee, an expectation one of `EXPECT`, and `SHOWS` says whether the scenario shows
what it says. A failure of a backend that was kept is run on that backend instead: `conform.retry`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from ..spec.rules.guarantees import GUARANTEES
from .results import Began, Ended, Event, Result, Source, Step, Verdict, Witness

if TYPE_CHECKING:
    from ..spec.formats.scenario import Breaks, Scenario
    from ..spec.formats.scenario import Step as ScenarioStep
    from .witness.play import Line, Played

EXPECT, SHOWS = "EXPECT", "SHOWS"
KEPT = "KEPT"
"""Code of the result that no step breaks a promise."""
_MET = "as expected"
Usage = Mapping[str, Mapping[str, int]]

_HOW = {
    "step": "the last step breaks it",
    "stuck": "{job} waits and nothing can move",
    "lasso": "{job} waits while the last steps go round for ever",
    "circle": "scheduler and drains alone go round for ever",
}


def replay(
    scenario: Scenario, path: str = "-", *, keep: Callable[[Played], None] | None = None, draws: bool = False
) -> Iterator[Event]:
    """Play `scenario`, which was read from `path`, and tell it. `keep` is given the play before anything is told; `draws`: it
    is told as a scenario, too."""
    from .witness.play import play

    start = perf_counter()
    played = play(scenario)
    if keep is not None:
        keep(played)
    yield Began(
        "replay",
        scenario.name,
        sources=(Source("-" if path == "-" else Path(path).name, path, "scenario"),),
        assumed=dict(scenario.readings.chosen),
        about=scenario.about,
        rests_on=scenario.rests_on,
        jobs=jobs(scenario),
    )
    yield from _steps(played)
    yield from _results(played)
    if draws:
        from ..spec.formats.scenario import as_form

        yield Witness("", as_form(scenario))
    yield Ended(perf_counter() - start, unusable=played.unusable)


def not_in_a_trace(played: Played) -> str:
    """Why an audit of the play's trace does not find what the scenario breaks; '' when it does."""
    breaks = played.scenario.breaks
    if breaks is None or not played.shows or breaks.how == "step" or played.unserved is not None:
        return ""
    if breaks.how == "stuck":
        return (
            f"An audit of it finds no broken {breaks.guarantee}: no step is at fault, the configuration is, and with these "
            f"limits no scheduler could serve {breaks.job}."
        )
    return (
        f"An audit of it finds no broken {breaks.guarantee}: a trace ends, and does not show what goes round for ever."
    )


def jobs(scenario: Scenario) -> tuple[str, ...]:
    """The names of the jobs that the scenario speaks of, in order, each once."""
    from ..spec.formats.scenario import Expect

    found: list[str] = []
    for step in scenario.steps:
        for f in fields(step):
            value = getattr(step, f.name)
            if f.name == "job":
                found.append(value)
            elif isinstance(value, tuple) or (isinstance(step, Expect) and f.name in ("preemptions", "reasons")):
                found += value or ()
    if scenario.breaks is not None:
        found.append(scenario.breaks.job)
    return tuple(dict.fromkeys(name for name in found if name))


def _steps(played: Played) -> Iterator[Step]:
    from ..spec.formats.scenario import Expect
    from .witness.words import expected, words

    before: Usage = {}
    looped, last = False, 0
    for line in played.lines:
        loops = not looped and line.number == played.scenario.repeats_from
        looped = looped or loops
        step = played.scenario.steps[line.number - 1]
        for number in range(last + 1, line.number):
            yield Step(number, _nothing(played.scenario.steps[number - 1]))
        last = line.number
        if line.event is None:
            asked = expected(step) if isinstance(step, Expect) and line.note == _MET else ""
            yield Step(line.number, f"expect: {asked}: {line.note}" if asked else f"expect: {line.note}", loops=loops)
        else:
            broken = str(line.violation) if line.violation is not None else ""
            in_use = changed(before, line.usage)
            yield Step(line.number, words(line.event), in_use, broken, line.note, loops)
        before = {**before, **line.usage}


def _nothing(step: ScenarioStep) -> str:
    """A step at which nothing happened."""
    from ..spec.formats.scenario import Settle

    alone = isinstance(step, Settle) and not step.drains
    return "nothing happens: the scheduler has nothing to do" if alone else "nothing happens: nobody has anything to do"


def changed(before: Usage, after: Usage) -> str:
    """What is in use now, where that changed."""
    return ", ".join(
        f"{share} {'+'.join(map(str, now.values())) or 0}"
        for share, now in after.items()
        if any(now.values()) or share in before
        if now != before.get(share)
    )


def _results(played: Played) -> Iterator[Result]:
    breaks = played.scenario.breaks
    if played.scenario.promise and played.shows:
        yield from _promise(played.scenario)
    elif breaks is not None and played.shows:
        yield Result(breaks.guarantee, Verdict.BROKEN, how(breaks), breaks.job, more=tuple(_why(played, breaks)))
    else:
        yield from _kept(played)
    for line in played.lines:
        if line.event is None and line.note == _MET:
            yield Result(EXPECT, Verdict.HOLDS_HERE, line.note, f"step {line.number}")
    for wrong in played.wrong:
        if wrong == played.unconfirmed:
            yield Result(SHOWS, Verdict.BROKEN, wrong)
        else:
            step, _, because = wrong.partition(": ")
            yield Result(EXPECT, Verdict.BROKEN, because, step)


def _promise(scenario: Scenario) -> Iterator[Result]:
    """The promise of an organisation that is broken when everything is as expected."""
    why = str(getattr(scenario.steps[-1], "why", "")).removeprefix(f"{scenario.promise}: ")
    yield Result(scenario.promise, Verdict.BROKEN, why or "as expected at the end", more=(scenario.about,))


def _kept(played: Played) -> Iterator[Result]:
    """The promises that steps break, or that none does."""
    for line in played.lines:
        if line.violation is not None:
            because = f"{line.violation.event}: {line.violation.sentence}"
            yield Result(line.violation.code, Verdict.BROKEN, because, f"step {line.number}")
    if not played.violations:
        yield Result(KEPT, Verdict.HOLDS_HERE, "no step breaks a promise")
    for one in played.unpromised:
        yield Result(one.code, Verdict.NOT_APPLICABLE, one.sentence, one.job)


def how(breaks: Breaks) -> str:
    """How a guarantee is broken."""
    return _HOW[breaks.how].format(job=breaks.job)


def _why(played: Played, breaks: Breaks) -> Iterator[str]:
    """What the promise is, and why the suffering job cannot start."""
    yield GUARANTEES[breaks.guarantee].sentence
    if played.because:
        yield f"{breaks.job} cannot start: {played.because}."
    if breaks.how == "stuck":
        yield "Nobody borrows what it lacks, so nobody can be stopped for it."
    other = next((line.number for line in played.lines if _differs(line)), None)
    if other is not None:
        yield (
            "Every step is one that AWS's text allows; quotaproof's reference scheduler would choose otherwise at "
            f"step {other}."
        )


def _differs(line: Line) -> bool:
    return line.note.startswith("the reference would")
