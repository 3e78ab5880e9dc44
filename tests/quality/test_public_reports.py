"""Public bug reports of real schedulers: who does what was reported is found out by the guarantee that it breaks.

Each is a scenario of the corpus. The wrong scheduler of its row breaks the guarantee of the scenario before any other,
the reference and all legal schedulers pass, and the page says of every report that was collected what became of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from quotaproof.checker.conform.corpus import entries, find
from quotaproof.checker.conform.reference import Reference
from quotaproof.checker.conform.verdict import Status
from quotaproof.spec import events as ev

from ..support.hiding import judged_hidden
from ..support.legal_schedulers import LEGAL
from ..support.reports import LEFT_OUT, PAGE, REPORTS, SCHEDULERS, page
from ..support.wrong import WRONG
from ..support.wrong.kills import run
from ..support.wrong.reported import REPORTED

SHARED = Path(__file__).resolve().parents[3] / "shared"
SCENARIOS = {name: find(name).scenario for name in REPORTS}
COVERED = [report for scenario in SCENARIOS.values() for report in scenario.reported]

every_report = pytest.mark.parametrize("name", REPORTS)


@every_report
def test_who_does_what_was_reported_breaks_the_guarantee_of_the_scenario_first(name):
    scenario, wrong = SCENARIOS[name], SCHEDULERS[REPORTS[name].wrong]
    told = run(wrong.backend(), scenario)
    assert (told.status, told.code, scenario.checks) == (Status.FAILED, wrong.code, (wrong.code,)), told.codes


@every_report
def test_it_is_found_also_where_a_trace_tells_no_more_than_who_was_stopped(name):
    """As real schedulers tell it. What only claims can break (G7, G6+) shows in what comes of it."""
    scenario, backend = SCENARIOS[name], SCHEDULERS[REPORTS[name].wrong].backend()
    (answer,) = backend.run([scenario])
    told = judged_hidden(scenario, answer, backend.declare(), "stops")
    assert told.status is Status.FAILED
    assert set(scenario.checks) & {*told.codes, "G7", "G6+"}


@every_report
def test_whoever_keeps_its_promises_passes_where_it_comes_up(name):
    (code,) = SCENARIOS[name].checks
    told = run(Reference(), SCENARIOS[name])
    assert (told.status, told.codes, told.exercised.get(code, 0) > 0) == (Status.PASSED, (), True)
    failed = {
        legal: told.codes for legal in LEGAL if (told := run(LEGAL[legal], SCENARIOS[name])).status is not Status.PASSED
    }
    assert failed == {}


def test_a_scenario_is_small():
    jobs = {name: sum(isinstance(step, ev.Submit) for step in s.steps) for name, s in SCENARIOS.items()}
    assert {name: n for name, n in jobs.items() if n > 11} == {}


def test_there_are_many_reports_of_many_schedulers_and_causes():
    assert len(COVERED) == len(set(COVERED)) >= 56
    assert len({report.split("#")[0] for report in COVERED}) >= 12
    used = Counter(report.wrong for report in REPORTS.values())
    assert len(used) >= 45
    assert max(used.values()) <= 2
    assert {code for s in SCENARIOS.values() for code in s.checks} >= {
        "G1",
        "G3",
        "G5x",
        "G5s",
        "G6",
        "G6+",
        "G7",
        "G14",
        "G16",
        "G18",
    }


def test_every_scenario_of_the_kind_has_its_report_and_no_other_has_one():
    assert [e.scenario.name for e in entries() if e.kind == "report"] == sorted(REPORTS)
    assert [e.scenario.name for e in entries() if bool(e.scenario.reported) != (e.kind == "report")] == []


def test_every_scheduler_that_was_made_for_a_report_is_used_and_is_none_of_the_planted_ones():
    assert REPORTED.keys() <= {report.wrong for report in REPORTS.values()}
    assert REPORTED.keys() & WRONG.keys() == set()


@pytest.mark.campaign
def test_no_two_wrong_schedulers_do_the_same():
    done: dict[object, str] = {}
    for name in dict.fromkeys(report.wrong for report in REPORTS.values()):
        backend = SCHEDULERS[name].backend()
        traces = str([run(backend, scenario).seen for scenario in SCENARIOS.values()])
        assert done.setdefault(traces, name) == name


def test_the_page_is_what_the_tables_say():
    assert PAGE.read_text(encoding="utf-8") == page()


def collected() -> Iterator[str]:
    """Every report in the two tables that were collected."""
    survey, kueue = SHARED / "backends" / "backends.md", SHARED / "kueue" / "kueue.md"
    if not survey.is_file() or not kueue.is_file():
        pytest.skip("the collections of public reports are not beside this repository")
    section = survey.read_text(encoding="utf-8").split("## 4b.")[1].split("\n## ")[0]
    for cell in re.findall(r"^\| \d+ \| ([^|]+) \|", section, re.MULTILINE):
        (repository, *_) = re.findall(r"[\w.-]+/[\w.-]+", cell)
        numbers = re.sub(r"\([^)]*\)", "", cell.replace(repository, ""))
        yield from (f"{repository}#{number}" for number in re.findall(r"\d+", numbers))
    section = kueue.read_text(encoding="utf-8").split("### 3a.")[1].split("\n### ")[0]
    for cell in re.findall(r"^\| (#\d[^|]*) \|", section, re.MULTILINE):
        yield from (f"kubernetes-sigs/kueue#{number}" for number in re.findall(r"#(\d+)", cell))


def test_every_report_that_was_collected_is_a_scenario_or_has_a_reason():
    found = set(collected())
    assert len(found) >= 70
    assert set(COVERED) & LEFT_OUT.keys() == set()
    assert found <= set(COVERED) | LEFT_OUT.keys()
    assert LEFT_OUT.keys() <= found
