"""The JavaScript examples: one obeys in every scenario of the corpus and at random, one is found by its own guarantee."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import closing, contextmanager

import pytest
from quotaproof.checker.conform.corpus import corpus
from quotaproof.checker.conform.opening import opened
from quotaproof.checker.conform.profiles import PROFILES
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.checker.generate.scenarios import seeded
from quotaproof.spec import events as ev

from ..support.scenarios import ROOT

FOLDER = ROOT / "examples" / "backends" / "javascript"
FOUND_WITHIN = 40
"""Generated scenarios in which the bug is found."""
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


@contextmanager
def backend(name):
    with closing(opened(f"cmd:node '{FOLDER / name}.mjs'")) as found:
        yield found


def judge(name, scenarios):
    with backend(name) as found:
        declared = found.declare()
        return declared, [judged(s, a, declared) for s, a in zip(scenarios, found.run(scenarios), strict=True)]


def wrong(tested):
    return [(t.scenario.name, t.status, t.code, t.why) for t in tested if t.status is not Status.PASSED]


def test_the_scheduler_in_javascript_obeys_and_every_guarantee_comes_up():
    declared, tested = judge("conforming", [*corpus(), *map(seeded, range(120))])
    assert wrong(tested) == []
    came_up = sum((Counter(t.exercised) for t in tested), Counter())
    assert set(PROFILES["aws-batch"].required(declared)) <= came_up.keys()
    assert declared.features is None
    assert declared.claims


def test_every_run_starts_with_the_queue_as_it_was_configured():
    scenario = next(s for s in corpus() if any(isinstance(step, ev.SetLimits) for step in s.steps))
    with backend("conforming") as found:
        first, *others = found.run([scenario] * 3)
    assert others == [first] * 2


@pytest.mark.campaign
def test_the_scheduler_in_javascript_obeys_in_ten_thousand_scenarios():
    _, tested = judge("conforming", [seeded(number) for number in range(10_000, 20_000)])
    assert wrong(tested) == []


def test_the_scheduler_that_forgets_its_claims_is_found_by_the_guarantee_that_claims_are_kept():
    with backend("forgetful") as found:
        declared = found.declare()
        scenarios = [seeded(number) for number in range(FOUND_WITHIN)]
        tested = (judged(s, a, declared) for s, a in zip(scenarios, found.run(scenarios), strict=True))
        failed = next(t for t in tested if t.status is not Status.PASSED)
    assert (failed.status, failed.code) == (Status.FAILED, "G7")


def test_the_corpus_finds_it_with_five_jobs_or_fewer():
    small = [s for s in corpus() if sum(isinstance(step, ev.Submit) for step in s.steps) <= 5]
    _, tested = judge("forgetful", small)
    assert "G7" in {t.code for t in tested}


def test_the_first_step_of_the_tutorial_leaves_a_head_waiting_that_fits():
    scenarios = [s for s in map(seeded, range(30)) if not s.features]
    _, tested = judge("first", scenarios[:5])
    assert {t.code for t in tested} >= {"G16"}
