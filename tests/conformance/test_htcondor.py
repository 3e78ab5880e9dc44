"""A real HTCondor: what it keeps, what known configurations of it get wrong, and that nothing of it is left.

Run with `pytest -m htcondor`; the first run installs Debian 13 into the user's cache.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic, sleep

import pytest
from quotaproof.checker.conform import verdict
from quotaproof.checker.conform.backend import BackendError, Unable
from quotaproof.checker.conform.corpus import entries
from quotaproof.checker.conform.features import lacking
from quotaproof.checker.conform.htcondor.backend import HTCondor, features
from quotaproof.checker.conform.htcondor.daemons import Daemons
from quotaproof.checker.conform.htcondor.findings import FINDINGS
from quotaproof.checker.conform.htcondor.variants import VARIANTS
from quotaproof.checker.conform.real.findings import Finding
from quotaproof.checker.conform.real.sandbox import clean
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.spec.formats.scenario import Scenario

pytestmark = pytest.mark.htcondor
SCENARIOS = {f.name: f.scenario() for f in FINDINGS}


@pytest.fixture(scope="module", autouse=True)
def _it_can_be_started() -> None:
    try:
        with closing(HTCondor()) as backend:
            backend.declare()
    except BackendError as error:
        pytest.skip(f"no HTCondor here: {error.what} {error.why}")


def run(name: str, *scenarios: Scenario) -> list[verdict.Tested]:
    with closing(HTCondor(name)) as backend:
        declared = backend.declare()
        return [judged(s, a, declared) for s, a in zip(scenarios, backend.run(scenarios), strict=True)]


def test_what_it_can_run_of_the_corpus_it_passes():
    can = [e.scenario for e in entries() if not lacking(e.scenario, features(VARIANTS[""]))]
    tested = run("htcondor", *can)
    assert [t.scenario.name for t in tested if t.status in (Status.FAILED, Status.ERRORED)] == []
    assert sum(t.status is Status.PASSED for t in tested) >= 30


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda f: f.name)
def test_a_configuration_that_is_wrong_is_found_under_its_guarantee(finding: Finding):
    (found,) = run(finding.shown_by, finding.scenario())
    assert (found.status, found.code) == (Status.FAILED, finding.code)


@pytest.mark.parametrize("backend", sorted({backend for f in FINDINGS for backend in f.avoided_by}))
def test_the_configuration_that_avoids_it_keeps_every_promise(backend: str):
    about = [f.scenario() for f in FINDINGS if backend in f.avoided_by]
    assert [t.status for t in run(backend, *about)] == [Status.PASSED] * len(about)


def test_priorities_at_a_ceiling_are_not_asked_of_the_configuration_without_mistakes():
    (skipped,) = run("htcondor", SCENARIOS["C5"])
    assert skipped.status is Status.SKIPPED


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary directory in which whatever is left can be seen."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path


def living(network: str) -> list[str]:
    """Commands of the processes in a network namespace."""
    found: list[str] = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if str((process / "ns" / "net").readlink()) == network:
                found.append((process / "comm").read_text().strip())
    return found


def awaited(true: Callable[[], object], seconds: float = 60.0) -> bool:
    until = monotonic() + seconds
    while not true():
        if monotonic() > until:
            return False
        sleep(0.05)
    return True


def test_nothing_is_left_when_it_is_closed(temporary: Path):
    run("htcondor", SCENARIOS["C3"])
    assert list(temporary.iterdir()) == []
    assert str(temporary) not in Path("/proc/self/mountinfo").read_text()


def test_nothing_is_left_when_quotaproof_is_killed_in_the_middle(
    temporary: Path, tmp_path_factory: pytest.TempPathFactory
):
    out = tmp_path_factory.mktemp("out")
    words = [sys.executable, "-m", "quotaproof.checker", "conform", "htcondor", "--budget", "0", "--out", str(out)]
    quotaproof = subprocess.Popen(words, stdout=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(temporary)})
    assert awaited(lambda: list(temporary.glob("quotaproof-htcondor-*/pool-l0/log/StarterLog.slot*")))
    (left,) = temporary.iterdir()
    network = str(Path(f"/proc/{json.loads((left / 'outer.json').read_text())[0]}/ns/net").readlink())
    assert {"condor_master", "condor_startd", "condor_starter"} <= set(living(network))
    quotaproof.send_signal(signal.SIGKILL)
    quotaproof.wait()
    assert awaited(lambda: not living(network))
    clean("htcondor")
    assert awaited(lambda: not list(temporary.iterdir()))
    assert str(left) not in Path("/proc/self/mountinfo").read_text()


def test_a_daemon_that_is_killed_is_an_error_and_no_verdict(monkeypatch: pytest.MonkeyPatch):
    begin = Daemons.begin

    def killed(self: Daemons, layouts: dict[str, object]) -> None:
        begin(self, layouts)  # type: ignore[arg-type]
        self.sandbox.run(["sh", "-c", "kill -9 $(ps -eo pid=,comm= | awk '$2 == \"condor_schedd\" {print $1}')"])

    monkeypatch.setattr(Daemons, "begin", killed)
    (found,) = run("htcondor", SCENARIOS["C1"])
    assert found.status is Status.ERRORED


def test_a_full_temporary_directory_is_an_error_and_no_verdict(temporary: Path):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", temporary], check=True)
    try:
        with closing(HTCondor()) as backend:
            backend.declare()
            (folder,) = temporary.glob("quotaproof-htcondor-*")
            free = shutil.disk_usage(temporary).free
            (folder / "full").write_bytes(b"x" * free)
            (answer,) = backend.run([SCENARIOS["C1"]])
        assert isinstance(answer, Unable)
        assert not answer.skipped
        assert list(temporary.iterdir()) == []
    finally:
        subprocess.run(["umount", "--lazy", temporary], check=True)
