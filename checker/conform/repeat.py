"""A backend that lives in real time may decide otherwise the second time: what fails on it is run again before it counts.

A promise is broken where it is broken in two runs of one scenario. What is broken in one and kept in all others is a
*flake*: told with what was different, never a failure and never a pass. Trusted: nothing; every run is judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

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
    """What all runs of one scenario amount to: the one in which most of it was seen."""
    if len(runs) == 1:
        return runs[0]
    times = _times(runs)
    often = {code for code, n in times.items() if n >= SEEN}
    if not times:
        return next((t for t in runs if t.status is Status.ERRORED), runs[0])
    best = max(runs, key=lambda t: (len(often & set(t.codes)), t.status is Status.FAILED))
    kept = tuple(b for b in best.broken if b.code in often)
    told = {b.code for b in kept}
    flakes = tuple(Flake(code, _why(code, n, runs)) for code, n in times.items() if code not in told)
    if kept:
        return replace(best, broken=kept, flakes=flakes)
    return replace(best, status=Status.FLAKY, broken=(), flakes=flakes)


def _why(code: str, times: int, runs: Sequence[Tested]) -> str:
    """What was false, how often, and where a run that kept the promise went another way."""
    broke = next(t for t in runs if code in t.codes)
    first = broke.first(code)
    said = f"broken in {times} of {len(runs)} runs: {words(broke.seen[first.number])}: {first.violation.sentence}"
    others = [t for t in runs if code not in t.codes]
    wrong = sum(t.status is Status.ERRORED for t in others)
    kept = next((t for t in others if t.status is not Status.ERRORED), None)
    said += f"; {wrong} went wrong" if wrong else ""
    return said if kept is None else f"{said}. {' '.join(_parting(broke.seen, kept.seen))}"


def _parting(broke: Sequence[Observation], kept: Sequence[Observation]) -> Iterator[str]:
    """Where two runs part."""
    at = next((n for n, (a, b) in enumerate(zip(broke, kept, strict=False)) if a != b), min(len(broke), len(kept)))
    there, here = (words(seen[at]) if at < len(seen) else "its end" for seen in (broke, kept))
    if at == len(broke) == len(kept):
        yield "A run that kept it told the same: it is the machines that differ."
    else:
        yield f"A run that kept it parts from this one at observation {at + 1}: there {here}, here {there}."
