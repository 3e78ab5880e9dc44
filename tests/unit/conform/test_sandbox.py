"""What a sandbox that was left behind becomes, on folders that are made up: whose it was is known by id and beginning."""

import json
import os
import tempfile
from pathlib import Path

import pytest
from quotaproof.checker.conform.backend import BackendError
from quotaproof.checker.conform.real import sandbox
from quotaproof.checker.conform.real.sandbox import Sandbox, clean

NOBODY = 2**22 + 1
"""No process has this id."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def began() -> int:
    """When this process began."""
    return int(Path(f"/proc/{os.getpid()}/stat").read_text().rpartition(")")[2].split()[19])


def left(where: Path, pid: int, at: int, outer: object = None, kind: str = "slurm") -> Path:
    made = where / f"quotaproof-{kind}-{pid}-{at}-abc"
    (made / "state").mkdir(parents=True)
    (made / "outer.json").write_text(json.dumps(outer))
    return made


def test_what_a_dead_process_left_is_removed(folder: Path) -> None:
    made = left(folder, NOBODY, 5)
    assert clean("slurm") == [made]
    assert not made.exists()


def test_an_id_that_another_process_has_now_is_not_the_owner(folder: Path) -> None:
    made = left(folder, os.getpid(), began() - 1)
    assert clean("slurm") == [made]


def test_what_belongs_to_a_process_that_lives_stays(folder: Path) -> None:
    made = left(folder, os.getpid(), began())
    assert clean("slurm") == []
    assert made.exists()


def test_a_process_that_only_has_the_id_of_a_sandbox_is_not_ended(folder: Path) -> None:
    left(folder, NOBODY, 5, [os.getpid(), began() - 1])
    assert len(clean("slurm")) == 1


@pytest.mark.parametrize("outer", ["{", "[]", "null", "7"])
def test_what_was_half_written_is_removed_as_well(folder: Path, outer: str) -> None:
    made = left(folder, NOBODY, 5)
    (made / "outer.json").write_text(outer)
    assert clean("slurm") == [made]


def test_folders_of_others_and_those_that_are_kept_stay(folder: Path) -> None:
    other, kept, foreign = (
        left(folder, NOBODY, 5, kind="htcondor"),
        left(folder, NOBODY, 6),
        folder / "quotaproof-slurm-x",
    )
    foreign.mkdir()
    (kept / "kept").touch()
    assert clean("slurm") == []
    assert all(made.exists() for made in (other, kept, foreign))


def test_without_its_tools_or_root_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "TOOLS", ("no-such-tool",))
    with pytest.raises(BackendError, match="no-such-tool: not installed"):
        Sandbox("slurm")
    monkeypatch.setattr(sandbox, "TOOLS", ())
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(BackendError, match="only root"):
        Sandbox("slurm")
