"""`replay`: a scenario on the screen, step by step, with its exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from quotaproof.checker.findings.table import lots
from quotaproof.checker.judge.columns import judge_sums
from quotaproof.checker.judge.history import judge_history
from quotaproof.checker.replay import not_in_a_trace
from quotaproof.checker.witness.find import Ground, oversubscribed
from quotaproof.checker.witness.play import play
from quotaproof.spec.events import Dispatch
from quotaproof.spec.formats import load
from quotaproof.spec.formats.scenario import as_form
from quotaproof.spec.formats.scenario_text import load_scenario
from quotaproof.spec.formats.trace import read_trace, write_trace
from quotaproof.spec.observations import Settled
from quotaproof.spec.readings import Readings

from ..support.scenarios import ROOT
from .conftest import Ran, written

Command = Callable[..., Ran]


@pytest.fixture
def form(tmp_path: Path) -> dict[str, Any]:
    """Two shares of 2 on an environment of 3: the second waits."""
    config = load([written(tmp_path / "q", 3, a=2, b=2)], readings=Readings()).config
    return as_form(oversubscribed(Ground(config, lots(config, Readings())[0], Readings()), "QP101-a"))


def saved(folder: Path, form: dict[str, Any]) -> str:
    path = folder / "scenario.json"
    path.write_text(json.dumps(form), encoding="utf-8")
    return str(path)


def test_a_witness_is_shown_step_by_step(quotaproof: Command, tmp_path: Path, form: dict[str, Any]) -> None:
    got = quotaproof("replay", saved(tmp_path, form))
    assert (got.code, got.err) == (1, "")
    lines = got.out.splitlines()
    assert lines[0] == "QP101-a"
    assert "1       b submits b-job: 2 ml.g5.xlarge" in lines
    assert "2       b-job starts   [in use: b 2]" in lines
    assert "BROKEN  G14 lenders always reclaim: a-job waits and nothing can move." in lines
    assert "        a-job cannot start: 4 ml.g5.xlarge would be in use; the environment has 3." in lines


def test_a_witness_that_shows_nothing_is_exit_1(quotaproof: Command, tmp_path: Path, form: dict[str, Any]) -> None:
    form["steps"] = [step for step in form["steps"] if "dispatch" not in step]
    got = quotaproof("replay", saved(tmp_path, form))
    assert got.code == 1
    assert "\nWRONG   a-job may start\n" in got.out


def test_a_step_that_breaks_a_promise_unannounced_is_exit_1(
    quotaproof: Command, tmp_path: Path, form: dict[str, Any]
) -> None:
    del form["breaks"]
    form["steps"].append({"dispatch": "a-job"})
    got = quotaproof("replay", saved(tmp_path, form))
    assert got.code == 1
    assert "BROKEN G1 environment respected" in got.out


def test_what_is_no_scenario_is_exit_2(quotaproof: Command, tmp_path: Path, form: dict[str, Any]) -> None:
    assert quotaproof("replay", "nosuch.json").code == 2
    form["scenario"] = 99
    got = quotaproof("replay", saved(tmp_path, form))
    assert (got.code, got.out) == (2, "")
    assert "99" in got.err


def test_what_was_played_is_written_as_a_trace_and_judged_the_same(quotaproof: Command, tmp_path: Path) -> None:
    scenario = ROOT / "examples" / "conformance" / "DEMO-1.yaml"
    file = tmp_path / "demo.ndjson"
    got = quotaproof("replay", str(scenario), "--trace", str(file))
    assert (got.code, got.err) == (0, f"written {file}\n")
    history = read_trace(str(file))
    seen = list(history.seen())
    assert history.ordered and history.claims and history.problems == []
    assert [one.at // 1000 for one in seen] == sorted(one.at // 1000 for one in seen)
    words = {type(one.what).__name__ for one in seen}
    assert {"Submitted", "Dispatch", "Claim", "Preempted", "Settled"} <= words
    assert judge_history(history, Readings()).faults == ()
    sums = judge_sums(history, Readings())
    assert sums.faults == () and sums.exercised["G1"] == sum(isinstance(one.what, Dispatch) for one in seen)


def test_a_trace_that_cannot_be_written_is_said_and_nothing_else(
    quotaproof: Command, tmp_path: Path, form: dict[str, Any]
) -> None:
    got = quotaproof("replay", saved(tmp_path, form), "--trace", str(tmp_path / "missing" / "t.ndjson"))
    assert (got.code, got.out) == (2, "")
    assert "cannot be written" in got.err


SCENARIOS = sorted([*(ROOT / "examples").glob("scenarios/*.yaml"), *(ROOT / "examples").glob("conformance/*.yaml")])


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_an_audit_of_what_was_played_blames_the_same_steps(tmp_path: Path, path: Path) -> None:
    scenario = load_scenario(str(path))
    played = play(scenario)
    file = tmp_path / "t.ndjson"
    with file.open("w", encoding="utf-8") as stream:
        write_trace(stream, scenario.config, played.seen, ordered=True, claims=True)
    judged = judge_history(read_trace(str(file), readings=scenario.readings), scenario.readings)
    assert {fault.code for fault in judged.faults} == {violation.code for violation in played.violations}
    assert isinstance(played.seen[-1].what, Settled) or "goes round for ever" in not_in_a_trace(played)


def test_a_trace_of_a_job_that_waits_for_ever_ends_at_rest_and_says_what_an_audit_makes_of_it(
    quotaproof: Command, tmp_path: Path, form: dict[str, Any]
) -> None:
    got = quotaproof("replay", saved(tmp_path, form), "--trace", str(tmp_path / "t.ndjson"))
    assert got.code == 1
    assert got.err.endswith(
        "t.ndjson\nAn audit of it finds no broken G14: no step is at fault, the configuration is, and with these limits no "
        "scheduler could serve a-job.\n"
    )
    history = read_trace(str(tmp_path / "t.ndjson"))
    assert [*history.seen()][-1].what == Settled()
    assert judge_history(history, Readings()).faults == ()


def test_the_trace_among_the_examples_is_what_replay_writes(quotaproof: Command, here: Path) -> None:
    examples = Path(__file__).parents[2] / "examples"
    quotaproof("replay", str(examples / "conformance" / "DEMO-1.yaml"), "--trace", "walkthrough.ndjson")
    kept = (examples / "trace" / "walkthrough.ndjson").read_text(encoding="utf-8")
    assert (here / "walkthrough.ndjson").read_text(encoding="utf-8") == kept


def test_what_nobody_promises_to_a_job_that_waits_is_said_though_every_step_keeps_every_promise(
    quotaproof: Command, tmp_path: Path, form: dict[str, Any]
) -> None:
    plain = {key: value for key, value in form.items() if key not in ("breaks", "repeatsFrom")}
    got = quotaproof("replay", saved(tmp_path, plain))
    said = " ".join(got.out.split())
    assert (got.code, got.err) == (0, "")
    assert "OK every step keeps every promise that is made here, and every expectation is met." in said
    assert "NOT promised here: G14 lenders always reclaim." in said
    assert "4, and 3 exist; these limits are at fault, as `verify` says, and no step. exit 0" in said
    shown = quotaproof("replay", saved(tmp_path, form))
    assert "BROKEN" in shown.out
    assert "promised here" not in shown.out
