"""Waivers: what counts as one, in comments and in files, and what is refused because it only looks like one."""

from __future__ import annotations

import json
from datetime import date

import jsonschema
import pytest
from quotaproof.spec import schemas

from ...support.loaded import kinds

OWN = """quotaproof: 1
queue: research
environment: {u: 3}
shares:
- {name: a, limits: {u: 3}, strategy: LEND}
"""
FORM = {"waivers": 1, "accept": [{"finding": "QP112", "until": "2027-01-31", "reason": "agreed"}]}
WAYS = {
    "no version": ({"accept": FORM["accept"]}, "unknown kind of file"),
    "version 2": ({**FORM, "waivers": 2}, "version 2"),
    "nothing": ({"waivers": 1, "accept": []}, "nothing is accepted"),
    "no list": ({"waivers": 1}, "nothing is accepted"),
    "no reason": ({"waivers": 1, "accept": [{"finding": "QP112", "until": "2027-01-31"}]}, "reason is missing"),
    "blank reason": ({"waivers": 1, "accept": [{**FORM["accept"][0], "reason": " "}]}, "reason is missing"),
    "no day": ({"waivers": 1, "accept": [{"finding": "QP112", "reason": "x"}]}, "until is missing"),
    "no finding": ({"waivers": 1, "accept": [{"until": "2027-01-31", "reason": "x"}]}, "finding is missing"),
    "odd code": ({"waivers": 1, "accept": [{**FORM["accept"][0], "finding": "G14"}]}, '"G14" is not the code'),
    "no such day": ({"waivers": 1, "accept": [{**FORM["accept"][0], "until": "2027-02-30"}]}, "is not a day"),
    "odd day": ({"waivers": 1, "accept": [{**FORM["accept"][0], "until": "31.1.2027"}]}, "is not a day"),
    "misspelt": ({"waivers": 1, "accept": [{**FORM["accept"][0], "shares": "a"}]}, 'no field "shares"'),
}


def validator() -> jsonschema.Draft202012Validator:
    from importlib.resources import files

    schema = json.loads(files(schemas).joinpath("waivers.schema.json").read_text(encoding="utf-8"))
    return jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())


def test_a_comment_speaks_of_its_own_line_or_of_the_next_that_is_none(read, write):
    text = OWN.replace("environment", "# quotaproof: accept QP101 until 2027-01-31: one\n  # and why\nenvironment")
    text = text.replace("strategy: LEND}", "strategy: LEND} # quotaproof: accept QP112 until 2026-12-31: two: more ")
    first, second = read(write("q.yaml", text)).waivers
    assert (first.finding, first.until, first.reason) == ("QP101", date(2027, 1, 31), "one")
    assert (first.place, first.about) == ("q.yaml:3", ("q.yaml", 5, 5))
    assert (second.finding, second.reason) == ("QP112", "two: more")
    assert (second.place, second.about) == ("q.yaml:7", ("q.yaml", 7, 7))


def test_a_comment_above_a_block_speaks_of_all_that_is_indented_further(read, write):
    shares = """shares:
# quotaproof: accept QP112 until 2027-01-31: of a
- name: a

  limits: {u: 3}
  # in between
  strategy: LEND
- name: b # quotaproof: accept QP111 until 2027-01-31: of b
  limits:
    u: 3
  strategy: LEND # quotaproof: accept QP110 until 2027-01-31: of the strategy
"""
    found = read(write("q.yaml", f"quotaproof: 1\nqueue: q\n{shares}")).waivers
    assert [(w.finding, w.about[1:]) for w in found] == [("QP112", (5, 9)), ("QP111", (10, 13)), ("QP110", (13, 13))]


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_only_comments_are_waivers(read, write, line_break):
    text = """Resources:
  S:
    Type: AWS::Batch::QuotaShare
    Metadata:
      howto: |  # quotaproof: accept QP113 until 2027-01-31: after the sign
        write above it:
        # quotaproof: accept QP101 until 2027-01-31: in a text
      quoted: "say # quotaproof: accept QP102
        # quotaproof: accept"
      single: 'a # quotaproof: accept QP103 until 2027-01-31: x'
    # quotaproof: accept QP112 until 2027-01-31: a comment
    Properties:
      QuotaShareName: a
      JobQueue: q
      CapacityLimits: [{CapacityUnit: u, MaxCapacity: 1}]
      PreemptionConfiguration: {InSharePreemption: ENABLED}
      ResourceSharingConfiguration: {Strategy: LEND}
"""
    found = read(write("t.yaml", text.replace("\n", line_break).encode())).waivers
    assert [(w.finding, w.place) for w in found] == [("QP113", "t.yaml:5"), ("QP112", "t.yaml:11")]


