"""A lesson in the terminal and on paper: it asks before it tells, and counts."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from quotaproof.checker.teach.lessons import lesson, lessons
from quotaproof.checker.teach.lessons.handout import handout
from quotaproof.checker.teach.lessons.model import LETTERS
from quotaproof.checker.teach.lessons.terminal import Score, give

from ...support.taught import lesson_of, otherwise, small

EVERY = pytest.mark.parametrize("taught", lessons(), ids=lambda taught: taught.name)
HOSTILE = "</script><img src=x onerror=alert(name)>\x1b[m"


def given(taught, *typed):
    lines, said = iter(typed), []
    score = give(taught, lambda: next(lines, None), said.append)
    return score, "".join(said)


@EVERY
def test_the_right_letters_are_all_right(taught):
    score, said = given(taught, *(LETTERS[ask.right] for ask in taught.questions))
    count = len(taught.questions)
    assert score == Score(count, count, count)
    assert said.count("Right.") == count
    assert "What to do about it" in said
    assert said.endswith(f"{score}\n")
    assert said.isascii() and max(map(len, said.splitlines())) <= 100


def test_numbers_and_small_letters_are_answers_too_and_anything_else_is_asked_again():
    score, said = given(lesson(4), " 2 ", "9", "", "x", "²", "99999999999", "b")
    assert score == Score(2, 2, 2)
    assert said.count("Answer with one letter, A to B.") == 5


def test_a_wrong_answer_is_told_which_is_right_and_under_which_reading_it_would_be():
    score, said = given(lesson(4), "C", "B")
    assert score == Score(1, 2, 2)
    assert "No: B is right." in said
    assert "With A6=ceil (rounded up) C would be right." in said
    before = "With A6=ceil (rounded up) the play would go otherwise before this question already, and A"
    assert before in " ".join(said.split())


@pytest.mark.parametrize("ends", [(), ("q",)])
def test_where_the_input_ends_nothing_is_given_away(ends):
    score, said = given(lesson(6), *ends)
    assert score == Score(0, 0, 2)
    assert said.endswith("0 of 0 answers were right; 2 questions were left open.\n")
    assert "The whole job is stopped." in said
    assert "has stopped" not in said
    assert lesson(6).questions[0].why[0] not in " ".join(said.split())
    assert lesson(6).title not in said
    assert lesson(6).summary not in " ".join(said.split())


@EVERY
def test_nothing_before_an_answer_depends_on_what_is_right_or_comes_later(taught):
    letters = [LETTERS[ask.right] for ask in taught.questions]
    for question in range(len(letters)):
        _, said = given(taught, *letters[:question])
        assert said == given(otherwise(taught, question), *letters[:question])[1]


def test_names_are_shown_harmlessly_in_the_terminal():
    _, said = given(lesson_of(small(title=HOSTILE, parts__1__tell__0=HOSTILE)), "B")
    assert "\x1b" not in said


class _Page(HTMLParser):
    """Ids, elements, and the text of each page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.elements, self.data, self.boxes, self.text = [], [], "", 0, ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        given = dict(attrs)
        self.ids += [given["id"]] if "id" in given else []
        self.boxes += given.get("class") == "box"

    def handle_data(self, data):
        if self.elements and self.elements[-1] == "script" and data.startswith("{"):
            self.data = data
        elif "script" not in self.elements and "style" not in self.elements[-1:]:
            self.text += data


def test_a_handout_of_all_lessons_has_a_box_for_every_choice_and_a_place_for_every_picture():
    page = _Page(handout(*lessons()))
    assert page.boxes == sum(len(ask.choices) for one in lessons() for ask in one.questions)
    pictures = json.loads(page.data)["pictures"]
    assert [i for i in page.ids if i.startswith("picture-")] == [f"picture-{n}" for n in _order(page, len(pictures))]
    assert len(pictures) > 40
    assert sum(one["legend"] for one in pictures) == 12


def _order(page, count):
    found = [int(i.removeprefix("picture-")) for i in page.ids if i.startswith("picture-")]
    assert sorted(found) == list(range(count))
    return found


@EVERY
def test_a_handout_tells_why_only_behind_all_questions(taught):
    text = _Page(handout(taught)).text
    assert taught.summary not in text[: text.index("Answers")]
    assert text.index("turn the page") < text.index("Question 1.")
    assert text.index("Answers") > text.index(taught.questions[-1].asks)
    for ask in taught.questions:
        assert text.index(ask.why[0]) > text.index("Answers")
        assert all(one.says in text for one in ask.choices)
    assert all(one.says in text for one in taught.advice)


def test_how_a_play_ends_is_told_once():
    text = _Page(handout(lesson(8))).text
    assert text.count("b-2 has stopped.") == 1
    assert "Nothing happens." not in text


def test_what_happened_stands_behind_a_page_break():
    text = handout(lesson(7))
    assert text.index('class="then"') < text.index("b-1 starts.")
    assert re.search(r"\.then[^{]*\{ break-before: page", text)


def test_who_teaches_has_the_right_boxes_ticked():
    ticked = handout(lesson(7), answers=True)
    assert ticked.count('<span class="box">\N{CHECK MARK}</span>') == 2
    assert "\N{CHECK MARK}" not in handout(lesson(7)).split("<main>")[1].split("</main>")[0]


def test_a_handout_takes_names_for_text():
    text = handout(lesson_of(small(title=HOSTILE, parts__1__tell__0=HOSTILE, advice__0__says=HOSTILE)))
    assert "<img" not in text
    assert text.count("</script>") == 2
