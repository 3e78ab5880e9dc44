"""`verify --cross-check`: what cvc5 says is shown, what it does not say is undecided, and a contradiction is our failure."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from quotaproof.checker.prove.crosscheck import Cvc5, Reply

from .conftest import HOLDS, Ran, written

SCHEMA = json.loads(files("quotaproof.spec.schemas").joinpath("verification.schema.json").read_text(encoding="utf-8"))
Command = Callable[..., Ran]
Prover = Callable[..., list[dict[str, object]]]


@pytest.fixture
def cvc5() -> None:
    """Skips where cvc5 is not installed."""
    pytest.importorskip("cvc5", reason="cvc5 is not installed: pip install '.[crosscheck]'")


@pytest.mark.usefixtures("cvc5")
def test_what_cvc5_agrees_with_is_shown_on_the_screen_and_in_json(quotaproof: Command, tmp_path: Path) -> None:
    queue = written(tmp_path / "q", 3, a=1, b=2)
    got = quotaproof("verify", queue, "--cross-check", "--report", "json=report.json", "--report", "text")
    assert (got.code, got.err) == (0, "")
    document = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, SCHEMA)
    said = document["solver"]["cross_check"]
    assert said.startswith("cvc5 ")
    assert " agrees with all 3" in said
    assert said in " ".join(got.out.split())


@pytest.mark.usefixtures("cvc5")
def test_a_question_that_cvc5_does_not_decide_is_undecided_and_exit_3(
    quotaproof: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Cvc5.check
    asked: list[str] = []

    def once_silent(self: Cvc5, text: str, seconds: float | None) -> Reply:
        asked.append(text)
        return Reply("unknown", "too hard") if len(asked) == 150 else right(self, text, seconds)

    monkeypatch.setattr(Cvc5, "check", once_silent)
    got = quotaproof("verify", written(tmp_path / "q", 3, a=1, b=2), "--cross-check")
    assert (got.code, got.err) == (3, "")
    assert "\nUNKNOWN " in got.out
    assert f"agrees with {len(asked) - 1} of {len(asked)} answers of Z3; 1 undecided" in " ".join(got.out.split())


@pytest.mark.usefixtures("cvc5")
@pytest.mark.parametrize("lie", ["sat", "unsat"])
def test_a_contradiction_is_exit_70_with_the_condition_and_its_question_in_the_report(
    quotaproof: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lie: str
) -> None:
    monkeypatch.setattr(Cvc5, "check", lambda *_: Reply(lie))  # type: ignore[arg-type]
    got = quotaproof("verify", written(tmp_path / "q", 3, a=1, b=2), "--cross-check")
    (report,) = tmp_path.glob("quotaproof-crash-*.txt")
    assert got == Ran(70, "", f"quotaproof itself failed (Disagreement). Please send the report: {report}\n")
    text = report.read_text(encoding="utf-8")
    assert f"Disagreement: {'laws: ' if lie == 'sat' else 'G'}" in text
    assert f"says {lie}.\nThe question as SMT-LIB:\n(set-logic QF_LIA)\n" in text
    assert text.rstrip().endswith("(check-sat)")


def test_without_the_package_it_is_one_message_and_exit_2(
    quotaproof: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    got = quotaproof("verify", written(tmp_path / "q", 3, a=1), "--cross-check")
    assert (got.code, got.out) == (2, "")
    assert got.err.startswith("--cross-check: the second solver cannot be loaded: the Python package cvc5 is missing")
    assert got.err.endswith("Fix: install quotaproof with the extra crosscheck, or pip install cvc5.\n")
    assert len(got.err.splitlines()) == 3


def test_without_the_option_no_second_solver_is_loaded(
    quotaproof: Command, prover: Prover, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    prover(HOLDS)
    assert quotaproof("verify", written(tmp_path / "q", 3, a=1)).code == 0
