"""Every planted scheduler is found by its own guarantee within a fixed budget, shrunk to few jobs; legal ones pass it all."""

from __future__ import annotations

from functools import cache

import pytest
from quotaproof.checker.conform.reference import Reference
from quotaproof.checker.conform.verdict import Status
from quotaproof.checker.generate.scenarios import seeded
from quotaproof.reference.decide import decide
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Queue
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario, Settle
from quotaproof.spec.observations import Settled
from quotaproof.spec.rules.guarantees import GUARANTEES

from ..support.legal_schedulers import LEGAL
from ..support.queues import queue, share
from ..support.wrong import WRONG
from ..support.wrong.base import Reporting
from ..support.wrong.kills import BUDGET, FOLDER, kill, run, saved

FEW = 100
"""Seeds that find most of them."""
RARE = {
    "stale-limits", "no-limit-is-unlimited", "already-at-limit", "labels-undeclared", "reclaims-for-the-deleted",
    "in-share-for-the-deleted", "forgets-empty-claims", "ended-claims-count", "return-is-a-preemption",
    "one-lender-only", "yields-to-the-deleted", "spares-lenders", "thrashes", "fourth-unit-unlimited",
    "two-retries-at-most", "many-retries-are-for-ever", "priority-forgives-preemptions", "two-borrowers-only",
    "two-units-only", "takes-nothing-late", "takes-nothing-while-disabled", "spares-deleted", "one-in-share-victim",
    "owners-only-reclaim",
}  # fmt: skip
"""Those that may take more."""
LIVE = {code for code, g in GUARANTEES.items() if "response" in g.kind or "settled" in g.kind}

example = cache(seeded)


def test_there_are_many_planted_schedulers_and_each_names_a_guarantee_and_is_kept():
    assert len(WRONG) >= 70
    assert {wrong.code for wrong in WRONG.values()} == GUARANTEES.keys() - {"G15"}, "at rest G16 is told for G15"
    assert {file.stem for file in FOLDER.iterdir()} == WRONG.keys()


@pytest.mark.parametrize("name", WRONG)
def test_the_kept_scenario_shows_what_is_wrong_with_few_jobs_and_the_reference_passes_it(name):
    scenario = saved(name)
    tested = run(WRONG[name].backend(name), scenario)
    assert (tested.status, tested.code) == (Status.FAILED, WRONG[name].code)
    assert sum(isinstance(step, ev.Submit) for step in scenario.steps) <= WRONG[name].jobs
    assert run(Reference(), scenario).status is Status.PASSED


@pytest.mark.parametrize("name", [name for name in WRONG if name not in RARE])
def test_few_examples_find_it(name):
    wrong = WRONG[name]
    backend = wrong.backend(name)
    assert any(run(backend, example(seed)).code == wrong.code for seed in range(FEW))


@pytest.mark.campaign
@pytest.mark.parametrize("name", WRONG)
def test_the_budget_finds_it_and_it_shrinks_to_few_jobs(name):
    found = kill(name)
    assert found is not None
    print(f"{name}: {WRONG[name].code} after {found.examples} examples, {found.jobs} jobs")
    assert found.examples <= BUDGET
    assert found.jobs <= WRONG[name].jobs


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_scheduler_passes_what_finds_the_planted_ones(name):
    backend = LEGAL[name]
    assert {wrong for wrong in WRONG if run(backend, saved(wrong)).status is not Status.PASSED} == set()
    assert {seed for seed in range(30) if run(backend, example(seed)).status is not Status.PASSED} == set()


@pytest.mark.campaign
@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_scheduler_passes_the_whole_budget(name):
    backend = LEGAL[name]
    assert {seed for seed in range(BUDGET) if run(backend, example(seed)).status is not Status.PASSED} == set()


def test_legal_schedulers_are_not_all_the_same():
    examples = [*(saved(name) for name in WRONG), *(example(seed) for seed in range(15))]
    traces = {name: repr([list(b.run(examples))]) for name, b in LEGAL.items()}
    assert len(set(traces.values())) >= 12, "what is legal would otherwise be one scheduler under many names"


def test_a_backend_that_never_preempts_passes_every_safety_rule_and_fails_g14():
    backend = WRONG["never-reclaims"].backend()
    broken = {b.code for seed in range(150) for b in run(backend, example(seed)).broken}
    assert "G14" in broken
    assert broken <= LIVE


QUEUE = queue(2, share("a", 1, "LEND"), share("b", 1, "LEND_AND_BORROW"))
WAITS = Scenario("waits", "", QUEUE, (ev.Submit("b1", "b", {"u": 3}), Settle()))


def test_saying_settled_too_early_is_caught_and_never_settling_is_an_error():
    early = run(WRONG["settled-too-early"].backend(), saved("settled-too-early"))
    assert (early.status, early.code) == (Status.FAILED, "G16")

    def undecided(queue: Queue, policy: Policy) -> ev.SchedulerEvent | None:
        """Changes its mind for ever about why a job cannot run."""
        step = decide(queue, policy)
        job = queue.jobs["b1"]
        return step or ev.Misconfigured(job.name, "" if job.reason else "still")

    for backend in (
        Reference(decide=undecided),
        Reporting(telling=lambda s: (x for x in s if not isinstance(x, Settled))),
    ):
        tested = run(backend, WAITS)
        assert tested.status is Status.ERRORED
        assert tested.failure in ("never-settles", "not-the-scenario")
        assert not tested.broken