def test_lines_are_those_of_editors(read, write):
    text = OWN.replace("environment", "# caf\u00e9 \u2028 \u2029 \u0085 # more\nenvironment")
    loaded = read(write("q.yaml", text + "# quotaproof: accept QP112 until 2027-01-31: x\n"))
    assert loaded.place("a", "share") == "q.yaml:6"
    assert loaded.waivers[0].place == "q.yaml:7"


@pytest.mark.parametrize(
    "comment",
    [
        "# quotaproof: accept QP112",
        "# quotaproof: accept QP112 until 2027-01-31",
        "# quotaproof: accept QP112 until 2027-01-31:",
        "# quotaproof: ignore QP112 until 2027-01-31: x",
        "# quotaproof: accept QP112, QP113 until 2027-01-31: x",
        "# quotaproof: accept QP1 until 2027-01-31: x",
        "# quotaproof: accept QP112 until 2027-13-31: x",
        "#quotaproof :accept",
        "# quotaproof: accept QP112 until 2027-01-31: x # quotaproof: accept QP113 until 2027-01-31: y",
    ],
)
def test_a_comment_that_is_not_exactly_a_waiver_is_refused(refused, write, comment):
    error = refused(write("q.yaml", OWN + comment + "\n"))
    assert error.where == "q.yaml:6"
    assert error.fix.startswith("write: # quotaproof: accept")


def test_other_comments_and_texts_do_not_matter(read, write):
    loaded = read(write("q.yaml", OWN + "# read by quotaproof: see the wiki\n# accept QP112 until then\n"))
    assert loaded.waivers == ()


def test_a_file_of_waivers_counts_beside_the_configuration(read, write, tmp_path):
    write("q.yaml", OWN)
    write(
        "waivers.yaml",
        json.dumps({**FORM, "accept": [*FORM["accept"], {**FORM["accept"][0], "share": "a", "unit": "u"}]}),
    )
    loaded = read(tmp_path)
    assert [(w.share, w.unit, w.about, w.place) for w in loaded.waivers] == [
        ("", "", None, "waivers.yaml:1"),
        ("a", "u", None, "waivers.yaml:1"),
    ]
    assert kinds(loaded) == "queue form, waivers"
    validator().validate(FORM)


@pytest.mark.parametrize(("form", "words"), WAYS.values(), ids=WAYS)
def test_the_schema_and_the_loader_refuse_the_same_forms(refused, write, form, words):
    error = refused(write("q.yaml", OWN), write("w.json", form))
    assert words in error.what
    assert "w.json" in error.where
    assert not validator().is_valid(form) or words == "is not a day"


def test_waivers_alone_are_no_configuration(refused, write):
    assert refused(write("w.json", FORM)).what == "nothing here says how a queue is configured"


@pytest.mark.parametrize("between", ["\n", "   \n", "\n# more\n\n"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_blank_lines_do_not_change_what_a_comment_is_about(read, write, between, line_break):
    shares = ["- {name: a, limits: {u: 1}, strategy: LEND}\n", "- {name: b, limits: {u: 1}, strategy: LEND}\n"]
    remark = "# quotaproof: accept QP104 until 2027-01-31: only a\n"
    text = f"quotaproof: 1\nqueue: q\nshares:\n  {remark}{between}  {shares[0]}  {shares[1]}"
    loaded = read(write("q.yaml", text.replace("\n", line_break).encode()))
    line = int(loaded.place("a", "share").split(":")[1])
    assert loaded.waivers[0].about == ("q.yaml", line, line)
