"""docs/reference/promises.md: every command runs, its file is read, and its table names every kind of term."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from quotaproof.spec.formats import load
from quotaproof.spec.promises import KEYS
from quotaproof.spec.readings import Readings

from .conftest import Ran

pytestmark = pytest.mark.usefixtures("proved")
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "promises.md").read_text(encoding="utf-8")
COMMANDS = "".join(re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)).splitlines()
EXITS = {
    "quotaproof plan examples/promises/queue.yaml --set foundation.p5=5": 1,
    "quotaproof verify examples/promises-broken --suggest": 1,
}
"""Of those that do not end with 0."""
ELSEWHERE = {
    "quotaproof audit examples/history --promises examples/promises-measured/promises.yaml",
    "quotaproof verify examples/promises",
    "quotaproof verify examples/findings/QP240.yaml --games",
}
"""What they tell, and their exit codes, is asserted in `test_audit_promises` and `test_promises`."""
LONG = "quotaproof verify examples/promises-broken --suggest"
"""Its parts are tested one by one (`test_suggestions`, `test_promises`)."""
RUN = [pytest.param(c, marks=pytest.mark.campaign) if c == LONG else c for c in COMMANDS if c not in ELSEWHERE]


@pytest.mark.parametrize("command", RUN)
def test_every_command_runs(command: str, quotaproof: Callable[..., Ran], here: Path) -> None:
    (here / "examples").symlink_to(ROOT / "examples")
    program, *arguments = shlex.split(command)
    assert program == "quotaproof"
    got = quotaproof(*arguments)
    assert got.code == EXITS.get(command, 0), got.out + got.err


def test_the_commands_that_are_run_elsewhere_are_those_of_the_page() -> None:
    assert {*ELSEWHERE, LONG} <= set(COMMANDS)


def test_the_file_is_read(tmp_path: Path) -> None:
    (text,) = re.findall(r"^<!-- file: promises.yaml -->\n```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "p.yaml").write_text(text)
    loaded = load([str(ROOT / "examples/promises/queue.yaml")], readings=Readings(), promises=str(tmp_path / "p.yaml"))
    assert loaded.promises is not None
    assert [p.code for p in loaded.promises.promises] == ["P1", "P2", "P3"]


def test_every_kind_of_term_has_a_row() -> None:
    named = set(re.findall(r"^\| `(\w+)[:`]", PAGE, re.MULTILINE))
    assert named >= set(KEYS.values())
