"""How an audit's verdicts and numbers are worded."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.audit.rules import INPUT
from quotaproof.checker.audit.words import Scale
from quotaproof.checker.measured import Month
from quotaproof.checker.promised import STOPS, How, Promised
from quotaproof.checker.report import text
from quotaproof.checker.report.audited import stable
from quotaproof.checker.report.audited_rules import counted
from quotaproof.checker.report.markdown import escaped
from quotaproof.checker.report.options import Options
from quotaproof.checker.report.outcome import outcome
from quotaproof.checker.report.promised import broken, tally, told
from quotaproof.checker.results import Began, Ended, Event, Result, Verdict, Verification
from quotaproof.spec.rules.guarantees import GUARANTEES

from .audits import audited
from .samples import BROKEN

QUEUE = "a-queue-with-a-longer-nam"


def quiet(*results: Result) -> str:
    events: list[Event] = [Began("audit", QUEUE), *results, Ended(0.1)]
    return text.write(events, Options(quiet=True)).rstrip("\n")


@pytest.mark.parametrize("verdict", [Verdict.BROKEN_HERE, Verdict.UNKNOWN, Verdict.KEPT, Verdict.NEVER_CAME_UP])
@pytest.mark.parametrize("most", [1, 5, len(GUARANTEES)])
def test_the_short_verdict_is_never_cut(verdict: Verdict, most: int) -> None:
    input_ = [Result(code, Verdict.UNKNOWN, "it is", place="a:1") for code in [INPUT] * 40]
    results = [Result(code, verdict, "so it is", count=1) for code in [*GUARANTEES][:most]]
    for said in (quiet(*results), quiet(*results, *input_)):
        assert len(said) <= 100
        assert "..." not in said.split(": ", 1)[1]
    assert str(most) in quiet(*results) or verdict is Verdict.NEVER_CAME_UP


@pytest.mark.parametrize(
    ("milliseconds", "name", "shown"),
    [(3_600_000, "machine-hours", 0.01), (3_599_999, "machine-minutes", 0.6), (119_999, "machine-seconds", 36)],
)
def test_short_histories_are_told_in_smaller_units(milliseconds: int, name: str, shown: float) -> None:
    scale = Scale.of(milliseconds)
    assert (scale.name, scale.of_hours(0.01)) == (name, pytest.approx(shown))


def test_below_a_hundred_jobs_raises_are_counted() -> None:
    few, many = Month("2026-07", {}, 99, 3, 0, 1), Month("2026-08", {}, 1000, 30, 0, 1)
    assert "priority raises 3 -> 30 (of 99 -> 1,000 jobs), median priority 1 -> 1" in list(stable([few, many]))
    assert "priority raises per 100 jobs 3, median priority 1" in list(stable([many]))
    assert "priority raises 0 (of 0 jobs), median priority 1" in list(stable([replace(few, submitted=0, raises=0)]))


def test_a_screen_parts_no_rule_from_its_count() -> None:
    lines = text.write(audited(), Options()).splitlines()
    (kept,) = [n for n, line in enumerate(lines) if line.startswith("kept    ")]
    assert lines[kept] == "kept    environment respected (G1) 41,870, reserve untouched, loans covered (G2) 41,870,"
    assert lines[kept + 1] == "        cross-share preemption justified (G5x) 164"


@pytest.mark.parametrize(
    ("plain", "markdown"),
    [
        ("1.1", "1.1"), ("-0.3", "-0.3"), ("= -0.9 machines", "= -0.9 machines"), ("1. a", "1\\. a"), ("2)", "2\\)"),
        ("- a", "\\- a"), ("---", "\\---"), ("===", "\\==="), ("= ", "\\= "), ("+ a", "\\+ a"),
    ],
)  # fmt: skip
def test_numbers_are_no_lists(plain: str, markdown: str) -> None:
    assert escaped(plain) == markdown


def test_what_promises_assume_of_stops_is_counted_beside_them() -> None:
    first, second = (Promised(code, "x", "gets", How.MEASURED, replace(BROKEN, code=code)) for code in ("P1", "P2"))
    stops = Promised(STOPS, "x", "stop_takes", How.MEASURED, replace(BROKEN, code=STOPS))
    kept = replace(stops, result=replace(stops.result, verdict=Verdict.KEPT))

    def of(*events: Promised) -> Verification:
        return Verification.of([Began("audit", "q"), *events, Ended(0.0)])

    assert broken(of(first, second, stops), [first, stops]) == "1 of 2 promises is broken and 1 assumption is broken"
    assert broken(of(first, stops), [stops]) == "1 assumption is broken"
    assert broken(of(first, kept), []) == ""
    assert tally(told(of(first, second, kept), Options())) == "2: 2 BROKEN; 1 assumption kept"
    judged = outcome(of(first, second, stops), Options())
    assert counted(judged) == "0 errors, 2 promises and 1 assumption broken"
