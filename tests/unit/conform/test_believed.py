"""What several runs of one scenario in real time amount to: what is broken in two is broken, whatever else they break."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.conform import verdict
from quotaproof.checker.conform.corpus import find
from quotaproof.checker.conform.distinct import NOT_AGAIN_IN_LANES, distinct, falsity
from quotaproof.checker.conform.reference import Reference
from quotaproof.checker.conform.repeat import believed
from quotaproof.checker.conform.retry import Retried, told
from quotaproof.checker.conform.verdict import Broken, Status
from quotaproof.checker.judge.stepwise import Violation
from quotaproof.checker.results import Result, Verdict
from quotaproof.spec import events as ev
from quotaproof.spec.observations import Settled

SCENARIO = find("queue-disabled").scenario
DISPATCHED = (ev.Dispatch("a"), ev.Dispatch("b"))


def run(*codes, seen=DISPATCHED, lenders=()):
    status = Status.FAILED if codes else Status.PASSED
    broken = tuple(Broken(n, Violation(code, "", "", f"{code} is false")) for n, code in enumerate(codes))
    return verdict.Tested(SCENARIO, status, seen, broken, lenders=lenders)


def wrong(*codes):
    tested = run(*codes)
    return replace(tested, status=Status.FAILED if codes else Status.ERRORED, why="it died", failure="exited")


@pytest.mark.parametrize(("runs", "status", "codes", "once"), [
    (["G9", "G14", "G9", "G14", ""], Status.FAILED, {"G9", "G14"}, set()),
    (["G9", "G14", "G9", "G14", "G9"], Status.FAILED, {"G9", "G14"}, set()),
    (["G9", "G14", "G9", "G1 G14", "G9"], Status.FAILED, {"G9", "G14"}, {"G1"}),
    (["G9", "G14", "G9", "", ""], Status.FAILED, {"G9"}, {"G14"}),
    (["G9 G14", "", "", "", "G14"], Status.FAILED, {"G14"}, {"G9"}),
    (["G9", "G14", "", "", ""], Status.FLAKY, set(), {"G9", "G14"}),
])  # fmt: skip
def test_what_is_broken_in_two_runs_is_broken_and_what_is_broken_in_one_a_flake(runs, status, codes, once):
    tested = believed([run(*of.split()) for of in runs])
    assert (tested.status, set(tested.codes), {f.code for f in tested.flakes}) == (status, codes, once)


def test_each_broken_promise_is_told_from_a_run_that_shows_it():
    other = (ev.Dispatch("c"),)
    tested = believed([run("G9"), run("G14", seen=other), run("G9"), run("G14", seen=other), run()])
    assert falsity(tested, "G9") == "dispatch a: G9 is false"
    assert falsity(tested, "G14") == "dispatch c: G14 is false"
    results = [e for e in told(Retried("real", tested, Reference().declare(), 0.0)) if isinstance(e, Result)]
    assert [(r.code, r.verdict, r.subject) for r in results] == [
        ("G9", Verdict.BROKEN_HERE, "step 1"), ("G14", Verdict.BROKEN_HERE, "step 1 of another run")]  # fmt: skip


def test_where_other_runs_went_wrong_the_scenario_did_and_both_are_told():
    tested = believed([run("G9"), *[wrong()] * 4])
    assert (tested.status, tested.why, tested.codes) == (Status.ERRORED, "it died", ())
    assert [f.why for f in tested.flakes] == ["broken in 1 of 5 runs: dispatch a: G9 is false; 4 went wrong"]
    some = believed([run("G9"), wrong(), run(), run(), run()])
    assert (some.status, some.flakes[0].why.count("; 1 went wrong. A run that kept it told the same.")) == (
        Status.ERRORED,
        1,
    )
    itself = believed([wrong("G9"), run(), run(), run(), run()])
    assert (itself.status, itself.codes, [f.code for f in itself.flakes]) == (Status.ERRORED, (), ["G9"])
    results = [e for e in told(Retried("real", tested, Reference().declare(), 0.0)) if isinstance(e, Result)]
    assert [r.because for r in results] == ["it died", tested.flakes[0].why]


def test_machines_are_what_differs_only_where_they_do():
    kept = [run(lenders=("x", "z"))] * 4
    (flake,) = believed([run("G9", lenders=("x", "y")), *kept]).flakes
    said = "parts from this one at observation 2: there dispatch b on the machines of z, here dispatch b on the machines of y."
    assert flake.why.endswith(f"A run that kept it {said}")
    (same,) = believed([run("G9", lenders=("x", "z")), *kept]).flakes
    assert same.why.endswith(". A run that kept it told the same.")
    (shorter,) = believed([run("G9", seen=(*DISPATCHED, Settled())), *[run()] * 4]).flakes
    assert shorter.why.endswith("parts from this one at observation 3: there its end, here settled.")


def test_a_drawn_failure_that_is_not_seen_again_was_seen_twice():
    backend = Reference()
    (kept,) = distinct(backend, replace(backend.declare(), lanes=2), "G9", [SCENARIO])
    assert (kept.scenario.steps, kept.false) == (SCENARIO.steps, NOT_AGAIN_IN_LANES)
    assert "broken in 2 runs" in kept.false
