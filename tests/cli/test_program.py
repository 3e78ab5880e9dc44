"""The program itself: its help, its speed, closed pipes, and what happens when it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest
from quotaproof.checker.cli import run
from quotaproof.checker.cli.app import GROUPS, app

from .conftest import HOLDS, Ran, written

Command = Callable[..., Ran]
Script = Callable[..., subprocess.CompletedProcess[str]]


def test_help_lists_the_commands_in_groups(script: Script) -> None:
    got = script("--help")
    assert (got.returncode, got.stderr) == (0, "")
    places = [
        got.stdout.index(text)
        for text in (
            *(
                "Your queue:",
                "  verify ",
                "  audit ",
                "Your scheduler:",
                "  conform ",
                "  replay ",
                "Learn:",
                "  explain ",
            ),
        )
    ]
    assert places == sorted(places)


def test_every_command_is_in_one_group() -> None:
    assert sorted(n for names in GROUPS.values() for n in names) == sorted(
        c.name or "" for c in app.registered_commands
    )


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--help"], "z3 numpy pydantic yaml jsonschema quotaproof.spec.model"),
        (["--version"], "z3 numpy pydantic yaml jsonschema quotaproof.spec.model"),
        # typer converts a command's arguments with pydantic, before it looks at --help
        (["verify", "--help"], "z3 numpy yaml jsonschema quotaproof.spec.model"),
        (["pull", "--help"], "z3 numpy yaml boto3 botocore quotaproof.spec.model"),
        (["audit", "--help"], "z3 numpy yaml jsonschema quotaproof.spec.model"),
        (["conform", "--help"], "z3 numpy yaml jsonschema hypothesis networkx distributed quotaproof.spec.model"),
    ],
)
def test_help_loads_no_solver_and_no_models(arguments: list[str], heavy: str) -> None:
    code = (
        "import sys; from quotaproof.checker.cli import run; code = run(sys.argv[2:]);"
        "loaded = set(sys.argv[1].split()) & set(sys.modules);"
        "sys.exit(code or (f'loaded {loaded}' if loaded else 0))"
    )
    got = subprocess.run([sys.executable, "-c", code, heavy, *arguments], capture_output=True, text=True, check=False)
    assert (got.returncode, got.stderr) == (0, "")


def test_version_names_the_program_and_the_spec(quotaproof: Command) -> None:
    assert quotaproof("--version") == Ran(0, f"quotaproof {version('quotaproof')}, spec 1.0\n", "")


def test_no_command_shows_the_help_and_is_no_success(quotaproof: Command) -> None:
    got = quotaproof()
    assert (got.code, got.out) == (2, "")
    assert got.err.startswith("Usage: quotaproof")


def test_an_unknown_command_is_exit_2(quotaproof: Command) -> None:
    assert quotaproof("prove") == Ran(2, "", "quotaproof: No such command 'prove'. See `quotaproof --help`\n")


def test_the_module_runs_like_the_script(tmp_path: Path) -> None:
    got = subprocess.run(
        [sys.executable, "-m", "quotaproof.checker", "verify", "nosuch"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (got.returncode, got.stdout) == (2, "")
    assert got.stderr.startswith("nosuch: there is no such file or folder")


@pytest.mark.parametrize("arguments", [["explain"], ["--help"], ["explain", "verification"]])
def test_a_reader_that_goes_away_is_no_error(script: Script, arguments: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    path = Path(sys.executable).with_name("quotaproof")
    with os.fdopen(write, "w") as closed:
        got = subprocess.run([str(path), *arguments], stdout=closed, stderr=subprocess.PIPE, text=True, check=False)
    assert (got.returncode, got.stderr) == (0, "")
    assert script(*arguments).returncode == 0


def test_a_failure_of_our_own_is_exit_70_with_a_report_and_no_traceback(
    quotaproof: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import quotaproof.checker.verify as orchestration

    def fails(*_: object, **__: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(orchestration, "verify", fails)
    queue = written(tmp_path / "q", 3, a=1)
    got = quotaproof("verify", queue)
    (report,) = tmp_path.glob("quotaproof-crash-*.txt")
    assert got == Ran(70, "", f"quotaproof itself failed (KeyError). Please send the report: {report}\n")
    text = report.read_text(encoding="utf-8")
    assert "KeyError: 'a bug'" in text
    assert f"['quotaproof', 'verify', '{queue}']" in text
    assert f"quotaproof {version('quotaproof')}" in text


def test_a_crash_report_goes_to_the_temporary_folder_when_there_is_no_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import tempfile

    from quotaproof.checker.cli import crash

    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = crash.report(ValueError("x"), ["verify"])
    assert path is not None
    assert path.parent == tmp_path
    monkeypatch.setattr(tempfile, "tempdir", str(gone))
    assert crash.report(ValueError("x"), ["verify"]) is None
    assert capsys.readouterr().err.endswith("quotaproof itself failed (ValueError). No report could be written.\n")
    monkeypatch.chdir(tmp_path)


def test_an_interrupt_is_not_a_verdict(monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    import quotaproof.checker.verify as orchestration

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(orchestration, "verify", interrupted)
    assert run(["verify", written(here / "q", 3, a=1)]) == 130


def test_a_verdict_survives_a_closed_pipe(
    here: Path, monkeypatch: pytest.MonkeyPatch, prover: Callable[..., object]
) -> None:
    prover(HOLDS)
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as closed:
        monkeypatch.setattr(sys, "stdout", closed)
        code = run(["verify", written(here / "q", 3, a=2, b=2)])
    assert code == 1
