"""Whatever ends in the middle of a run on a real Slurm: an error is told, no verdict is, and nothing is left."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP, SIGTERM
from threading import Thread
from time import monotonic, sleep

import pytest
from quotaproof.checker.conform import verdict
from quotaproof.checker.conform.backend import BackendError
from quotaproof.checker.conform.corpus import find
from quotaproof.checker.conform.real.playing import Patience
from quotaproof.checker.conform.real.sandbox import Sandbox, clean
from quotaproof.checker.conform.slurm.backend import Slurm
from quotaproof.checker.conform.verdict import Status, judged

from tests.support.slurm import mounts, processes, refused

pytestmark = [pytest.mark.slurm, pytest.mark.skipif(bool(refused()), reason=refused())]

SCENARIO = find("in-share-switched-off-and-on").scenario
SHORT = Patience(step=6.0, scenario=60.0)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where temporary files of the test are; nothing is left in it and nothing runs in it afterwards."""
    where = tmp_path / "t"
    where.mkdir()
    monkeypatch.setenv("TMPDIR", str(where))
    monkeypatch.setattr(tempfile, "tempdir", str(where))
    yield where
    nothing_left(where)


def nothing_left(where: Path, seconds: float = 10.0) -> None:
    until = monotonic() + seconds
    while (processes(where) or list(where.iterdir())) and monotonic() < until:
        sleep(0.05)
    assert (processes(where), list(where.iterdir()), mounts(where)) == ({}, [], [])


def once(happened: Callable[[], object], then: Callable[[], object]) -> Thread:
    """Do something as soon as something else has happened."""

    def wait() -> None:
        until = monotonic() + 30
        while not happened() and monotonic() < until:
            sleep(0.02)
        then()

    thread = Thread(target=wait)
    thread.start()
    return thread


def started(where: Path) -> bool:
    """Whether a job has been started."""
    return any("Started JobId=" in log.read_text(errors="replace") or "Allocate JobId=" in log.read_text(errors="replace")
               for log in where.glob("*/slurmctld.log"))  # fmt: skip


def signalled(where: Path, name: str, signal: int) -> None:
    named = [pid for pid, comm in processes(where).items() if comm == name]
    assert named
    os.kill(named[0], signal)


def played_while(where: Path, then: Callable[[], object]) -> verdict.Tested:
    """The verdict on a scenario, something else being done when its first job has started."""
    backend = Slurm(patience=SHORT)
    try:
        declared = backend.declare()
        thread = once(lambda: started(where), then)
        (answer,) = backend.run([SCENARIO])
        thread.join()
        return judged(SCENARIO, answer, declared)
    finally:
        backend.close()


def test_an_undisturbed_scenario_passes(folder: Path) -> None:
    assert played_while(folder, lambda: None).status is Status.PASSED


@pytest.mark.parametrize("name", ["slurmctld", "slurmd", "munged"])
def test_a_daemon_that_is_killed_is_an_error_and_no_verdict(folder: Path, name: str) -> None:
    told = played_while(folder, lambda: signalled(folder, name, SIGKILL))
    assert told.status is Status.ERRORED
    assert told.why


def test_a_folder_that_somebody_removes_is_an_error_and_no_verdict(folder: Path) -> None:
    told = played_while(folder, lambda: [shutil.rmtree(path, ignore_errors=True) for path in folder.iterdir()])
    assert told.status is Status.ERRORED


@pytest.mark.parametrize("name", ["slurmctld", "slurmd"])
def test_a_daemon_that_hangs_is_an_error_and_no_verdict(folder: Path, name: str) -> None:
    told = played_while(folder, lambda: signalled(folder, name, SIGSTOP))
    assert told.status is Status.ERRORED


def test_a_cluster_that_has_failed_is_made_anew_for_the_next_scenarios(folder: Path) -> None:
    backend = Slurm(patience=SHORT)
    try:
        declared = backend.declare()
        thread = once(lambda: started(folder), lambda: signalled(folder, "slurmctld", SIGKILL))
        (first,) = backend.run([SCENARIO])
        thread.join()
        (second,) = backend.run([SCENARIO])
    finally:
        backend.close()
    assert [judged(SCENARIO, a, declared).status for a in (first, second)] == [Status.ERRORED, Status.PASSED]


