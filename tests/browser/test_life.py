"""What happens around a page: two tabs, a server that ends, a link that is broken, a name that is not the server's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from . import games, web
from .conftest import Playing, Watched
from .games import submit
from .stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
PLAYED = games.walkthrough(submit("a", "QS1"), {"settle": "all"})


def test_two_tabs_play_two_plays(stage: Stage) -> None:
    stage.open(PLAYED)
    second = Stage(stage.page.context.new_page(), stage.url).open(games.walkthrough())
    second.submit("only-here", "QS2")
    stage.submit("only-there", "QS1")
    second.run()
    stage.run()
    second.shows("only-here of QS2 is scheduled")
    stage.shows("only-there of QS1 is scheduled", "a of QS1 is scheduled")
    assert "only-there" not in second.drawn()
    assert "only-here" not in stage.drawn()


def test_a_server_that_has_ended_is_told_and_the_play_goes_on_with_the_next_one(
    page: Page, plays: Callable[..., Playing], watched: Watched
) -> None:
    watched.expected.append("ERR_CONNECTION_REFUSED")
    server = plays()
    stage = Stage(page, server.url).open(PLAYED)
    before = stage.link()
    assert server.end() == 0
    stage.page.get_by_role("form", name="Submit a job").get_by_role("button", name="Submit").click()
    web.expect(stage.trouble).to_contain_text("does not answer")
    web.expect(stage.trouble).to_contain_text("quotaproof play")
    assert stage.link() == before
    fragment = page.url.partition("#")[2]
    again = plays()
    page.goto(f"{again.url}#{fragment}")
    stage.ready()
    stage.is_at(before["at"])
    assert stage.link() == before


@pytest.mark.parametrize("fragment", ["play=zzz", "play=j%%", "nonsense", "lesson=99"])
def test_a_broken_link_is_told_and_left_as_it_is(stage: Stage, watched: Watched, fragment: str) -> None:
    watched.expected.append("404|422")
    stage.page.goto(f"{stage.url}#{fragment}")
    web.expect(stage.trouble).to_contain_text("What to do:")
    stage.ready()
    assert stage.page.url.endswith(f"#{fragment}")


def test_a_link_whose_last_move_is_impossible_opens_without_it(stage: Stage) -> None:
    stage.open(games.walkthrough(submit("a", "QS1"), {"finish": "nobody"}))
    web.expect(stage.told).to_contain_text("Not possible here, and left out: nobody ends.")
    web.expect(stage.page.get_by_role("heading", level=1)).to_have_text("walkthrough")


def test_a_page_that_is_reloaded_is_where_it_was(stage: Stage) -> None:
    stage.open(PLAYED)
    stage.slide(1)
    before = stage.link()
    stage.page.reload()
    stage.ready()
    stage.is_at(1)
    assert stage.link() == before


def test_playing_on_its_own_comes_to_rest_and_can_be_paused(stage: Stage) -> None:
    stage.open(games.walkthrough(submit("a", "QS1"), submit("b", "QS1"), submit("c", "QS2")))
    stage.page.get_by_label("Speed").select_option("fast")
    stage.click("Play")
    web.expect(stage.page.locator("#go")).to_have_attribute("aria-pressed", "true")
    web.expect(stage.page.locator("#rest-hint")).to_be_visible()
    web.expect(stage.page.locator("#go")).to_have_attribute("aria-pressed", "false")
    stage.shows("a of QS1 is scheduled", "c of QS2 is scheduled")
