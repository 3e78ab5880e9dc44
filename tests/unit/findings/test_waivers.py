"""Accepted findings: which decision is about which finding, until when, and what it does to a broken promise."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from quotaproof.checker.findings.waive import accept, waive
from quotaproof.checker.results import Finding, Result, Severity, Verdict
from quotaproof.spec.formats.waivers import Waiver

DAY = date(2026, 12, 31)
FOUND = Finding("QP112", Severity.WARNING, "t", place="q.yaml:7", share="a", unit="u")


def decision(**more):
    return Waiver(**{"finding": "QP112", "until": DAY, "reason": "agreed", "place": "w.yaml:3", **more})


def waived(today=DAY, **more):
    (first, *_) = waive([FOUND], [decision(**more)], today)
    return first.waiver is not None


def test_a_decision_counts_until_its_last_day():
    assert [waived(today) for today in (date(2026, 1, 1), DAY, date(2027, 1, 1))] == [True, True, False]


def test_a_decision_is_about_what_it_names():
    assert waived(share="a", unit="u", about=("q.yaml", 7, 9))
    assert [
        waived(**{k: v}) for k, v in {"finding": "QP113", "share": "b", "unit": "v", "about": ("q.yaml", 8, 9)}.items()
    ] == [False] * 4


def test_the_reason_and_the_day_go_with_the_finding():
    (found,) = waive([FOUND], [decision()], DAY)
    assert (found.waiver.reason, found.waiver.until, found.waiver.place) == ("agreed", "2026-12-31", "w.yaml:3")


def test_a_decision_that_has_run_out_and_one_about_nothing_are_found():
    found = waive([FOUND], [decision(), decision(share="b")], date(2027, 1, 1))
    assert [(f.code, f.place, f.waiver) for f in found] == [
        ("QP112", "q.yaml:7", None),
        ("QP302", "w.yaml:3", None),
        ("QP303", "w.yaml:3", None),
    ]


def test_a_decision_renewed_elsewhere_still_counts():
    found = waive([FOUND], [decision(until=date(2026, 1, 1)), decision(place="w.yaml:9")], DAY)
    assert found[0].waiver.place == "w.yaml:9"


def test_no_decision_accepts_what_is_wrong_with_decisions():
    found = waive([], [decision(), decision(finding="QP303")], DAY)
    assert [(f.code, f.waiver) for f in found] == [("QP303", None), ("QP303", None)]


def broken(subject):
    return Result("G14", Verdict.BROKEN, "numbers", subject=subject)


def test_an_accepted_finding_covers_the_broken_promises_it_tells_and_no_others():
    results = [broken("a, u"), broken("b, u"), broken("a, v"), Result("G7", Verdict.BROKEN, "x", subject="a, u")]
    for code, share, expected in (
        ("QP101", "a", [True, True, False, False]),
        ("QP104", "a", [True, True, False, False]),
        ("QP108", "a", [True, False, False, False]),
        ("QP112", "a", [False] * 4),
    ):
        found = waive([Finding(code, Severity.ERROR, "t", share=share, unit="u")], [decision(finding=code)], DAY)
        assert [r.waiver is not None for r in accept(results, found)] == expected, code
    assert [r.waiver for r in accept(results, [Finding("QP101", Severity.ERROR, "t", unit="u")])] == [None] * 4


def test_all_units_of_a_share_that_can_run_nothing_are_covered():
    found = waive([Finding("QP108", Severity.ERROR, "t", share="a")], [decision(finding="QP108")], DAY)
    told = accept([broken("a, u"), broken("a, v"), broken("b, u")], found)
    assert [r.waiver is not None for r in told] == [True, True, False]


def test_a_comment_above_any_share_of_an_overfull_unit_accepts_it():
    wide = replace(FOUND, code="QP101", shares=("a", "b"), places=("q.yaml:7", "q.yaml:12"))
    for line, accepted in ((7, True), (12, True), (9, False)):
        (first, *_) = waive([wide], [decision(finding="QP101", about=("q.yaml", line, line))], DAY)
        assert (first.waiver is not None) == accepted
    (first, *_) = waive([wide], [decision(finding="QP101", share="b")], DAY)
    assert first.waiver is not None
