"""Each planted bug of the menu turns its own lamp red, at the step that breaks the guarantee and not before."""

from __future__ import annotations

import re

import pytest
from quotaproof.checker.teach.plainly import PLAINLY
from quotaproof.checker.teach.planted import PLANTED

from . import web
from .games import G5, game, share
from .stage import Stage

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_bug_turns_its_lamp_red_at_the_step_that_breaks_it(stage: Stage, name: str) -> None:
    bug = PLANTED[name]
    stage.open()
    stage.scheduler(name)
    who = stage.page.locator("#policy")
    web.expect(who).to_contain_text(bug.says)
    who.get_by_role("button", name=bug.shows, exact=True).click()
    web.expect(stage.page.get_by_role("heading", level=1)).to_have_text(bug.shows)
    red = stage.lamp(bug.code)
    web.expect(red).to_have_attribute("data-state", "broken")
    web.expect(red).to_contain_text("broken")
    web.expect(stage.told).to_contain_text(f"{bug.code} is broken")
    at = int(red.get_attribute("data-since") or 0)
    stage.is_at(at)
    stage.click("Back")
    stage.is_at(at - 1)
    assert stage.broken() == []
    stage.click("Step")
    stage.is_at(at)
    web.expect(red).to_have_attribute("data-state", "broken")
    stage.scheduler("reference")
    web.expect(stage.page.locator("#lamps-sum")).to_contain_text("none broken")


def test_a_lamp_says_in_plain_words_what_it_means_and_the_formal_statement_only_when_asked(stage: Stage) -> None:
    stage.open()
    web.expect(stage.page.locator("#lamps-sum")).to_contain_text(re.compile(r"\d kept, \d+ not met yet, none broken"))
    stage.lamp("G14").click()
    web.expect(stage.dialog).to_contain_text("not met yet")
    web.expect(stage.dialog).to_contain_text("Nothing in this play has put it to the test so far.")
    for said in vars(PLAINLY["G14"]).values():
        web.expect(stage.dialog.get_by_text(said)).to_be_visible()
    formal = stage.dialog.get_by_text("entitled head is dispatched")
    web.expect(formal).to_be_hidden()
    stage.dialog.get_by_text("Exactly, and").click()
    web.expect(formal).to_be_visible()


def test_a_red_lamp_says_why_and_leads_to_the_event(stage: Stage) -> None:
    name, bug = next(iter(PLANTED.items()))
    stage.open()
    stage.scheduler(name)
    stage.page.locator("#policy").get_by_role("button", name=bug.shows, exact=True).click()
    web.expect(stage.lamp(bug.code)).to_have_attribute("data-state", "broken")
    at = int(stage.lamp(bug.code).get_attribute("data-since") or 0)
    stage.is_at(at)
    because = stage.page.locator("#lamps").get_by_text(f"{bug.code}, event {at}: ")
    web.expect(because).to_be_visible()
    _, last = stage.place
    stage.slide(last)
    web.expect(because).to_be_visible()
    stage.lamp(bug.code).click()
    web.expect(stage.dialog).to_contain_text(re.compile(rf"since event {at}\b"))
    stage.dialog.get_by_role("button", name=f"Go to event {at}").click()
    stage.is_at(at, last)
    web.expect(stage.dialog).to_be_hidden()


OVER = [share("a", 2, "LEND"), share("b", 1, "LEND"), share("c", 1, "LEND")]


def test_a_lamp_says_that_nothing_is_promised_where_limits_go_beyond_the_environment(stage: Stage) -> None:
    jobs = [
        {"submit": f"{name}-{n}", "share": name, "size": {G5: 1}}
        for name, n in (("a", 1), ("b", 1), ("c", 1), ("a", 2))
    ]
    stage.open(game("over", OVER, 3, *jobs, {"settle": "all"}))
    lamp = stage.lamp("G14")
    web.expect(lamp).to_have_attribute("data-state", "unpromised")
    web.expect(lamp).to_contain_text("not promised here")
    web.expect(stage.page.locator("#lamps-sum")).to_contain_text("none broken; G14 not promised here")
    lamp.click()
    web.expect(stage.dialog).to_contain_text("with it c uses 1 of its 1")
    web.expect(stage.dialog).to_contain_text("4, and 3 exist")
