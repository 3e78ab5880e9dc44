"""Every finding and every result is in one class, and every form and the exit code speak of the same classes."""

from __future__ import annotations

import json as json_module
import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, given
from junitparser import JUnitXml, TestCase
from quotaproof.checker.promised import How, Promised
from quotaproof.checker.report import badge, html, json, junit, md, sarif, text
from quotaproof.checker.report.junit import VERDICT
from quotaproof.checker.report.options import FailOn, Options
from quotaproof.checker.report.outcome import Word, outcome
from quotaproof.checker.report.partition import Class, Judged, classify, count
from quotaproof.checker.report.promised import BROKEN, KEPT, told
from quotaproof.checker.results import Began, Ended, Event, Finding, Result, Severity, Verdict, Verification

from .samples import HOLDS, everything
from .streams import REPEATABLE, options, streams

SKIPPED = {Class.WAIVED, Class.OPEN, Class.SKIPPED}


def judged(events: list[Event]) -> list[Judged]:
    return [e for e in events if isinstance(e, Finding | Result | Promised)]


def counted(line: str) -> dict[str, int]:
    return {name: int(n) for n, name in re.findall(r"(\d+) (\w+)", line)}


def in_text(events: list[Event], asked: Options) -> dict[str, int]:
    said = " ".join(text.write(events, replace(asked, verbose=True)).split())
    return counted(re.findall(r"Counts ((?:\d+ \w+, ){6}\d+ \w+)", said)[-1])


def in_md(events: list[Event], asked: Options) -> dict[str, int]:
    return counted(
        re.findall(r"^Counts: .*?all findings and checks: (.*?)\.", md.write(events, asked), re.MULTILINE)[-1]
    )


def in_json(events: list[Event], asked: Options) -> dict[str, int]:
    document = json_module.loads(json.write(events, asked))
    by_event = Counter(e["class"] for e in [*document["findings"], *document["results"], *document.get("promises", ())])
    assert by_event == +Counter(document["counts"])
    return document["counts"]


def in_sarif(events: list[Event], asked: Options) -> dict[str, int]:
    (run,) = json_module.loads(sarif.write(events, asked))["runs"]
    counts = run["properties"]["counts"]
    shown = Counter(r["properties"]["class"] for r in run["results"])
    assert all(shown[c] <= counts[c] for c in Class)
    assert not any(shown[c] for c in (Class.PASSED, Class.OPEN, Class.SKIPPED))
    assert shown[Class.UNDECIDED] == counts[Class.UNDECIDED]
    return counts


def of_case(case: TestCase) -> str:
    if not case.result:
        return Class.NOTED if case.system_out else Class.PASSED
    (result,) = case.result
    kinds = {"failure": {Class.FAILED}, "error": {Class.UNDECIDED}, "skipped": SKIPPED}
    assert result.type in kinds[result._tag]
    return result.type


def in_junit(events: list[Event], asked: Options) -> dict[str, int]:
    (suite,) = JUnitXml.fromstring(junit.write(events, asked).encode("utf-8"))
    found = Counter(of_case(case) for case in suite if case.classname != VERDICT)
    return {c: found[c] for c in Class}


def in_html(events: list[Event], asked: Options) -> dict[str, int]:
    return counted(re.findall(r"<footer>.*?Counts: all findings and checks: (.*?)\.", html.write(events, asked))[-1])


FORMS = {"text": in_text, "json": in_json, "md": in_md, "sarif": in_sarif, "junit": in_junit, "html": in_html}


@pytest.mark.parametrize("form", FORMS)
@REPEATABLE
@given(events=streams(), asked=options)
def test_every_form_counts_the_same(form: str, events: list[Event], asked: Options) -> None:
    assume(form != "text" or Verification.of(events).began.command != "replay")
    expected = count(judged(events), asked)
    assert sum(expected.values()) == len(judged(events))
    assert FORMS[form](events, asked) == expected


