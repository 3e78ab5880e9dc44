"""Every shipped lesson is what it says: its answers are played, its numbers are those of the play, its words have sources."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest
from quotaproof.checker.teach.lessons import answered, as_json, game_at, lesson, lessons, listed
from quotaproof.checker.teach.lessons.check import checked, unnamed
from quotaproof.checker.teach.lessons.model import LETTERS
from quotaproof.checker.teach.lessons.slides import slides
from quotaproof.checker.teach.run import Play
from quotaproof.spec.formats import InputError
from quotaproof.spec.rules.sources import DOCUMENTED, IMPLIED, OPEN, RULES, certainty

from ...support.taught import FILES, lesson_of, otherwise, small

ROOT = Path(__file__).resolve().parents[3]
SEMANTICS = ROOT.parent / "shared" / "semantics.md"
EVERY = pytest.mark.parametrize("taught", lessons(), ids=lambda taught: taught.name)
FIRM = {"parts__2__certainty": "documented", "parts__2__source": ["rule 36"], "parts__2__choices__0__under": []}
"""Called documented, though a job is stopped for one of another share and of no higher priority."""


@EVERY
def test_every_answer_of_a_lesson_is_what_is_played(taught):
    assert checked(taught) == []


@pytest.mark.campaign
@EVERY
def test_no_other_reading_makes_a_wrong_answer_right_unless_the_lesson_names_it(taught):
    assert unnamed(taught) == []


def test_there_are_twelve_and_each_is_called_by_its_number():
    assert [one.number for one in lessons()] == list(range(1, 13))
    assert [f"{one.number:02}-{one.name}.yaml" for one in lessons()] == [f.name for f in FILES]
    assert lesson(4).title == "50 % of 3 is 1"
    with pytest.raises(InputError, match="there is no lesson 13"):
        lesson(13)


@EVERY
def test_a_lesson_played_in_the_page_breaks_no_guarantee(taught):
    """The page judges every step on its own, and at rest as well."""
    play = Play(game_at(taught, taught.moves))
    assert [b.code for line in play.lines() for b in line.broken] == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"parts__2__right": 1}, "A is not right when it is played"),
        ({"parts__2__choices__0__expect": {"preemptions": {"loan-1": 1}}}, "A is right as well"),
        ({"parts__2__choices__0__under": [{"A26": "borrowed"}]}, "A is not right under A26=borrowed"),
        ({"parts__2__choices__0__under": [{"A16": "created"}]}, "the right answer is right under A16=created too"),
        ({"parts__2__source": ["rule 36"]}, "its answers turn on A26, which its sources do not name"),
        ({"parts__2__certainty": "documented"}, "it is called documented, and its sources are open"),
        ({"parts__0__moves__0__submit": "own"}, "own is a word"),
        ({"queue__queue": "whole"}, "whole is a word"),
        (FIRM, "back-1 stops loan-1 whatever their priorities: rule 38 is implied"),
        ({"explain": ["G99"]}, "there is nothing to explain under G99"),
        ({"parts__0__moves__2": {"dispatch": "loan-1"}}, "a step breaks G9"),
        ({"breaks": {"guarantee": "G14", "how": "stuck", "job": "loan-1"}}, "loan-1 does not wait"),
    ],
)
def test_a_lesson_that_is_not_what_it_says_is_found(change, problem):
    assert checked(lesson_of(small())) == []
    assert any(problem in found for found in checked(lesson_of(small(**change))))


def test_a_reading_that_is_not_named_is_found():
    changed = small(parts__2__choices__0__under=[])
    assert unnamed(lesson_of(changed)) == ["question 1: A26=oldest makes A right"]


def test_a_right_answer_that_a_reading_makes_wrong_and_no_source_names_is_found():
    changed = small(parts__2__choices__0__says="neither", parts__2__choices__0__expect={"preempted": []},
                    parts__2__choices__0__under=None, parts__2__source=["rule 36", "A13"])  # fmt: skip
    assert "question 1: A26=oldest makes B wrong, and its sources do not name A26" in unnamed(lesson_of(changed))


def test_seven_jobs_are_too_many():
    more = [{"submit": f"j{n}", "share": "team-b", "size": {"u": 1}} for n in range(4)]
    moves = [*small()["parts"][0]["moves"], *more]
    assert any("7 jobs" in found for found in checked(lesson_of(small(parts__0__moves=moves))))


def test_a_rule_is_as_certain_as_the_dossier_says():
    if not SEMANTICS.is_file():
        pytest.skip("the dossier is not there")
    text = SEMANTICS.read_text(encoding="utf-8")
    for number, rule in re.findall(r"^(\d+)\. (.*)$", text[: text.index("## 2.")], re.MULTILINE):
        tags = set(re.findall(r"\[([EI])\b", rule))
        if int(number) not in RULES or not tags:
            continue
        if tags == {"I"}:
            assert certainty(int(number)) == IMPLIED, number
        if tags == {"E"} and certainty(int(number)) == IMPLIED:
            pytest.fail(f"rule {number} is documented")
    assert {certainty(n) for n in RULES} == {DOCUMENTED, IMPLIED, OPEN}
    assert [n for n in RULES if certainty(n) == OPEN] == [17, 25]


@EVERY
def test_the_page_is_not_given_an_answer_before_it_asks(taught):
    first = as_json(taught)
    assert first == as_json(otherwise(taught, 0))
    form = json.dumps(first)
    for number, ask in enumerate(taught.questions):
        assert not any(json.dumps(sentence)[1:-1] in form for sentence in ask.why)
        told = [answered(taught, number, i) for i in range(len(ask.choices))]
        assert [one["right"] for one in told] == [i == ask.right for i in range(len(ask.choices))]
        assert {one["letter"] for one in told} == {LETTERS[ask.right]}
        assert told[0]["why"] == list(ask.why)
        assert told[0]["parts"] == answered(otherwise(taught, number + 1), number, 0)["parts"]
        assert sum(part["kind"] == "ask" for part in told[0]["parts"]) == (number + 1 < len(taught.questions))
        assert (told[0]["ends"] is None) == (number + 1 < len(taught.questions))
    assert '"right"' not in form
    first, *_ = [part for part in as_json(taught)["parts"] if part["kind"] == "ask"]
    assert first["before"] == len(first["game"]["moves"])


def test_an_open_answer_names_the_reading_it_states_and_those_that_make_another_right():
    told = answered(lesson(4), 0, 1)
    assert (told["right"], told["certainty"]) == (True, "open")
    assert [(one["code"], one["choice"]) for one in told["under"]] == [("A6", "floor")]
    assert [(o["letter"], o["assume"][0]["choice"]) for o in told["others"]] == [("C", "ceil"), ("C", "round")]
    assert told["others"][0]["game"]["beside"] == {"scheduler": "reference", "assume": {"A6": "ceil"}}


def test_an_answer_whose_owner_has_the_higher_priority_rests_on_no_rule_about_priorities():
    higher = {"parts__2__then__0__priority": 2}
    assert not any("whatever" in found for found in checked(lesson_of(small(**FIRM, **higher))))


def test_it_is_said_where_under_another_reading_the_play_goes_otherwise_before_the_question():
    first, second = (answered(lesson(4), question, 1)["others"] for question in (0, 1))
    assert [one["earlier"] for one in first] == [False, False]
    assert [one["earlier"] for one in second] == [True, True]  # what it asks for has started already
    oldest = {one["assume"][0]["code"]: one["earlier"] for one in answered(lesson(7), 1, 1)["others"]}
    assert oldest == {"A13": False, "A26": True}  # then the first question's stop is another too


@pytest.mark.parametrize(("question", "choice"), [(2, 0), (-1, 0), (0, 4), (0, "0"), (0, True), (None, 0), (0.0, 0)])
def test_a_question_that_is_not_there_is_refused(question, choice):
    with pytest.raises(InputError):
        answered(lesson(4), question, choice)


def test_the_menu_says_of_each_what_it_is_about():
    first = listed(lessons())[0]
    assert first == {
        "number": 1,
        "subject": "Lending and interruption",
        "certainty": "implied",
    }


@EVERY
def test_a_slide_stands_for_each_step_in_order(taught):
    shown = list(slides(taught))
    assert [s.number for s in shown] == list(range(1, len(shown) + 1))
    assert [s.part for s in shown] == sorted(s.part for s in shown)
    assert all(s.caption and s.frame.line.kind not in ("start", "rest") for s in shown)


def test_the_list_of_lessons_in_the_docs_is_current():
    text = (ROOT / "docs" / "how-to" / "teach.md").read_text(encoding="utf-8")
    page_with = runpy.run_path(str(ROOT / ".ci" / "lessons.py"))["page_with"]
    assert page_with(text) == text, "run `python3 .ci/lessons.py`"
    for path in re.findall(r"\]\(\.\./(lessons/[^)]*)\)", text):
        assert (ROOT / "docs" / path).exists(), path


def test_borrow_limits_that_the_lesson_recommends_make_whole_instances():
    assert all(3 * percent % 100 == 0 for percent in (100, 200))
    assert [p for p in range(1, 100) if 3 * p % 100 == 0] == []
    assert [p for p in range(1, 100) if 4 * p % 100 == 0] == [25, 50, 75]
