"""The JSON report keeps to its schema and loses nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator, ValidationError
from quotaproof.checker.report import json as form
from quotaproof.checker.report.options import FailOn, Options
from quotaproof.checker.results import Event, Source
from quotaproof.spec import schemas

from ...support.queues import queue, share
from .audits import audited, broken
from .samples import BROKEN, HOLDS, OPEN, RESTS, accepted, everything, kept, played, sample, shown
from .streams import REPEATABLE, options, streams

SCHEMA = json.loads(files(schemas).joinpath("verification.schema.json").read_text(encoding="utf-8"))
CHECK = Draft202012Validator(SCHEMA)
SOURCES = (Source("q.json", "a/q.json", "k"),)
BAD = queue({"u": 2}, share("a", {"u": 3}), share("b", {"v": 1}, "LEND_AND_BORROW", 25))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_a_full_report_keeps_to_the_schema_and_says_everything() -> None:
    solver = {"name": "z3", "version": "5.4.1", "logic": "QF_LIA", "budget": "20 s"}
    given = sample(BAD, *HOLDS, RESTS, OPEN, BROKEN, solver=solver, assumed={"A16": "created"}, sources=SOURCES)
    got = json.loads(form.write(given, Options(fail_on=FailOn.WARNING)))
    CHECK.validate(got)
    assert (got["spec_version"], got["outcome"], got["exit_code"], got["solver"]) == ("1.0", "BROKEN", 1, solver)
    assert got["assumed"] == {"A16": "created"}
    assert [f["code"] for f in got["findings"]] == ["QP101", "QP104"]
    assert [(r["share"], r["given"], r["sure"]) for r in got["rows"]] == [("a", 3, 2), ("b", 1, 0)]
    assert got["results"][4]["combinations"] == [{"A23": "no", "A15": "no"}]
    assert len(got["results"]) == 7
    assert got["theorems"][0]["conditions"] == 270
    assert (got["fail_on"], got["sources"]) == ("warning", [{"name": "q.json", "path": "a/q.json", "kind": "k"}])
    assert got["counts"] == {
        "failed": 3, "noted": 0, "waived": 0, "passed": 5, "undecided": 0, "open": 1, "skipped": 0
    }  # fmt: skip


def test_control_characters_do_not_reach_the_terminal_but_survive_in_the_data() -> None:
    unit = "u\x1b[2J\n\u202e"
    text = form.write(sample(queue({unit: 1}, share("a", {unit: 1}))), Options())
    assert text.isascii()
    assert "\x1b" not in text
    assert json.loads(text)["rows"][0]["unit"] == unit


def test_strict_is_part_of_the_report() -> None:
    got = form.document(sample(queue({"u": 2}, share("a", {"u": 2})), OPEN), Options(strict=True))
    CHECK.validate(got)
    assert (got["strict"], got["outcome"], got["exit_code"]) == (True, "UNKNOWN", 3)


@pytest.mark.parametrize("events", [everything, accepted, played, shown, kept, audited, broken])
def test_the_samples_keep_to_the_schema(events: Callable[[], list[Event]]) -> None:
    CHECK.validate(json.loads(form.write(events(), Options())))


@REPEATABLE
@given(events=streams(), asked=options)
def test_any_stream_keeps_to_the_schema(events: list[Event], asked: Options) -> None:
    CHECK.validate(json.loads(form.write(events, asked)))


def test_what_is_accepted_says_by_whom_and_until_when() -> None:
    got = form.document(accepted(), Options())
    waiver = {"reason": "the new rack comes in January", "until": "2027-01-31", "place": "waivers.yaml:4"}
    assert (got["outcome"], got["exit_code"]) == ("WAIVED", 0)
    assert [(e["class"], e["waiver"]) for e in (got["findings"][0], got["results"][-1])] == [("waived", waiver)] * 2


@pytest.mark.parametrize("key", ["rows", "solver", "assumed", "spec_version"])
def test_the_schema_refuses_a_report_that_lacks_or_adds_a_field(key: str) -> None:
    got = form.document(sample(BAD), Options())
    with pytest.raises(ValidationError):
        CHECK.validate({k: v for k, v in got.items() if k != key})
    with pytest.raises(ValidationError):
        CHECK.validate({**got, "surprise": 1})
