"""The scheduler that takes any step the rules allow keeps every promise, and with one rule wrong it does not."""

from __future__ import annotations

from collections import Counter

import pytest
from quotaproof.checker.conform.by_rules import ByRules
from quotaproof.checker.conform.corpus import corpus
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.checker.generate.scenarios import seeded
from quotaproof.checker.judge import rules
from quotaproof.checker.judge.state import Situation

REACHED = {"G1", "G2", "G3", "G4", "G5s", "G5x", "G6", "G6+", "G7", "G8", "G9", "G10", "G11", "G12", "G13", "G14", "G15",
           "G16", "G19", "G20", "G21"}  # fmt: skip


def verdict(seed, scenario, **options):
    backend = ByRules(seed, **options)
    (answer,) = backend.run([scenario])
    return judged(scenario, answer, backend.declare())


def passes(numbers):
    exercised = Counter()
    for number in numbers:
        found = verdict(number, seeded(number))
        assert found.status is Status.PASSED, (number, found.broken, found.why)
        exercised.update(found.exercised)
    return exercised


def test_what_the_guards_allow_keeps_every_promise_in_generated_scenarios():
    assert passes(range(120)).keys() >= REACHED


@pytest.mark.campaign
def test_what_the_guards_allow_keeps_every_promise_in_ten_thousand_scenarios():
    assert passes(range(10_000)).keys() >= {*REACHED, "G17"}


def test_it_passes_the_corpus():
    failed = {
        s.name: found.broken or found.why for s in corpus() if (found := verdict(1, s)).status is not Status.PASSED
    }
    assert not failed


def test_a_seed_decides_what_it_does():
    scenario = seeded(9)
    runs = {str(verdict(seed, scenario).seen) for seed in range(5)}
    assert verdict(0, scenario).seen == verdict(0, scenario).seen
    assert len(runs) > 1


@pytest.mark.parametrize(
    ("build", "code"),
    [(rules.dispatch_guard, {"G10"}), (rules.holds_guard, {"G7"}), (rules.yields_guard, {"G8"}),
     (rules.cross_guard, {"G6", "G5x", "G10"}), (rules.claim_guard, {"G7", "G5x", "G9"})],
)  # fmt: skip
def test_a_guard_that_always_says_yes_is_found_within_forty_examples(build, code):
    def asks(at: Situation, asked) -> bool:
        return asked is build or at.holds(asked)

    found = Counter(verdict(number, seeded(number), asks=asks).code for number in range(40))
    assert found.keys() & code, found


@pytest.mark.parametrize(("build", "code"), [(rules.dispatch_guard, "G16"), (rules.claim_guard, "G7")])
def test_a_guard_that_always_says_no_is_found(build, code):
    def asks(at: Situation, asked) -> bool:
        return asked is not build and at.holds(asked)

    found = Counter(verdict(number, seeded(number), asks=asks).code for number in range(20))
    assert found[code], found
