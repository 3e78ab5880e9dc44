"""Every guarantee has plain words: no formula, no code, and none of the terms that only who writes schedulers knows."""

from __future__ import annotations

import re

import pytest
from quotaproof.checker.teach.plainly import PLAINLY
from quotaproof.spec.rules.guarantees import GUARANTEES

TERMS = re.compile(
    r"\b(heads?|claims?|claimants?|victims?|entitled|dispatch\w*|drain\w*|settled|units?|A\d+b?|G\d+)\b|[<>=*+]"
)


def test_every_guarantee_has_plain_words():
    assert list(PLAINLY) == list(GUARANTEES)


@pytest.mark.parametrize("code", GUARANTEES)
def test_plain_words_have_no_formula_and_no_term_of_the_trade(code):
    said = [*vars(PLAINLY[code]).values()]
    assert len(said) == len(set(said)) == 3
    for text in said:
        assert text.endswith(".") and 20 < len(text) < 300
        assert TERMS.findall(text) == []
    assert TERMS.search(GUARANTEES["G5x"].sentence)
