"""Wrong schedulers run: which promise a scheduler breaks first, in the corpus or in generated scenarios.

A mutant is run as the scheduler that takes any step its guards allow. So it errs wherever its guards let it, and not
only where one heuristic would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

from quotaproof.checker.conform.backend import Backend
from quotaproof.checker.conform.by_rules import ByRules
from quotaproof.checker.conform.corpus import corpus
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.checker.generate.scenarios import seeded
from quotaproof.checker.judge import rules
from quotaproof.checker.judge.state import Build, Situation, Together
from quotaproof.spec import events as ev
from quotaproof.spec.expr.nodes import Node
from quotaproof.spec.formats.scenario import Scenario
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
assert ASKED_AS.keys() == RULES.keys()


@cache
def wrong_guards(mutant: Mutant) -> dict[Build, Build]:
    """The formulas that the mutant's scheduler takes for the true ones."""
    return {
        ASKED_AS[rule][0]: partial(_read, mutant, rule, ASKED_AS[rule][1]) for rule in RULES if altered(mutant, rule)
    }


def _read(mutant: Mutant, rule: str, other: str, view: Running) -> Node:
    return planted(changed(mutant, rule, view.units), view, "actor", other)


def by_rules(mutant: Mutant) -> Scheduler:
    """The mutant as a scheduler, for any seed."""
    guards = wrong_guards(mutant)
    return lambda seed: ByRules(seed, mutant.id, asks=lambda at, build: at.holds(guards.get(build, build)))


def fault(backend: Backend, scenario: Scenario) -> str:
    """What the backend breaks in a scenario; '' for nothing."""
    (answer,) = backend.run([scenario])
    tested = judged(scenario, answer, backend.declare())
    if tested.status is Status.ERRORED:
        assert tested.failure == "never-settles", (scenario.name, tested.failure, tested.why)
        return tested.failure
    return tested.code


def few(scenario: Scenario) -> bool:
    """Whether its jobs ask for at most two types of machines: what is wrong with one is wrong with more."""
    units = {unit for step in scenario.steps if isinstance(step, ev.Submit) for unit in step.size}
    return len(units) <= 2


def any_of_them(_scenario: Scenario) -> bool:
    """Also those of many types: a mistake in code may be about the fourth."""
    return True


def examples(count: int, which: Callable[[Scenario], bool] = few) -> Iterator[Example]:
    """So many generated scenarios, without those of more than two types."""
    for number in range(count):
        scenario = seeded(number)
        if which(scenario):
            yield str(number), number, scenario


def corpus_examples(seeds: int, which: Callable[[Scenario], bool] = few) -> Iterator[Example]:
    """Every scenario of the corpus but those of more than two types, each by several schedulers."""
    for scenario in corpus():
        if which(scenario):
            yield from ((f"{scenario.name} {seed}", seed, scenario) for seed in range(seeds))


# which mutants can be seen at all


class Differing:
    """The mutants whose guards differ from the rules somewhere in a run of the true scheduler; the others run alike."""

    def __init__(self, mutants: Sequence[Mutant]) -> None:
        self.mutants = mutants
        self._of: dict[Build, tuple[list[int], Together]] = {}
        for rule in RULES:
            build = ASKED_AS[rule][0]
            about = [n for n, mutant in enumerate(mutants) if altered(mutant, rule)]
            wrong = [wrong_guards(mutants[n])[build] for n in about]
            self._of[build] = about, Together((build, *wrong))

    def among(self, example: Example) -> set[Mutant]:
        """Those that differ in an example. Raises AssertionError where the true scheduler breaks a promise."""
        _, seed, scenario = example
        found: set[int] = set()

        def asks(at: Situation, build: Build) -> bool:
            about, together = self._of[build]
            true, *wrong = at.all(together)
            found.update(n for n, value in zip(about, wrong, strict=True) if bool(value) != bool(true))
            return bool(true)

        code = fault(ByRules(seed, asks=asks), scenario)
        assert not code, (scenario.name, seed, code)
        return {self.mutants[n] for n in found}
