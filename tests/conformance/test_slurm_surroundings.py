"""What surrounds a real Slurm does not reach it: the user's variables, what TMPDIR is called, other containers."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from quotaproof.checker.conform.corpus import find
from quotaproof.checker.conform.real.sandbox import MARK, Sandbox, clean
from quotaproof.checker.conform.slurm.backend import Slurm
from quotaproof.checker.conform.verdict import Status, judged

from tests.support.slurm import refused

pytestmark = [pytest.mark.slurm, pytest.mark.skipif(bool(refused()), reason=refused())]

SCENARIO = find("in-share-switched-off-and-on").scenario
"""One in which jobs are preempted, and requeued."""
OF_THE_USER = ("SBATCH_NO_REQUEUE", "SBATCH_PARTITION", "SLURM_CONF", "SQUEUE_STATES", "SINFO_FORMAT", "SCANCEL_STATE",
               "SALLOC_ACCOUNT", "SACCT_FORMAT", "_CONDOR_NEGOTIATOR_INTERVAL", "CONDOR_CONFIG", "MUNGE_SOCKET")  # fmt: skip


def status() -> Status:
    backend = Slurm()
    try:
        declared = backend.declare()
        (answer,) = backend.run([SCENARIO])
        return judged(SCENARIO, answer, declared).status
    finally:
        backend.close()


def test_the_users_variables_change_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in OF_THE_USER:
        monkeypatch.setenv(name, "1")
    assert status() is Status.PASSED


def test_nothing_inside_sees_the_users_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in OF_THE_USER:
        monkeypatch.setenv(name, "1")
    sandbox = Sandbox("slurm")
    try:
        told = sandbox.run(["sh", "-c", "cat /proc/[0-9]*/environ | tr '\\0' '\\n'"]).split()
        daemon = sandbox.start("says", ["env"], {"OWN": "1"})
        assert daemon.wait() == 0
        told += (sandbox.folder / "says.out").read_text().split()
    finally:
        sandbox.close()
    assert {line.split("=")[0] for line in told} <= {"PATH", "LANG", "HOME", "TMPDIR", "PWD", "OWN", MARK}
    assert "OWN=1" in told


@pytest.mark.parametrize("name", ["a b", "a#b", "a\nb", "a'b\"c", "a,b=c", "a{x}%nb", "ä☃", "d" * 120])
def test_a_temporary_directory_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / name))
    assert status() is Status.PASSED
    assert not list((tmp_path / name).iterdir())


def test_a_sandbox_of_another_container_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    program = ("from quotaproof.checker.conform.real.sandbox import Sandbox; s = Sandbox('slurm'); "
               "print(s.folder, flush=True); input(); print(s.lives and s.folder.exists(), flush=True); s.close()")  # fmt: skip
    words = ["unshare", "-p", "-f", "--mount-proc", sys.executable, "-c", program]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "TMPDIR": str(tmp_path)}) as other:  # fmt: skip
        assert other.stdout is not None
        folder = Path(other.stdout.readline().strip())
        assert clean("slurm") == []
        assert folder.exists()
        told, _ = other.communicate("\n")
    assert told == "True\n"
    assert not list(tmp_path.iterdir())
