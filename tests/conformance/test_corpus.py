"""The corpus: each file is valid for anybody, says what is true of it, and a scheduler that obeys passes it.

The reference runs every file under the defaults, and those that rest on an open question under each of its choices; a
campaign runs all under all. Together the files bring up every guarantee, goal and feature.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from quotaproof.checker import cli
from quotaproof.checker.conform.backend import Report
from quotaproof.checker.conform.corpus import KINDS, corpus, entries, find, folder
from quotaproof.checker.conform.corpus.goals import generated, goals
from quotaproof.checker.conform.corpus.make import FOLDER, in_order, main
from quotaproof.checker.conform.features import FEATURES, needs
from quotaproof.checker.conform.portable import text, why_not
from quotaproof.checker.conform.profiles import AWS_BATCH
from quotaproof.checker.conform.reference import Reference, Session
from quotaproof.checker.conform.sometimes import Sometimes
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.checker.conform.verdict import Tested as Verdict
from quotaproof.checker.explore.guards import Goal
from quotaproof.checker.explore.passing import reached
from quotaproof.reference.policy import Policy
from quotaproof.spec import events as ev
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.scenario import Scenario, Settle
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import Preempted, Reached
from quotaproof.spec.readings import READINGS, Readings
from quotaproof.spec.rules.guarantees import GUARANTEES
from quotaproof.spec.rules.sources import RULES

from ..support.bugs_in_corpus import shape
from ..support.hiding import hidden
from ..support.wrong import WRONG
from ..support.wrong.kills import run

CASES = Path(__file__).resolve().parents[3] / "shared" / "aws" / "conformance" / "aws_conformance_cases.json"
FILES = {path.name: path for path in folder().iterdir() if path.name.endswith(".json") and path.name != "index.json"}
CORPUS = {scenario.name: scenario for scenario in corpus()}
CHOICES = [(c, v) for c, choices in AWS_BATCH.readings.items() for v in choices if v != READINGS[c].default]
READER = Path(__file__).with_name("read_corpus.js")

every_file = pytest.mark.parametrize("name", FILES)
every_scenario = pytest.mark.parametrize("scenario", CORPUS.values(), ids=CORPUS)


SEEDS = {
    "a co-lender that comes and goes": ["churning-co-lender"],
    "a co-lender of two, oldest share first": ["co-lender-of-two"],
    "the victim retakes the freed machine": ["victim-retakes-its-place"],
    "two victims stop at different times under a gang": ["two-victims-stop-apart"],
    "a claim with no victims": ["claim-without-victims", "claim-on-what-drains-for-nobody"],
    "a claim outlives its headship": ["claim-outlives-its-headship"],
    "a loop by a tie-break": ["loop-by-tie-break"],
    "the own job ends while another borrows": ["own-job-ends", "a-loan-is-no-label"],
    "50 % of 3": ["half-of-three"],
    "borrow limit -1, 0, absent": ["borrow-limit-unlimited-zero-absent"],
    "reserve idle beside a long queue": ["reserve-idle"],
    "a job of 4 on limit 3 loses all for one": ["loses-four-for-one"],
    "lower a limit": ["admin-1-limit-lowered", "admin-1-own-limit-lowered"],
    "raise a limit or create a share": [
        "admin-2-limit-raised-beyond-the-environment", "admin-2-share-created-beyond-the-environment"],
    "stop lending": ["admin-3-lender-becomes-reserve"],
    "cut the right to borrow": ["admin-4-borrow-limit-cut", "admin-4-right-to-borrow-taken"],
    "lower the environment": ["admin-5-environment-lowered"],
    "delete a lender": ["admin-6-lender-deleted", "admin-6-void-at-once"],
    "disable a lender": ["admin-7-lender-disabled"],
    "a share being deleted has a head": [
        "nobody-yields-to-a-share-being-deleted", "nobody-is-stopped-for-a-share-being-deleted",
        "no-own-job-is-stopped-in-a-share-being-deleted"],
    "a borrower starts beside a waiting owner": ["a-borrower-starts-beside-an-owner-that-lacks-another-type"],
    "disabled or deleted while borrowing": ["disabled-while-borrowing", "deleted-while-borrowing"],
    "jobs above limit, borrow limit, everything": ["jobs-too-large"],
    "a unit without a limit": ["unit-without-a-limit", "unit-without-a-limit-and-no-loan"],
    "a unit that the environment lacks": ["unit-not-in-the-environment"],
    "priority raised and lowered, in-share on and off": ["priority-raised-and-lowered", "in-share-switched-off-and-on"],
    "a higher priority is let in": [
        "in-share-lets-a-higher-priority-in", "in-share-by-a-priority-update-alone", "in-share-where-the-own-limit-binds",
        "in-share-where-the-borrow-limit-binds", "in-share-takes-several-victims", "in-share-where-nobody-borrows",
        "in-share-on-own-capacity-beside-a-loan", "in-share-for-one-type-of-two", "in-share-after-the-reclaim"],
    "retries 0, N, unset": ["retries-zero-one-unset", "retries-used-up-in-a-share"],
    "everyone borrows, the last one returns": ["everyone-borrows-last-returns"],
    "limits above and below the environment": ["limits-above-the-environment", "limits-below-the-environment"],
    "unallotted capacity, three ways": ["unallotted-capacity"],
    "an exchange of part owners": ["exchange-of-part-owners"],
    "waiting borrowers do not take turns": ["borrowers-take-no-turns"],
    "20 shares with 5 units": ["twenty-shares-five-units"],
    "steps for jobs in the wrong stage": [
        "advanced-while-draining", "returned-while-draining", "steps-that-are-impossible"],
}  # fmt: skip
"""What must be in it, and where it is."""


@cache
def verdict_of(name: str, backend: str = "reference") -> Verdict:
    """A scenario run by the reference, or by one that serves borrowers before owners."""
    return run(Reference() if backend == "reference" else WRONG["borrowers-first"].backend(), CORPUS[name])


# files


@every_file
def test_a_file_is_valid_for_a_validator_that_knows_nothing_of_us(name):
    from jsonschema import Draft202012Validator

    value = json.loads(FILES[name].read_text(encoding="utf-8"))
    for schema, part in (("scenario", value), ("queue", value["queue"])):
        shipped = files("quotaproof.spec.schemas").joinpath(f"{schema}.schema.json")
        Draft202012Validator(json.loads(shipped.read_text(encoding="utf-8"))).validate(part)


def test_the_index_lists_every_file_once_and_all_are_in_order(capsys):
    index = json.loads(folder().joinpath("index.json").read_text(encoding="utf-8"))
    assert sorted(row["file"] for row in index["scenarios"]) == sorted(FILES)
    assert {row["name"] for row in index["scenarios"]} == set(CORPUS)
    assert index["kinds"] == KINDS
    assert (main(["--check"]), capsys.readouterr().out) == (0, "")


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_program_in_another_language_reads_every_file():
    done = subprocess.run(["node", READER, str(folder())], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stderr, done.returncode) == ("", 0)
    steps = sum(len(scenario.steps) for scenario in CORPUS.values())
    assert done.stdout == f"{len(CORPUS)} scenarios, {steps} steps\n"


def test_the_trace_that_the_page_shows_is_audited(tmp_path, monkeypatch, capsys):
    page = (folder().parents[2] / "docs" / "reference" / "corpus.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (command,) = re.findall(r"^\$ quotaproof (audit .*)$", page, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    Path("trace.ndjson").write_text(lines, encoding="utf-8")
    assert (len(lines.splitlines()), cli.run([*command.split(), "--report", "json"])) == (6, 0)
    results = json.loads(capsys.readouterr().out)["results"]
    assert {r["code"] for r in results if r["verdict"] == "KEPT"} == {"G1", "G2", "G4", "G10", "G12", "G13"}


def test_a_scenario_is_found_by_its_name_and_a_wrong_name_is_told_the_nearest():
    assert find("aws-demo-1").kind == "aws"
    with pytest.raises(InputError, match="did you mean aws-demo-1"):
        find("aws-demo1")


# what they say


@every_scenario
def test_it_says_what_it_is_about_and_what_it_rests_on(scenario):
    assert f"{scenario.name}.json" in FILES
    assert re.fullmatch(r"[A-Z].{20,160}\.", scenario.about)
    assert scenario.rests_on
    assert set(scenario.rests_on) <= {*(f"rule {n}" for n in RULES), *READINGS}
    assert scenario.checks
    assert scenario.checks == tuple(g for g in GUARANTEES if g in scenario.checks)


@every_scenario
def test_every_backend_can_run_it_and_it_ends_at_rest(scenario):
    assert why_not(scenario) == ""
    assert scenario.steps[-1] == Settle()
    assert scenario.features == tuple(f for f in FEATURES if f in needs(scenario))


@every_scenario
def test_the_reference_passes_it(scenario):
    told = verdict_of(scenario.name)
    assert (told.status, told.broken) == (Status.PASSED, ())


@pytest.mark.parametrize("name", [e.scenario.name for e in entries() if e.kind != "bug"])
def test_the_guarantees_that_it_is_about_come_up(name):
    silent = set(CORPUS[name].checks) - verdict_of(name).exercised.keys()
    assert silent <= verdict_of(name, "unordered").exercised.keys()
    assert silent <= {code for code, required in AWS_BATCH.guarantees.items() if required.unless}


@pytest.mark.parametrize("name", [e.scenario.name for e in entries() if e.kind == "bug"])
def test_what_is_left_of_a_planted_scheduler_still_shows_it(name):
    wrong = WRONG[name.removeprefix("bug-")]
    assert CORPUS[name].checks == (wrong.code,)
    assert wrong.code in {broken.code for broken in run(wrong.backend(), CORPUS[name]).broken}


def test_no_two_are_the_same():
    assert Counter(map(shape, CORPUS.values())).most_common(1)[0][1] == 1


def test_every_seed_is_written_by_hand():
    by_hand = {entry.scenario.name for entry in entries() if entry.kind == "seed"}
    assert {name for names in SEEDS.values() for name in names} <= by_hand
    largest = CORPUS["twenty-shares-five-units"].config
    assert (len(largest.shares), len(largest.units)) == (20, 5)


OBEYS = {
    ev.Advance: lambda step: Reached(step.job, Stage.STARTING),
    ev.Stopped: lambda step: Preempted(step.job, Stage.RUNNABLE, 1),
}
"""What a backend reports that does a step whether it is possible or not; others are reported as they are."""


@pytest.mark.parametrize("name", SEEDS["steps for jobs in the wrong stage"])
def test_a_backend_that_does_what_is_impossible_is_found_by_every_such_step(name):
    scenario, backend = CORPUS[name], Reference()
    stages = set()
    for wrong in range(len(scenario.steps)):
        session, seen = Session(backend, scenario.config), []
        for number, step in enumerate(scenario.steps):
            told = list(session.do(step))
            if number == wrong and not told:
                stages.add(session.queue.jobs[step.job].stage)
                told = [OBEYS.get(type(step), lambda same: same)(step)]
                found = judged(scenario, Report([*seen, *told]), backend.declare())
                assert (step, found.status, found.code) == (step, Status.FAILED, "G10")
            seen += told
    assert stages, "nothing is impossible in it"
    if "draining" in name:
        assert Stage.DRAINING in stages


# readings


def passes_under(scenario: Scenario, code: str, choice: str) -> None:
    told = run(Reference(choices={code: choice}), scenario)
    assert (scenario.name, told.status, told.broken) == (scenario.name, Status.PASSED, ())


@pytest.mark.parametrize(("code", "choice"), CHOICES)
def test_the_reference_passes_what_rests_on_a_question_under_each_choice_that_the_profile_allows(code, choice):
    for scenario in CORPUS.values():
        if code in scenario.rests_on:
            passes_under(scenario, code, choice)


@pytest.mark.campaign
@pytest.mark.parametrize(("code", "choice"), CHOICES)
def test_the_reference_passes_all_under_each_choice_that_the_profile_allows(code, choice):
    exercised = Counter[str]()
    backend = Reference(choices={code: choice})
    AWS_BATCH.check(backend.declare(), where="reference")
    for scenario, answer in zip(CORPUS.values(), backend.run(list(CORPUS.values())), strict=True):
        told = judged(scenario, answer, backend.declare())
        assert (scenario.name, told.status, told.broken) == (scenario.name, Status.PASSED, ())
        exercised.update(told.exercised)
    assert AWS_BATCH.never_came_up(backend.declare(), exercised) == ()


def test_three_answers_to_unallotted_capacity_are_told_apart():
    """A5: a scheduler that declares one and does another fails the scenario, except where the two do the same there."""
    scenario = CORPUS["unallotted-capacity"]
    caught: dict[str, set[str]] = {}
    for declared in READINGS["A5"].choices:
        for does in set(READINGS["A5"].choices) - {declared}:
            ceiling = Policy.of(Readings.of(A5=does)).ceiling
            backend = Reference(choices={"A5": declared}, policy=lambda r, c=ceiling: replace(Policy.of(r), ceiling=c))
            if run(backend, scenario).status is Status.FAILED:
                caught.setdefault(declared, set()).add(does)
    assert caught == {
        "owners": {"void", "borrowable"},
        "void": {"owners", "borrowable"},
        "borrowable": {"owners", "void"},
    }


# the whole


def test_everything_that_the_profile_asks_for_comes_up():
    declared, exercised = Reference().declare(), Counter[str]()
    run = Sometimes(declared, AWS_BATCH.asked_for(declared))
    for name in CORPUS:
        exercised.update(verdict_of(name).exercised)
        run.take(verdict_of(name))
    assert AWS_BATCH.never_came_up(declared, exercised) == ()
    assert run.missing == []
    assert {f for scenario in CORPUS.values() for f in scenario.features} == set(FEATURES)
    assert {code for scenario in CORPUS.values() for code in scenario.checks} == set(GUARANTEES)


def test_goals_are_reached_also_where_a_trace_tells_no_more_than_who_was_stopped():
    declared = replace(Reference().declare(), claims=False)
    run = Sometimes(declared, AWS_BATCH.asked_for(declared))
    for name, scenario in CORPUS.items():
        weak = Report(list(hidden(verdict_of(name).seen, "stops")))
        run.take(judged(scenario, weak, declared))
    assert run.missing == []


def test_core_scenarios_alone_bring_up_all_that_core_features_can():
    declared = replace(Reference().declare(), features=frozenset(AWS_BATCH.core))
    exercised, run = Counter[str](), Sometimes(declared, AWS_BATCH.asked_for(declared))
    for name in [n for n, scenario in CORPUS.items() if AWS_BATCH.is_core(scenario)]:
        exercised.update(verdict_of(name).exercised)
        run.take(verdict_of(name))
    assert AWS_BATCH.never_came_up(declared, exercised) == ()
    assert run.missing == []


def test_the_generated_ones_pass_through_every_coverage_goal_that_is_not_proved_impossible():
    found, wanted = set[Goal](), goals()
    for scenario in [entry.scenario for entry in entries() if entry.kind == "goal"]:
        here = reached(scenario, verdict_of(scenario.name).seen, wanted)
        assert f"past {len(here)} of the" in scenario.about
        found |= here
    assert [goal.name for goal in wanted if goal not in found] == []


@pytest.mark.campaign
def test_the_generated_ones_are_what_the_explorer_finds():
    made = {f"{scenario.name}.json": text(in_order(scenario)) for scenario in generated()}
    assert made == {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("goal-*.json")}


def test_a_scheduler_that_names_no_claims_passes_in_the_weak_form_and_what_needs_no_claims_comes_up():
    declared, exercised = replace(Reference().declare(), claims=False), Counter[str]()
    for name, scenario in CORPUS.items():
        told = judged(scenario, Report(list(hidden(verdict_of(name).seen, "stops"))), declared)
        assert (name, told.status, told.broken) == (name, Status.PASSED, ())
        exercised.update(told.exercised)
    assert AWS_BATCH.never_came_up(declared, exercised) == ()


# AWS's cases


def aws_cases() -> Mapping[str, dict]:
    if not CASES.is_file():
        pytest.skip("the collection of AWS's cases is not beside this repository")
    return {case["id"]: case for case in json.loads(CASES.read_text(encoding="utf-8"))}


def test_every_case_of_aws_is_in_the_corpus():
    assert {f"aws-{name.lower()}" for name in aws_cases()} == {e.scenario.name for e in entries() if e.kind == "aws"}


def test_the_walkthrough_has_aws_numbers_and_steps():
    case, ours = aws_cases()["DEMO-1"], CORPUS["aws-demo-1"]
    assert ours.config.environment.capacity == case["serviceEnvironment"]
    for share, given in zip(ours.config.shares, case["shares"], strict=True):
        assert (share.name, share.limits, share.strategy) == (
            given["quotaShareName"], given["capacityLimits"], given["strategy"])  # fmt: skip
        assert (share.borrow_limit, share.in_share) == (given.get("borrowLimit"), given["inSharePreemption"])
    done: list[object] = []
    for step in case["steps"]:
        for do in step["do"]:
            unit = {"ml.g5.xlarge": do.get("n")}
            submit = "submit" in do and ev.Submit(do["submit"], do["share"], unit, do["priority"])
            done.append(submit or ev.SetPriority(do["update"], do["priority"]))
        done.append(Settle())
    assert list(ours.steps[: len(done)]) == done
