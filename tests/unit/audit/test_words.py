"""Times and numbers in words: the same on paper, on a page with its script, and in what may be typed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from quotaproof.checker.audit.words import duration, instant, interval, tenths
from quotaproof.checker.cli.output import Unusable
from quotaproof.checker.cli.times import moment

ELEMENTS = Path(__file__).parents[3] / "checker" / "teach" / "assets" / "elements.js"
DAY = 86_400_000
TIMES = (0, 1, 999, 59_999, DAY - 1, DAY, 11 * DAY + 3_723_004, 10**11 - 1, 10**11, 1_793_631_604_200)
NUMBERS = (0.0, 0.05, 0.15, 0.25, 0.35, 0.45, 0.75, 1.349999, 2.5, 12.25, 99.95, 1234.05)
SPANS = (
    0,
    5,
    125,
    499,
    500,
    995,
    1000,
    59_400,
    59_500,
    59_999,
    60_000,
    90_500,
    3_599_499,
    3_599_500,
    47 * DAY // 24,
    49 * DAY,
)


def test_a_time_has_one_way_of_being_told_with_and_without_dates() -> None:
    assert instant(1_793_631_604_200) == "2026-11-02 15:00:04.200"
    assert instant(11 * DAY + 3_723_004) == "day 12 01:02:03.004"
    assert interval(0, DAY) == "day 1 00:00:00 to day 2 00:00:00"
    assert interval(10**12, 10**12 + 1000) == "2001-09-09 01:46:40 to 2001-09-09 01:46:41 UTC"


@pytest.mark.parametrize("at", [0, DAY - 1000, 11 * DAY + 3_723_000, 10**12])
def test_a_time_that_is_told_can_be_typed(at: int) -> None:
    assert moment("--since", instant(at)) == at


@pytest.mark.parametrize("text", ["day 0", "day 1 24:00", "day 1 00:60", "day", "day 12345", "day 1 1:00"])
def test_what_no_clock_shows_is_no_time(text: str) -> None:
    with pytest.raises(Unusable, match="day 2 09:30"):
        moment("--since", text)


def test_a_page_with_its_script_tells_times_lengths_and_tenths_alike() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    script = re.sub(r"^export ", "", ELEMENTS.read_text("utf-8"), flags=re.MULTILINE)
    script += f"""
        console.log(JSON.stringify([{list(TIMES)}.map(instantText), {list(SPANS)}.map(durationText),
                                    {list(NUMBERS)}.map((n) => n.toFixed(1))]));"""
    told = subprocess.run([node, "-"], input=script, capture_output=True, text=True, check=True).stdout
    assert json.loads(told) == [
        [instant(at) for at in TIMES], [duration(span / 1000) for span in SPANS], [tenths(n) for n in NUMBERS],
    ]  # fmt: skip
