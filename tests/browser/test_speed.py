"""How long a step takes in a play of 200 jobs, from the click to what is drawn, and a start until the page answers.

`timed` says what becomes of the figures.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from urllib.request import urlopen

import pytest

from . import games, web
from .conftest import Playing
from .stage import Stage
from .timed import timed

pytestmark = pytest.mark.browser
STEPS = 30
STARTS = 5
MEASURED = "!performance.getEntriesByName('step-start').length && performance.getEntriesByName('step').length > 0"
STEP_MS, START_MS = 100, 1000


def test_a_step_of_a_play_with_200_jobs(stage: Stage) -> None:
    stage.open(games.crowded(200))
    for _ in range(STEPS):
        stage.step()
        web.until(stage.page, MEASURED)
    measured = stage.page.evaluate("performance.getEntriesByName('step').map(each => each.duration)")
    assert len(measured) == STEPS
    stage.shows("job-199")
    timed("step of a play with 200 jobs", measured, STEP_MS)


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
    timed("play until the first byte of its page", measured, START_MS)


def test_a_start_of_play_until_the_picture_is_drawn(stage: Stage, plays: Callable[..., Playing]) -> None:
    began = time.perf_counter()
    Stage(stage.page, plays().url).open()
    timed("play until its first picture", [1000 * (time.perf_counter() - began)], 2 * START_MS)
