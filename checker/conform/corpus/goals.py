"""The generated part of the corpus: few small scenarios in which every guard is open and shut by each of its clauses.

A *target* is a mark of `cover` or a guarantee. For each one that is not reached yet, the rarest first, the
shortest of many drawn scenarios that reach it is taken and cut down to what still reaches it. Trusted: the reference,
which runs them; tests ask again what the files reach.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ....spec import events as ev
from ....spec.formats.scenario import Scenario, Settle
from ....spec.model import QueueConfig
from ....spec.rules.guarantees import GUARANTEES
from ...generate.choices import Seeded
from ...generate.scenarios import scenario as drawn
from ..portable import why_not
from ..reference import Reference
from ..verdict import Status, judged
from .cover import marks, reached

UNREACHED = frozenset({"dispatch.share-enabled"})
"""Marks that only a reading reaches that is not the default."""
_REFERENCE = Reference()
_DRAWN = 1500
_RESTS_ON: Mapping[str, str] = {
    "claim": "A58", "dispatch": "rule 26", "finish": "rule 29", "hold": "A23", "in-share": "rule 39", "preempt": "rule 36",
    "release": "A56", "return": "rule 18", "stop": "rule 46", "submit": "rule 50", "yield": "A15",
}  # fmt: skip


@dataclass(frozen=True)
class Ran:
    """What a scenario comes to under the reference."""

    scenario: Scenario
    exercised: frozenset[str]
    reached: frozenset[str]

    @property
    def targets(self) -> frozenset[str]:
        return self.exercised | self.reached


def ran(scenario: Scenario) -> Ran | None:
    """What it reaches; None for one without jobs, that no other backend could run, or that the reference does not pass."""
    if why_not(scenario) or not any(isinstance(step, ev.Submit) for step in scenario.steps):
        return None
    (answer,) = _REFERENCE.run([scenario])
    tested = judged(scenario, answer, _REFERENCE.declare())
    if tested.status is not Status.PASSED:
        return None
    return Ran(scenario, frozenset(tested.exercised), reached(scenario, tested.seen))


def targets() -> frozenset[str]:
    """Everything that must be reached."""
    return (marks() - UNREACHED) | frozenset(GUARANTEES)


def generated(seed: int = 0) -> Iterator[Scenario]:
    """Scenarios that together reach every target; ValueError when the draws do not."""
    pool = list(_pool(seed))
    often = Counter(target for one in pool for target in one.targets)
    left = set(targets())
    for target in sorted(left, key=lambda t: (often[t], t)):
        if target not in left:
            continue
        found = [one for one in pool if target in one.targets]
        if not found:
            raise ValueError(f"{target} is reached by none of {len(pool)} drawn scenarios")
        start = min(found, key=lambda one: (len(one.scenario.steps), one.scenario.name))
        small = _cut(start, target)
        left -= small.targets
        yield _named(small, target)


def _pool(seed: int) -> Iterator[Ran]:
    for number in range(_DRAWN):
        one = ran(replace(drawn(Seeded(random.Random(f"{seed} {number}")), fewest=5, most=30), name=f"{number:04}"))
        if one is not None:
            yield one


def _cut(one: Ran, target: str) -> Ran:
    """The scenario without what the target does not need."""
    smaller = True
    while smaller:
        smaller = False
        for less in _less(one.scenario):
            now = ran(less)
            if now is not None and target in now.targets:
                one, smaller = now, True
                break
    return one


def _less(whole: Scenario) -> Iterator[Scenario]:
    """The scenario with one thing less: the second half, a step, a share."""
    half = len(whole.steps) // 2
    if half > 4:
        yield replace(whole, steps=(*whole.steps[:half], Settle()))
    for at in reversed(range(len(whole.steps) - 1)):
        yield replace(whole, steps=whole.steps[:at] + whole.steps[at + 1 :])
    named = {getattr(step, "share", None) for step in whole.steps if not isinstance(step, ev.CreateShare)}
    for share in whole.config.shares:
        if share.name not in named and len(whole.config.shares) > 1:
            yield replace(whole, config=_without(whole.config, share.name))


def _without(config: QueueConfig, name: str) -> QueueConfig:
    return config.model_copy(update={"shares": tuple(s for s in config.shares if s.name != name)})


def _named(one: Ran, target: str) -> Scenario:
    if target in GUARANTEES:
        about = f"Few steps in which {target} comes up: {GUARANTEES[target].name}."
    elif "." in target:
        about = f"Few steps that lead to where {target} alone stands in the way."
    else:
        about = f"Few steps that lead to where nothing stands in the way of: {target}."
    rests = _RESTS_ON.get(target.split(".")[0], "rule 36")
    name = f"goal-{target.replace('.', '-').replace('+', '-plus').lower()}"
    checks = tuple(code for code in GUARANTEES if code in one.exercised)
    return replace(one.scenario, name=name, about=about, rests_on=(rests,), checks=checks)
