"""How long a step takes in a play of 200 jobs, from the click to what is drawn, and a start until the page answers.

Measured, printed, and written to the file that `QUOTAPROOF_FIGURES` names. Times are asserted only where
`QUOTAPROOF_SLOWER` says how many times slower than a quiet two-core machine this one may be.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.request import urlopen

import pytest

from . import games
from .conftest import Playing
from .stage import Stage

pytestmark = pytest.mark.browser
STEPS = 30
STARTS = 5
MEASURED = "!performance.getEntriesByName('step-start').length && performance.getEntriesByName('step').length > 0"
STEP_MS, START_MS = 100, 1000


def _told(name: str, measured: Sequence[float], most: float) -> None:
    figures = {
        "median_ms": round(statistics.median(measured), 1),
        "worst_ms": round(max(measured), 1),
        "n": len(measured),
    }
    print(f"{name}: median {figures['median_ms']} ms, worst {figures['worst_ms']} ms of {len(measured)}")
    if kept := os.environ.get("QUOTAPROOF_FIGURES"):
        file = Path(kept)
        before = json.loads(file.read_text("utf-8")) if file.exists() else {}
        file.write_text(json.dumps({**before, name: figures}, indent=2, sort_keys=True) + "\n", "utf-8")
    if slower := os.environ.get("QUOTAPROOF_SLOWER"):
        assert figures["median_ms"] < most * float(slower)


def test_a_step_of_a_play_with_200_jobs(stage: Stage) -> None:
    stage.open(games.crowded(200))
    for _ in range(STEPS):
        stage.step()
        stage.page.wait_for_function(MEASURED)
    measured = stage.page.evaluate("performance.getEntriesByName('step').map(each => each.duration)")
    assert len(measured) == STEPS
    stage.shows("job-199")
    _told("step of a play with 200 jobs", measured, STEP_MS)


def test_a_start_of_play(plays: Callable[..., Playing]) -> None:
    measured: list[float] = []
    for _ in range(STARTS):
        began = time.perf_counter()
        playing = plays()
        with urlopen(playing.url) as answer:
            assert answer.status == 200
            assert answer.read(1)
        measured.append(1000 * (time.perf_counter() - began))
        assert playing.end() == 0
    _told("play until the first byte of its page", measured, START_MS)


def test_a_start_of_play_until_the_picture_is_drawn(stage: Stage, plays: Callable[..., Playing]) -> None:
    began = time.perf_counter()
    Stage(stage.page, plays().url).open()
    _told("play until its first picture", [1000 * (time.perf_counter() - began)], 2 * START_MS)
