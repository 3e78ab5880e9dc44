"""The whole screen of `quotaproof plan` on its example: line by line as `plan_screen.txt` has it, but for the seconds."""

from __future__ import annotations

import shutil
from datetime import date
from importlib import import_module
from pathlib import Path

from ..support.documented import lasting

SCREEN = Path(__file__).with_name("plan_screen.txt")
EXAMPLES = Path(__file__).parents[2] / "examples"
SHOWN = ("plan", "examples/plan/live", "--apply", "examples/plan/requests", "--running", "examples/plan/history")


class Then(date):
    """The day on which the screen was made."""

    @classmethod
    def today(cls):
        return cls(2026, 11, 30)


def test_the_screen_of_the_example(here, quotaproof, monkeypatch):
    monkeypatch.setattr(import_module("quotaproof.checker.cli.plan"), "date", Then)
    shutil.copytree(EXAMPLES / "plan", here / "examples" / "plan")
    ran = quotaproof(*SHOWN)
    assert (ran.code, ran.err) == (0, "")
    assert lasting(ran.out, "1.0") == SCREEN.read_text(encoding="utf-8")
