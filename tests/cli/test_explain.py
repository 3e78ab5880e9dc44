"""`explain`: every code the program prints can be looked up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from quotaproof.checker.cli.protocol_form import STEPS
from quotaproof.checker.cli.topics import forms, known
from quotaproof.checker.conform import protocol_schema
from quotaproof.checker.conform.protocol import UNTOLD
from quotaproof.spec.formats.scenario import VERBS
from quotaproof.spec.formats.trace import read_trace
from quotaproof.spec.formats.trace_words import EVERY
from quotaproof.spec.readings import READINGS
from quotaproof.spec.rules.guarantees import GUARANTEES
from quotaproof.spec.rules.sources import CLAUSES, RULES, clause_title

from .conftest import Ran

Command = Callable[..., Ran]


def test_without_a_topic_all_topics_are_listed(quotaproof: Command) -> None:
    got = quotaproof("explain")
    assert got.code == 0
    words = got.out.replace(",", " ").split()
    assert [name for name in known() if not name.startswith("rule") and name not in words] == []
    assert "rule 1 to rule 56" in got.out


def test_every_topic_has_a_text_that_fits_the_screen() -> None:
    for name, write in known().items():
        text = write()
        assert text.endswith("\n")
        assert name in forms() or max(map(len, text.splitlines())) <= 100, name


def test_a_reading_is_shown_with_its_choices_and_default(quotaproof: Command) -> None:
    assert quotaproof("explain", "a5").out.splitlines() == [
        "A5      Environment capacity given to no share",
        "        A5=owners   an owner within its limit may use it, nobody borrows against it  (default)",
        "        A5=void   it is never used",
        "        A5=borrowable   anybody may borrow it",
        "        `quotaproof explain A5 --experiment` prints a few cheap jobs that settle it.",
        "        Why: owners: rule 22 bounds only borrowing",
    ]
    assert "No choice: it does not change what the model does." in quotaproof("explain", "A2").out


def test_a_guarantee_is_shown_with_its_sentence_and_mathematics(quotaproof: Command) -> None:
    got = quotaproof("explain", "G1").out
    assert got.startswith(f"G1      {GUARANTEES['G1'].sentence}\n")
    assert GUARANTEES["G1"].mathematics in " ".join(got.split())


def test_a_finding_explains_itself(quotaproof: Command) -> None:
    assert quotaproof("explain", "qp101").out.startswith(
        "QP101   limits add up to more than the environment has (error)"
    )


@pytest.mark.parametrize("asked", [("rule", "22"), ("rule 22",), ("22",), ("Rule22",)])
def test_a_rule_is_found_however_it_is_written(quotaproof: Command, asked: tuple[str, ...]) -> None:
    assert quotaproof("explain", *asked).out.startswith("rule 22 A share can borrow no more than the other shares")


@pytest.mark.parametrize(("number", "word"), [("36", "documented"), ("24", "implied"), ("25", "open")])
def test_a_rule_says_how_certain_it_is(quotaproof: Command, number: str, word: str) -> None:
    assert quotaproof("explain", "rule", number).out.endswith(f"Certainty: {word}.\n")


def test_all_56_rules_have_a_sentence_with_its_source() -> None:
    assert list(RULES) == list(range(1, 57))
    assert [n for n, text in RULES.items() if not (text.isascii() and text.endswith("]") and ". [" in text)] == []


def test_lists_name_every_guarantee_and_reading(quotaproof: Command) -> None:
    listed = quotaproof("explain", "readings").out
    assert all(f"\n{code} " in f"\n{listed}" for code in READINGS)
    listed = quotaproof("explain", "guarantees").out
    assert all(f"\n{code} " in f"\n{listed}" for code in GUARANTEES)


def test_a_form_is_one_line_and_its_schema(quotaproof: Command) -> None:
    first, _, schema = quotaproof("explain", "verification").out.partition("\n")
    assert first == "What `quotaproof verify --report json` writes, and `replay` and `audit` with --report json."
    assert json.loads(schema)["title"] == "verification"


def test_a_trace_is_explained_by_its_events_an_example_and_what_strict_judging_needs(quotaproof: Command) -> None:
    got = quotaproof("explain", "trace").out
    lines = got.splitlines()
    assert max(map(len, lines)) <= 105
    assert [word for word in EVERY if not any(line.startswith(f"{word} ") for line in lines)] == []
    assert all(f"\n{word} " in got for word in ("ordered", "claims", "settled"))
    assert lines[-1] == "`quotaproof explain trace --schema` prints the JSON Schema."
    assert quotaproof("explain", "trace", "--schema").out.count("1970, or ISO 8601") == 1


@pytest.mark.parametrize("form", forms())
def test_the_schema_of_every_form_is_printed_alone_on_request(quotaproof: Command, form: str) -> None:
    shipped = files("quotaproof.spec.schemas").joinpath(f"{form}.schema.json").read_text(encoding="utf-8")
    got = quotaproof("explain", form, "--schema")
    assert (got.code, json.loads(got.out)) == (0, json.loads(shipped))


@pytest.mark.parametrize("topic", [("G1",), (), ("trace", "queue")])
def test_a_schema_of_what_is_no_form_is_exit_2(quotaproof: Command, topic: tuple[str, ...]) -> None:
    got = quotaproof("explain", *topic, "--schema")
    assert (got.code, got.out) == (2, "")
    assert got.err.startswith("--schema: name one file form beside it: queue, scenario, ")


def test_the_protocol_is_explained_by_an_example_of_every_message_step_and_line(quotaproof: Command) -> None:
    lines = quotaproof("explain", "protocol").out.splitlines()
    assert len(lines) < 100
    shown = [json.loads(line) for line in lines if line.startswith("        {")]
    kinds = protocol_schema.schema()
    messages = [one for one in shown if "cmd" in one or "protocol" in one or "id" in one]
    rest = [one for one in shown if one not in messages]
    check = Draft202012Validator(kinds)
    for message in [
        *messages,
        {"cmd": "run", "id": 1, "steps": rest[: len(STEPS)]},
        {"id": 1, "trace": rest[len(STEPS) :]},
    ]:
        check.validate(message)
    assert [name for name in protocol_schema.KINDS if name not in lines] == []
    said = rest[len(STEPS) :]
    assert [word for word in EVERY if word != "trace" and not any(word in line for line in said)] == []
    told = {verb for verb, kind in VERBS.items() if not issubclass(kind, UNTOLD)} | {"settle"}
    assert [verb for verb in told if not any(verb in step for step in rest[: len(STEPS)])] == []
    for field in ("holds", "borrowLimit", "failed", "stage", "count", "claimant"):
        assert any(field in line for line in said), field


def test_the_example_of_a_trace_audits_clean_and_is_judged_strictly(quotaproof: Command, tmp_path: Path) -> None:
    text = quotaproof("explain", "trace").out
    shown = text[text.index('{"trace"') : text.index("\n\nWhat strict")]
    path = tmp_path / "t.ndjson"
    path.write_text(shown.replace("\n ", " ") + "\n", encoding="utf-8")
    got = quotaproof("audit", str(path), "--report", "json")
    assert (got.code, got.err) == (0, "")
    results = json.loads(got.out)["results"]
    assert [r["code"] for r in results if r["verdict"] in ("CANNOT BE SEEN", "UNKNOWN")] == ["G18"]
    history = read_trace(str(path))
    assert len(list(history.seen())) == 9 and history.ordered and history.claims
    validator = Draft202012Validator(json.loads(quotaproof("explain", "trace", "--schema").out))
    for line in path.read_text(encoding="utf-8").splitlines():
        validator.validate(json.loads(line))


def test_an_unknown_topic_is_exit_2_with_the_nearest(quotaproof: Command) -> None:
    assert quotaproof("explain", "G140") == Ran(
        2,
        "",
        "there is nothing to explain under 'G140'; did you mean G14, G10, G4? `quotaproof explain` lists all topics\n",
    )
    assert quotaproof("explain", "???").err == (
        "there is nothing to explain under '???'. `quotaproof explain` lists all topics\n"
    )


def test_several_topics_are_explained_one_after_the_other(quotaproof: Callable[..., Ran]) -> None:
    got = quotaproof("explain", "rule", "22", "G14", "rule23", "RULE", "24")
    heads = [line[:7].strip() for line in got.out.splitlines() if line and not line.startswith(" ")]
    assert (got.code, heads) == (0, ["rule 22", "G14", "rule 23", "rule 24"])
    assert "'nothing'" in quotaproof("explain", "G14", "nothing").err


def test_every_scenario_of_the_corpus_is_listed_with_what_it_checks(quotaproof: Command) -> None:
    from quotaproof.checker.conform.corpus import corpus

    got = quotaproof("explain", "corpus").out
    lines = got.splitlines()
    assert [s.name for s in corpus() if s.name not in lines] == []
    told = " ".join(got.split())
    assert " ".join(corpus()[0].about.split()) in told
    assert [s.name for s in corpus() if ", ".join((*s.checks, *s.reported)) not in told] == []


def test_a_profile_says_what_is_core_and_what_a_backend_may_declare(quotaproof: Command) -> None:
    from quotaproof.checker.conform.profiles import AWS_BATCH

    got = " ".join(quotaproof("explain", "aws-batch").out.split())
    assert ", ".join(AWS_BATCH.core) in got
    assert ", ".join(AWS_BATCH.extended) in got
    assert "A5=owners | void | borrowable" in got
    assert "G8 need not come up" in got


@pytest.mark.parametrize("code", list(CLAUSES))
def test_a_condition_of_a_step_is_told_with_its_sentence_and_everything_that_it_rests_on(
    code: str, quotaproof: Command
) -> None:
    told = quotaproof("explain", code)
    assert told.code == 0, told.err
    text = " ".join(told.out.split())
    assert clause_title(code) in text.lower()
    assert "Not met where" in text and "{" not in text
    for rest in re.findall(r"\d+\b|A\d+", CLAUSES[code]):
        assert (f"{rest} (AWS leaves it open)" if rest[0] == "A" else f"Rule {rest}:") in text
