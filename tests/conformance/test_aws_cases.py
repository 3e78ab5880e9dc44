"""What AWS documents, as scenarios in examples/conformance, and our own in examples/scenarios: all play as they say.

Each plays on the reference with the judge looking on. The cases of AWS's texts, where their collection is at hand, are
compared with ours, so that none is missing and no number differs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from quotaproof.checker.judge.rest import at_rest
from quotaproof.checker.witness.play import Player, play
from quotaproof.reference import impossible
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Expect, Scenario, Settle
from quotaproof.spec.formats.scenario_text import load_scenario
from quotaproof.spec.model import QueueConfig
from quotaproof.spec.readings import READINGS
from quotaproof.spec.rules.sources import RULES

from ..support.queues import queue, share

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "aws" / "conformance" / "aws_conformance_cases.json"
CONFORMANCE = sorted((ROOT / "examples" / "conformance").glob("*.yaml"))
SCENARIOS = sorted((ROOT / "examples" / "scenarios").glob("*.yaml"))
MOST_JOBS = 8

every_file = pytest.mark.parametrize("path", [*CONFORMANCE, *SCENARIOS], ids=lambda p: p.stem)
every_case = pytest.mark.parametrize("path", CONFORMANCE, ids=lambda p: p.stem)


def load(path: Path) -> Scenario:
    return load_scenario(str(path))


def aws_cases() -> dict[str, dict[str, Any]]:
    if not CASES.is_file():
        pytest.skip("the collection of AWS's cases is not beside this repository")
    return {case["id"]: case for case in json.loads(CASES.read_text(encoding="utf-8"))}


def aws_config(case: Mapping[str, Any]) -> QueueConfig:
    shares = [
        share(s["quotaShareName"], s["capacityLimits"], s["strategy"], s.get("borrowLimit"), s["inSharePreemption"])
        for s in case["shares"]
    ]
    return queue(case["serviceEnvironment"], *shares)


def alike(one: QueueConfig, two: QueueConfig) -> bool:
    """Equal but for the names of queue and environment."""
    return one.environment.capacity == two.environment.capacity and one.shares == two.shares


def expectations(scenario: Scenario) -> list[Expect]:
    return [step for step in scenario.steps if isinstance(step, Expect)]


def before(scenario: Scenario, index: int) -> Player:
    """The play of the first `index` steps."""
    player = Player(replace(scenario, steps=scenario.steps[:index], breaks=None, repeats_from=None))
    player.play()
    return player


# every file


@every_file
def test_it_plays_as_it_says_and_breaks_no_promise_by_a_step(path: Path) -> None:
    played = play(load(path))
    assert played.wrong == []
    assert [str(v) for v in played.violations] == []
    assert played.shows is (played.scenario.breaks is not None)


@every_file
def test_whenever_the_scheduler_has_stopped_nobody_waits_who_must_start(path: Path) -> None:
    scenario = load(path)
    rests = [i + 1 for i, step in enumerate(scenario.steps) if step == Settle()]
    assert [at_rest(before(scenario, i).book) for i in rests] == [None] * len(rests)


@every_file
def test_it_says_what_it_is_about_and_which_rules_and_readings_it_rests_on(path: Path) -> None:
    scenario = load(path)
    assert scenario.name == path.stem
    assert re.fullmatch(r"[A-Z0-9].{20,140}\.", scenario.about)
    known = {*(f"rule {n}" for n in RULES), *READINGS}
    assert scenario.rests_on
    assert set(scenario.rests_on) <= known
    assert set(scenario.readings.chosen) <= {(c, v) for c, r in READINGS.items() for v in r.choices}
    assert {c for c, _ in scenario.readings.chosen} <= set(scenario.rests_on)


@every_file
def test_it_is_small_and_expects_something_or_is_a_witness(path: Path) -> None:
    scenario = load(path)
    assert sum(isinstance(step, ev.Submit) for step in scenario.steps) <= MOST_JOBS
    expected = expectations(scenario)
    assert expected or scenario.breaks
    assert [e for e in expected if not re.search(r"\b(rules? \d|A\d)", e.why)] == []


@every_file
def test_every_number_list_and_reason_that_it_expects_bites(path: Path) -> None:
    scenario = load(path)
    toothless = [
        (index + 1, changed)
        for index, step in enumerate(scenario.steps)
        if isinstance(step, Expect)
        for changed in mutants(step)
        if not reported(scenario, index, changed)
    ]
    assert toothless == []


def reported(scenario: Scenario, index: int, changed: Expect) -> bool:
    steps = (*scenario.steps[:index], changed)
    return any(w.startswith(f"step {index + 1}: ") for w in play(replace(scenario, steps=steps, breaks=None)).wrong)


def mutants(expect: Expect) -> Iterator[Expect]:
    """The expectation with one thing wrong: a name too many, a name missing, a number one higher, another reason."""
    for f in fields(expect):
        value = getattr(expect, f.name)
        if isinstance(value, tuple):
            yield replace(expect, **{f.name: (*value, "nobody")})
            for i in range(len(value)):
                yield replace(expect, **{f.name: (*value[:i], *value[i + 1 :])})
    for name, units in (expect.usage or {}).items():
        for unit, n in units.items():
            yield replace(expect, usage={name: {unit: n + 1}})
    for job, n in (expect.preemptions or {}).items():
        yield replace(expect, preemptions={job: n + 1})
    for job, text in (expect.reasons or {}).items():
        yield replace(expect, reasons={job: "" if text else "some reason"})
        yield replace(expect, reasons={job: "another reason"})


def test_explicit_steps_of_the_scheduler_are_those_that_the_reference_would_take() -> None:
    for path in [*CONFORMANCE, *SCENARIOS]:
        scenario = load(path)
        if scenario.breaks is None:
            assert [(path.stem, line.note) for line in play(scenario).lines if line.event and line.note] == []


# AWS's cases


def test_every_case_that_aws_documents_is_one_of_ours_and_none_is_made_up() -> None:
    assert {path.stem for path in CONFORMANCE} == set(aws_cases())


def test_the_walkthrough_is_the_one_aws_gives_step_by_step() -> None:
    case, ours = aws_cases()["DEMO-1"], load(ROOT / "examples" / "conformance" / "DEMO-1.yaml")
    assert alike(ours.config, aws_config(case))
    ((unit, capacity),) = case["serviceEnvironment"].items()
    assert capacity == 3
    expected = expectations(ours)
    assert len(expected) == len(case["steps"]) + 2
    done: list[ev.Event | Settle | Expect] = []
    for step, own in zip(case["steps"], expected, strict=False):
        want = step["expect"]
        assert set(want["dispatched"]) == set(own.dispatched or ())
        assert set(want["runnable"]) == set(own.runnable or ())
        assert [name for name, _ in want.get("preempted", [])] == list(own.preempted or ())
        assert {name: {unit: n} for name, n in want["usage"].items()} == own.usage
        for do in step["do"]:
            if "submit" in do:
                done.append(ev.Submit(do["submit"], do["share"], {unit: do["n"]}, do["priority"]))
            else:
                done.append(ev.SetPriority(do["update"], do["priority"]))
        done += [Settle(), Expect(dispatched=tuple(want["dispatched"]), runnable=tuple(want["runnable"]))]
    played = play(Scenario("walkthrough", "", aws_config(case), tuple(done)))
    assert (played.wrong, played.violations) == ([], [])
    same = [step for step in done if not isinstance(step, Expect)]
    assert [step for step in ours.steps if not isinstance(step, Expect)][: len(same)] == same


def test_the_two_kinds_of_preemption_in_the_walkthrough_are_the_documented_ones() -> None:
    played = play(load(ROOT / "examples" / "conformance" / "DEMO-1.yaml"))
    claims = [line.event for line in played.lines if isinstance(line.event, ev.Claim)]
    assert claims == [ev.Claim("qs2_job_1", ("qs1_job_med",)), ev.Claim("qs1_job_low", ("qs1_job_high",))]


@pytest.mark.parametrize("name", ["MIS-1", "MIS-2", "MIS-3", "MIS-4"])
def test_an_impossible_job_is_the_documented_one_and_the_largest_possible_one_runs(name: str) -> None:
    case, ours = aws_cases()[name], load(ROOT / "examples" / "conformance" / f"{name}.yaml")
    assert alike(ours.config, aws_config(case))
    ((unit, _),) = case["serviceEnvironment"].items()
    submits = [step for step in ours.steps if isinstance(step, ev.Submit)]
    assert (submits[0].share, submits[0].size) == (case["job"]["share"], {unit: case["job"]["n"]})
    (reason,) = (expectations(ours)[0].reasons or {}).values()
    documented = case["expect"].removeprefix("RUNNABLE forever, ").removeprefix("... - ").removesuffix(" ...")
    assert documented in reason
    largest = case.get("largest_ok", {"MIS-1": 4, "MIS-4": 10}.get(name))
    assert submits[-1].size == {unit: largest}
    assert submits[-1].job in (expectations(ours)[-1].dispatched or ())


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("MIS-1", impossible.OWN),
        ("MIS-2", impossible.BORROW),
        ("MIS-3", impossible.POOL),
        ("MIS-4", impossible.ENVIRONMENT),
    ],
)
def test_the_reason_of_an_impossible_job_is_expected_in_full(name: str, reason: str) -> None:
    (expected,) = (expectations(load(ROOT / "examples" / "conformance" / f"{name}.yaml"))[0].reasons or {}).values()
    assert expected == reason


@every_case
def test_a_conformance_case_needs_no_reading_but_the_defaults(path: Path) -> None:
    assert load(path).readings.chosen == ()
