"""A lesson file is read, or every mistake in it is one error that says what, where, why and how to mend it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from quotaproof.checker.teach.lessons.model import Lesson
from quotaproof.spec.formats import InputError

from ...support.taught import SMALL, lesson_of, small, trees
from ..formats.test_formats_fuzz import spoilt_trees


def error(tree) -> InputError:
    with pytest.raises(InputError) as caught:
        lesson_of(tree)
    assert len(str(caught.value).split("\n")) == 3
    return caught.value


@pytest.mark.parametrize(
    ("change", "where", "what"),
    [
        ({"titel": "x"}, "titel", '"titel" is not known here'),
        ({"summary": None}, "", "summary is missing"),
        ({"title": ""}, "title", "it is empty"),
        ({"lesson": "one"}, "lesson", '"one" is not a whole number'),
        ({"assume": {"A99": "x"}}, "assume", "there is no reading"),
        ({"queue__environment": {"u": 1, "v": 1}}, "environment", "more than one instance type"),
        ({"queue__shares__0__strategy": "LENDS"}, "strategy", "LENDS"),
        ({"parts": []}, "parts", "the list is empty"),
        ({"parts": [{"tell": ["One."]}]}, "parts", "nothing is asked"),
        ({"parts__0": {"tell": ["One."], "moves": []}}, "parts[0]", "one of tell, moves and ask"),
        ({"parts__0__moves__0__submit": 7}, "parts[0].moves[0].submit", "7 is not text"),
        ({"parts__0__moves__0__share": "c"}, "parts[0].moves[0]", "c"),
        ({"parts__0__moves__2": {"finish": "nobody"}}, "parts[0].moves[2]", "nobody"),
        ({"parts__0__moves__2": {"expect": {}}}, "parts[0].moves[2]", "an expectation is no move"),
        ({"parts__1__tell__0": "b uses 2."}, "parts[1].tell[0]", "the number 2. stands in the text"),
        ({"parts__1__tell__0": "It has {team-b.size}."}, "parts[1].tell[0]", "a share has no quantity 'size'"),
        ({"parts__1__tell__0": "It has {back-1.size}."}, "parts[1].tell[0]", "no share and no job 'back-1' here"),
        ({"parts__1__tell__0": "It has {}."}, "parts[1].tell[0]", "is not a number of the play"),
        ({"parts__1__tell__0": "At most {own-1.retries}."}, "parts[1].tell[0]", "own-1 has no retries to write down"),
        ({"parts__1__tell": ["One."] * 5}, "parts[1].tell", "there are 5 sentences"),
        ({"parts__2__right": 3}, "parts[2].right", "3 is out of range"),
        ({"parts__2__choices": SMALL["parts"][2]["choices"][:1]}, "parts[2].choices", "there are 1 choices"),
        ({"parts__2__choices__0__expect": {}}, "parts[2].choices[0].expect", "it expects nothing"),
        ({"parts__2__choices__0__under": [{"A26": "priority"}]}, "parts[2].choices[0].under[0]", "assumes anyway"),
        ({"parts__2__choices__0__under": [{}]}, "parts[2].choices[0].under[0]", "assumes anyway"),
        ({"parts__2__why": ["One."]}, "parts[2].why", "there are 1 sentences"),
        ({"parts__2__source": ["rule 57"]}, "parts[2].source[0]", 'there is no source "rule 57"'),
        ({"parts__2__source": []}, "parts[2].source", "no source is given"),
        ({"parts__2__certainty": "sure"}, "parts[2].certainty", '"sure" is not known here'),
        ({"advice__0__source": None}, "advice[0]", "source is missing"),
        ({"repeatsFrom": 6}, "repeatsFrom", "6 is out of range"),
    ],
)
def test_a_mistake_is_named_by_its_place(change, where, what):
    found = error(small(**change))
    assert what in found.what
    assert found.where.endswith(where), found.where


def test_the_numbers_in_a_text_are_those_of_its_point_in_the_play():
    told = lesson_of(small())
    assert told.parts[1].says == ("team-b uses 2.",)
    assert told.questions[0].why[1] == "team-b uses 1 instance now."


@settings(derandomize=True, max_examples=50, deadline=None)
@given(spoilt_trees([SMALL]))
def test_a_spoilt_lesson_gives_a_lesson_or_an_input_error(tree):
    outcome(tree)


@pytest.mark.campaign
@settings(derandomize=True, max_examples=3000, deadline=None)
@given(spoilt_trees(trees()))
def test_a_spoilt_shipped_lesson_gives_a_lesson_or_an_input_error(tree):
    outcome(tree)


def outcome(tree) -> Lesson | InputError:
    try:
        told = lesson_of(tree)
    except InputError as found:
        assert len(str(found).split("\n")) == 3
        return found
    assert told.questions
    return told


def test_the_fuzz_meets_both_outcomes():
    seen = set()

    @settings(derandomize=True, max_examples=60, deadline=None, database=None)
    @given(spoilt_trees([SMALL]))
    def look(tree):
        seen.add(type(outcome(tree)))

    look()
    assert seen == {Lesson, InputError}
