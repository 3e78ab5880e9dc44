"""What counts: the word and the exit code of every kind of verification."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.report.outcome import outcome
from quotaproof.checker.results import Result, Verification

from ...support.queues import queue, share
from .samples import BROKEN, BROKEN_IF, FAILED, HOLDS, LIMIT, OPEN, PROVED, RESTS, sample

GOOD = queue({"u": 2}, share("a", {"u": 2}))
BAD = queue({"u": 2}, share("a", {"u": 3}))


@pytest.mark.parametrize(
    ("results", "plain", "strict"),
    [
        (HOLDS, 0, 0),
        ((RESTS,), 0, 0),
        ((OPEN,), 0, 3),
        ((LIMIT,), 3, 3),
        ((BROKEN,), 1, 1),
        ((BROKEN_IF,), 0, 0),
        ((replace(BROKEN_IF, asked=True),), 1, 1),
        ((LIMIT, BROKEN), 1, 1),
    ],
)
def test_results_decide_the_exit_code(results: tuple[Result, ...], plain: int, strict: int) -> None:
    verification = sample(GOOD, *results)
    assert outcome(verification).exit_code == plain
    assert outcome(verification, strict=True).exit_code == strict


def test_an_error_finding_is_broken_whatever_was_proved() -> None:
    assert outcome(sample(BAD)).exit_code == 1


def test_a_verification_without_results_is_not_a_yes() -> None:
    assert outcome(Verification("q", (), (), (), (), ())).word == "UNKNOWN"


def test_a_theorem_without_a_proof_counts_only_when_strict() -> None:
    verification = sample(GOOD, theorems=(PROVED, FAILED))
    assert (outcome(verification).exit_code, outcome(verification, strict=True).exit_code) == (0, 3)
