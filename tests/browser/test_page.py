"""The page's own doing: undo, the address, forms that keep what is typed, links, dropped files, keys, lessons."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from . import games, web
from .conftest import ROOT, Playing, Watched
from .games import submit
from .stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator

pytestmark = pytest.mark.browser
PLAYED = games.walkthrough(submit("a", "QS1"), submit("b", "QS1"), {"settle": "all"})
DROPPED = """files => {
    const transfer = new DataTransfer();
    for (const [name, text] of files) transfer.items.add(new File([text], name));
    for (const kind of ["dragenter", "dragover", "drop"])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""


def _who(stage: Stage) -> Locator:
    return stage.page.get_by_role("combobox", name="Who schedules", exact=True)


def _form(stage: Stage) -> Locator:
    return stage.page.get_by_role("form", name="Submit a job")


def test_undo_takes_back_another_scheduler_and_then_the_events_before_it(stage: Stage) -> None:
    stage.open(PLAYED)
    _, last = stage.place
    stage.scheduler("never-reclaims")
    web.expect(stage.page.locator("#label")).to_have_text("never-reclaims")
    stage.click("Undo")
    web.expect(_who(stage)).to_have_value("reference")
    stage.is_at(last, last)
    stage.click("Undo")
    stage.is_at(last - 1, last - 1)
    stage.click("Redo")
    stage.click("Redo")
    web.expect(_who(stage)).to_have_value("never-reclaims")
    stage.is_at(last, last)


def test_a_browser_that_cannot_deflate_writes_and_reads_a_longer_link(
    contexts: Callable[..., BrowserContext], play: Playing
) -> None:
    context = contexts()
    context.add_init_script("delete globalThis.CompressionStream;")
    stage = Stage(context.new_page(), play.url).open(PLAYED)
    stage.submit("later", "QS2")
    at, _ = stage.place
    carried = stage.link()
    assert "#play=j" in stage.page.url
    assert (carried["v"], carried["at"], carried["game"]["moves"][-1]["submit"]) == (1, at, "later")
    stage.page.reload()
    stage.ready()
    stage.is_at(at, at)


def test_a_link_of_a_newer_form_is_told_and_is_still_there_when_one_goes_back(stage: Stage) -> None:
    text = base64.urlsafe_b64encode(json.dumps({"v": 2, "game": {}}).encode()).decode().rstrip("=")
    newer = f"{stage.url}#play=j{text}"
    stage.page.goto(newer)
    web.expect(stage.trouble).to_contain_text("form 2")
    web.expect(stage.trouble).to_contain_text("update quotaproof")
    stage.ready()
    assert stage.page.url == newer
    stage.submit("new", "QS1")
    stage.page.wait_for_url(re.compile("#play=z"))
    stage.page.go_back()
    stage.page.wait_for_url(newer)
    web.expect(stage.trouble).to_contain_text("form 2")


def test_what_is_being_typed_stays_while_the_play_goes_on_and_keys_in_a_field_are_text(stage: Stage) -> None:
    stage.open(games.walkthrough(submit("a", "QS1"), submit("b", "QS1"), submit("c", "QS2")))
    at, last = stage.place
    name = _form(stage).get_by_label("Name")
    name.press("Control+a")
    name.press_sequentially("nrub")
    stage.is_at(at, last)
    stage.step()
    web.expect(name).to_have_value("nrub")
    name.press("Enter")
    stage.is_at(at + 2)
    web.expect(stage.told).to_contain_text("nrub")
    web.expect(name).to_have_value("QS1-job-1")


def test_a_suggested_name_is_never_one_that_was_taken(stage: Stage) -> None:
    stage.open(games.walkthrough(submit("QS1-job-1", "QS1"), {"settle": "all"}, {"finish": "QS1-job-1"}))
    for n in (2, 3, 4):
        web.expect(_form(stage).get_by_label("Name")).to_have_value(f"QS1-job-{n}")
        _form(stage).get_by_role("button", name="Submit").click()
        web.expect(stage.told).to_contain_text(f"QS1-job-{n}")
    _form(stage).get_by_label("Share").select_option("QS2")
    web.expect(_form(stage).get_by_label("Name")).to_have_value("QS2-job-1")


def test_every_action_of_the_forms_is_a_move_that_the_play_takes(stage: Stage) -> None:
    stage.open(games.walkthrough(submit("a", "QS1", priority=2), {"settle": "all"}))
    for button in ("Advance to STARTING", "Advance to RUNNING", "Finish"):
        at, _ = stage.place
        stage.job("a").get_by_role("button", name=button, exact=True).click()
        stage.is_at(at + 1)
    for button in ("In-share preemption off", "In-share preemption on", "Disable", "Enable", "Delete"):
        at, _ = stage.place
        stage.share("QS1").get_by_role("button", name=button, exact=True).click()
        stage.is_at(at + 1)
    stage.click("New share…")
    stage.dialog.get_by_label("Name").fill("QS4")
    stage.dialog.get_by_role("button", name="Create").click()
    stage.shows("QS4 (LEND_AND_BORROW)")
    stage.click("Capacity and state…")
    stage.dialog.get_by_label(games.G5).fill("5")
    stage.dialog.get_by_role("button", name="Set capacity").click()
    stage.shows("of 5 ml.g5.xlarge")
    verbs = [next(iter(move)) for move in stage.link()["game"]["moves"][2:]]
    assert verbs == ["advance"] * 2 + ["finish"] + ["set-in-share"] * 2 + ["set-share-state"] * 2 + [
        "delete-share", "create-share", "set-capacity",
    ]  # fmt: skip


@pytest.mark.parametrize("size", [web.DESK, web.PHONE])
def test_a_refused_move_is_told_where_one_is_and_takes_the_focus_from_nothing(
    stage: Stage, watched: Watched, size: dict[str, int]
) -> None:
    watched.expected.append("422")  # the console notes what the server refuses
    stage.page.set_viewport_size(size)
    stage.open(games.walkthrough({"set-share-state": "QS2", "state": "DISABLED"}))
    form = _form(stage)
    form.get_by_label("Share").select_option("QS2")
    send = form.get_by_role("button", name="Submit")
    for number, way in enumerate(("Dismiss", "Escape"), 1):
        form.get_by_label("Name").fill(f"refused-{number}")
        send.scroll_into_view_if_needed()
        send.press("Enter")
        web.expect(stage.trouble).to_contain_text("What to do:")
        web.expect(stage.trouble).to_be_in_viewport(ratio=1)
        web.expect(send).to_be_focused()
        web.no_sideways_scroll(stage.page)
        assert form.get_by_label("Name").input_value() == f"refused-{number}"
        if way == "Dismiss":
            stage.click(way)
        else:
            stage.page.keyboard.press(way)
        web.expect(stage.trouble).to_be_hidden()
    web.axe(stage.page)


def test_a_file_that_is_dropped_is_opened(stage: Stage) -> None:
    stage.open(PLAYED)
    text = (ROOT / "examples" / "scenarios" / "reserve-idle.yaml").read_text("utf-8")
    stage.page.evaluate(DROPPED, [["mine.yaml", text]])
    web.expect(stage.page.get_by_role("heading", level=1)).to_have_text("reserve-idle")
    web.expect(stage.page.locator("#drop")).to_be_hidden()


def test_an_address_with_a_lesson_that_is_not_there_says_which_there_are(stage: Stage, watched: Watched) -> None:
    watched.expected.append("422")
    stage.page.goto(f"{stage.url}#lesson=0")
    web.expect(stage.trouble).to_contain_text("here is no lesson")
    web.expect(stage.trouble).to_contain_text("1 to 12")
    stage.ready()


def test_what_is_kept_for_a_tab_and_cannot_be_read_is_nothing(stage: Stage) -> None:
    stage.page.add_init_script("sessionStorage.setItem('quotaproof: not in the address yet', '{')")
    stage.open(PLAYED)
    web.expect(stage.trouble).to_be_hidden()


def test_what_is_done_after_an_undo_leaves_nothing_to_redo(stage: Stage) -> None:
    stage.open(PLAYED)
    stage.click("Undo")
    redo = stage.page.get_by_role("button", name="Redo", exact=True)
    web.expect(redo).not_to_have_attribute("aria-disabled", "true")
    stage.submit("other", "QS2")
    web.expect(redo).to_have_attribute("aria-disabled", "true")
    before = stage.link()["game"]
    stage.page.keyboard.press("y")
    assert stage.link()["game"] == before


def test_several_files_that_are_dropped_are_one_queue(stage: Stage) -> None:
    stage.open(PLAYED)
    files = sorted((ROOT / "examples" / "research-gpu").iterdir())
    stage.page.evaluate(DROPPED, [[file.name, file.read_text("utf-8")] for file in files])
    web.expect(stage.page.get_by_role("heading", level=1)).to_have_text("research-gpu-qm")


def test_the_link_is_copied_and_shown_where_the_browser_does_not_let_it_be_copied(
    contexts: Callable[..., BrowserContext], play: Playing
) -> None:
    context = contexts(permissions=["clipboard-read", "clipboard-write"])
    stage = Stage(context.new_page(), play.url).open(PLAYED)
    stage.click("Copy link")
    web.expect(stage.page.locator("#notice")).to_contain_text("copied")
    copied = stage.page.evaluate("navigator.clipboard.readText()")
    assert games.linked(copied)["game"]["name"] == "walkthrough"
    stage.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    stage.click("Copy link")
    web.expect(stage.dialog.get_by_label("The link holds the whole play")).to_have_value(copied)


def test_codes_and_sources_lead_to_what_they_say_and_from_there_to_others(stage: Stage) -> None:
    stage.open(games.walkthrough(*PLAYED["moves"], submit("owner", "QS2"), {"tick": 1}))
    stage.told.get_by_role("button", name="G5x: what it says").first.click()
    web.expect(stage.dialog).to_have_accessible_name("G5x")
    web.expect(stage.dialog).to_contain_text("taken from another share only for an entitled head")
    stage.dialog.get_by_text("all there is to say of it").click()
    stage.dialog.get_by_role("button", name="A13: what it says").click()
    web.expect(stage.dialog).to_have_accessible_name("A13")
    web.expect(stage.dialog).to_contain_text("Which jobs of a share are borrowing")


def test_dragging_the_slider_asks_only_for_what_is_looked_at(stage: Stage) -> None:
    stage.open(games.crowded(40))
    _, last = stage.place
    asked: list[str] = []
    stage.page.on("request", lambda request: asked.append(request.url))
    stage.page.evaluate(
        """last => { const slider = document.getElementById("slider");
            for (let n = last; n >= 1; n -= 1) { slider.value = n; slider.dispatchEvent(new Event("input")); } }""",
        last,
    )
    stage.is_at(1, last)
    assert 1 <= len(asked) <= 3 < last


def test_slides_are_saved_for_each_event_up_to_the_one_that_is_shown(stage: Stage) -> None:
    stage.open(PLAYED)
    stage.slide(2)
    names: list[str] = []
    stage.page.on("download", lambda download: names.append(download.suggested_filename))
    stage.click("Save…")
    with stage.page.expect_download(lambda download: download.suggested_filename.endswith("02.svg")):
        stage.dialog.get_by_role("button", name="Slides (SVG each)").click()
    web.expect(stage.page.locator("#notice")).to_have_text("3 pictures are saved.")
    assert names == ["walkthrough-00.svg", "walkthrough-01.svg", "walkthrough-02.svg"]


def test_a_lesson_is_a_play_of_ones_own_afterwards(contexts: Callable[..., BrowserContext], play: Playing) -> None:
    stage = Stage(contexts(reduced_motion="reduce").new_page(), play.url)
    stage.page.goto(f"{stage.url}#lesson=1")
    lesson = stage.page.locator("#lesson")
    lesson.get_by_role("button", name="See what happens").click()
    for prediction, verdict in ((0, "That is not what happens."), (1, "Your prediction held.")):
        question = lesson.get_by_role("radio", disabled=False)
        web.expect(question).to_have_count(3)
        web.expect(_form(stage)).to_be_hidden()
        question.nth(prediction).check()
        lesson.get_by_role("button", name="That is my prediction").click()
        web.expect(lesson.locator(".verdict").last).to_contain_text(verdict)
        web.expect(lesson.locator(".verdict").last).to_be_focused()
        lesson.locator(".story > button").click()
    assert stage.page.url.endswith("#lesson=1")
    lesson.get_by_role("button", name="Continue on your own").click()
    web.expect(lesson).to_be_hidden()
    web.expect(stage.page.locator("#picture-title")).to_be_focused()
    at, _ = stage.place
    stage.submit("my-own", "team-a")
    assert stage.link()["game"]["moves"][-1]["submit"] == "my-own"
    assert stage.place == (at + 1, at + 1)
    stage.page.go_back()
    web.expect(lesson).to_be_visible()


def test_a_stopped_job_says_when_for_whom_and_why_and_leads_there(stage: Stage) -> None:
    stage.open(games.walkthrough(*PLAYED["moves"], submit("owner", "QS2"), {"settle": "all"}))
    dialog = stage.job("b")
    life = dialog.get_by_role("region", name="What has happened to it")
    web.expect(life).to_contain_text(re.compile(r"at event \d+ for owner\. QS1 uses 1 .*more than its own"))
    web.expect(life.locator("li").filter(has_text="Told to stop for owner")).to_contain_text("source: rules 36, 37")
    life.locator("li").filter(has_text="Told to stop for owner").get_by_role("button", name="Go to event").click()
    web.expect(stage.dialog).to_have_count(0)
    web.expect(stage.told).to_contain_text("b must stop")
    stage.job("owner")
    web.expect(stage.dialog).to_contain_text("Others make room: b")


def test_what_is_wrong_with_a_field_stands_below_it(stage: Stage) -> None:
    stage.open()
    before = stage.place
    dialog = stage.share("QS1")
    limit = dialog.get_by_label(games.G5)
    limit.fill("0")
    dialog.get_by_role("button", name="Set limits").click()
    web.expect(dialog.get_by_role("alert")).to_contain_text("1")
    web.expect(dialog.get_by_role("alert")).to_contain_text("Left empty: none")
    web.expect(limit).to_be_focused()
    assert stage.place == before
    limit.fill("2")
    web.expect(dialog.get_by_role("alert")).to_have_count(0)
    dialog.get_by_role("button", name="Set limits").click()
    stage.is_at(before[0] + 1)


@pytest.mark.parametrize(("named", "shown"), [(-5, 0), (10**9, None)])
def test_a_link_that_names_an_event_that_there_is_not_shows_the_nearest(
    stage: Stage, named: int, shown: int | None
) -> None:
    stage.open(PLAYED)
    _, last = stage.place
    stage.page.goto("about:blank")
    stage.open(PLAYED, named)
    stage.is_at(last if shown is None else shown, last)
    web.expect(stage.trouble).to_be_hidden()


def test_steps_are_in_the_address_also_where_the_page_is_reloaded_at_once(stage: Stage) -> None:
    stage.open(PLAYED)
    at, _ = stage.place
    stage.submit("one", "QS2")
    stage.submit("two", "QS2")
    stage.page.reload()
    stage.ready()
    stage.is_at(at + 2, at + 2)


def test_a_condition_is_called_by_what_it_is_about_and_explained(stage: Stage) -> None:
    stage.open()
    stage.run()
    stage.told.get_by_role("button", name="machines kept for owners: what it says").first.click()
    web.expect(stage.dialog).to_contain_text("kept idle for their owners")
    web.expect(stage.trouble).to_be_hidden()
