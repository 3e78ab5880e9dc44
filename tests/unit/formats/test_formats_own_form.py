"""quotaproof's own form: the published schema and the loader accept and refuse the same files."""

from __future__ import annotations

import json

import jsonschema
import pytest

from ...support import trees
from ...support.loaded import kinds
from ...support.trees import DELETE

GOOD = {
    "quotaproof": 1,
    "queue": "research",
    "environment": {"ml.p5.48xlarge": 16, "ml.g5.xlarge": 0},
    "shares": [
        {
            "name": "vision",
            "limits": {"ml.p5.48xlarge": 2},
            "strategy": "LEND_AND_BORROW",
            "borrowLimit": 50,
            "inSharePreemption": True,
            "state": "DISABLED",
        },
        {"name": "evals", "limits": {"ml.p5.48xlarge": 1, "ml.g5.xlarge": 3}, "strategy": "LEND"},
    ],
}


def changed(*path_and_value):
    """GOOD with the value at a path replaced or deleted."""
    *path, value = path_and_value
    return trees.changed(GOOD, path, value)


GOOD_FORMS = {
    "all fields": GOOD,
    "no environment": changed("environment", DELETE),
    "no borrow limit": changed("shares", 0, "borrowLimit", DELETE),
    "borrow limit -1": changed("shares", 0, "borrowLimit", -1),
    "borrow limit 0": changed("shares", 0, "borrowLimit", 0),
    "no in-share preemption": changed("shares", 0, "inSharePreemption", DELETE),
    "largest": changed("environment", "ml.p5.48xlarge", 10**9),
    "share called no": changed("shares", 0, "name", "no"),
    "unit with odd signs": changed("environment", "gpu:a100/80gb", 3),
}
S0 = ("shares", 0)
BAD_FORMS = {
    # form, field, words of what
    "version 2": (changed("quotaproof", 2), "quotaproof", "version 2"),
    "version text": (changed("quotaproof", "1"), "quotaproof", '"1" stands where'),
    "version true": (changed("quotaproof", True), "quotaproof", "true stands where"),
    "no queue": (changed("queue", DELETE), "queue", "queue is missing"),
    "queue blank": (changed("queue", "a b"), "queue", '"a b" is not a name'),
    "queue null": (changed("queue", None), "queue", "null stands where text"),
    "queue newline": (changed("queue", "a\n"), "queue", '"a\\n" is not a name'),
    "no shares": (changed("shares", DELETE), "shares", "shares is missing"),
    "empty shares": (changed("shares", []), "shares", "there are no shares"),
    "shares by name": (changed("shares", {"a": {}}), "shares", "an object stands where a list"),
    "share text": (changed("shares", 1, "evals"), "shares[1]", '"evals" stands where an object'),
    "unknown at top": (changed("environments", {}), "environments", 'no field "environments"'),
    "unknown in share": (changed(*S0, "borrowlimit", 5), "borrowlimit", 'no field "borrowlimit"'),
    "environment list": (changed("environment", [1]), "environment", "a list stands where"),
    "environment empty": (changed("environment", {}), "environment", "there is no capacity limit"),
    "environment -1": (changed("environment", "u", -1), "environment.u", "at least 0"),
    "environment half": (changed("environment", "u", 0.5), "environment.u", "0.5 stands where"),
    "unit blank": (changed("environment", "a b", 3), "environment.a b", '"a b" is not an instance type'),
    "unit empty": (changed("environment", "", 3), "environment.", 'capacityUnit is ""'),
    "unit long": (changed("environment", "u" * 257, 3), "environment.", "capacityUnit is"),
    "no name": (changed(*S0, "name", DELETE), "shares[0].name", "name is missing"),
    "name long": (changed(*S0, "name", "n" * 129), "name", "(129 characters) is not a name"),
    "name number": (changed(*S0, "name", 5), "shares[0].name", "5 stands where text"),
    "no limits": (changed(*S0, "limits", DELETE), "limits", "limits is missing"),
    "limits empty": (changed(*S0, "limits", {}), "limits", "there is no capacity limit"),
    "limits null": (changed(*S0, "limits", None), "limits", "null stands where"),
    "limit 0": (changed(*S0, "limits", {"u": 0}), "limits.u", "at least 1"),
    "limit true": (changed(*S0, "limits", {"u": True}), "limits.u", "true stands where"),
    "limit text": (changed(*S0, "limits", {"u": "2"}), "limits.u", '"2" stands where'),
    "limit null": (changed(*S0, "limits", {"u": None}), "limits.u", "null stands where"),
    "limit too large": (changed(*S0, "limits", {"u": 10**9 + 1}), "limits.u", "at most 1,000,000,000"),
    "no strategy": (changed(*S0, "strategy", DELETE), "strategy", "strategy is missing"),
    "strategy misspelt": (changed(*S0, "strategy", "BORROW"), "strategy", 'strategy cannot be "BORROW"'),
    "borrow limit -2": (changed(*S0, "borrowLimit", -2), "borrowLimit", "at least -1"),
    "borrow limit huge": (changed(*S0, "borrowLimit", 10**10), "borrowLimit", "at most 1,000,000,000"),
    "borrow limit half": (changed(*S0, "borrowLimit", 0.5), "borrowLimit", "0.5 stands where"),
    "borrow limit on LEND": (changed("shares", 1, "borrowLimit", 5), "borrowLimit", "with strategy LEND"),
    "preemption word": (changed(*S0, "inSharePreemption", "ENABLED"), "inSharePreemption", "true or false"),
    "state": (changed(*S0, "state", "ON"), "state", 'state cannot be "ON"'),
}


