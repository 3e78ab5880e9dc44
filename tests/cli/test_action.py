"""action.yml as GitHub would run it: its steps in bash, with inputs as environment variables, however hostile.

A stub stands for the program where only its arguments and its exit code matter; the last test runs the real one.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["id"]: step for step in ACTION["runs"]["steps"]}
EXPRESSION = re.compile(r"\$\{\{\s*(\w+)\.([\w.-]+)\s*\}\}")
STUB = """#!{python}
import json, os, pathlib, sys
pathlib.Path("called.json").write_text(json.dumps(sys.argv[1:]))
for argument in sys.argv:
    form, _, file = argument.removeprefix("--report=").partition("=")
    if argument.startswith("--report=") and form in os.environ["STUB_WRITES"].split():
        pathlib.Path(file).write_text(form * int(os.environ.get("STUB_TIMES", "1")))
print("::error::a share of this name")
sys.exit(int(os.environ["STUB_CODE"]))
"""


@dataclass(frozen=True)
class Ran:
    """What the verify step did."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str
    arguments: list[str] | None
    """What the program was called with; None when it was not."""


Action = Callable[..., Ran]


def environment(step: dict[str, Any], inputs: dict[str, str], steps: dict[str, str]) -> dict[str, str]:
    """The `env` of a step with its expressions filled in, as the runner does: values, never scripts."""
    given = {name: str(about.get("default", "")) for name, about in ACTION["inputs"].items()} | inputs
    known = {"inputs": given, "steps": steps}
    return {name: EXPRESSION.sub(lambda m: known[m[1]][m[2]], str(text)) for name, text in step["env"].items()}


@pytest.fixture
def action(tmp_path: Path) -> Action:
    """The verify step in an empty folder whose name has blanks, with a program in place of quotaproof."""
    work, temp, bin_ = tmp_path / "my work", tmp_path / "the temp", tmp_path / "a bin"
    for folder in (work, temp, bin_):
        folder.mkdir()
    (bin_ / "python").symlink_to(sys.executable)

    def run(
        *, code: int = 0, writes: str = "sarif md", times: int = 1, program: Path | None = None, **inputs: str
    ) -> Ran:
        script = bin_ / "quotaproof"
        if program is not None:
            script.symlink_to(program)
        else:
            script.write_text(STUB.format(python=sys.executable), encoding="utf-8")
            script.chmod(0o755)
        outputs, summary = temp / "outputs", temp / "summary"
        for file in (outputs, summary):
            file.write_text("", encoding="utf-8")
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        env = {
            "PATH": os.environ["PATH"], "RUNNER_TEMP": str(temp), "GITHUB_OUTPUT": str(outputs),
            "GITHUB_STEP_SUMMARY": str(summary), "STUB_CODE": str(code), "STUB_WRITES": writes, "STUB_TIMES": str(times),
            **environment(STEPS["verify"], given, {"install.outputs.bin": str(bin_)}),
        }  # fmt: skip
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS["verify"]["run"]],
            cwd=work, env=env, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        called = work / "called.json"
        return Ran(
            done.returncode,
            done.stdout + done.stderr,
            dict(line.split("=", 1) for line in outputs.read_text(encoding="utf-8").splitlines()),
            summary.read_text(encoding="utf-8"),
            json.loads(called.read_text(encoding="utf-8")) if called.exists() else None,
        )

    return run


def test_no_script_holds_an_expression_so_no_input_can_become_part_of_one() -> None:
    for name, step in STEPS.items():
        assert "${{" not in step.get("run", ""), name
        assert step.get("shell") == "bash" or "uses" in step


def test_every_input_is_used_and_every_output_is_written(action: Action) -> None:
    text = json.dumps(ACTION["runs"])
    for name in ACTION["inputs"]:
        assert f"inputs.{name} }}}}" in text, name
    got = action(path="queue.yaml")
    assert got.outputs.keys() == ACTION["outputs"].keys()


