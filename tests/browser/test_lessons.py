"""Lessons on slides and on paper, as a browser draws them."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from quotaproof.checker.teach.lessons import lesson, lessons
from quotaproof.checker.teach.lessons.handout import handout

from . import web

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]
SLIDES = ROOT / "docs" / "lessons"


def test_the_slides_in_the_docs_are_what_the_page_draws(page):
    drawn = runpy.run_path(str(ROOT / ".ci" / "lessons.py"))["drawn"](page)
    kept = {str(f.relative_to(SLIDES)): f.read_text(encoding="utf-8") for f in SLIDES.rglob("*.svg")}
    stale = sorted(name for name in drawn.keys() | kept.keys() if drawn.get(name) != kept.get(name))
    assert stale == [], "run `python3 .ci/lessons.py`"


def test_a_slide_needs_nothing_else_and_says_what_it_shows(page):
    slide = next(SLIDES.glob("08-*/step-08.svg"))
    page.goto(slide.as_uri())
    assert page.evaluate("document.documentElement.getAttribute('role')") == "img"
    told = page.evaluate("document.querySelector('desc').textContent")
    assert "team-a" in told and "team-b" in told
    assert "url(http" not in slide.read_text() and "href" not in slide.read_text()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_a_handout_of_all_lessons_prints_on_paper(page, tmp_path, paper):
    file = tmp_path / "handout.html"
    file.write_text(handout(*lessons()), encoding="utf-8")
    page.set_viewport_size({"width": 680 if paper == "A4" else 700, "height": 1000})
    page.emulate_media(media="print")
    page.goto(file.as_uri())
    places = page.locator(".picture")
    assert places.count() == page.locator(".picture > svg").count() > 40
    wide = "[...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length"
    assert page.evaluate(wide) == 0
    printed = page.pdf(format=paper)
    pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert len(lessons()) * 2 < pages <= len(lessons()) * 4 + 8


def test_a_handout_reads_in_order_also_on_a_dark_screen(page, tmp_path):
    file = tmp_path / "handout.html"
    file.write_text(handout(lesson(7)), encoding="utf-8")
    page.emulate_media(color_scheme="dark")
    page.goto(file.as_uri())
    assert page.locator(".picture > svg").count() == 4
    assert "Question 1" in page.locator("main").inner_text()
    assert "b-1 starts" not in page.locator(".lesson").inner_text()
    for summary in page.locator(".then > summary").all():
        summary.click()
    shown = page.locator("main").inner_text()
    assert shown.index("Question 1") < shown.index("b-1 starts") < shown.index("Question 2") < shown.index("Answers")


def test_what_is_folded_in_a_handout_is_on_its_paper(page, tmp_path):
    file = tmp_path / "handout.html"
    file.write_text(handout(lesson(7)), encoding="utf-8")
    page.goto(file.as_uri())
    folded = page.locator(".then").get_by_text("Question 2")
    assert not folded.is_visible()
    page.emulate_media(media="print")
    assert folded.is_visible()


def _goes_on(panel, goal) -> None:
    """Press what leads on until the goal is there."""
    on = panel.locator("button.primary:visible")
    while True:
        web.expect(goal.or_(on).first).to_be_visible()
        if goal.count():
            return
        on.click()


@pytest.mark.parametrize("taught", [lesson(number) for number in (1, 4, 8, 11)], ids=lambda taught: taught.name)
def test_a_lesson_in_the_page_tells_nothing_before_there_is_a_prediction(contexts, play, taught):
    page = contexts(reduced_motion="reduce").new_page()
    with page.expect_response(f"**/api/lessons/{taught.number}") as got:
        page.goto(f"{play.url}#lesson={taught.number}")
    known = got.value.json()
    panel = page.locator("#lesson")
    for number, ask in enumerate(taught.questions):
        choices = panel.locator(f"input[name=question-{number}]")
        _goes_on(panel, choices)
        web.expect(panel).to_contain_text(ask.asks)
        assert ask.why[0] not in page.content()
        assert ask.why[0] not in str(known)
        wrong = next(i for i in range(len(ask.choices)) if i != ask.right)
        choices.nth(wrong).check()
        panel.get_by_role("button", name="That is my prediction").click()
        for sentence in ask.why:
            web.expect(panel).to_contain_text(sentence)
        web.expect(panel).to_contain_text(ask.certainty)
    _goes_on(panel, panel.get_by_role("heading", name="What to do about it"))
    for advice in taught.advice:
        web.expect(panel).to_contain_text(advice.says)
