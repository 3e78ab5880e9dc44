"""What docs/testing.md shows is what runs, as its readers run it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest_plugins = "pytester"

PAGE = Path(__file__).parents[2] / "docs" / "testing.md"
SHOWN = re.findall(r"<!-- (file|output): (\S+) -->\n```\w+\n(.*?)```\n", PAGE.read_text(encoding="utf-8"), re.DOTALL)
FILES = {name: code for kind, name, code in SHOWN if kind == "file"}
OUTPUT = {name: text for kind, name, text in SHOWN if kind == "output"}
DETERMINISTIC = """
from hypothesis import Phase, settings
settings.register_profile("same", derandomize=True, database=None, phases=[Phase.generate, Phase.shrink],
                          deadline=None, max_examples=30, stateful_step_count=15)
settings.load_profile("same")
"""


@pytest.fixture
def guide(pytester):
    """A folder with all files of the page."""
    for name, code in FILES.items():
        pytester.path.joinpath(name).write_text(code, encoding="utf-8")
    pytester.makeconftest(DETERMINISTIC)
    return pytester


def test_the_first_scheduler_fails_as_the_page_says(guide):
    ran = guide.runpytest_subprocess("test_fifo.py", "-q")
    ran.assert_outcomes(failed=1)
    told = "\n".join(line.removeprefix("E").removeprefix("   ") for line in ran.outlines)
    for line in OUTPUT["test_fifo.py"].splitlines():
        assert line.strip() in told


def test_the_mended_one_passes_the_machine_and_the_test_of_ones_own(guide):
    guide.runpytest_subprocess("test_machine.py", "test_mine.py", "-q").assert_outcomes(passed=2)


def test_the_suite_asks_it_for_what_it_declares(guide):
    ran = guide.runpytest_subprocess("--quotaproof-backend", "reserving:Reserving", "-q", "-k", "aws or profile", "-rs")
    outcomes = ran.parseoutcomes()
    assert outcomes["failed"] == 1, "the profile"
    assert outcomes["skipped"] > 5
    assert "errors" not in outcomes
    ran.stdout.fnmatch_lines(["*reserving conforms to aws-batch in part at most: it does not declare borrowing, *"])
    ran.stdout.fnmatch_lines(["*needs *, which reserving does not declare*"])


def test_every_adversary_that_the_page_names_exists():
    from quotaproof.checker.generate.adversaries import ADVERSARIES

    named = re.search(r"The adversaries are (.*?) and a few more", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert named is not None
    found = re.findall(r"`([a-z-]+)`", named.group(1))
    assert len(found) >= 11
    assert set(found) <= ADVERSARIES.keys()