def test_the_defaults_ask_for_every_report_and_end_with_success(action: Action, tmp_path: Path) -> None:
    got = action(path="queue.yaml")
    markdown = str(tmp_path / "the temp" / "quotaproof.md")
    assert got.arguments == [
        "verify", "--report=sarif=quotaproof.sarif", f"--report=md={markdown}", "--out=quotaproof-out", "--fail-on=error",
        "--", "queue.yaml",
    ]  # fmt: skip
    assert (got.code, got.summary) == (0, "md")
    assert got.outputs == {"exit-code": "0", "sarif": "quotaproof.sarif", "markdown": markdown}


@pytest.mark.parametrize("code", [1, 2, 3, 70])
def test_the_step_ends_with_the_exit_code_after_everything_was_written(
    action: Action, tmp_path: Path, code: int
) -> None:
    got = action(path="queue.yaml", code=code)
    assert got.code == code
    judged = code in (1, 3)
    assert (got.outputs["exit-code"], got.summary) == (str(code), "md")
    assert got.outputs.get("sarif") == ("quotaproof.sarif" if judged else None)
    assert (tmp_path / "my work" / "quotaproof.sarif").exists() == judged


def test_a_report_that_was_not_written_is_not_named(action: Action, tmp_path: Path) -> None:
    for file in (tmp_path / "my work" / "quotaproof.sarif", tmp_path / "the temp" / "quotaproof.md"):
        file.write_text("of an earlier run", encoding="utf-8")
    got = action(path="queue.yaml", code=2, writes="")
    assert (got.code, got.outputs, got.summary) == (2, {"exit-code": "2"}, "")


def test_lists_stand_one_a_line_with_blanks_inside_and_around(action: Action) -> None:
    got = action(path="\n  my shares/queue one.yaml \r\n\nlive\n", assume=" A23=no\nA15=no \n")
    assert got.arguments is not None
    assert got.arguments[-5:] == ["--assume=A23=no", "--assume=A15=no", "--", "my shares/queue one.yaml", "live"]


def test_every_option_reaches_the_program(action: Action) -> None:
    got = action(
        path="q", queue="gpu queue", fail_on="warning", strict="true", cross_check="true", timeout="9", out="my out",
        sarif="my.sarif",
    )  # fmt: skip
    assert got.arguments is not None
    wanted = {"--queue=gpu queue", "--fail-on=warning", "--strict", "--cross-check", "--timeout=9", "--out=my out"}
    assert wanted | {"--report=sarif=my.sarif"} <= set(got.arguments)
    assert got.outputs["sarif"] == "my.sarif"


HOSTILE = [
    "$(touch pwned)",
    "`touch pwned`",
    '"; touch pwned; "',
    "'; touch pwned #",
    "a && touch pwned",
    "* ? [a] $HOME \\",
]


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize("name", ["path", "queue", "assume", "fail_on", "timeout", "sarif", "out"])
def test_an_input_is_text_and_never_a_command(action: Action, tmp_path: Path, name: str, value: str) -> None:
    got = action(**{"path": "q", name: value})
    assert got.arguments is not None
    assert any(value in argument for argument in got.arguments)
    assert not list(tmp_path.rglob("pwned"))


@pytest.mark.parametrize("name", ["strict", "cross_check", "summary"])
@pytest.mark.parametrize("value", ["$(touch pwned)", "yes"])
def test_a_switch_is_true_or_false(action: Action, tmp_path: Path, name: str, value: str) -> None:
    got = action(**{"path": "q", name: value})
    assert (got.code, got.arguments, got.outputs) == (2, None, {"exit-code": "2"})
    assert got.log == f"::error title=quotaproof::{name.replace('_', '-')}: write true or false\n"
    assert not list(tmp_path.rglob("pwned"))


def test_a_path_cannot_pass_for_an_option(action: Action) -> None:
    got = action(path="--report=json=x\n-")
    assert got.arguments is not None
    assert got.arguments[-3:] == ["--", "--report=json=x", "-"]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"path": " \n \n"}, "path: name a file or folder with the configuration of a queue"),
        ({"path": "q", "sarif": " "}, "sarif: name a file"),
        ({"path": "q", "sarif": "a\nexit-code=0"}, "sarif: name one file, on one line"),
    ],
)
def test_an_input_that_cannot_be_used_is_said_and_exit_2(action: Action, inputs: dict[str, str], message: str) -> None:
    got = action(**inputs)
    assert (got.code, got.arguments, got.outputs) == (2, None, {"exit-code": "2"})
    assert got.log == f"::error title=quotaproof::{message}\n"


