"""docs/how-to/plan-a-change.md: its commands do what it says, on the examples as they are, and its names are those of the program."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from quotaproof.checker.planned import NUMBERS
from quotaproof.checker.rollout.plan.give import WAYS
from quotaproof.checker.rollout.plan.order import MOST_SETS

from .test_plan_screen import SHOWN

pytestmark = pytest.mark.usefixtures("proved")
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "plan-a-change.md").read_text(encoding="utf-8")
COMMANDS = [line for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
            for line in block.splitlines()]  # fmt: skip
ON_SCREEN = shlex.join(["quotaproof", *SHOWN])
"""Its whole screen is compared by another test."""


@pytest.mark.parametrize("line", [line for line in COMMANDS if line != ON_SCREEN])
def test_a_command_of_the_page_does_what_it_says(here, quotaproof, line):
    (here / "examples").symlink_to(ROOT / "examples")
    program, *words = shlex.split(line)
    assert program == "quotaproof"
    ran = quotaproof(*words)
    assert ran.err == ""
    assert ran.code == (1 if line.endswith("--fail-on weaker") else 0), ran.out
    assert "--give" not in words or re.search(r"\d ways?\b", ran.out)


def test_the_page_shows_every_form_of_input():
    assert len(COMMANDS) >= 9
    assert ON_SCREEN in COMMANDS
    for option in ("--apply", "--set", "--give", "--running", "--fail-on"):
        assert any(option in line for line in COMMANDS)


def test_its_numbers_are_those_of_the_program():
    told = re.findall(r"^\| (sure|at once|most|never stopped) \|", PAGE, re.MULTILINE)
    assert told == list(NUMBERS.values())
    assert f"at most {MOST_SETS} sets" in PAGE
    assert WAYS == 3
    assert "Up to three ways" in PAGE
