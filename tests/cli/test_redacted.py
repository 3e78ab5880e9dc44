"""--redact of every command, in every form: what was read stands in a home whose owner no report may name, and what it says
names jobs, an account, and the command that starts a scheduler."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from quotaproof.checker.cli.options import FORMS
from quotaproof.checker.conform.corpus import corpus

from .conftest import HOLDS, Ran

Command = Callable[..., Ran]
ROOT = Path(__file__).parents[2]
OWNER, JOB, ACCOUNT, WORD = "zq-owner", "zq-train", "123456789012", "zq-word"
NAMES_NOTHING = f"""
import sys
print("{{home}}/ran.py: started", file=sys.stderr, flush=True)
sys.exit("ends in {{home}}/of {ACCOUNT}, {WORD}")
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a space in its path, beside the current one, with what the commands read."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    home = tmp_path / f"{OWNER} at home"
    home.mkdir()
    shutil.copytree(ROOT / "examples" / "history", home / "history")
    (home / "queue.yaml").write_text("quotaproof: 1\nqueue: q\nenvironment: {u: 3}\nshares:\n"
                                     "- {name: a, limits: {u: 3}, strategy: LEND}\n"
                                     "- {name: b, limits: {u: 3}, strategy: LEND}\n", encoding="utf-8")  # fmt: skip
    (home / "scenario.json").write_text(json.dumps({
        "scenario": 1, "name": f"of {ACCOUNT}", "about": f"see {home}/notes.txt",
        "queue": {"quotaproof": 1, "queue": "q", "environment": {"u": 1},
                  "shares": [{"name": "a", "limits": {"u": 1}, "strategy": "LEND"}]},
        "steps": [{"submit": JOB, "share": "a", "size": {"u": 1}}],
    }), encoding="utf-8")  # fmt: skip
    (home / "jobs.csv").write_text(f"job_id,team,gpus,submit_s,duration_s\n{JOB},a,1,0,60\n", encoding="utf-8")
    teams = [{"team": "a", "quota_gpus": 1, "lend_limit_gpus": 1}]
    (home / "jobs.config.json").write_text(json.dumps({"capacity_gpus": 1, "teams": teams}), encoding="utf-8")
    (home / "scheduler.py").write_text(NAMES_NOTHING.format(home=home), encoding="utf-8")
    return home


def assert_hidden(run: Ran, secrets: Sequence[str]) -> None:
    """No file in the current folder, and nothing on the screen, has one of the secrets."""
    texts = {str(path): path.read_text(encoding="utf-8") for path in Path.cwd().rglob("*") if path.is_file()}
    for where, text in {**texts, "screen": run.out, "errors": run.err}.items():
        assert not [secret for secret in secrets if secret in text], where


@pytest.mark.parametrize("command", ["verify", "plan", "audit", "replay", "conform", "simulate", "status", "why"])
def test_no_report_names_an_owner_a_job_an_account_or_a_command(
    quotaproof: Command, home: Path, prover: Callable[..., object], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    some = corpus()[:2]
    monkeypatch.setattr("quotaproof.checker.conform.corpus.corpus", lambda: some)
    prover(HOLDS)
    arguments = {
        "verify": [f"{home}/queue.yaml", "--out", f"{home}/out"],
        "plan": [f"{home}/queue.yaml", "--set", "b.u=2", "--out", f"{home}/plan"],
        "audit": [f"{home}/history"],
        "replay": [f"{home}/scenario.json"],
        "conform": [f"tests.support.named:account_{ACCOUNT}", "--budget", "0", "--out", f"{home}/out"],
        "simulate": ["--workload", f"{home}/jobs.csv"],
        "status": [f"{home}/history"],
        "why": ["qs1_job_med", "--in", f"{home}/history"],
    }
    few = {"simulate": ("text", "json", "md", "html"), "status": ("text", "json", "md"), "why": ("text", "json", "md")}
    reports = [f"--report={form}=r.{form}" for form in few.get(command, FORMS)]
    secrets = (OWNER, JOB, "qs1_job_med", ACCOUNT, str(home.parent))
    run = quotaproof(command, *arguments[command], "--redact", *reports)
    assert run.code in (0, 1, 3), run.err
    assert_hidden(run, secrets)
    assert all(Path(f"r.{form}").stat().st_size for form in few.get(command, FORMS))
    lost = quotaproof(command, *[a.replace(".yaml", ".none").replace("history", "none").replace("scenario", "none")
                                 .replace("jobs", "none").replace("named:", "none:") for a in arguments[command]],
                      "--redact", *reports)  # fmt: skip
    assert lost.code == 2
    assert_hidden(lost, secrets)


@pytest.mark.parametrize("command", ["conform", "replay"])
def test_no_report_has_the_command_of_a_backend_or_what_it_says_of_its_home(
    quotaproof: Command, home: Path, command: str
) -> None:
    backend = f"cmd:{shlex.join([sys.executable, str(home / 'scheduler.py'), WORD])}"
    reports = [f"--report={form}=r.{form}" for form in FORMS]
    asked = [backend, "--budget", "0"] if command == "conform" else [f"{home}/scenario.json", "--backend", backend]
    open_ = quotaproof(command, *asked)
    assert str(home) in "".join(open_.err.split("\n"))
    run = quotaproof(command, *asked, "--redact", *reports)
    assert run.code == 2
    assert "command-1" in run.err
    assert_hidden(run, (OWNER, JOB, ACCOUNT, str(home.parent), sys.executable))
