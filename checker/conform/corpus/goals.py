"""The generated part of the corpus: few short scenarios that pass through every coverage goal of the guards.

For each goal the explorer has a scenario, the shortest in one of its queues; of these, one after the other, the one is
taken that passes through most goals that are left. Trusted: the reference, which runs them; tests ask
again what the files reach.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ....spec.expr.nodes import Bool
from ....spec.formats.scenario import Scenario
from ....spec.readings import Readings
from ....spec.rules.guarantees import GUARANTEES
from ...explore.goals import covered
from ...explore.guards import GUARDS, Goal, formulas
from ...explore.impossible import IMPOSSIBLE
from ...explore.passing import passed
from ...explore.places import PLACES
from ..portable import why_not
from ..reference import Reference
from ..verdict import Status, judged

_RESTS_ON: Mapping[str, str] = {
    "claim": "A58", "dispatch": "rule 26", "finish": "rule 29", "hold": "A23", "preempt across": "rule 36",
    "preempt in share": "rule 39", "release": "A56", "return": "rule 18", "stop": "rule 46", "submit": "rule 50",
    "yield": "A15",
}  # fmt: skip


def goals() -> dict[Goal, Bool]:
    """Every goal that some state reaches, with its formula."""
    every = {goal: formula for name in GUARDS for goal, formula in formulas(name, Readings()).items()}
    return {goal: formula for goal, formula in every.items() if goal not in IMPOSSIBLE}


def generated() -> Iterator[Scenario]:
    """Scenarios that together pass through every goal; ValueError when the explorer's do not."""
    wanted = goals()
    found = covered(list(PLACES.values())).scenarios
    passes = {goal: passed(scenario, wanted) for goal, scenario in found.items() if not why_not(scenario)}
    left = set(wanted)
    while left:
        best = min(passes, key=lambda g: (-len(passes[g] & left), len(found[g].steps), g.name), default=None)
        if best is None or not passes[best] & left:
            raise ValueError(f"no scenario passes through {', '.join(goal.name for goal in left)}")
        left -= passes[best]
        yield _named(found[best], best, len(passes[best]))


def _named(scenario: Scenario, goal: Goal, passes: int) -> Scenario:
    backend = Reference()
    (answer,) = backend.run([scenario])
    told = judged(scenario, answer, backend.declare())
    if told.status is not Status.PASSED:
        raise ValueError(f"the reference does not pass the scenario of {goal.name}: {told.status}")
    return replace(
        scenario,
        name="goal-" + re.sub("[^a-z0-9]+", "-", re.sub(r": (?!settled)[a-z-]+\.", " ", goal.name)),
        about=f"A short way to where {goal.name}, past {passes} of the coverage goals.",
        rests_on=(_RESTS_ON[goal.guard],),
        checks=tuple(code for code in GUARANTEES if code in told.exercised),
    )
