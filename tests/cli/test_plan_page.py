"""The page on plans shows every form of input, and its names and numbers are those of the program."""

from __future__ import annotations

import re
import shlex

from quotaproof.checker.planned import NUMBERS
from quotaproof.checker.rollout.plan.give import WAYS
from quotaproof.checker.rollout.plan.order import MOST_SETS

from ..support.documented import ROOT, of
from .test_plan_screen import SHOWN

PAGE = ROOT / "docs" / "how-to" / "plan-a-change.md"
COMMANDS = [command.text for command in of(PAGE)]
ON_SCREEN = shlex.join(["quotaproof", *SHOWN])
"""Its whole screen is compared by another test."""


def test_the_page_shows_every_form_of_input():
    assert len(COMMANDS) >= 9
    assert ON_SCREEN in COMMANDS
    for option in ("--apply", "--set", "--give", "--running", "--fail-on"):
        assert any(option in line for line in COMMANDS)


def test_its_numbers_are_those_of_the_program():
    text = PAGE.read_text(encoding="utf-8")
    told = re.findall(r"^\| (sure|at once|most|never stopped) \|", text, re.MULTILINE)
    assert told == list(NUMBERS.values())
    assert f"at most {MOST_SETS} sets" in text
    assert WAYS == 3
    assert "Up to three ways" in text
