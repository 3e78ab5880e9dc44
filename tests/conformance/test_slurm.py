"""A real Slurm, on the command line as CI runs it: the corpus, judged, five times with the same verdicts.

`pytest -m slurm tests/conformance/test_slurm.py`; needs Debian's packages, root and unshare. About 25 minutes on two cores.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from quotaproof.checker.conform.backend import BackendError
from quotaproof.checker.conform.opening import opened

pytestmark = pytest.mark.slurm
ROOT = Path(__file__).parents[2]
KNOWN = ROOT / ".ci/slurm.json"
RUNS = 5


@pytest.fixture(scope="module", autouse=True)
def slurm() -> None:
    """Skip, with the reason, where there can be none."""
    backend = opened("slurm")
    try:
        backend.declare()
    except BackendError as error:
        pytest.skip(f"{error.what}: {error.fix}")
    finally:
        backend.close()


def run(*words: str, out: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "quotaproof.checker", "conform", "slurm", *words, "--out", str(out)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=out)


def verdicts(report: Path) -> dict[str, str]:
    form = json.loads(report.read_text())
    return {r["subject"]: r["verdict"] for r in form["results"] if r["code"] == "SCENARIO"}


def test_the_verdicts_are_the_same_five_times_and_are_those_that_are_known(tmp_path: Path) -> None:
    seen = []
    for number in range(RUNS):
        out = tmp_path / str(number)
        out.mkdir()
        done = run("--budget", "0", "--expect", str(KNOWN), "--report", "json=report.json", out=out)
        assert done.returncode == 0, done.stderr
        seen.append(verdicts(out / "report.json"))
    assert all(one == seen[0] for one in seen)


def test_a_failure_that_was_kept_is_replayed_on_slurm(tmp_path: Path) -> None:
    kept = ROOT / "checker/conform/slurm/findings/slurm-s7.json"
    command = [sys.executable, "-m", "quotaproof.checker", "replay", str(kept), "--backend", "slurm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_folder_is_kept_when_it_is_asked_for_and_nothing_else_is(tmp_path: Path) -> None:
    before = set(Path(tempfile.gettempdir()).glob("quotaproof-slurm-*"))
    queue = ROOT / "examples/walkthrough"
    done = run("--config", str(queue), "--examples", "1", "--keep", out=tmp_path)
    left = set(Path(tempfile.gettempdir()).glob("quotaproof-slurm-*")) - before
    (folder,) = left
    assert f"kept: {folder}" in done.stderr
    assert f"stays until you remove it: {folder}" in done.stderr
    assert {"slurm.conf", "slurmctld.log", "job.sh"} <= {path.name for path in folder.iterdir()}
    assert "scenario random" in (folder / "README").read_text(encoding="utf-8")
