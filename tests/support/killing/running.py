"""Wrong schedulers run: which promise a scheduler breaks first, in the corpus or in generated scenarios.

A mutant is run as the scheduler that takes any step its guards allow. So it errs wherever its guards let it, and not
only where one heuristic would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial

from quotaproof.checker.conform.backend import Backend
from quotaproof.checker.conform.by_rules import ByRules
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.checker.generate.scenarios import seeded
from quotaproof.checker.judge import rules
from quotaproof.checker.judge.state import Build
from quotaproof.spec.expr.nodes import Node
from quotaproof.spec.formats.scenario import Scenario
from quotaproof.spec.readings import Readings
from quotaproof.spec.rules.mutants import RULES, Mutant, altered, changed, planted
from quotaproof.spec.rules.view import Running

ASKED_AS = {
    "dispatch": (rules.dispatch_guard, ""),
    "holds": (rules.holds_guard, ""),
    "yields": (rules.yields_guard, "other"),
    "preempt_cross": (rules.cross_guard, "victim"),
    "preempt_in_share": (rules.in_share_guard, ""),
    "claim": (rules.claim_guard, ""),
    "release": (rules.release_guard, ""),
}
"""Rule -> the formula by which a scheduler asks it, and who plays the other share."""
Scheduler = Callable[[int], Backend]
"""A scheduler for any seed of its own choices."""
Example = tuple[str, int, Scenario]
"""A scenario with its name and the seed of the scheduler that runs it."""
_DEFAULTS: Mapping[str, str] = {}
_READINGS = Readings()
assert ASKED_AS.keys() == RULES.keys()


@dataclass(frozen=True)
class Found:
    """Where a wrong scheduler was found out, and by what."""

    code: str
    where: str


def wrong_guards(mutant: Mutant) -> dict[Build, Build]:
    """The formulas that the mutant's scheduler takes for the true ones."""
    return {
        ASKED_AS[rule][0]: partial(_read, mutant, rule, ASKED_AS[rule][1]) for rule in RULES if altered(mutant, rule)
    }


def _read(mutant: Mutant, rule: str, other: str, view: Running) -> Node:
    return planted(changed(mutant, rule, view.units), view, "actor", other)


def by_rules(mutant: Mutant | None, choices: Mapping[str, str] = _DEFAULTS) -> Scheduler:
    """The mutant as a scheduler, for any seed; None: the true rules. `choices`: its readings."""
    guards = wrong_guards(mutant) if mutant else {}
    return lambda seed: ByRules(seed, mutant.id if mutant else "by-rules", choices, instead=guards)


def fault(backend: Backend, scenario: Scenario) -> str:
    """What the backend breaks in a scenario; '' for nothing."""
    (answer,) = backend.run([scenario])
    tested = judged(scenario, answer, backend.declare())
    if tested.status is Status.ERRORED:
        assert tested.failure == "never-settles", (scenario.name, tested.failure, tested.why)
        return tested.failure
    return tested.code


def found(backend: Scheduler, true: Scheduler, examples: Iterable[Example]) -> Found | None:
    """The first example in which the backend breaks a promise and the `true` scheduler breaks none."""
    for name, seed, scenario in examples:
        code = fault(backend(seed), scenario)
        if code and not fault(true(seed), scenario):
            return Found(code, name)
    return None


@cache
def generated(number: int, readings: Readings = _READINGS) -> Scenario:
    """The generated scenario of this number."""
    return seeded(number, readings=readings)


def examples(count: int, choices: Mapping[str, str] = _DEFAULTS) -> Iterable[Example]:
    """So many generated scenarios, made for these readings."""
    readings = Readings().assuming(choices)
    return ((str(number), number, generated(number, readings)) for number in range(count))
