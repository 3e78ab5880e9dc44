"""A backend that lives in real time may decide otherwise the second time: what fails on it is run again before it counts.

A promise is broken where it is broken in two runs of one scenario, whatever else those break. What is broken in one and kept
in all others is a *flake*: told with what was different, never a failure and never a pass. Where a run of them went wrong,
nobody can say that it kept the promise: the scenario went wrong, and the flake is told beside. Trusted: nothing; every run
is judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ...spec import events as ev
from ...spec.formats.scenario import Scenario
from ...spec.observations import Observation
from .backend import Answer, Backend, Declaration
from .told import words
from .verdict import Flake, Status, Tested, judged

AGAIN = 4
"""More runs of a scenario in which a promise was broken once."""
SEEN = 2
"""In so many runs it must be broken to count."""


def answers_in_waves(backend: Backend, given: Sequence[Scenario], far: Callable[[str], None] | None) -> list[Answer]:
    """All answers, in order, asked for in the order in which they come; `far` is told how many have."""
    from .real.playing import in_waves

    order, answers = in_waves(given), dict[int, Answer]()
    many = f"{len(given):,}"
    if far is not None:
        far(f"{many} scenarios to play")
    for number, answer in zip(order, backend.run([given[n] for n in order]), strict=True):
        answers[number] = answer
        if far is not None:
            far(f"{len(answers):,} of {many} played")
    return [answers[number] for number in range(len(given))]


def sure(backend: Backend, declared: Declaration, tested: Sequence[Tested]) -> list[Tested]:
    """Each as it is to be believed. Only what lives in real time is run again, and of that only what has failed."""
    runs = [[t] for t in tested]
    if declared.lanes:
        for more in (1, AGAIN - 1):
            _run_again(backend, declared, [r for r in runs if _is_open(r)], more)
    return [believed(r) for r in runs]


def surely(backend: Backend, declared: Declaration, scenario: Scenario) -> Tested:
    """One scenario, run so often that what is seen can be believed."""
    times = 1 + AGAIN if declared.lanes else 1
    return believed([judged(scenario, answer, declared) for answer in backend.run([scenario] * times)])


def _run_again(backend: Backend, declared: Declaration, runs: Sequence[list[Tested]], times: int) -> None:
    every = [of for of in runs for _ in range(times)]
    for of, answer in zip(every, backend.run([of[0].scenario for of in every]) if every else (), strict=True):
        of.append(judged(of[0].scenario, answer, declared))


def _is_open(runs: Sequence[Tested]) -> bool:
    """Whether something was broken too seldom to be sure."""
    return any(n < SEEN for n in _times(runs).values())


def _times(runs: Sequence[Tested]) -> Counter[str]:
    return Counter(code for tested in runs for code in tested.codes)


def believed(runs: Sequence[Tested]) -> Tested:
    """What all runs of one scenario amount to: the one in which most of what counts was seen, with those that show more."""
    if len(runs) == 1:
        return runs[0]
    times = _times(runs)
    flakes = tuple(Flake(code, _why(code, runs)) for code, n in times.items() if n < SEEN)
    showing = list(_showing(runs, {code for code, n in times.items() if n >= SEEN}))
    if showing:
        return replace(showing[0], others=tuple(showing[1:]), flakes=flakes)
    wrong = next(filter(_went_wrong, runs), None)
    if wrong is not None:
        return replace(wrong, status=Status.ERRORED, broken=(), flakes=flakes)
    if not flakes:
        return runs[0]
    broke = next(t for t in runs if t.codes)
    return replace(broke, status=Status.FLAKY, broken=(), flakes=flakes)


def _went_wrong(tested: Tested) -> bool:
    """Whether a run did not come to its end, broken promises or none before."""
    return tested.status is Status.ERRORED or (tested.status is Status.FAILED and bool(tested.why))


def _showing(runs: Sequence[Tested], often: set[str]) -> Iterator[Tested]:
    """As few runs as show everything that is broken often, each with nothing else and nothing that one before it shows."""
    while often:
        best = max(runs, key=lambda t: len(often & set(t.codes)))
        yield replace(best, broken=tuple(b for b in best.broken if b.code in often))
        often = often - set(best.codes)


def _why(code: str, runs: Sequence[Tested]) -> str:
    """What was false in one of the runs, and where a run that kept the promise went another way."""
    broke = next(t for t in runs if code in t.codes)
    first = broke.first(code)
    said = f"broken in 1 of {len(runs)} runs: {words(broke.seen[first.number])}: {first.violation.sentence}"
    others = [t for t in runs if t is not broke]
    wrong = sum(map(_went_wrong, others))
    kept = next((t for t in others if not _went_wrong(t)), None)
    said += f"; {wrong} went wrong" if wrong else ""
    return said if kept is None else f"{said}. {_parting(broke, kept)}"


def _parting(broke: Tested, kept: Tested) -> str:
    """Where two runs part: in what is told, or only in whose machines a job runs on."""
    there, here = list(_events(kept)), list(_events(broke))
    at = next((n for n, (a, b) in enumerate(zip(there, here, strict=False)) if a != b), min(len(there), len(here)))
    if at == len(there) == len(here):
        return "A run that kept it told the same."
    this, that = (_said(*seen[at]) if at < len(seen) else "its end" for seen in (there, here))
    return f"A run that kept it parts from this one at observation {at + 1}: there {this}, here {that}."


def _said(what: Observation, lender: str) -> str:
    return f"{words(what)} on the machines of {lender}" if lender else words(what)


def _events(tested: Tested) -> Iterator[tuple[Observation, str]]:
    """Each observation, a dispatch with whose machines the job runs on."""
    lenders = iter(tested.lenders)
    for what in tested.seen:
        yield what, next(lenders, "") if isinstance(what, ev.Dispatch) else ""