@pytest.mark.parametrize("signal", [SIGTERM, SIGKILL])
def test_nothing_is_left_of_a_quotaproof_that_is_killed(folder: Path, signal: int) -> None:
    words = ["quotaproof", "conform", "slurm", "--budget", "0", "--out", str(folder.parent / "out")]
    program = f"import sys; sys.argv = {words}; from quotaproof.checker.cli import main; main()"
    with subprocess.Popen([sys.executable, "-c", program], cwd=folder.parent, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as quotaproof:  # fmt: skip
        thread = once(lambda: started(folder), lambda: quotaproof.send_signal(signal))
        quotaproof.wait()
        thread.join()
    assert quotaproof.returncode not in (0, 1)
    nothing_left(folder)


def test_the_next_start_cleans_up_what_was_killed_with_its_keeper(folder: Path) -> None:
    program = ("from quotaproof.checker.conform.real.sandbox import Sandbox; from signal import pause; "
               "s = Sandbox('slurm'); print(s._keeper.pid, flush=True); pause()")  # fmt: skip
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        os.kill(int(owner.stdout.readline()), SIGKILL)
        owner.kill()
    (left,) = folder.iterdir()
    assert clean("slurm") == [left]


def test_a_folder_that_is_to_stay_is_named_at_once_and_stays_when_its_owner_is_killed(folder: Path) -> None:
    program = ("from quotaproof.checker.conform.real.sandbox import Sandbox; from signal import pause; "
               "s = Sandbox('slurm', keep=True); pause()")  # fmt: skip
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True) as owner:
        assert owner.stderr is not None
        said = owner.stderr.readline()
        until = monotonic() + 10
        while not list(folder.glob("*/ready")) and monotonic() < until:
            sleep(0.02)
        owner.kill()
    (left,) = folder.iterdir()
    assert said == f"stays until you remove it: {left}\n"
    assert clean("slurm") == []
    assert (left / "kept").exists()
    shutil.rmtree(left)


def test_a_sandbox_whose_owner_lives_is_left_alone(folder: Path) -> None:
    one, other = Sandbox("slurm"), Sandbox("slurm")
    try:
        assert clean("slurm") == []
        assert one.lives
        assert one.folder != other.folder
        assert one.run(["hostname"]) == other.run(["hostname"]) == "cluster\n"
    finally:
        one.close()
        other.close()
    assert not list(folder.iterdir())


def test_two_clusters_at_once_do_not_meet() -> None:
    backends = [Slurm(), Slurm()]
    told: dict[int, verdict.Tested] = {}

    def run(which: int) -> None:
        (answer,) = backends[which].run([SCENARIO])
        told[which] = judged(SCENARIO, answer, backends[which].declare())

    try:
        for backend in backends:
            backend.declare()
        threads = [Thread(target=run, args=(n,)) for n in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for backend in backends:
            backend.close()
    assert [told[n].status for n in range(2)] == [Status.PASSED, Status.PASSED]


def test_a_folder_that_is_kept_stays_and_nothing_runs_in_it(folder: Path) -> None:
    kept = Slurm(keep=True)
    kept.declare()
    kept.close()
    (left,) = folder.iterdir()
    assert (left / "job.sh").exists()
    assert not processes(folder)
    subprocess.run(["rm", "-r", str(left)], check=True)


@pytest.fixture
def small(folder: Path) -> Iterator[Path]:
    """A temporary directory of 3 MB."""
    where = folder.parent / "small"
    where.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(where)], check=True)
    yield where
    subprocess.run(["umount", str(where)], check=True)


def test_a_full_temporary_directory_at_the_start_makes_slurm_unusable(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(small))
    fill(small)
    with pytest.raises(BackendError, match=r"can be written|does not start"):
        Slurm().declare()
    (small / "full").unlink()
    nothing_left(small)


def test_a_temporary_directory_that_fills_up_is_an_error_and_no_verdict(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(small))
    assert played_while(small, lambda: fill(small)).status is Status.ERRORED
    (small / "full").unlink()
    nothing_left(small)


def fill(where: Path) -> None:
    subprocess.run(["dd", "if=/dev/zero", f"of={where / 'full'}", "bs=4k"], capture_output=True, check=False)


def test_a_hung_daemon_that_goes_on_in_time_changes_no_verdict(folder: Path) -> None:
    def pause() -> None:
        signalled(folder, "slurmctld", SIGSTOP)
        sleep(1.5)
        signalled(folder, "slurmctld", SIGCONT)

    assert played_while(folder, pause).status is Status.PASSED
