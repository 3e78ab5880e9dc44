"""The reference scheduler as a program: what it may import, what it may change, that it always does the same."""

from __future__ import annotations

import ast
import json
import os
import random
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.stepwise import judge
from quotaproof.reference.apply import apply
from quotaproof.reference.decide import candidates, decide, head, refuses
from quotaproof.reference.impossible import reason
from quotaproof.reference.plan import plan
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Queue
from quotaproof.reference.run import GoesRound, settle, signature
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import VERBS
from quotaproof.spec.model import Stage, State, Strategy
from quotaproof.spec.readings import Readings

from ..support.queues import queue, share, walkthrough
from ..support.reference import job, settled, told
from ..support.runs import Run

REFERENCE = Path(__file__).resolve().parents[2] / "reference"
MODULES = sorted(REFERENCE.glob("*.py"))
ALLOWED = {f"quotaproof.spec.{name}" for name in ("model", "readings", "events", "observations", "workload")}
LONGEST_FIT = 100
BORROWS = "LEND_AND_BORROW"
DEMO: tuple[ev.Event, ...] = (
    ev.Submit("high", "QS1", {"u": 1}, 3),
    ev.Submit("med", "QS1", {"u": 1}, 2),
    ev.Submit("low", "QS1", {"u": 1}, 1),
)


def snapshot(made: Queue) -> str:
    """Everything that a queue holds but what it worked out, as text."""
    kept = {name: value for name, value in vars(made).items() if name != "_known"}
    kept["usage"] = {key: n for key, n in made.usage.items() if n}
    return repr(kept)


# shape


def imports(path: Path) -> set[str]:
    """Absolute names of the modules that a file of the reference imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = ["quotaproof", "reference"][: 3 - node.level] if node.level else []
            base = ".".join([*package, *([node.module] if node.module else [])])
            whole = base in ("quotaproof.spec", "quotaproof.reference")
            found |= {f"{base}.{alias.name}" for alias in node.names} if whole else {base}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.stem)
def test_it_imports_of_the_project_only_terms_readings_and_events(path: Path) -> None:
    own = {f"quotaproof.reference.{p.stem}" for p in MODULES}
    others = imports(path) - own
    project = {name for name in others if name.startswith("quotaproof")}
    assert project <= ALLOWED
    assert {name.split(".")[0] for name in others - project} <= sys.stdlib_module_names


def test_its_rules_of_fit_are_on_one_page() -> None:
    assert len((REFERENCE / "fit.py").read_text(encoding="utf-8").splitlines()) <= LONGEST_FIT


@pytest.mark.parametrize(
    "path", [p for p in MODULES if p.stem not in ("apply", "queue", "usage")], ids=lambda p: p.stem
)
def test_no_module_but_apply_assigns_to_what_a_queue_holds(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete) else ():
            assert not isinstance(target, ast.Attribute), f"{path.name}:{node.lineno}"


def test_it_knows_every_kind_of_event() -> None:
    from quotaproof.reference.apply import _APPLY

    assert set(_APPLY) == set(VERBS.values())


# what changes a queue


def random_queues(count: int) -> list[tuple[Queue, Policy]]:
    """Queues in the middle of random runs."""
    found: list[tuple[Queue, Policy]] = []
    for seed in range(count):
        run = Run(random.Random(seed))
        for _ in run.steps(8 + seed % 12):
            pass
        found.append((run.queue, run.policy))
    return found


def test_looking_changes_nothing() -> None:
    looked = 0
    for made, policy in random_queues(120):
        before = snapshot(made)
        decide(made, policy)
        signature(made)
        for name in made.shares:
            head(made, policy, name)
            for candidate in candidates(made, policy, name):
                refuses(made, policy, candidate)
                plan(made, policy, candidate)
                reason(made, policy, candidate)
                looked += 1
        assert snapshot(made) == before
    assert looked > 60


def test_a_copy_is_the_same_and_independent() -> None:
    for made, policy in random_queues(30):
        before, copy = snapshot(made), made.copy()
        assert snapshot(copy) == before
        assert decide(copy, policy) == decide(made, policy)
        for name in list(copy.shares):
            apply(copy, ev.SetLimits(name, {"u": 1}))
            copy.shares[name].limits["w"] = 9
            apply(copy, ev.Submit(f"{name}-new", name, {"u": 1}))
        try:
            for _ in settle(copy, policy):
                pass
        except GoesRound:
            pass
        copy.capacity["u"] = 99
        for other in copy.jobs.values():
            other.priority += 1
        assert snapshot(made) == before


def test_a_copy_continues_as_the_original_does() -> None:
    made = told(walkthrough(), *DEMO)
    settled(made)
    apply(made, ev.Submit("back", "QS2", {"u": 1}, 1))
    copy = made.copy()
    assert settled(copy) == settled(made)
    assert snapshot(copy) == snapshot(made)


def test_a_step_is_yielded_before_it_is_applied() -> None:
    made = told(walkthrough(), *DEMO)
    steps = settle(made, Policy.of(made.readings))
    assert next(steps) == ev.Dispatch("high")
    assert made.jobs["high"].stage is Stage.RUNNABLE
    assert next(steps) == ev.Dispatch("med")
    assert made.jobs["high"].stage is Stage.SCHEDULED
    assert made.jobs["med"].stage is Stage.RUNNABLE
    assert list(steps) == []
    assert made.usage["QS1", "u"] == 2


def test_every_step_is_the_decision_in_the_state_in_which_it_is_yielded() -> None:
    made = told(walkthrough(), *DEMO)
    policy = Policy.of(made.readings)
    for step in settle(made, policy):
        assert decide(made, policy) == step
    apply(made, ev.Submit("back", "QS2", {"u": 1}, 1))
    assert [s for s in settle(made, policy) if decide(made, policy) != s and not isinstance(s, ev.Stopped)] == []


def test_without_drains_it_stops_when_only_the_platform_can_move() -> None:
    made = told(walkthrough(), *DEMO)
    settled(made)
    apply(made, ev.Submit("back", "QS2", {"u": 1}, 1))
    assert settled(made, drains=False) == [ev.Claim("back", ("med",))]
    assert settled(made) == [ev.Stopped("med"), ev.Dispatch("back")]


def test_an_event_about_somebody_unknown_is_a_key_error() -> None:
    made = told(walkthrough())
    for event in (ev.Dispatch("nobody"), ev.SetLimits("nobody", {"u": 1}), ev.ShareGone("nobody")):
        with pytest.raises(KeyError, match="nobody"):
            apply(made, event)


# always the same


def history(seeds: range) -> list[str]:
    told_: list[str] = []
    for seed in seeds:
        run = Run(random.Random(seed))
        told_ += [repr(event) for event in run.steps(20)]
    return told_


def test_the_same_run_twice_is_the_same() -> None:
    first = history(range(15))
    assert first == history(range(15))
    assert len(first) > 300


PROGRAM = """
import json, sys
from quotaproof.reference.apply import apply
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Queue
from quotaproof.reference.run import settle
from quotaproof.spec.events import Submit, describe
from quotaproof.spec.formats.scenario_text import load_scenario
from quotaproof.spec.formats.scenario import Settle, Expect
said = []
for path in sys.argv[1:]:
    scenario = load_scenario(path)
    queue, policy = Queue(scenario.config, scenario.readings), Policy.of(scenario.readings)
    for step in scenario.steps:
        if isinstance(step, Settle):
            said += [describe(event) for event in settle(queue, policy, drains=step.drains)]
        elif not isinstance(step, Expect):
            apply(queue, step)
