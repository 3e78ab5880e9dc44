"""The pre-commit hook, run by pre-commit itself in a repository that keeps its queue in quota-shares/."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (
    "spec",
    "reference",
    "checker",
    "examples",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    ".pre-commit-hooks.yaml",
)

pytestmark = pytest.mark.skipif(
    shutil.which("pre-commit") is None or shutil.which("git") is None,
    reason="pre-commit or git is not installed: pip install -e '.[hooks]'",
)


def run(folder: Path, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """One command in a folder, with a git of its own."""
    author = {f"GIT_{who}_{what}": "x@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(
        command, cwd=folder, env={**kept, **author, **more}, capture_output=True, text=True, check=False, timeout=600
    )


def committed(folder: Path) -> Path:
    """All that is in the folder, as a git repository."""
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
        done = run(folder, "git", *command)
        assert done.returncode == 0, done.stderr
    return folder


def with_the_hook(folder: Path) -> Path:
    """A repository that offers the hook: this project's sources."""
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            folder.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return committed(folder)


def user(folder: Path, example: str) -> Path:
    """A repository with one of the examples in quota-shares/."""
    shutil.copytree(ROOT / "examples" / example, folder / "quota-shares")
    (folder / "notes.txt").write_text("nothing to judge\n", encoding="utf-8")
    return committed(folder)


def test_the_manifest_is_valid() -> None:
    done = run(ROOT, "pre-commit", "validate-manifest", ".pre-commit-hooks.yaml")
    assert done.returncode == 0, done.stdout


CASES = (
    ("walkthrough", "quota-shares/04_create-quota-share_QS1.json", 0, "Passed"),
    ("oversubscribed", "quota-shares/queue.yaml", 1, "3 of 4 shares cannot count on what they were given."),
    ("oversubscribed", "notes.txt", 0, "Skipped"),
)


def test_a_change_of_the_queue_is_judged_with_all_its_files(tmp_path: Path) -> None:
    """One test for all cases: pre-commit builds the hook's environment only once."""
    hook = with_the_hook(tmp_path / "hook")
    for number, (example, changed, code, said) in enumerate(CASES):
        folder = user(tmp_path / str(number), example)
        done = run(
            folder, "pre-commit", "try-repo", str(hook), "quotaproof-verify", "--files", changed,
            PRE_COMMIT_HOME=str(tmp_path / "home"),
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        assert said in done.stdout
