"""The real script with the real prover: a good queue, a broken one, one without time."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from quotaproof.spec import schemas

Script = Callable[..., subprocess.CompletedProcess[str]]
REPOSITORY = Path(__file__).parents[2]
WALKTHROUGH = REPOSITORY / "examples" / "walkthrough"
BROKEN = REPOSITORY.parent / "shared" / "aws" / "broken6"


def test_the_walkthrough_is_ok_and_says_what_it_rests_on(script: Script, here: Path) -> None:
    got = script("verify", str(WALKTHROUGH), "--report", "json=report.json", "--report", "text")
    assert (got.returncode, got.stderr) == (0, "")
    lines = got.stdout.splitlines()
    assert lines[2] == "OK      my-sm-training-qm-jq: every share keeps what it was given, whatever jobs arrive."
    assert lines[3] == '        2 answers rest on something AWS does not document: see "Rests on".'
    assert len(lines) <= 48
    schema = json.loads(files(schemas).joinpath("verification.schema.json").read_text(encoding="utf-8"))
    report = json.loads((here / "report.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(report)
    assert report["solver"]["name"] == "z3"
    (witness,) = next(r["witnesses"] for r in report["results"] if r["code"] == "G14")
    assert script("replay", f"quotaproof-out/{witness}").returncode == 1


@pytest.mark.skipif(not BROKEN.is_dir(), reason="the broken queue is beside the repository, not in it")
def test_the_broken_queue_is_exit_1_on_one_screen_with_a_scenario_to_play(script: Script, here: Path) -> None:
    got = script("verify", str(BROKEN))
    assert (got.returncode, got.stderr) == (1, "")
    before, _, promises = got.stdout.partition("\nPromises")
    after = promises.partition("\n\n")[2]
    assert promises
    assert len(before.splitlines()) + len(after.splitlines()) <= 48
    assert "See it: quotaproof replay quotaproof-out/QP101-speech.json" in got.stdout
    assert (here / "quotaproof-out" / "QP101-speech.json").is_file()


def test_a_solver_without_time_is_undecided_not_ok(script: Script) -> None:
    got = script("verify", str(WALKTHROUGH), "--timeout", "0.000001", "--quiet")
    assert (got.returncode, got.stderr) == (3, "")
    assert got.stdout.startswith("UNKNOWN my-sm-training-qm-jq: could not decide ")


def test_without_either_reading_the_walkthrough_is_broken(script: Script) -> None:
    got = script("verify", str(WALKTHROUGH), "--assume", "A23=no", "--assume", "A15=no", "--quiet")
    assert got.returncode == 1
    assert "G14" in got.stdout
