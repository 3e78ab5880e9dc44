"""Make a witness minimal: no step can be dropped and no number lowered with its play still showing what it shows.

Steps of one job are tried together first, then each alone, then sizes and priorities one by one; until nothing changes.
The queue stays as it is: the witness is about it. Compare `conform.shrink`, which makes the queue smaller as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...spec import events as ev
from ...spec.formats.scenario import Scenario, Step
from .play import play
from .reduce import jobs, lower, single, without


def smaller(scenario: Scenario) -> Iterator[Scenario]:
    """Every scenario that is one reduction smaller: a job's steps gone, one step gone, one number lower by one."""
    for gone in (*jobs(scenario), *single(scenario)):
        yield without(scenario, gone)
    yield from lower(scenario)
    yield from _same_size_lower(scenario)


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
