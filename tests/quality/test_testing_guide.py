"""What docs/how-to/test-from-python.md shows is what runs, as its readers run it."""

from __future__ import annotations

import re

import pytest

from ..support.documented import ROOT, blocks, files

pytest_plugins = "pytester"

PAGE = ROOT / "docs" / "how-to" / "test-from-python.md"
FILES = files(PAGE)
(OUTPUT,) = (block.text for block in blocks(PAGE.read_text(encoding="utf-8")) if block.language == "text")
DETERMINISTIC = """
from hypothesis import Phase, settings
settings.register_profile("same", derandomize=True, database=None, phases=[Phase.generate, Phase.shrink],
                          deadline=None, max_examples=30, stateful_step_count=15)
settings.load_profile("same")
"""

TOO_MUCH = """
from fifo import Fifo
from test_mine import QUEUE
from quotaproof.checker.generate.machine import SchedulerMachine
from quotaproof.spec.events import Dispatch
from quotaproof.spec.observations import Submitted


class TooMuch(Fifo):
    def room(self, share, unit):
        return self.free[unit]


class Machine(SchedulerMachine):
    def make(self):
        return TooMuch()


TestMachine = Machine.TestCase


def test_own(quotaproof_judge):
    quotaproof_judge(QUEUE, [Submitted("first", "speech", {"ml.p5.48xlarge": 3}, 1, None), Dispatch("first")])
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
    for line in OUTPUT.splitlines():
        assert line.strip() in told


def test_a_failure_is_told_without_frames_of_ours_and_with_the_settings_of_the_page_without_an_explanation(guide):
    same = 'settings.register_profile("same", settings.get_profile("quick"), derandomize=True, database=None)'
    guide.makeconftest(f"{FILES['conftest.py']}\n{same}\nsettings.load_profile('same')\n")
    ran = guide.runpytest_subprocess("test_fifo.py", "-q")
    ran.assert_outcomes(failed=1)
    said = ran.outlines
    assert any("fifo breaks G" in line for line in said)
    assert [line for line in said if "Explanation:" in line] == []
    assert [line for line in said if re.search(r"(checker|quotaproof)/\S+\.py:\d+", line)] == []
    at = next(n for n, line in enumerate(said) if "what it reported:" in line)
    assert sum("Submitted " in line or "submit " in line for line in said[at : at + 10]) <= 2, "it is shrunk"


def test_a_machine_fails_without_frames_of_ours(guide):
    guide.makepyfile(test_too_much=TOO_MUCH)
    ran = guide.runpytest_subprocess("test_too_much.py", "-q")
    ran.assert_outcomes(failed=2)
    ran.stdout.fnmatch_lines(["*breaks G4, *"])
    assert [line for line in ran.outlines if re.search(r"(checker|quotaproof)/\S+\.py:\d+", line)] == []


def test_the_mended_one_passes_the_machine_and_the_test_of_ones_own(guide):
    guide.runpytest_subprocess("test_machine.py", "test_mine.py", "-q").assert_outcomes(passed=2)


def test_the_suite_asks_it_for_what_it_declares(guide):
    ran = guide.runpytest_subprocess("--quotaproof-backend", "reserving:Reserving", "-q", "-k", "aws or profile", "-rs")
    outcomes = ran.parseoutcomes()
    assert outcomes["failed"] == 1, "the profile"
    assert outcomes["skipped"] > 5
    assert "errors" not in outcomes
    told = ["reserving conforms to aws-batch in part at most:", "it does not declare borrowing, *"]
    ran.stdout.fnmatch_lines(told, consecutive=True)
    ran.stdout.fnmatch_lines(["SKIPPED *: it needs borrowing*"])


def test_every_adversary_that_the_page_names_exists():
    from quotaproof.checker.generate.adversaries import ADVERSARIES

    named = re.search(r"The adversaries are (.*?) and a few more", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert named is not None
    found = re.findall(r"`([a-z-]+)`", named.group(1))
    assert len(found) >= 11
    assert set(found) <= ADVERSARIES.keys()