@REPEATABLE
@given(events=streams(), asked=options)
def test_unknown_is_never_success(events: list[Event], asked: Options) -> None:
    found = outcome(Verification.of(events), asked)
    in_force = [e for e in judged(events) if not isinstance(e, Promised) or e.in_force]
    results = [(e, e.result if isinstance(e, Promised) else e) for e in in_force]
    unknown = [(e, r) for e, r in results if isinstance(r, Result) and r.verdict is Verdict.UNKNOWN]
    assert not {classify(e, asked) for e, _ in unknown} & {Class.PASSED, Class.WAIVED, Class.NOTED, Class.SKIPPED}
    if any(asked.strict or not r.open for _, r in unknown) or not [r for r in events if isinstance(r, Result)]:
        assert found.word not in (Word.OK, Word.WAIVED)
        assert found.exit_code in (1, 3)
        (suite,) = JUnitXml.fromstring(junit.write(events, asked).encode("utf-8"))
        assert suite.errors + suite.failures > 0


@REPEATABLE
@given(events=streams(), asked=options)
def test_exit_code_1_means_that_something_failed_and_never_never_gives_it(events: list[Event], asked: Options) -> None:
    classes = {classify(e, asked) for e in judged(events)}
    found = outcome(Verification.of(events), asked)
    assert (found.exit_code == 1) == (Class.FAILED in classes and asked.fail_on is not FailOn.NEVER)
    assert (found.word in (Word.BROKEN, Word.WARNED)) == (Class.FAILED in classes)
    assert f"exit {found.exit_code}\n" in text.write(events, replace(asked, quiet=False))
    assert f"Exit code {found.exit_code}." in md.write(events, asked)
    assert json.document(events, asked)["exit_code"] == found.exit_code
    assert f"Exit code {found.exit_code}." in html.write(events, asked)
    assert json_module.loads(badge.write(events, asked))["isError"] == (Class.FAILED in classes)
    assert sarif.document(events, asked)["runs"][0]["invocations"][0]["exitCode"] == found.exit_code


@REPEATABLE
@given(events=streams(), asked=options)
def test_a_promise_out_of_force_is_shown_and_changes_nothing(events: list[Event], asked: Options) -> None:
    resting = [replace(e, in_force=False) if isinstance(e, Promised) else e for e in events]
    without = [e for e in events if not isinstance(e, Promised)]
    found, expected = (outcome(Verification.of(some), asked) for some in (resting, without))
    assert (found.word, found.exit_code, found.resting) == (expected.word, expected.exit_code, expected.resting)


@REPEATABLE
@given(events=streams(), asked=options)
def test_a_promise_that_is_not_kept_is_never_said_to_be(events: list[Event], asked: Options) -> None:
    for one in told(Verification.of(events), asked):
        classes = {classify(p, asked) for p in one.parts}
        if one.word == KEPT:
            assert classes <= {Class.PASSED, Class.NOTED, Class.WAIVED}
        assert (one.word == BROKEN) == (Class.FAILED in classes)


def test_a_broken_promise_alone_is_the_verdict() -> None:
    broken = Result("P8", Verdict.BROKEN, "can borrow 4 > 2 p5", subject="speech, p5")
    promises = [
        Promised("P8", "Nobody borrows more than 2.", "borrows_at_most", How.PROVED, broken),
        Promised("P2", "It starts.", "gets", How.PROVED, Result("P2", Verdict.HOLDS_HERE, "4 <= 6")),
    ]
    events = [Began("verify", "q"), *HOLDS, *promises, Ended(0.1)]
    found = outcome(Verification.of(events), Options())
    assert (found.word, found.exit_code) == (Word.BROKEN, 1)
    first, second = text.write(events, Options()).splitlines()[:2]
    assert first == "BROKEN  q: 1 of 2 promises is broken."
    assert second.strip() == "P8: Nobody borrows more than 2."
    assert json_module.loads(badge.write(events, Options()))["message"] == "1 of 2 promises is broken"
    assert outcome(Verification.of(events), Options(fail_on=FailOn.NEVER)).exit_code == 0


def test_the_sample_has_something_in_every_class() -> None:
    assert all(count(judged(everything()), Options()).values())


@pytest.mark.parametrize(
    ("severity", "fail_on", "expected"),
    [
        (Severity.ERROR, FailOn.NEVER, Class.FAILED),
        (Severity.WARNING, FailOn.ERROR, Class.NOTED),
        (Severity.WARNING, FailOn.WARNING, Class.FAILED),
        (Severity.WARNING, FailOn.NEVER, Class.NOTED),
        (Severity.NOTE, FailOn.WARNING, Class.NOTED),
    ],
)
def test_the_bar_decides_about_findings(severity: Severity, fail_on: FailOn, expected: Class) -> None:
    assert classify(Finding("QP101", severity, "x"), Options(fail_on=fail_on)) is expected
