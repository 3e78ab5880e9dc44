"""What becomes of a sandbox that was left behind, on folders that are made up, and that nobody else's are touched."""

import fcntl
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from signal import SIGKILL

import pytest
from quotaproof.checker.conform.backend import BackendError
from quotaproof.checker.conform.real import sandbox
from quotaproof.checker.conform.real.kept import kept
from quotaproof.checker.conform.real.sandbox import Sandbox, clean

NOBODY = 2**22 + 1
"""No process has this id."""
STRANGER = 65534


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A process of this user's that is no sandbox's."""
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process
        process.kill()


def began(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])


def left(where: Path, name: str = "slurm-1-1-abcd_123", outer: object = None) -> Path:
    made = where / f"quotaproof-{name}"
    made.mkdir(0o700)
    (made / "state").mkdir()
    (made / "outer.json").write_text(json.dumps(outer))
    return made


def test_what_nobody_holds_any_more_is_removed(folder: Path) -> None:
    made = left(folder)
    assert clean("slurm") == [made]
    assert not made.exists()


def test_what_another_holds_stays_whatever_its_name_says(folder: Path) -> None:
    made = left(folder, f"slurm-{NOBODY}-1-abcd_123")
    held = os.open(made, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    assert clean("slurm") == []
    os.close(held)
    assert clean("slurm") == [made]


def test_a_process_that_is_no_sandbox_is_not_ended(folder: Path, bystander: subprocess.Popen[bytes]) -> None:
    made = left(folder, outer=[bystander.pid, began(bystander.pid)])
    assert clean("slurm") == [made]
    assert bystander.poll() is None


@pytest.mark.parametrize(("later", "lives"), [(0, False), (1, True)])
def test_a_sandbox_is_known_by_its_folder_its_id_and_its_beginning(folder: Path, later: int, lives: bool) -> None:
    made = left(folder)
    with subprocess.Popen(["unshare", "-c", "read x", made], executable="/bin/sh", stdin=subprocess.PIPE) as outer:
        (made / "outer.json").write_text(json.dumps([outer.pid, began(outer.pid) + later]))
        assert clean("slurm") == [made]
        if not lives:
            assert outer.wait(5) == -SIGKILL
        assert (outer.poll() is None) is lives
        outer.kill()


@pytest.mark.parametrize("outer", ["{", "[]", "null", "7"])
def test_what_was_half_written_is_removed_as_well(folder: Path, outer: str) -> None:
    made = left(folder)
    (made / "outer.json").write_text(outer)
    assert clean("slurm") == [made]


@pytest.mark.parametrize(
    "name",
    ["htcondor-1-1-abcd_123", "slurm-x", "slurm-1-1-x", "slurm-my-notes-2-3-final", "slurm-my-1-1-abcd_123",
     "slurm-1-1-abcd_123.old", "slurm-1-1-ABCD_123"],
)  # fmt: skip
def test_a_folder_of_another_name_stays(folder: Path, name: str) -> None:
    made = left(folder, name)
    assert clean("slurm") == []
    assert (made / "state").exists()


def test_a_folder_that_is_kept_stays(folder: Path) -> None:
    made = left(folder)
    (made / "kept").touch()
    assert clean("slurm") == []
    assert kept() == {made}


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to give a folder away")
def test_a_folder_of_another_user_stays_and_what_it_names_goes_on(
    folder: Path, bystander: subprocess.Popen[bytes]
) -> None:
    made = left(folder, outer=[bystander.pid, began(bystander.pid)])
    (made / "kept").touch()
    os.chown(made, STRANGER, STRANGER)
    assert (clean("slurm"), kept()) == ([], set())
    assert made.exists()
    assert bystander.poll() is None


def test_a_folder_that_others_may_write_stays(folder: Path) -> None:
    left(folder).chmod(0o777)
    assert clean("slurm") == []


def test_a_link_stays_and_so_does_what_it_leads_to(folder: Path) -> None:
    (folder / "mine").mkdir()
    link = folder / "quotaproof-slurm-1-1-abcd_123"
    link.symlink_to(folder / "mine")
    assert clean("slurm") == []
    assert link.is_symlink()
    assert (folder / "mine").exists()


def test_without_its_tools_or_root_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "TOOLS", ("no-such-tool",))
    with pytest.raises(BackendError, match="no-such-tool: not installed"):
        Sandbox("slurm")
    monkeypatch.setattr(sandbox, "TOOLS", ())
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(BackendError, match="only root"):
        Sandbox("slurm")