@pytest.mark.parametrize("form", GOOD_FORMS.values(), ids=GOOD_FORMS)
@pytest.mark.parametrize("name", ["q.json", "q.yaml"])
def test_the_schema_and_the_loader_accept_the_same_forms(read, write, schema, form, name):
    jsonschema.Draft202012Validator(schema).validate(form)
    loaded = read(write(name, form))
    assert kinds(loaded) == "queue form"
    assert [s.name for s in loaded.config.shares] == [s["name"] for s in form["shares"]]
    assert loaded.config.shares[1].limits == {"ml.p5.48xlarge": 1, "ml.g5.xlarge": 3}
    assert loaded.config.shares[0].borrow_limit == form["shares"][0].get("borrowLimit")
    assert loaded.capacity_assumed == ("environment" not in form)


@pytest.mark.parametrize(("form", "field", "words"), BAD_FORMS.values(), ids=BAD_FORMS)
def test_the_schema_and_the_loader_refuse_the_same_forms(refused, write, schema, form, field, words):
    assert not jsonschema.Draft202012Validator(schema).is_valid(form)
    error = refused(write("q.json", form))
    assert words in error.what
    assert error.where.startswith("q.json:")
    assert field in error.where.split(", ", 1)[1]


def test_what_a_schema_cannot_say_is_refused_by_the_loader_alone(refused, write, schema):
    """One name twice is beyond JSON Schema, and to it 2.0 is an integer."""
    twice = changed("shares", 1, "name", "vision")
    fraction = changed(*S0, "limits", {"u": 2.0})
    for form, words in ((twice, "share vision is given twice in one file"), (fraction, "2.0 stands where")):
        assert jsonschema.Draft202012Validator(schema).is_valid(form)
        assert words in refused(write("q.json", form)).what


def test_the_schema_is_valid_and_describes_every_field(schema):
    jsonschema.Draft202012Validator.check_schema(schema)
    described = {**schema["properties"], **schema["$defs"]["share"]["properties"]}
    assert all(field["description"].endswith(".") for field in described.values())
    assert schema["additionalProperties"] is schema["$defs"]["share"]["additionalProperties"] is False


def test_only_true_and_false_are_booleans_in_yaml(read, refused, write):
    text = json.dumps(GOOD)
    for word in ("yes", "on", "True or false"):
        error = refused(write("q.yaml", text.replace("true", word)))
        assert error.what == f'"{word}" stands where true or false is expected'
    assert read(write("q.yaml", text.replace("true", "TRUE"))).config.shares[0].in_share


def test_plain_yaml_words_keep_their_text(read, write):
    text = "quotaproof: 1\nqueue: on\nshares:\n- {name: no, limits: {null: 1, 7: 2}, strategy: LEND}\n"
    config = read(write("q.yaml", text)).config
    assert (config.job_queue_name, config.shares[0].name) == ("on", "no")
    assert config.shares[0].limits == {"null": 1, "7": 2}


def test_quoted_yaml_is_text_whatever_it_looks_like(read, refused, write):
    text = 'quotaproof: 1\nqueue: "12"\nshares:\n- {name: \'true\', limits: {u: "1"}, strategy: LEND}\n'
    assert refused(write("q.yaml", text)).fix == "write 1 without quotes."
    config = read(write("q.yaml", text.replace('"1"', "1"))).config
    assert (config.job_queue_name, config.shares[0].name) == ("12", "true")


def test_the_line_of_a_yaml_field_is_named(refused, write):
    text = "quotaproof: 1\nqueue: r\nshares:\n- name: a\n  limits:\n    u: 1\n    v: 0\n  strategy: LEND\n"
    assert refused(write("q.yaml", text)).where == "q.yaml:7, share a, limits.v"


def test_a_colon_without_a_space_is_explained(refused, write):
    path = write("f.yaml", "quotaproof: 1\nqueue: a\nenvironment:\n  u:4\nshares: []\n")
    assert "space after each colon" in refused(path).fix


def test_a_number_with_a_leading_zero_is_not_taken_for_one(refused, write):
    text = "quotaproof: 1\nqueue: r\nshares:\n- {name: a, limits: {u: 010}, strategy: LEND}\n"
    error = refused(write("q.yaml", text))
    assert error.what == '"010" stands where a whole number is expected'
    assert error.fix == "write a whole number; instances and percentages have no fractions."
