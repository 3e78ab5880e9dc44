"""Reports of many events take a time that grows with their number, not with its square."""

from __future__ import annotations

from time import perf_counter

from quotaproof.checker.report import junit
from quotaproof.checker.report.options import Options
from quotaproof.checker.report.redact import redacted
from quotaproof.checker.results import Began, Ended, Finding, Severity, Source

from .samples import HOLDS


def test_a_junit_report_of_3000_cases_takes_about_a_fifth_of_a_second() -> None:
    many = [Finding("QP110", Severity.WARNING, "x", place="q.yaml:3", share=f"s{i}") for i in range(3000)]
    start = perf_counter()
    told = junit.write([Began("verify", "q"), *many, *HOLDS, Ended(0.1)], Options())
    assert perf_counter() - start < 3
    assert told.count("<testcase ") == 3000 + len(HOLDS)


def test_the_names_of_3000_jobs_are_hidden_in_well_under_a_second() -> None:
    files = tuple(Source(f"submit_t{i}.run+{i}.json", f"q/submit_t{i}.run+{i}.json", "") for i in range(3000))
    jobs = tuple(f"t{i}.run+{i}" for i in range(3000))
    left_out = tuple(f"{file.name}: the size of {job} is not known" for file, job in zip(files, jobs, strict=True))
    start = perf_counter()
    (told,) = redacted([Began("verify", "q", left_out=left_out, jobs=jobs, files=files)])
    assert perf_counter() - start < 5
    assert isinstance(told, Began)
    assert told.left_out[41] == "submit_job-42.json: the size of job-42 is not known"
