"""Reports of many events take a time that grows with their number, not with its square."""

from __future__ import annotations

from time import perf_counter

from quotaproof.checker.report import junit
from quotaproof.checker.report.options import Options
from quotaproof.checker.results import Began, Ended, Finding, Severity

from .samples import HOLDS


def test_a_junit_report_of_3000_cases_takes_about_a_fifth_of_a_second() -> None:
    many = [Finding("QP110", Severity.WARNING, "x", place="q.yaml:3", share=f"s{i}") for i in range(3000)]
    start = perf_counter()
    told = junit.write([Began("verify", "q"), *many, *HOLDS, Ended(0.1)], Options())
    assert perf_counter() - start < 3
    assert told.count("<testcase ") == 3000 + len(HOLDS)