json.dump(said, sys.stdout)
"""


def test_the_order_of_hashes_makes_no_difference() -> None:
    folder = REFERENCE.parent / "examples"
    paths = [str(p) for p in sorted(folder.glob("conformance/*.yaml")) + sorted(folder.glob("scenarios/*.yaml"))]
    said: list[Any] = []
    for seed in ("0", "1", "4242"):
        ran = subprocess.run(
            [sys.executable, "-c", PROGRAM, *paths],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
        said.append(json.loads(ran.stdout))
    assert said[0] == said[1] == said[2]
    assert len(said[0]) > 100


# going round


def test_nothing_kept_and_no_order_between_owners_and_borrowers_goes_round() -> None:
    made = told(walkthrough(), *DEMO, A15="no", A23="no")
    settled(made)
    apply(made, ev.Submit("back", "QS2", {"u": 1}, 1))
    seen: list[ev.Event] = []
    with pytest.raises(GoesRound, match="the same state again before"):
        seen.extend(settle(made, Policy.of(made.readings)))


@pytest.mark.parametrize("readings", [{}, {"A15": "no"}, {"A23": "no"}])
def test_either_of_the_two_alone_is_enough_for_the_walkthrough(readings: dict[str, str]) -> None:
    made = told(walkthrough(), *DEMO, **readings)
    settled(made)
    apply(made, ev.Submit("back", "QS2", {"u": 1}, 1))
    settled(made)
    assert made.jobs["back"].stage is Stage.SCHEDULED


def test_small_jobs_that_pass_a_large_head_go_round_with_it() -> None:
    config = queue(2, share("a", 1, BORROWS, in_share=True), share("l", 1))
    for choice, goes_round in (("backfill", True), ("strict", False)):
        made = told(config, job("a-1"), job("a-2"), A18=choice)
        settled(made)
        apply(made, job("a-large", 1, n=2))
        if goes_round:
            with pytest.raises(GoesRound):
                settled(made)
        else:
            settled(made)
            assert made.jobs["a-large"].stage is Stage.SCHEDULED


def test_naming_an_impossible_job_is_not_going_round() -> None:
    made = told(queue(2, share("a", 1), share("b", 1)), job("a-two", n=2), job("b-two", n=2))
    assert [type(step) for step in settled(made)] == [ev.Misconfigured, ev.Misconfigured]


def test_two_deleted_shares_that_disappear_are_not_going_round() -> None:
    made = told(queue(3, share("a", 1), share("b", 1), share("c", 1)), ev.DeleteShare("a"), ev.DeleteShare("b"))
    assert settled(made) == [ev.ShareGone("a"), ev.ShareGone("b")]
    assert list(made.shares) == ["c"]


def test_victims_of_one_claim_that_stop_one_after_the_other_are_not_going_round() -> None:
    config = queue(4, share("b", 1, BORROWS), share("l", 3))
    made = told(config, job("b-own", 9), job("b-1", 3), job("b-2", 2), job("b-3", 1))
    settled(made)
    apply(made, job("l-gang", n=3))
    steps = settled(made)
    assert steps == [
        ev.Claim("l-gang", ("b-3", "b-2", "b-1")), ev.Stopped("b-1"), ev.Stopped("b-2"), ev.Stopped("b-3"),
        ev.Dispatch("l-gang"),
    ]  # fmt: skip


def test_states_that_differ_only_in_the_clock_have_one_signature() -> None:
    one = told(queue(1, share("a", 1)), job("a-1"), ev.Dispatch("a-1"), ev.Return("a-1"))
    two = told(queue(1, share("a", 1)), job("a-1"), ev.Dispatch("a-1"), ev.Return("a-1"))
    for event in (ev.Dispatch("a-1"), ev.Return("a-1")):
        apply(two, event)
    assert one.clock != two.clock
    assert signature(one) == signature(two)
    apply(two, ev.SetPriority("a-1", 1))
    assert signature(one) != signature(two)


# numbers in force


def test_grants_follow_the_administrator_at_once() -> None:
    made = told(queue(4, share("a", 2, BORROWS, 50), share("l", 2)))
    assert (made.grant("a", "u").borrowable, made.limits("u")) == (1, 4)
    apply(made, ev.SetLimits("a", {"u": 4}))
    assert (made.grant("a", "u").borrowable, made.limits("u")) == (2, 6)
    apply(made, ev.SetSharing("a", Strategy.RESERVE))
    assert (made.grant("a", "u").kept, made.grant("a", "u").borrowable) == (4, 0)
    assert deepcopy(made.grant("a", "w")) == made.grant("a", "w")
    assert made.grant("a", "w").limit == 0


def test_usage_is_the_sum_of_the_jobs_that_hold_machines() -> None:
    holding = (Stage.SCHEDULED, Stage.STARTING, Stage.RUNNING, Stage.DRAINING)
    for made, _ in random_queues(60):
        for name in made.shares:
            for unit in ("u", "w"):
                jobs = [j for j in made.jobs.values() if j.share == name and j.stage in holding]
                assert made.usage[name, unit] == sum(j.size.get(unit, 0) for j in jobs)


def test_a_disabled_environment_starts_nothing_and_claims_nothing() -> None:
    made = told(walkthrough(), *DEMO)
    settled(made)
    apply(made, ev.SetEnvironmentState(State.DISABLED))
    apply(made, ev.Submit("back", "QS2", {"u": 1}, 1))
    assert settled(made) == []
    apply(made, ev.SetEnvironmentState(State.ENABLED))
    assert settled(made)[0] == ev.Claim("back", ("med",))


def test_a_job_with_a_claim_does_not_claim_again():
    book = Book(queue(2, share("A", 1), share("B", 1, "LEND_AND_BORROW")), Readings())
    for name in ("b1", "b2"):
        book.record(ev.Submit(name, "B", {"u": 1}))
        book.record(ev.Dispatch(name))
    book.record(ev.Submit("a", "A", {"u": 1}))
    first = ev.Claim("a", ("b2",))
    assert judge(book, first) is None
    book.record(first)
    again = judge(book, ev.Claim("a", ("b1",)))
    assert again is not None
    assert (again.code, again.sentence) == ("G6", "a has a claim already: what it asks is covered")
