"""The page for everybody: axe in every state, light, dark, narrow and enlarged, and names that are markup shown as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from . import games, web
from .games import submit
from .stage import Stage

pytestmark = pytest.mark.browser
BUSY = games.walkthrough(
    submit("qs1_job_high", "QS1", priority=3),
    submit("qs1_job_med", "QS1", priority=2),
    submit("qs1_job_low", "QS1", priority=1),
    {"settle": "all"},
    submit("qs2_job_1", "QS2", priority=1),
    {"tick": 1},
)
MANY = games.crowded(60, 20)


def _open(button: str) -> Callable[[Stage], None]:
    def done(stage: Stage) -> None:
        stage.open(BUSY)
        stage.click(button)
        web.expect(stage.dialog).to_be_visible()

    return done


def _job(stage: Stage) -> None:
    stage.open(BUSY).job("qs1_job_high")


def _share(stage: Stage) -> None:
    stage.open(BUSY).share("QS1")


def _explained(stage: Stage) -> None:
    stage.open(BUSY).lamp("G5x").click()
    web.expect(stage.dialog).to_contain_text("G5x")


def _red(stage: Stage) -> None:
    stage.open({**BUSY, "scheduler": "lends-reserve"})
    web.expect(stage.page.locator("[data-state=broken]").first).to_be_visible()


def _beside(stage: Stage) -> None:
    stage.open({**BUSY, "beside": {"scheduler": "never-reclaims", "assume": {}}})
    web.expect(stage.page.get_by_role("list", name="Guarantees, never-reclaims")).to_be_visible()


STATES: Mapping[str, Callable[[Stage], object]] = {
    "start": lambda stage: stage.open(),
    "busy": lambda stage: stage.open(BUSY),
    "many": lambda stage: stage.open(MANY),
    "open": _open("Open…"),
    "save": _open("Save…"),
    "lessons": _open("Lessons…"),
    "help": _open("Help"),
    "assumptions": _open("Assumptions…"),
    "new-share": _open("New share…"),
    "job": _job,
    "share": _share,
    "explained": _explained,
    "red": _red,
    "beside": _beside,
    "lesson": lambda stage: stage.lesson(1),
}


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_serious_by_day_and_by_night(stage: Stage, state: str) -> None:
    STATES[state](stage)
    web.axe(stage.page)
    stage.page.emulate_media(color_scheme="dark")
    web.axe(stage.page)


@pytest.mark.parametrize("state", STATES)
def test_nothing_is_wider_than_a_phone_or_an_enlarged_window(stage: Stage, state: str) -> None:
    stage.page.set_viewport_size(web.PHONE)
    STATES[state](stage)
    web.no_sideways_scroll(stage.page)
    stage.page.set_viewport_size({"width": 640, "height": 400})  # 1280 px at 200 %
    web.no_sideways_scroll(stage.page)


@pytest.mark.parametrize("state", ["busy", "lesson"])
def test_axe_finds_nothing_serious_on_a_phone(stage: Stage, state: str) -> None:
    stage.page.set_viewport_size(web.PHONE)
    STATES[state](stage)
    web.axe(stage.page)


def test_what_one_clicks_is_large_enough(stage: Stage) -> None:
    stage.open(BUSY)
    small = stage.page.evaluate(
        """() => [...document.querySelectorAll("button, select, input, summary")].filter(e => e.checkVisibility()
            && !e.closest("p")).map(e => [e.textContent || e.id, e.getBoundingClientRect()])
            .filter(([, r]) => r.width < 24 || r.height < 24).map(([name, r]) => `${name}: ${r.width} x ${r.height}`)"""
    )
    assert small == []


def test_every_step_is_announced_and_the_focus_comes_back_from_a_dialog(stage: Stage) -> None:
    stage.open(BUSY)
    stage.step()
    at, last = stage.place
    web.expect(stage.page.locator("#announce")).to_contain_text(f"Event {at} of {last}")
    stage.click("Help")
    web.expect(stage.dialog).to_be_visible()
    stage.page.keyboard.press("Escape")
    web.expect(stage.page.get_by_role("button", name="Help", exact=True)).to_be_focused()


def test_the_first_tab_stop_leads_past_the_head_of_the_page(stage: Stage) -> None:
    stage.open(BUSY)
    stage.page.keyboard.press("Tab")
    web.expect(stage.page.locator("#skip")).to_be_focused()
    stage.page.keyboard.press("Enter")
    web.expect(stage.page.locator("#picture-title")).to_be_focused()
    stage.ready()


def test_a_job_whose_name_is_markup_is_shown_as_text_everywhere(stage: Stage) -> None:
    stage.open(games.hostile())
    web.only_as_text(stage.page)
    _, last = stage.place
    stage.slide(last - 1)
    stage.slide(last)
    stage.job(web.HOSTILE)
    web.expect(stage.dialog.get_by_role("heading", level=2)).to_contain_text(web.HOSTILE)
    web.expect(stage.dialog.get_by_role("region", name="What has happened to it")).to_contain_text("Submitted")
    web.only_as_text(stage.page)
    stage.page.keyboard.press("Escape")
    stage.run()
    web.expect(stage.told).not_to_be_empty()
    web.only_as_text(stage.page)


def test_a_play_whose_name_and_shares_are_markup_is_shown_as_text(stage: Stage) -> None:
    form = games.hostile()
    stage.open({**form, "name": web.HOSTILE, "about": f"</script>{web.HOSTILE}"})
    web.expect(stage.page.get_by_role("heading", level=1)).to_have_text(web.HOSTILE)
    assert web.HOSTILE in stage.page.title()
    web.only_as_text(stage.page)
