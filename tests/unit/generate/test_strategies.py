"""The strategies and the state machine: what they draw is sound, wrong arguments are refused, planted bugs are found."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis.stateful import run_state_machine_as_test
from quotaproof.checker.conform.asserting import assert_conforms
from quotaproof.checker.conform.reference import Reference
from quotaproof.checker.conform.verdict import judged
from quotaproof.checker.generate.adversaries import ADVERSARIES
from quotaproof.checker.generate.machine import SchedulerMachine
from quotaproof.checker.generate.measures import measures
from quotaproof.checker.generate.strategies import adversarial_scenarios, aim, configs, jobs, scenarios
from quotaproof.spec import events as ev
from quotaproof.spec.formats.document import Document
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.scenario import Scenario, Settle
from quotaproof.spec.formats.scenario_text import read
from quotaproof.spec.model import QueueConfig

from ...support.driven import Driven
from ...support.queues import queue, share
from ...support.wrong import WRONG

SAME = settings(
    derandomize=True, database=None, deadline=None, max_examples=40, phases=[Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip
CONFIG = queue(2, share("a", 1), share("b", 1, "LEND_AND_BORROW"))


def tried(scenario, backend):
    (answer,) = backend.run([scenario])
    return judged(scenario, answer, backend.declare())


@SAME
@given(scenarios())
def test_the_reference_passes_scenarios(scenario):
    (tested,) = assert_conforms(Reference(), scenario)
    aim(tested)


@SAME
@given(adversarial_scenarios())
def test_the_reference_withstands_adversaries(scenario):
    assert scenario.name in ADVERSARIES
    assert_conforms(Reference(), scenario)


@SAME
@given(configs(most_shares=3, most_units=1, features=["borrowing"]))
def test_queues_keep_to_what_was_asked(config):
    assert isinstance(config, QueueConfig)
    assert len(config.shares) <= 3
    assert len(config.units) == 1
    assert not any(s.in_share for s in config.shares)


@SAME
@given(jobs(CONFIG, share="b", features=[]))
def test_jobs_keep_to_what_was_asked(job):
    assert (job.share, dict(job.size), job.priority, job.retries) == ("b", {"u": 1}, None, None)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: configs(most_shares=21), "most_shares is 21"),
        (lambda: configs(most_units=0), "most_units is 0"),
        (lambda: scenarios(fewest=9, most=3), "fewest is 9"),
        (lambda: scenarios(features=["gang"]), "did you mean gangs?"),
        (lambda: scenarios(features="gangs"), "write features="),
        (lambda: scenarios(choices={"A5": "nobody"}), "A5"),
        (lambda: adversarial_scenarios("tie"), "did you mean ties?"),
        (lambda: jobs(CONFIG, share="c"), "use a, b"),
        (lambda: jobs({}), "config is dict"),
    ],
)
def test_a_wrong_argument_is_refused_when_the_strategy_is_made(make, said):
    with pytest.raises(InputError) as error:
        make()
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("name", "adversary", "most_jobs"),
    [("borrows-one-more", "boundary-sizes", 2), ("never-reclaims", "churning-co-lender", 5)],
)
def test_a_planted_bug_is_found_by_an_adversary_and_shrinks_to_few_jobs(name, adversary, most_jobs):
    wrong = WRONG[name]
    backend = wrong.backend(name)

    def fails(scenario):
        return tried(scenario, backend).code == wrong.code

    found = find(adversarial_scenarios(adversary), fails, settings=SAME, random=random.Random(1))
    assert sum(isinstance(step, ev.Submit) for step in found.steps) <= most_jobs


def test_measures_say_how_far_a_trace_went():
    steps = (ev.Submit("b1", "b", {"u": 2}), Settle(), ev.Submit("a1", "a", {"u": 1}), Settle())
    reclaim = Scenario("reclaim", "", CONFIG, steps)
    assert measures(tried(reclaim, Reference())) == {"borrowed": 1, "owed": 1, "stopped": 1}


class ReferenceMachine(SchedulerMachine):
    def make(self):
        return Driven(Reference())


class GreedyMachine(SchedulerMachine):
    def make(self):
        return Driven(WRONG["one-more-machine"].backend("greedy"))


MACHINE = settings(SAME, max_examples=25, stateful_step_count=15)


def test_the_machine_finds_nothing_in_the_reference():
    run_state_machine_as_test(ReferenceMachine, settings=MACHINE)


def test_the_machine_finds_a_planted_bug_and_writes_a_scenario(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(GreedyMachine, "folder", tmp_path)
    with pytest.raises(AssertionError, match="greedy breaks G1, environment respected:"):
        run_state_machine_as_test(GreedyMachine, settings=settings(MACHINE, phases=[Phase.generate]))
    capsys.readouterr()
    (file,) = tmp_path.glob("GreedyMachine-G1.json")
    kept = read(Document(file.name, json.loads(file.read_text(encoding="utf-8")), dict))
    assert tried(kept, WRONG["one-more-machine"].backend()).code == "G1"
    assert kept.found is not None
    assert (kept.found.backend, kept.found.guarantee) == ("greedy", "G1")


def test_a_machine_without_a_scheduler_says_what_to_do():
    with pytest.raises(NotImplementedError, match="define it to return your scheduler"):
        run_state_machine_as_test(SchedulerMachine, settings=settings(MACHINE, max_examples=1))
