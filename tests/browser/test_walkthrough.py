"""AWS's walkthrough, clicked: its three outcomes, the way back and forth, the address that carries it, the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from . import games, web
from .games import submit
from .stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

pytestmark = pytest.mark.browser
SUBMITTED = [
    submit("qs1_job_high", "QS1", priority=3),
    submit("qs1_job_med", "QS1", priority=2),
    submit("qs1_job_low", "QS1", priority=1),
]
FIRST = [*SUBMITTED, {"settle": "all"}]
SECOND = [*FIRST, submit("qs2_job_1", "QS2", priority=1), {"settle": "all"}]
MED_BORROWS = (
    "qs1_job_high of QS1 is scheduled",
    "qs1_job_med of QS1 is scheduled",
    "qs1_job_low of QS1 waits",
    "QS1, ml.g5.xlarge: uses 2",
)
MED_STOPPED = (
    "qs1_job_high of QS1 is scheduled",
    "qs2_job_1 of QS2 is scheduled",
    "qs1_job_med of QS1 waits, number 1",
    "stopped once before",
)
HIGH_STOPPED = (
    "qs1_job_low of QS1 is scheduled",
    "qs2_job_1 of QS2 is scheduled",
    "qs1_job_high of QS1 waits, number 1",
)


def test_the_walkthrough_is_clicked_to_its_three_outcomes(stage: Stage) -> None:
    stage.open(games.walkthrough())
    for job, priority in (("qs1_job_high", 3), ("qs1_job_med", 2), ("qs1_job_low", 1)):
        stage.submit(job, "QS1", priority)
    stage.run()
    stage.shows(*MED_BORROWS, "1 borrowed from QS2", "1 kept idle and never lent")
    stage.submit("qs2_job_1", "QS2", priority=1)
    stage.step()
    web.expect(stage.told).to_contain_text("qs1_job_med")
    web.expect(stage.told).to_contain_text("qs2_job_1")
    web.expect(stage.told).to_contain_text("riorit")
    stage.run()
    stage.shows(*MED_STOPPED)
    stage.set_priority("qs1_job_low", 4)
    stage.run()
    stage.shows(*HIGH_STOPPED)
    assert stage.broken() == []


def test_undo_takes_back_event_by_event_and_redo_brings_the_same_pictures(stage: Stage) -> None:
    stage.open(games.walkthrough(*SUBMITTED))
    stage.run()
    stage.submit("qs2_job_1", "QS2", 1)
    _, last = stage.place
    seen = {last: stage.drawn()}
    for at in range(last - 1, last - 4, -1):
        stage.click("Undo")
        stage.is_at(at, at)
        seen[at] = stage.drawn()
    assert len(set(seen.values())) == 4
    for at in range(last - 2, last + 1):
        stage.click("Redo")
        stage.is_at(at, at)
        assert stage.drawn() == seen[at]
    web.expect(stage.page.locator("#redo")).to_have_attribute("aria-disabled", "true")


def test_the_slider_goes_to_any_event_and_a_move_there_cuts_what_came_after_until_it_is_undone(stage: Stage) -> None:
    stage.open(games.walkthrough(*SECOND))
    _, last = stage.place
    stage.slide(3)
    stage.is_at(3, last)
    stage.shows("qs1_job_high of QS1 waits, number 1")
    stage.submit("another", "QS2")
    stage.is_at(4, 4)
    stage.click("Undo")
    stage.is_at(3, last)
    stage.slide(last)
    stage.shows(*MED_STOPPED)


def test_each_line_of_the_log_leads_to_its_event(stage: Stage) -> None:
    stage.open(games.walkthrough(*SECOND))
    log = stage.page.locator("#log").get_by_role("button")
    _, last = stage.place
    web.expect(log).to_have_count(last + 1)
    log.nth(2).click()
    stage.is_at(2, last)
    web.expect(log.nth(2)).to_have_attribute("aria-current", "step")


def test_a_link_opens_the_same_event_and_the_same_picture_in_another_browser(
    stage: Stage, contexts: Callable[..., BrowserContext]
) -> None:
    stage.open(games.walkthrough(*SECOND))
    stage.submit("late", "QS1", 2)
    _, last = stage.place
    stage.slide(last - 2)
    carried = stage.link()
    assert carried["at"] == last - 2
    other = Stage(contexts().new_page(), stage.url)
    other.page.goto(stage.page.url)
    other.ready()
    other.is_at(last - 2, last)
    assert other.drawn() == stage.drawn()
    assert other.told.inner_text() == stage.told.inner_text()
    assert other.link()["game"] == carried["game"]


def test_back_leads_to_the_play_before_the_one_that_was_opened(stage: Stage) -> None:
    stage.open(games.walkthrough(*FIRST))
    before = stage.link()
    stage.click("Open…")
    stage.dialog.get_by_role("button", name="reserve-idle").click()
    web.expect(stage.page.get_by_role("heading", level=1)).to_have_text("reserve-idle")
    assert stage.link()["game"]["name"] == "reserve-idle"
    stage.page.go_back()
    web.expect(stage.page.get_by_role("heading", level=1)).to_have_text("walkthrough")
    assert stage.link() == before
    stage.page.go_forward()
    web.expect(stage.page.get_by_role("heading", level=1)).to_have_text("reserve-idle")


def test_the_whole_walkthrough_needs_only_the_keyboard(stage: Stage) -> None:
    stage.open(games.walkthrough())
    keys = stage.page.keyboard

    def submits(job: str, share: str, priority: int) -> None:
        at, _ = stage.place
        keys.press("s")
        web.expect(stage.page.get_by_role("form", name="Submit a job").get_by_label("Name")).to_be_focused()
        keys.type(job)
        keys.press("Tab")
        keys.type(share)
        keys.press("Tab")
        keys.press("Tab")
        keys.type(str(priority))
        keys.press("Enter")
        stage.is_at(at + 1)
        _tab_until(stage, "document.activeElement.tagName === 'BUTTON'")  # in a field, letters are text

    def rests() -> None:
        keys.press("r")
        web.expect(stage.page.locator("#rest-hint")).to_be_visible()

    for job, priority in (("qs1_job_high", 3), ("qs1_job_med", 2), ("qs1_job_low", 1)):
        submits(job, "QS1", priority)
    rests()
    stage.shows(*MED_BORROWS)
    submits("qs2_job_1", "QS2", 1)
    rests()
    stage.shows(*MED_STOPPED)
    at, _ = stage.place
    _tab_to_job(stage, "qs1_job_low")
    keys.press("Enter")
    web.expect(stage.dialog).to_be_visible()
    _tab_until(stage, "document.activeElement.labels?.[0]?.textContent.startsWith('Priority')")
    keys.type("4")
    keys.press("Enter")
    web.expect(stage.dialog).to_be_hidden()
    stage.is_at(at + 1)
    rests()
    stage.shows(*HIGH_STOPPED)
    _, last = stage.place
    keys.press("b")
    stage.is_at(last - 1, last)
    keys.press("n")
    stage.is_at(last, last)
    keys.press("u")
    stage.is_at(last - 1, last - 1)
    keys.press("y")
    stage.is_at(last, last)
    keys.press("?")
    web.expect(stage.dialog).to_have_accessible_name("Help")
    keys.press("Escape")
    web.expect(stage.dialog).to_be_hidden()


def _tab_until(stage: Stage, there: str, key: str = "Tab", most: int = 80) -> None:
    for _ in range(most):
        if stage.page.evaluate(there):
            return
        stage.page.keyboard.press(key)
    where = stage.page.evaluate("document.activeElement.outerHTML")
    raise AssertionError(f"{most} times {key} do not lead to {there}, but to {where}")


def _tab_to_job(stage: Stage, job: str) -> None:
    """By Tab into the picture, then from block to block by the arrows."""
    _tab_until(stage, "document.activeElement.closest('#picture') !== null")
    _tab_until(stage, f"document.activeElement.getAttribute('aria-label').startsWith('{job}')", "ArrowRight", 20)
