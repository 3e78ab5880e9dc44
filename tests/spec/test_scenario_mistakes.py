"""Scenario files that are wrong: the message, the schema, and whatever a fuzzer writes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from quotaproof.spec.formats import json_text, yaml_text
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.scenario import (
    VERBS,
    Breaks,
    Scenario,
    Settle,
    as_form,
)
from quotaproof.spec.formats.scenario_text import load_scenario, read
from quotaproof.spec.readings import Readings

from ..support.scenarios import STEPS, VALIDATOR, fuzz, with_steps, written

GOOD = """\
scenario: 1
name: small
queue:
  quotaproof: 1
  queue: q
  environment: {u: 2}
  shares:
    - {name: a, limits: {u: 1}, strategy: LEND}
    - {name: b, limits: {u: 1}, strategy: LEND_AND_BORROW}
assume: {A5: void}
steps:
  - {submit: job, share: a, size: {u: 1}, priority: 1}
  - settle: all
  - expect: {dispatched: [job], usage: {a: {u: 1}}}
  - {claim: job, victims: [other]}
"""
LONG = "9" * 5000


def parsed(text: str) -> Scenario:
    return read(yaml_text.parse("scenario.yaml", text))


def refused(text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        parsed(text)
    return caught.value


BAD_STEPS = {
    "an unknown verb": ("submit: job", "sumbit: job", 12, "steps[0]", "no known verb", "did you mean submit?"),
    "two verbs": ("settle: all", "{settle: all, dispatch: job}", 13, "steps[1]", "exactly one verb",
                  "write settle and dispatch as steps of their own."),
    "no verb": ("settle: all", "{}", 13, "steps[1]", "no known verb", "use one of submit, set-priority, terminate"),
    "a word for a step": ("settle: all", "settle", 13, "steps[1]", '"settle" is not an object', "write an object"),
    "an unknown settle": ("settle: all", "settle: some", 13, "steps[1].settle", '"some"', "use one of all, scheduler."),
    "a negative size": ("size: {u: 1}", "size: {u: -1}", 12, "steps[0].size.u", "-1 is out of range", "use 1 to"),
    "a size of nothing": ("size: {u: 1}", "size: {u: 0}", 12, "steps[0].size.u", "0 is out of range", "use 1 to"),
    "an empty size": ("size: {u: 1}", "size: {}", 12, "steps[0].size", "it is empty", "name at least one."),
    "no size": ("size: {u: 1}, ", "", 12, "steps[0]", "size is missing", "add size."),
    "a number for a size": ("size: {u: 1}", "size: 1", 12, "steps[0].size", "1 is not an object", "write an object."),
    "a fraction": ("size: {u: 1}", "size: {u: 1.5}", 12, "steps[0].size.u", "1.5 is not a whole", "write a whole"),
    "a size beyond all clusters": ("size: {u: 1}", "size: {u: 9999999999}", 12, "steps[0].size.u", "9999999999",
                                   "use 1 to 1000000000."),
    "a priority too high": ("priority: 1", "priority: 10000", 12, "steps[0].priority", "10000", "use 0 to 9999."),
    "a number in quotes": ("priority: 1", 'priority: "1"', 12, "steps[0].priority", '"1" is not', "a whole number."),
    "true for a number": ("priority: 1", "priority: true", 12, "steps[0].priority", "true is not", "a whole number."),
    "a misspelt field": ("priority: 1", "prioritty: 1", 12, "steps[0].prioritty", '"prioritty"', "mean priority?"),
    "a word for a list": ("victims: [other]", "victims: other", 15, "steps[3].victims", "not a list", "write a list."),
    "a number for a name": ("victims: [other]", "victims: [1]", 15, "steps[3].victims[0]", "1 is not text", "text."),
    "a misspelt expectation": ("dispatched", "dispatchd", 14, "steps[2].expect.dispatchd", "dispatchd", "dispatched?"),
    "usage without units": ("usage: {a: {u: 1}}", "usage: {a: 1}", 14, "steps[2].expect.usage.a", "1 is not an object",
                            "write an object."),
    "negative usage": ("usage: {a: {u: 1}}", "usage: {a: {u: -1}}", 14, "steps[2].expect.usage.a.u", "-1 is out of",
                       "use 0 to"),
    "an unknown reading": ("A5: void", "A99: void", 10, "assume", "no reading 'A99'", "name a reading"),
    "a reading in lower case": ("A5: void", "a5: void", 10, "assume", "did you mean A5?", "name a reading"),
    "an unknown choice": ("A5: void", "A5: nobody", 10, "assume", "choose owners | void | borrowable", "its choices."),
    "a reading without choices": ("A5: void", "A2: waits", 10, "assume", "A2 has no choices", "name a reading"),
    "a number for a choice": ("A5: void", "A5: 1", 10, "assume.A5", "1 is not text", "write text."),
    "a list for a name": ("name: small", "name: [1]", 2, "name", "a list is not text", "write text."),
    "another version": ("scenario: 1", "scenario: 2", 1, "scenario", "version 2 is not known", "write 1."),
    "true for a version": ("scenario: 1", "scenario: true", 1, "scenario", "version true is not", "write 1."),
    "steps that are no list": (GOOD[GOOD.index("steps:"):], "steps: {a: 1}\n", 11, "steps", "not a list of steps",
                               "write a list of steps."),
    "repeatsFrom before the first step": ("assume:", "repeatsFrom: 0\nassume:", 10, "repeatsFrom", "0 is out of range",
                                          "use 1 to 4."),
    "an unknown key": ("assume:", "colour: red\nassume:", 10, "colour", '"colour" is not known', "use about, assume"),
    "an unknown guarantee": ("assume:", "breaks: {guarantee: G99, how: step}\nassume:", 10, "breaks.guarantee",
                             '"G99"', "did you mean G9?"),
    "an unknown way to break it": ("assume:", "breaks: {guarantee: G14, how: lassoo}\nassume:", 10, "breaks.how",
                                   '"lassoo"', "did you mean lasso?"),
    "nothing after repeatsFrom": ("assume:", "repeatsFrom:\nassume:", 10, "repeatsFrom", "null is not a whole number", "write"),
    "nothing after breaks": ("assume:", "breaks:\nassume:", 10, "breaks", "null is not an object", "write an object."),
    "nothing after found": ("assume:", "found:\nassume:", 10, "found", "null is not an object", "write an object."),
    "a report without a repository": ("assume:", "reported: ['#1866']\nassume:", 10, "reported[0]", '"#1866" is not a',
                                      "write owner/repository#number"),
    "a report without a number": ("assume:", "reported: [o/r]\nassume:", 10, "reported[0]", '"o/r"', "such as"),
    "a report that is no list": ("assume:", "reported: o/r#1\nassume:", 10, "reported", "not a list", "write a list."),
    "no way to break it": ("assume:", "breaks: {guarantee: G14}\nassume:", 10, "breaks", "how is missing", "add how."),
}  # fmt: skip
BAD_OTHERWISE = {
    "repeatsFrom after the last step": ("assume:", "repeatsFrom: 5\nassume:", 10, "repeatsFrom", "5 is out of range",
                                        "use 1 to 4."),
    "a size of 5,000 digits": ("size: {u: 1}", f"size: {{u: {LONG}}}", 12, "steps[0].size.u", "5000", "the number"),
    "a priority of 5,000 digits": ("priority: 1", f"priority: {LONG}", 12, "steps[0].priority", "5000", "the number"),
    "a version of 5,000 digits": ("scenario: 1", f"scenario: {LONG}", 1, "scenario", "5000", "the number"),
    "a strategy that does not exist": ("strategy: LEND}", "strategy: LENT}", 8, "share a, strategy", '"LENT"', "LEND?"),
    "a borrow limit for a lender": ("strategy: LEND}", "strategy: LEND, borrowLimit: 5}", 8, "share a, borrowLimit",
                                    "borrowLimit 5", "delete borrowLimit"),
    "a limit of nothing": ("limits: {u: 1}", "limits: {u: 0}", 8, "share a, limits.u", "at least 1", "write 1 or more"),
    "a misspelt field of a share": ("limits: {u: 1}", "limitz: {u: 1}", 8, "share a, limitz", '"limitz"', "limits?"),
    "a share twice": ("name: b", "name: a", 7, "queue q, shares", '"a" is given twice', "delete one of the two."),
    "a share that is no object": ("- {name: b, limits: {u: 1}, strategy: LEND_AND_BORROW}", "- 5", 9, "shares[1]",
                                  "5 stands where an object", "write an object."),
}  # fmt: skip
Bad = tuple[str, str, int, str, str, str]


@pytest.mark.parametrize("bad", [*BAD_STEPS.values(), *BAD_OTHERWISE.values()], ids=[*BAD_STEPS, *BAD_OTHERWISE])
def test_a_mistake_is_told_with_its_line_its_field_and_its_fix(bad: Bad) -> None:
    old, new, line, field, what, fix = bad
    assert GOOD.count(old) >= 1
    error = refused(GOOD.replace(old, new, 1))
    assert error.where.startswith(f"scenario.yaml:{line}, ")
    assert error.where.endswith(field)
    assert what in error.what
    assert fix in error.fix
    assert len(str(error).splitlines()) == 3


@pytest.mark.parametrize("bad", BAD_STEPS.values(), ids=BAD_STEPS.keys())
def test_the_schema_rejects_what_the_reader_rejects(bad: Bad) -> None:
    value = yaml_text.parse("scenario.yaml", GOOD.replace(bad[0], bad[1], 1)).value
    assert list(VALIDATOR.iter_errors(value))


def test_the_same_file_without_a_mistake_is_read() -> None:
    scenario = parsed(GOOD)
    assert (scenario.name, len(scenario.steps), scenario.readings["A5"]) == ("small", 4, "void")
    VALIDATOR.validate(yaml_text.parse("scenario.yaml", GOOD).value)


@pytest.mark.parametrize("key", ["scenario", "queue", "steps"])
def test_what_is_required_is_asked_for(key: str) -> None:
    form = as_form(with_steps(Settle()))
    del form[key]
    with pytest.raises(InputError) as caught:
        written(form)
    assert (caught.value.what, caught.value.fix) == (f"{key} is missing", f"add {key}.")
    assert list(VALIDATOR.iter_errors(form))


@pytest.mark.parametrize("text", ["- 1\n", "5\n", "true\n", "text\n"])
def test_a_file_that_is_no_object_is_refused(text: str) -> None:
    assert refused(text).where == "scenario.yaml:1"


def test_a_folder_or_an_empty_file_is_no_scenario(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(GOOD, encoding="utf-8")
    assert load_scenario(str(tmp_path / "one.yaml")) == parsed(GOOD)
    (tmp_path / "two.yaml").write_text("", encoding="utf-8")
    for path in (tmp_path, tmp_path / "two.yaml", tmp_path / "none.yaml"):
        with pytest.raises(InputError):
            load_scenario(str(path))


def test_an_environment_left_out_is_the_sum_of_the_limits() -> None:
    assert parsed(GOOD.replace("  environment: {u: 2}\n", "").replace("a, limits: {u: 1}", "a, limits: {u: 5, w: 2}")) \
        .config.environment.capacity == {"u": 6, "w": 2}  # fmt: skip


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.floats(allow_nan=False) | st.text(max_size=8)
    | st.sampled_from(["submit", "settle", "expect", "job", "a", "u", "all", "LEND", "A5", "G14", "lasso"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(max_size=5) | st.sampled_from([*VERBS, "settle", "expect", "size"]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every part of a form."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(p for key, part in items for p in places(part, (*at, key)))]


def changed(form: Any, at: tuple[Any, ...], value: Any) -> Any:
    """The form with one part exchanged."""
    if not at:
        return value
    new = dict(form) if isinstance(form, dict) else list(form)
    new[at[0]] = changed(new[at[0]], at[1:], value)
    return new


FORM = as_form(
    replace(
        with_steps(*(steps[-1] for steps in STEPS.values())), rests_on=("rule 1",), breaks=Breaks("G14", "lasso", "j"),
        repeats_from=1, readings=Readings.of(A5="void"), reported=("o/r#1",),
    )
)  # fmt: skip
PLACES = places(FORM)


@fuzz
@given(st.sampled_from(PLACES), VALUES)
@example(("steps", 0, "size", "u"), 10**400)
@example(("steps",), [[]])
@example(("queue", "shares"), [None])
def test_whatever_stands_anywhere_is_read_or_refused_and_nothing_else_happens(at: tuple[Any, ...], value: Any) -> None:
    form = changed(FORM, at, value)
    try:
        scenario = written(form)
    except InputError as error:
        assert error.where.startswith("scenario.json")
        assert error.what
        assert error.fix
    else:
        assert isinstance(scenario, Scenario)
        assert not list(VALIDATOR.iter_errors(form))


@fuzz
@given(VALUES)
def test_any_value_at_all_is_read_or_refused(value: Any) -> None:
    with pytest.raises(InputError):
        written(value)


@pytest.mark.parametrize("unit", ["", "x" * 257])
@pytest.mark.parametrize("step", [
    {"submit": "j", "share": "a", "size": {}}, {"set-limits": "a", "limits": {}}, {"set-capacity": {}},
    {"create-share": {"name": "s", "limits": {}, "strategy": "LEND"}},
])  # fmt: skip
def test_a_unit_that_no_queue_can_have_is_an_input_error_in_every_step(step: dict[str, Any], unit: str) -> None:
    def scenario(name: str) -> Scenario:
        form = yaml_text.parse("s.yaml", GOOD).value | {"steps": [step]}
        return read(json_text.parse("s.json", json.dumps(form).replace("{}", json.dumps({name: 1}))))

    with pytest.raises(InputError):
        scenario(unit)
    assert len(scenario("x" * 256).steps) == 1