def test_what_the_program_prints_cannot_command_the_runner(action: Action) -> None:
    first, said, last = action(path="q").log.splitlines()
    token = first.removeprefix("::stop-commands::")
    assert re.fullmatch(r"[0-9a-f]{32}", token)
    assert (said, last) == ("::error::a share of this name", f"::{token}::")


def test_the_summary_can_be_left_out_and_one_that_is_too_long_is_said(action: Action) -> None:
    assert action(path="q", summary="false").summary == ""
    long = action(path="q", times=600_000)
    assert long.summary == "The report is longer than GitHub shows in a summary. It stands in the log of this step.\n"


@pytest.mark.parametrize(("cross_check", "extra"), [("false", ""), ("true", "[crosscheck]")])
def test_what_is_installed_is_the_actions_own_checkout(tmp_path: Path, cross_check: str, extra: str) -> None:
    """A file of the repository that is judged must not stand in for a module of Python: -I leaves its folder out."""
    for folder in ("the temp", "work"):
        (tmp_path / folder).mkdir()
    python = tmp_path / "a python"
    made = tmp_path / "the temp" / "quotaproof" / "bin" / "python"
    python.write_text(
        f'#!/usr/bin/env bash\nprintf "%s\\n" "$@" >>"{tmp_path}/calls"\n'
        f'mkdir -p "{made.parent}"; cp "$0" "{made}" 2>/dev/null || true\n',
        encoding="utf-8",
    )
    python.chmod(0o755)
    outputs = tmp_path / "outputs"
    step = STEPS["install"]
    env = environment(step, {"cross-check": cross_check}, {"python.outputs.python-path": str(python)})
    env |= {"PATH": os.environ["PATH"], "RUNNER_TEMP": str(tmp_path / "the temp"), "GITHUB_OUTPUT": str(outputs)}
    env["GITHUB_ACTION_PATH"] = "/actions/quota proof"
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    subprocess.run(script, cwd=tmp_path / "work", env=env, check=True, timeout=60)
    assert (tmp_path / "calls").read_text(encoding="utf-8").splitlines() == [
        "-I", "-m", "venv", str(made.parents[1]),
        "-I", "-m", "pip", "install", "--quiet", f"/actions/quota proof{extra}",
    ]  # fmt: skip
    assert outputs.read_text(encoding="utf-8") == f"bin={made.parent}\n"


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.github-actions", ["action.yml"]),
        ("vendor.github-workflows", sorted((ROOT / "examples/ci").glob("*.yml"))),
    ],
)
def test_action_and_workflows_follow_githubs_schemas(schema: str, files: list[str]) -> None:
    pytest.importorskip("check_jsonschema")
    assert files
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, files)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_example_workflows_pass_only_inputs_that_exist_and_ask_for_few_rights() -> None:
    for file in (ROOT / "examples" / "ci").glob("*.yml"):
        workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
        (job,) = workflow["jobs"].values()
        rights = {**workflow["permissions"], **job.get("permissions", {})}
        assert {name for name, right in rights.items() if right == "write"} <= {"security-events"}
        (used,) = [step for step in job["steps"] if "/quotaproof@" in step["uses"]]
        assert used["with"].keys() <= ACTION["inputs"].keys()
        assert all(re.search(r"@v\d", step["uses"]) for step in job["steps"])


def test_the_real_program_writes_what_the_workflow_uploads(action: Action, tmp_path: Path) -> None:
    got = action(path=str(ROOT / "examples" / "oversubscribed"), program=Path(sys.executable).with_name("quotaproof"))
    assert (got.code, got.outputs["exit-code"]) == (1, "1")
    sarif = json.loads((tmp_path / "my work" / "quotaproof.sarif").read_text(encoding="utf-8"))
    assert "QP101" in {result["ruleId"] for run in sarif["runs"] for result in run["results"]}
    assert "foundation" in got.summary
