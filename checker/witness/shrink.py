"""Make a witness minimal: no step can be dropped and no number lowered with its play still showing what it shows.

Steps of one job are tried together first, then each alone, then sizes and priorities one by one; until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...spec import events as ev
from ...spec.formats.scenario import Scenario, Step
from .play import play


def smaller(scenario: Scenario) -> Iterator[Scenario]:
    """Every scenario that is one reduction smaller: a job's steps gone, one step gone, one number lower by one."""
    jobs = dict.fromkeys(step.job for step in scenario.steps if isinstance(step, ev.Submit))
    for job in jobs:
        kept = [i for i, step in enumerate(scenario.steps) if not _concerns(step, job)]
        yield _with(scenario, kept)
    for gone in range(len(scenario.steps)):
        yield _with(scenario, [i for i in range(len(scenario.steps)) if i != gone])
    for i, step in enumerate(scenario.steps):
        for lower in _lower(step):
            steps = (*scenario.steps[:i], lower, *scenario.steps[i + 1 :])
            yield replace(scenario, steps=steps)
    yield from _same_size_lower(scenario)


def _concerns(step: Step, job: str) -> bool:
    if isinstance(step, ev.Claim):
        return step.job == job
    return getattr(step, "job", None) == job


def _with(scenario: Scenario, kept: list[int]) -> Scenario:
    steps = tuple(scenario.steps[i] for i in kept)
    repeats = scenario.repeats_from
    if repeats is not None:
        repeats = 1 + sum(i < repeats - 1 for i in kept)
    return replace(scenario, steps=steps, repeats_from=repeats)


def _lower(step: Step) -> Iterator[Step]:
    if isinstance(step, ev.Submit):
        for unit, n in step.size.items():
            if n > 1:
                yield replace(step, size={**step.size, unit: n - 1})
            elif len(step.size) > 1:
                yield replace(step, size={u: k for u, k in step.size.items() if u != unit})
        if step.priority:
            yield replace(step, priority=step.priority - 1)
        if step.retries:
            yield replace(step, retries=step.retries - 1)
    if isinstance(step, ev.Claim):
        for victim in step.victims:
            yield replace(step, victims=tuple(v for v in step.victims if v != victim))


def _same_size_lower(scenario: Scenario) -> Iterator[Scenario]:
    """Jobs that stand for each other in a loop must shrink together, or the state does not come back."""
    submits = [(i, s) for i, s in enumerate(scenario.steps) if isinstance(s, ev.Submit)]
    kinds = {(s.share, tuple(sorted(s.size.items()))) for _, s in submits}
    for share, size in sorted(kinds):
        group = [i for i, s in submits if s.share == share and tuple(sorted(s.size.items())) == size]
        for unit, n in size:
            if n > 1 and len(group) > 1:
                steps = [_resized(s, unit, n - 1) if i in group else s for i, s in enumerate(scenario.steps)]
                yield replace(scenario, steps=tuple(steps))


def _resized(step: Step, unit: str, n: int) -> Step:
    assert isinstance(step, ev.Submit)
    return replace(step, size={**step.size, unit: n})


def shrink(scenario: Scenario) -> Scenario:
    """The smallest scenario reachable by reductions that still shows it. The scenario must show it to begin with."""
    progress = True
    while progress:
        progress = False
        for candidate in smaller(scenario):
            if candidate.steps and play(candidate).shows:
                scenario, progress = candidate, True
                break
    return scenario
