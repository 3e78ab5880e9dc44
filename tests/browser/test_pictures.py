"""The pictures in the documentation, made by the page itself: `QUOTAPROOF_SCREENSHOTS=1 pytest -m browser` writes them.

Without it the test sees that each page still says what its picture shows: its text is kept beside it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from . import games, web
from .conftest import ROOT
from .games import submit
from .stage import Stage

pytestmark = pytest.mark.browser
FOLDER = ROOT / "docs" / "pictures"
LARGEST = 160_000
FIRST = [
    submit("qs1_job_high", "QS1", priority=3),
    submit("qs1_job_med", "QS1", priority=2),
    submit("qs1_job_low", "QS1", priority=1),
    {"settle": "all"},
]
RECLAIM = [*FIRST, submit("qs2_job_1", "QS2", priority=1), {"tick": 1}]


@dataclass(frozen=True)
class Shot:
    """One picture: how its page comes to be, and what of it is shown."""

    made: Callable[[Stage], object]
    shows: str = "body"
    dark: bool = False
    width: int = 1040
    height: int = 600


def _red(stage: Stage) -> None:
    stage.open()
    stage.scheduler("lends-reserve")
    stage.page.locator("#policy").get_by_role("button", name="reserve-idle", exact=True).click()
    web.expect(stage.lamp("G2")).to_have_attribute("data-state", "broken")
    stage.is_at(8, 14)


SHOTS: Mapping[str, Shot] = {
    "play": Shot(lambda stage: stage.open(games.walkthrough(*RECLAIM))),
    "borrows": Shot(lambda stage: stage.open(games.walkthrough(*FIRST)), "#picture"),
    "reclaims": Shot(lambda stage: stage.open(games.walkthrough(*RECLAIM)), "#picture"),
    "dark": Shot(lambda stage: stage.open(games.walkthrough(*RECLAIM)), dark=True),
    "narrow": Shot(lambda stage: stage.open(games.walkthrough(*RECLAIM)), width=360, height=720),
    "red": Shot(_red),
    "lesson": Shot(lambda stage: stage.lesson(2)),
    "beside": Shot(lambda stage: stage.open({**games.walkthrough(*RECLAIM, {"settle": "all"}),
                                             "beside": {"scheduler": "never-reclaims", "assume": {}}})),
}  # fmt: skip


@pytest.mark.parametrize("name", SHOTS)
def test_a_picture_of_the_documentation_shows_what_the_page_says(stage: Stage, name: str) -> None:
    shot = SHOTS[name]
    stage.page.set_viewport_size({"width": shot.width, "height": shot.height})
    stage.page.emulate_media(color_scheme="dark" if shot.dark else "light", reduced_motion="reduce")
    shot.made(stage)
    stage.page.evaluate("scrollTo(0, 0)")
    shown = stage.page.locator(shot.shows)
    text = shown.inner_text().strip() + "\n"
    picture, words = FOLDER / f"{name}.png", FOLDER / f"{name}.txt"
    if os.environ.get("QUOTAPROOF_SCREENSHOTS"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        if shot.shows == "body":
            stage.page.screenshot(path=picture, animations="disabled")
        else:
            shown.screenshot(path=picture, animations="disabled")
        words.write_text(text, "utf-8")
    assert picture.stat().st_size < LARGEST
    assert text == words.read_text("utf-8"), "write it anew: QUOTAPROOF_SCREENSHOTS=1 pytest -m browser -k picture"


def test_every_picture_is_of_a_page() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(SHOTS)
