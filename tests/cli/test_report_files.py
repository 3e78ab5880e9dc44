"""A file that a command reads is not replaced by a report, whichever command it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from .conftest import Ran

HISTORY = Path(__file__).parents[2] / "examples" / "history"


@pytest.mark.parametrize("command", [["status", "h"], ["why", "any", "--in", "h"]])
def test_a_file_of_the_history_is_no_place_for_a_report(
    quotaproof: Callable[..., Ran], here: Path, command: list[str]
) -> None:
    copytree(HISTORY, here / "h")
    file = sorted((here / "h").glob("*.json"))[0]
    before = file.read_bytes()
    ran = quotaproof(*command, "--report", f"json=h/{file.name}")
    assert (ran.code, ran.out) == (2, "")
    assert f"--report: h/{file.name} is a file that is read" in ran.err
    assert file.read_bytes() == before
    twice = quotaproof(*command, "--report", "json=a.json", "--report", "md=a.json")
    assert (twice.code, "a.json is named twice" in twice.err) == (2, True)


def test_an_older_report_in_the_folder_of_a_history_is_replaced(quotaproof: Callable[..., Ran], here: Path) -> None:
    copytree(HISTORY, here / "h")
    for _ in range(2):
        ran = quotaproof("status", "h", "--report", "json=h/status.json")
        assert ran.code == 0, ran.err
