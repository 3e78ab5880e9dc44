"""A scheduler that tells no claims is judged in part: a legal one is never called broken, a wrong one is still found."""

from __future__ import annotations

from collections import Counter

import pytest
from quotaproof.checker.conform.by_rules import ByRules
from quotaproof.checker.conform.corpus import corpus
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.checker.generate.scenarios import seeded

from ..support.hiding import TELLS, judged_hidden
from ..support.legal_schedulers import LEGAL
from ..support.wrong import WRONG
from ..support.wrong.kills import saved

READ = {"A13": ("a", "c"), "A23": ("no",), "A24": ("b",), "A28": ("greedy",), "A58": ("freed",), "A20": ("newest",)}
"""Readings on which it rests what is claimed and what claims keep, with their other choices."""
REST_ON_CLAIMS = {"takes-for-loans"} | {name for name, wrong in WRONG.items() if wrong.code in ("G7", "G6+")}
"""Those whose stops are allowed and whose claims are not: what is told of them is legal, as far as stops go."""


def legal_runs(numbers, **choices):
    """Traces of a scheduler that takes any legal step, kept where they are legal as they are told."""
    files = corpus()
    for number in numbers:
        backend = ByRules(number, choices=choices)
        for scenario in (seeded(number), files[number % len(files)]):
            (answer,) = backend.run([scenario])
            if judged(scenario, answer, backend.declare()).status is Status.PASSED:
                yield scenario, answer, backend.declare()


def called_broken(runs, came_up):
    """What is said of traces once their claims, then claimants, then kinds are hidden; nothing where all is well."""
    found = []
    for scenario, answer, declared in runs:
        for tells in TELLS:
            tested = judged_hidden(scenario, answer, declared, tells)
            came_up.update(tested.exercised)
            if tested.status is not Status.PASSED:
                found.append((scenario.name, tells, tested.broken or tested.why))
    return found


def test_a_legal_trace_with_its_claims_hidden_is_never_called_broken():
    came_up = Counter()
    assert called_broken(legal_runs(range(100, 200)), came_up) == []
    assert min(came_up[code] for code in ("G5x", "G5s", "G6", "G8")) >= 20, came_up


@pytest.mark.parametrize(("code", "choice"), [(code, choice) for code, made in READ.items() for choice in made])
def test_nor_is_one_where_claims_are_read_otherwise(code, choice):
    assert called_broken(legal_runs(range(112, 120), **{code: choice}), Counter()) == []


@pytest.mark.parametrize("name", LEGAL)
def test_nor_is_a_trace_of_a_legal_scheduler(name):
    backend = LEGAL[name]
    scenarios = [*(seeded(number) for number in range(8)), *(saved(wrong) for wrong in list(WRONG)[::8])]
    runs = ((s, next(iter(backend.run([s]))), backend.declare()) for s in scenarios)
    assert called_broken(runs, Counter()) == []


@pytest.mark.campaign
def test_five_thousand_legal_traces_with_their_claims_hidden_are_not_called_broken():
    assert called_broken(legal_runs(range(2_500)), Counter()) == []


@pytest.mark.campaign
@pytest.mark.parametrize(("code", "choice"), [(code, choice) for code, made in READ.items() for choice in made])
def test_nor_are_five_hundred_where_claims_are_read_otherwise(code, choice):
    assert called_broken(legal_runs(range(250), **{code: choice}), Counter()) == []


@pytest.mark.campaign
@pytest.mark.parametrize("name", LEGAL)
def test_nor_are_the_traces_of_a_legal_scheduler(name):
    backend = LEGAL[name]
    scenarios = [*(seeded(number) for number in range(150)), *corpus()]
    runs = ((s, next(iter(backend.run([s]))), backend.declare()) for s in scenarios)
    assert called_broken(runs, Counter()) == []


@pytest.mark.parametrize("tells", TELLS)
def test_what_rests_on_no_claim_is_found_in_the_kept_scenario_some_random_ones_or_the_corpus_though_claims_are_hidden(
    tells,
):
    missed = set()
    for name, wrong in WRONG.items():
        backend = wrong.backend(name)
        for scenario in (saved(name), *map(seeded, range(12)), *(() if name in REST_ON_CLAIMS else corpus())):
            (answer,) = backend.run([scenario])
            if judged_hidden(scenario, answer, backend.declare(), tells).code == wrong.code:
                break
        else:
            missed.add(name)
    assert missed <= REST_ON_CLAIMS
