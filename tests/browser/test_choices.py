"""Another scheduler, another assumption, two of them side by side: the same moves, and what becomes of them."""

from __future__ import annotations

import pytest

from . import games, web
from .conftest import Watched
from .games import submit
from .stage import Stage

pytestmark = pytest.mark.browser
MOVES = [
    submit("lent-1", "QS1", priority=2),
    submit("lent-2", "QS1", priority=1),
    {"settle": "all"},
    submit("owner", "QS2"),
    {"settle": "all"},
]


def test_two_policies_stand_side_by_side_with_the_same_moves(stage: Stage) -> None:
    stage.open(games.walkthrough(*MOVES))
    _, last = stage.place
    stage.click("Compare with a second one")
    stage.page.get_by_role("combobox", name="Who schedules beside it").select_option("never-reclaims")
    web.expect(stage.page.get_by_role("list", name="Guarantees, never-reclaims")).to_be_visible()
    web.expect(stage.picture).to_contain_text("owner of QS2 is scheduled")
    web.expect(stage.picture).to_contain_text("owner of QS2 waits")
    moves = stage.link()["game"]
    assert moves["beside"]["scheduler"] == "never-reclaims"
    assert moves["moves"] == games.walkthrough(*MOVES)["moves"]
    stage.slide(1)
    stage.slide(last)
    stage.click("Stop comparing")
    web.expect(stage.picture).not_to_contain_text("owner of QS2 waits")
    assert not stage.link()["game"].get("beside")


def test_an_assumption_is_chosen_by_its_meaning_and_the_moves_are_played_again(stage: Stage) -> None:
    stage.open(games.walkthrough(*MOVES))
    events = stage.page.locator("#log").inner_text()
    stage.click("Assumptions…")
    stage.dialog.get_by_role("group", name="A23").get_by_role("radio", name="no").check()
    stage.page.keyboard.press("Escape")
    chip = stage.page.get_by_role("list", name="Assumptions that are not the default").first.get_by_role("button")
    web.expect(chip).to_contain_text("A23")
    assert stage.link()["game"]["assume"] == {"A23": "no"}
    chip.click()
    web.expect(chip).to_have_count(0)
    assert stage.link()["game"].get("assume", {}) == {}
    assert stage.page.locator("#log").inner_text() == events


def test_a_share_is_disabled_and_its_limit_and_strategy_are_changed_by_a_form_each(stage: Stage) -> None:
    stage.open(games.walkthrough(*MOVES))
    stage.share("QS3").get_by_role("button", name="Disable").click()
    web.expect(stage.told).to_contain_text("QS3")
    dialog = stage.share("QS3")
    dialog.get_by_label("Strategy").select_option("LEND")
    dialog.get_by_role("button", name="Set sharing").click()
    stage.shows("QS3 (LEND)")
    dialog = stage.share("QS1")
    dialog.get_by_label(games.G5).fill("2")
    dialog.get_by_role("button", name="Set limits").click()
    stage.shows("of its limit 2")
    verbs = [next(iter(move)) for move in stage.link()["game"]["moves"]]
    assert verbs[-3:] == ["set-share-state", "set-sharing", "set-limits"]


def test_a_move_that_cannot_be_is_told_and_the_play_stays(stage: Stage, watched: Watched) -> None:
    watched.expected.append("422")
    stage.open(games.walkthrough(*MOVES))
    before = stage.link()
    form = stage.page.get_by_role("form", name="Submit a job")
    form.get_by_label("Name").fill("owner")
    form.get_by_role("button", name="Submit").click()
    web.expect(stage.trouble).to_contain_text("owner")
    web.expect(stage.trouble).to_contain_text("What to do:")
    assert stage.link() == before
    stage.click("Dismiss")
    web.expect(stage.trouble).to_be_hidden()
