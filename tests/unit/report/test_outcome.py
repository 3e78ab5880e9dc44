"""What counts: the word and the exit code of every kind of stream."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.report.options import FailOn, Options
from quotaproof.checker.report.outcome import Outcome, outcome
from quotaproof.checker.results import Began, Ended, Event, Finding, Result, Severity, Verification, Waiver

from ...support.queues import queue, share
from .samples import BROKEN, BROKEN_IF, FAILED, HOLDS, LIMIT, OPEN, PROVED, RESTS, sample

GOOD = queue({"u": 2}, share("a", {"u": 2}))
BAD = queue({"u": 2}, share("a", {"u": 3}))
WAIVER = Waiver("until the new rack", "2027-01-31", "q.yaml:3")
WARNING = Finding("QP110", Severity.WARNING, "borrows nothing")
ERROR = Finding("QP101", Severity.ERROR, "too much given")


def judged(events: list[Event], *, strict: bool = False, fail_on: FailOn = FailOn.ERROR) -> Outcome:
    return outcome(Verification.of(events), Options(strict=strict, fail_on=fail_on))


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
    events = sample(GOOD, *results)
    assert judged(events).exit_code == plain
    assert judged(events, strict=True).exit_code == strict


def test_an_error_finding_is_broken_whatever_was_proved() -> None:
    assert judged(sample(BAD)).exit_code == 1


def test_a_stream_without_results_is_not_a_yes() -> None:
    assert judged([Began("verify", "q"), Ended(0.0)]).word == "UNKNOWN"


def test_a_stream_without_its_end_is_refused() -> None:
    with pytest.raises(TypeError, match="closes with Ended"):
        Verification.of([Began("verify", "q"), *HOLDS])


def test_a_theorem_without_a_proof_counts_only_when_strict() -> None:
    events = sample(GOOD, theorems=(PROVED, FAILED))
    assert (judged(events).exit_code, judged(events, strict=True).exit_code) == (0, 3)


@pytest.mark.parametrize(
    ("fail_on", "found", "results", "code", "said"),
    [
        (FailOn.ERROR, WARNING, HOLDS, 0, ""),
        (FailOn.WARNING, WARNING, HOLDS, 1, "The exit code is 1 because of --fail-on warning."),
        (FailOn.WARNING, ERROR, HOLDS, 1, ""),
        (FailOn.WARNING, WARNING, (BROKEN,), 1, ""),
        (FailOn.WARNING, replace(WARNING, severity=Severity.NOTE), HOLDS, 0, ""),
        (FailOn.WARNING, replace(WARNING, waiver=WAIVER), HOLDS, 0, ""),
        (FailOn.NEVER, ERROR, HOLDS, 0, "Without --fail-on never the exit code would be 1."),
        (FailOn.NEVER, WARNING, HOLDS, 0, ""),
        (FailOn.NEVER, WARNING, (BROKEN,), 0, "Without --fail-on never the exit code would be 1."),
        (FailOn.NEVER, WARNING, (LIMIT,), 3, ""),
        (FailOn.NEVER, ERROR, (LIMIT,), 3, "Without --fail-on never the exit code would be 1."),
    ],
)
def test_fail_on_moves_the_bar_and_says_so(
    fail_on: FailOn, found: Finding, results: tuple[Result, ...], code: int, said: str
) -> None:
    got = judged(sample(GOOD, *results, found=[found]), fail_on=fail_on)
    assert (got.exit_code, got.because) == (code, said)


@pytest.mark.parametrize(
    ("found", "results", "word", "code"),
    [
        (replace(ERROR, waiver=WAIVER), HOLDS, "WAIVED", 0),
        (replace(ERROR, waiver=WAIVER), (replace(BROKEN, waiver=WAIVER),), "WAIVED", 0),
        (replace(ERROR, waiver=WAIVER), (BROKEN,), "BROKEN", 1),
        (replace(ERROR, waiver=WAIVER), (LIMIT,), "UNKNOWN", 3),
        (replace(WARNING, waiver=WAIVER), HOLDS, "OK", 0),
        (replace(WARNING, waiver=WAIVER), (replace(LIMIT, waiver=WAIVER),), "UNKNOWN", 3),
        (replace(WARNING, waiver=WAIVER), (replace(OPEN, waiver=WAIVER),), "OK", 0),
    ],
)
def test_a_waiver_covers_what_is_broken_and_never_what_is_undecided(
    found: Finding, results: tuple[Result, ...], word: str, code: int
) -> None:
    got = judged(sample(GOOD, *results, found=[found]))
    assert (got.word, got.exit_code) == (word, code)


def test_a_play_that_ends_early_is_unusable_whatever_was_found() -> None:
    for fail_on in FailOn:
        got = judged([Began("replay", "s"), BROKEN, Ended(0.0, unusable="there is no job x")], fail_on=fail_on)
        assert (got.word, got.exit_code) == ("UNUSABLE", 2)
