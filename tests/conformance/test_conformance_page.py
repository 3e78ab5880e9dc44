"""The page on testing a scheduler: its code stands in the examples, its conversation takes place, its tables are whole."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import jsonschema
import pytest
from quotaproof.checker.conform.backend import Declaration
from quotaproof.checker.conform.failures import FAILURES, InvalidMessage
from quotaproof.checker.conform.features import FEATURES
from quotaproof.checker.conform.profiles import PROFILES
from quotaproof.checker.conform.protocol import UNTOLD, answer
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.spec.formats.document import Document
from quotaproof.spec.formats.scenario import VERBS
from quotaproof.spec.formats.scenario_text import read
from quotaproof.spec.formats.trace_words import EVERY

from ..support.scenarios import ROOT

PAGE = (ROOT / "docs" / "how-to" / "test-a-scheduler.md").read_text(encoding="utf-8")
EXAMPLES = {
    path.name: path.read_text(encoding="utf-8") for path in (ROOT / "examples/backends/javascript").glob("*.mjs")
}
SCHEMA = jsonschema.Draft202012Validator(
    json.loads((ROOT / "spec" / "schemas" / "protocol.schema.json").read_text(encoding="utf-8"))
)
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def cells(heading):
    """Rows of the table whose heading begins so."""
    table = PAGE[PAGE.index(f"\n| {heading} |") :].split("\n\n")[0]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in table.strip().splitlines()[2:]]


@pytest.mark.parametrize("code", blocks("js"))
def test_the_code_stands_in_an_example(code):
    assert [name for name, text in EXAMPLES.items() if code in text]


def conversation():
    (text,) = blocks("text")
    joined = re.sub(r"\n +", "", text)
    return [(line[0], line[2:]) for line in joined.splitlines()]


def test_the_messages_fit_the_schema():
    for _, message in conversation():
        SCHEMA.validate(json.loads(message))
    short = [json.loads(text) for text in re.findall(r"`(\{\"id\".*?\})`", PAGE) if "..." not in text]
    lines = [json.loads(text) for text in re.findall(r"`(\{\"(?!id)[\w-]+\":.*?\})`", PAGE)]
    assert short
    assert {"share-gone": "b"} in lines
    traced = [line for line in lines if "stopped" not in line and "A13" not in line]
    short.append({"id": 1, "trace": traced})
    for message in short:
        SCHEMA.validate(message)


def judge(steps, lines, *, in_share=False):
    """The verdict on a trace of shares a and b, each with one of two machines."""
    share = {"limits": {"u": 1}, "strategy": "LEND_AND_BORROW", "inSharePreemption": in_share}
    form = {"scenario": 1, "name": "s", "about": "", "steps": steps, "queue": {"quotaproof": 1, "queue": "q",
            "environment": {"u": 2}, "shares": [{"name": name, **share} for name in "ab"]}}  # fmt: skip
    answered = answer(json.dumps({"id": 1, "trace": lines}).encode()).answer
    return judged(read(Document("s", form, dict)), answered, Declaration("written", claims=True))


def sub(job, **more):
    return {"submit": job, "share": job[0], "size": {"u": 1}, **more}


def told(job, **more):
    return {**sub(job), "priority": 0, "retries": None, **more}


SETTLED, GOES_ON = {"settled": True}, {"settle": "scheduler"}
LENT = [sub("b1"), sub("b2"), GOES_ON, sub("a1"), GOES_ON]
LENT_LINES = [told("b1"), told("b2"), {"dispatch": "b1"}, {"dispatch": "b2"}, SETTLED, told("a1"),
              {"claim": "a1", "victims": ["b2"]}, SETTLED]  # fmt: skip


def test_an_older_job_of_equal_priority_does_not_end_a_claim():
    steps = [*LENT[:3], sub("a1"), sub("a2", priority=1), GOES_ON, {"set-priority": "a1", "priority": 1}, GOES_ON]
    lines = [*LENT_LINES[:5], told("a1"), told("a2", priority=1), {"claim": "a2", "victims": ["b2"]}, SETTLED,
             {"reprioritise": "a1", "priority": 1}]  # fmt: skip
    assert judge(steps, [*lines, SETTLED]).status is Status.PASSED
    assert judge(steps, [*lines, {"release": "a2"}, SETTLED]).code == "G7"


def test_an_errored_trace_is_judged():
    lines = [*LENT_LINES[:-1], {"dispatch": "a1"}]
    found = judge(LENT, lines)
    assert found.code == "G1"
    watched = answer(json.dumps({"id": 1, "errored": "it goes round", "trace": lines}).encode()).answer
    assert judged(found.scenario, watched, Declaration("written", claims=True)).code == "G1"


def test_a_share_that_was_deleted_is_gone_when_all_is_settled():
    steps = [
        sub("b1"),
        GOES_ON,
        {"set-share-state": "b", "state": "DISABLED"},
        {"delete-share": "b"},
        {"settle": "all"},
    ]
    lines = [told("b1"), {"dispatch": "b1"}, SETTLED, {"share": "b", "state": "DISABLED"}, {"share-deleted": "b"},
             {"terminate": "b1"}]  # fmt: skip
    assert judge(steps, [*lines, {"share-gone": "b"}, SETTLED]).status is Status.PASSED
    missing = judge(steps, [*lines, SETTLED])
    assert missing.code == "G19"
    assert "there is no `share-gone` for it" in missing.broken[0].violation.sentence


def test_a_claim_without_victims_and_one_that_holds_nothing_are_as_the_page_says():
    steps = [*LENT, {"terminate": "a1"}, sub("a2"), GOES_ON]
    again = [*LENT_LINES, {"terminate": "a1"}, told("a2")]
    assert judge(steps, [*again, {"claim": "a2", "victims": []}, SETTLED]).status is Status.PASSED
    steps = [sub("b1"), sub("b2"), GOES_ON, sub("b3", priority=5), GOES_ON]
    lines = [*LENT_LINES[:5], told("b3", priority=5)]
    over = {"claim": "b3", "victims": ["b2"], "holds": False}
    assert judge(steps, [*lines, over, SETTLED], in_share=True).status is Status.PASSED


@pytest.mark.parametrize("line", [
    {"preempted": "b2", "stage": None}, {"claim": "a", "holds": None}, {"claim": "a", "victims": None},
    told("a1", priority=None), {"share": "a", "strategy": "LEND", "borrowLimit": None}, {"finish": "a", "failed": None},
])  # fmt: skip
def test_a_field_that_is_null_is_refused_with_its_name(line):
    (name,) = [key for key, value in line.items() if value is None and key != "retries"]
    with pytest.raises(InvalidMessage, match=f"{name}: null"):
        answer(json.dumps({"id": 1, "trace": [line]}).encode())


@needs_node
def test_the_conversation_takes_place_as_it_is_shown():
    said = "".join(f"{message}\n" for who, message in conversation() if who == ">")
    file = ROOT / "examples" / "backends" / "javascript" / "conforming.mjs"
    done = subprocess.run(["node", str(file)], input=said, capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout.splitlines() == [message for who, message in conversation() if who == "<"]


def test_every_feature_is_listed():
    core = [profile.core for profile in PROFILES.values()]
    expected = [
        [f"`{f.name}`", *("core" if f.name in names else "extended" for names in core), f.sentence]
        for f in FEATURES.values()
    ]
    assert cells(f"feature | {' | '.join(PROFILES)}") == expected


def test_every_failure_is_listed_with_its_causes_and_what_to_do():
    expected = [[f"`{f.code}`", f"{f.__doc__} {f.causes}", f.hint[0].upper() + f.hint[1:]] for f in FAILURES]
    assert cells("code") == expected


def test_every_step_is_listed_with_lines_that_there_are():
    rows = cells("step")
    told = {verb for verb, kind in VERBS.items() if not issubclass(kind, UNTOLD)} | {"settle"}
    assert {row[0].strip("`") for row in rows} == told
    fields = {"failed", "stage", "count", "limits", "strategy", "borrowLimit", "inSharePreemption", "state"}
    named = {word for row in rows for word in re.findall(r"`([\w-]+)`", row[1])}
    assert named - fields <= set(EVERY)
