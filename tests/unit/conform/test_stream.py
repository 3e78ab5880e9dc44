"""The stream of a conformance run: what is declared comes first, and what was not tried is never kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from quotaproof.checker.conform.campaign import Enough
from quotaproof.checker.conform.conform import Asked, conform
from quotaproof.checker.conform.corpus import corpus
from quotaproof.checker.conform.outcomes import CAMPAIGN, GOAL, PROFILE, SCENARIO
from quotaproof.checker.conform.profiles import AWS_BATCH
from quotaproof.checker.conformed import Declared, Tried
from quotaproof.checker.report.options import Options
from quotaproof.checker.report.outcome import Word, outcome
from quotaproof.checker.results import Began, Ended, Event, Result, Verdict, Verification, Witness
from quotaproof.spec.rules.guarantees import GUARANTEES

Run = Callable[..., list[Event]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run of a planted scheduler, in this process."""

    def ran(name: str, examples: int = 0) -> list[Event]:
        asked = Asked(name, AWS_BATCH.name, enough=Enough(examples=examples), executor="local", out=tmp_path)
        return list(conform(asked))

    return ran


def results(events: list[Event], code: str) -> list[Result]:
    return [e for e in events if isinstance(e, Result) and e.code == code]


def test_what_is_declared_comes_before_anything_that_was_run(run: Run) -> None:
    events = run("reference", 10)
    assert isinstance(events[0], Began)
    assert isinstance(events[1], Declared)
    assert isinstance(events[-1], Ended)
    assert [e.part for e in events if isinstance(e, Tried)] == ["corpus", "campaign"]
    assert [r.subject for r in results(events, SCENARIO)] == [s.name for s in corpus()]
    judged = [e.code for e in events if isinstance(e, Result) and e.code in GUARANTEES]
    assert judged == list(AWS_BATCH.guarantees)
    assert results(events, CAMPAIGN)[0].because == "no guarantee broken in 10 generated scenarios"
    assert outcome(Verification.of(events), Options()).word is Word.OK


def test_what_a_broken_scenario_was_to_check_is_undecided(run: Run) -> None:
    events = run("tests.support.named:errs_at_times")
    wrong = {r.subject for r in results(events, SCENARIO) if r.verdict is Verdict.UNKNOWN}
    checked = {code for s in corpus() if s.name in wrong for code in s.checks}
    assert checked
    for code in AWS_BATCH.guarantees:
        (result,) = results(events, code)
        otherwise = Verdict.KEPT if result.count else Verdict.NEVER_CAME_UP
        assert result.verdict is (Verdict.UNKNOWN if code in checked else otherwise)


def test_a_campaign_that_goes_wrong_at_times_is_undecided_with_the_first_reason(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quotaproof.checker.conform.corpus.corpus", lambda: ())
    (result,) = results(run("tests.support.named:errs_at_times", 30), CAMPAIGN)
    assert (result.verdict, result.subject) == (Verdict.UNKNOWN, "odd")
    assert 1 < result.count < 30
    assert result.because.endswith(" went wrong: it does not like odd numbers of steps")


def test_nothing_tried_is_nothing_kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quotaproof.checker.conform.corpus.corpus", lambda: ())
    events = run("reference")
    assert not [e for e in events if isinstance(e, Result) and e.verdict is Verdict.KEPT]
    assert {r.verdict for r in results(events, GOAL)} == {Verdict.UNKNOWN}
    assert outcome(Verification.of(events), Options()).exit_code == 3


def test_a_core_feature_that_is_missing_is_undecided_and_an_extended_one_is_not(run: Run) -> None:
    core = run("tests.support.named:no_gangs")
    assert results(core, PROFILE)[0].verdict is Verdict.UNKNOWN
    assert outcome(Verification.of(core), Options()).word is Word.UNKNOWN
    extended = run("tests.support.named:no_stages")
    assert {r.verdict for r in results(extended, SCENARIO)} == {Verdict.HOLDS_HERE, Verdict.NOT_APPLICABLE}
    assert outcome(Verification.of(extended), Options()).word is Word.OK


def test_every_witness_that_is_named_is_written(run: Run) -> None:
    events = run("tests.support.named:borrows_one_more", 20)
    written = {e.name for e in events if isinstance(e, Witness)}
    named = {e.witness for e in events if isinstance(e, Result) and e.witness}
    assert named
    assert named <= written
    (broken,) = results(events, "G3")
    assert (broken.verdict, broken.count > 1) == (Verdict.BROKEN_HERE, True)
