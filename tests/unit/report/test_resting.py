"""What a verdict rests on: one entry for each reading, in whole words."""

from __future__ import annotations

from quotaproof.checker.report.words import by_reading, combinations, sentences, short
from quotaproof.checker.results import Result, Verdict


def test_choices_of_one_reading_are_one_entry_and_say_nothing_twice() -> None:
    result = Result("M4", Verdict.HOLDS_IF, "", "", ({"A6": "ceil"}, {"A6": "round"}))
    (some,) = by_reading(combinations([result])).values()
    assert len(some) == 2
    assert short(some) == "Read as floor (M4)"
    assert sentences(some).count("Assumed:") == 1
