"""`verify` from its arguments to its exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from quotaproof.checker.results import Result

from .conftest import BROKEN, HOLDS, LIMIT, OPEN, Ran, written

Command = Callable[..., Ran]
Prover = Callable[..., list[dict[str, object]]]


@pytest.mark.parametrize(
    ("results", "options", "code", "word"),
    [
        ((HOLDS,), (), 0, "OK"),
        ((BROKEN,), (), 1, "BROKEN"),
        ((LIMIT,), (), 3, "UNKNOWN"),
        ((HOLDS, OPEN), (), 0, "OK"),
        ((HOLDS, OPEN), ("--strict",), 3, "UNKNOWN"),
    ],
)
def test_the_exit_code_is_the_verdict(
    quotaproof: Command,
    prover: Prover,
    tmp_path: Path,
    results: tuple[Result, ...],
    options: tuple[str, ...],
    code: int,
    word: str,
) -> None:
    prover(*results)
    got = quotaproof("verify", written(tmp_path / "q", 3, a=1, b=2), *options)
    assert (got.code, got.err) == (code, "")
    assert f"\n{word:<7} gpu: " in got.out
    assert got.out.rstrip().endswith(f"exit {code}")


def test_an_error_finding_is_exit_1_with_its_place_and_its_scenario(
    quotaproof: Command, prover: Prover, tmp_path: Path
) -> None:
    prover(HOLDS)
    got = quotaproof("verify", written(tmp_path / "q", 3, a=2, b=2), "--out", "shown")
    assert got.code == 1
    assert "ERROR   4 g5 given, 3 exist" in got.out
    assert "quotaShares.json:1" in got.out
    assert "See it: quotaproof replay shown/QP101-a.json" in got.out
    assert [p.name for p in (tmp_path / "shown").iterdir()] == ["QP101-a.json"]
    assert "BROKEN  G14 lenders always reclaim" in quotaproof("replay", "shown/QP101-a.json").out


def test_nothing_is_written_where_no_scenario_is_named(quotaproof: Command, prover: Prover, tmp_path: Path) -> None:
    prover(HOLDS)
    assert quotaproof("verify", written(tmp_path / "q", 3, a=1)).code == 0
    assert [p.name for p in tmp_path.iterdir()] == ["q"]


def test_json_goes_to_the_screen_or_to_a_file(quotaproof: Command, prover: Prover, tmp_path: Path) -> None:
    prover(HOLDS)
    queue = written(tmp_path / "q", 3, a=1)
    assert json.loads(quotaproof("verify", queue, "--report", "json").out)["outcome"] == "OK"
    both = quotaproof("verify", queue, "--report", "json=report.json", "--report", "text")
    assert both.out.startswith("read ")
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["queue"] == "gpu"
    assert quotaproof("verify", queue, "--report", "text=screen.txt", "--report", "json").out.startswith("{")
    assert (tmp_path / "screen.txt").read_text(encoding="utf-8").startswith("read ")


def test_quiet_prints_the_verdict_alone(quotaproof: Command, prover: Prover, tmp_path: Path) -> None:
    prover(HOLDS)
    got = quotaproof("verify", written(tmp_path / "q", 3, a=1), "--quiet")
    assert got.out == "OK      gpu: every share keeps what it was given, whatever jobs arrive.\n"


def test_assumptions_timeout_and_folder_reach_the_prover(quotaproof: Command, prover: Prover, tmp_path: Path) -> None:
    (calls,) = [prover(HOLDS)]
    queue = written(tmp_path / "q", 3, a=1)
    got = quotaproof(
        "verify", queue, "--assume", "a16=created", "--timeout", "7", "--emit-smtlib", "smt", "--report", "json"
    )
    assert got.code == 0
    assert json.loads(got.out)["assumed"] == {"A16": "created"}
    proving, judging = calls
    assert dict(judging["readings"])["A16"] == "created"  # type: ignore[call-overload]
    assert proving == {"timeout": 7.0, "emit": Path("smt")}
    assert (tmp_path / "smt").is_dir()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["nosuch"], "nosuch: there is no such file or folder"),
        (["q", "--assume", "A16"], "--assume: 'A16' is not READING=CHOICE"),
        (["q", "--assume", "A99=x"], "there is no reading 'A99'; did you mean A9?"),
        (["q", "--assume", "A16=x"], "A16 has no choice 'x'; choose head | created"),
        (["q", "--assume", "A16=head", "--assume", "A16=created"], "A16 is given as head and as created"),
        (
            ["q", "--report", "pdf"],
            "--report: there is no form 'pdf'; choose text, json, md, sarif, junit, html or badge",
        ),
        (["q", "--report", "md=r", "--report", "json=./r"], "--report: r is named twice; give each report a file of"),
        (["q", "--fail-on", "note"], "--fail-on: there is no level 'note'; choose error, warning or never"),
        (["q", "--report", "json="], "--report json=: name a file after ="),
        (["q", "--report", "json", "--report", "text"], "only one report can go to the screen"),
        (["q", "--report", "json=no/such/folder/x"], "no/such/folder/x: cannot be written: No such file or directory"),
        (["q", "--timeout", "0"], "--timeout: 0.0 is not a number of seconds above 0"),
        (["q", "--timeout", "nan"], "--timeout: nan is not a number of seconds above 0"),
        (["q", "--timeout", "soon"], "Invalid value for '--timeout'"),
        (["q", "--emit-smtlib", "q/quotaShares.json"], "q/quotaShares.json: not a folder that can be written"),
        (["q", "--quiet", "--verbose"], "--verbose and --quiet exclude each other"),
        (["q", "--queue", "other"], "other"),
        (["q", "--nonsense"], "No such option: --nonsense"),
        ([], "quotaproof verify: Missing argument"),
    ],
)
def test_what_cannot_be_used_is_one_message_and_exit_2(
    quotaproof: Command, prover: Prover, tmp_path: Path, options: list[str], message: str
) -> None:
    prover(HOLDS)
    written(tmp_path / "q", 3, a=1)
    got = quotaproof("verify", *options)
    assert (got.code, bool(got.out)) == (2, "x: cannot be written" in message)
    assert message in got.err
    assert "Traceback" not in got.err
    assert len(got.err.splitlines()) <= 3


def test_a_message_cannot_act_on_the_terminal(quotaproof: Command) -> None:
    got = quotaproof("verify", "no\x1b[2Jsuch", "--assume", "A\x1b=1")
    assert got.code == 2
    assert "\x1b" not in got.err


def test_a_disabled_share_and_an_assumed_environment_are_said(
    quotaproof: Command, prover: Prover, tmp_path: Path
) -> None:
    prover(HOLDS)
    folder = Path(written(tmp_path / "q", 3, a=1, b=1))
    shares = folder / "quotaShares.json"
    shares.write_text(shares.read_text(encoding="utf-8").replace('"ENABLED", "status"', '"DISABLED", "status"', 1))
    got = quotaproof("verify", str(folder))
    assert "DISABLED, so it takes no new jobs (rule 50); the numbers are for jobs it has (A46): a." in got.out
