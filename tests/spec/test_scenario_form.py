"""The scenario form: what is written is read again, mistakes are told with their line, a play never falls over."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from quotaproof.checker.witness.play import play
from quotaproof.spec import events as ev
from quotaproof.spec.formats import json_text, yaml_text
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.scenario import (
    EVENTS,
    HOWS,
    VERBS,
    Breaks,
    Expect,
    Scenario,
    Settle,
    Step,
    as_form,
    schema,
    step_form,
    verb,
)
from quotaproof.spec.formats.scenario_text import load_scenario, read
from quotaproof.spec.model import State, Strategy
from quotaproof.spec.readings import READINGS, Readings
from quotaproof.spec.rules.guarantees import GUARANTEES

from ..support.queues import queue, share

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(
    [*(ROOT / "examples" / "conformance").glob("*.yaml"), *(ROOT / "examples" / "scenarios").glob("*.yaml")]
)
VALIDATOR = jsonschema.Draft202012Validator(schema())
fuzz = settings(derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])


def config() -> Any:
    """Two shares of unit u; read again it is the same, since the environment goes by the queue's name."""
    made = queue({"u": 3}, share("a", 2, "LEND_AND_BORROW", 50, in_share=True), share("b", 1, "RESERVE"))
    return made.model_copy(
        update={"environment": made.environment.model_copy(update={"service_environment_name": made.job_queue_name})}
    )


def written(form: Any) -> Any:
    """A form as it is after it was saved and read as JSON."""
    return read(json_text.parse("scenario.json", json.dumps(form, indent=1)))


def with_steps(*steps: Step) -> Scenario:
    return Scenario("s", "about it", config(), steps)


# both ways

STEPS: Mapping[type[Any], tuple[Step, ...]] = {
    ev.Submit: (
        ev.Submit("j", "a", {"u": 1}),
        ev.Submit("j", "a", {"u": 2, "w": 1}, 0, 0),
        ev.Submit("j", "a", {"u": 1}, 9999, 3),
    ),
    ev.SetPriority: (ev.SetPriority("j", 0), ev.SetPriority("j", 7)),
    ev.Terminate: (ev.Terminate("j"),),
    ev.Advance: (ev.Advance("j"),),
    ev.Finish: (ev.Finish("j"), ev.Finish("j", failed=True)),
    ev.Return: (ev.Return("j"),),
    ev.Stopped: (ev.Stopped("j"),),
    ev.Dispatch: (ev.Dispatch("j"),),
    ev.Claim: (ev.Claim("j"), ev.Claim("j", ("k", "l")), ev.Claim("j", ("k",), holds=False)),
    ev.Release: (ev.Release("j"),),
    ev.Misconfigured: (ev.Misconfigured("j", "why"), ev.Misconfigured("j", "")),
    ev.SetLimits: (ev.SetLimits("a", {"u": 1, "w": 2}),),
    ev.SetSharing: (
        *(ev.SetSharing("a", strategy) for strategy in Strategy),
        *(ev.SetSharing("a", Strategy.LEND_AND_BORROW, n) for n in (-1, 0, 50)),
    ),
    ev.SetInShare: (ev.SetInShare("a", enabled=True), ev.SetInShare("a", enabled=False)),
    ev.SetShareState: tuple(ev.SetShareState("a", state) for state in State),
    ev.CreateShare: (
        ev.CreateShare(share("c", {"u": 1, "w": 2})),
        ev.CreateShare(share("c", 1, "LEND_AND_BORROW", 0, in_share=True)),
        ev.CreateShare(share("c", 1, "RESERVE").model_copy(update={"state": State.DISABLED})),
    ),
    ev.DeleteShare: (ev.DeleteShare("a"),),
    ev.ShareGone: (ev.ShareGone("a"),),
    ev.SetCapacity: (ev.SetCapacity({"u": 0}), ev.SetCapacity({"u": 1, "w": 2})),
    ev.SetEnvironmentState: tuple(ev.SetEnvironmentState(state) for state in State),
    ev.SetQueueState: tuple(ev.SetQueueState(state) for state in State),
    Settle: (Settle(), Settle(drains=False)),
    Expect: (
        Expect(),
        Expect(dispatched=(), runnable=("j",), why="rule 1"),
        Expect(draining=("j", "k"), succeeded=(), failed=()),
        Expect(preempted=("j",), usage={"a": {"u": 0}}, preemptions={"j": 2}, reasons={"j": "", "k": "MISCONF"}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("step", [s for steps in STEPS.values() for s in steps], ids=lambda s: type(s).__name__)
def test_every_step_is_read_as_it_was_written(step: Step) -> None:
    scenario = with_steps(step)
    form = as_form(scenario)
    VALIDATOR.validate(form)
    assert written(form) == scenario


def test_the_steps_tried_are_of_every_kind_and_set_every_field() -> None:
    assert set(STEPS) == {*EVENTS, Settle, Expect}
    assert set(VERBS.values()) == set(EVENTS)
    for kind, steps in STEPS.items():
        for f in fields(kind):
            assert any(getattr(s, f.name) != f.default for s in steps), f"{kind.__name__}.{f.name}"


def test_a_verb_is_the_name_of_its_event_with_hyphens() -> None:
    assert [verb(kind) for kind in (ev.Submit, ev.SetInShare, ev.SetEnvironmentState)] == [
        "submit", "set-in-share", "set-environment-state",
    ]  # fmt: skip
    assert step_form(ev.SetInShare("a", enabled=False)) == {"set-in-share": "a", "enabled": False}
    assert step_form(ev.Claim("j", ("k",))) == {"claim": "j", "victims": ["k"]}
    assert step_form(Settle(drains=False)) == {"settle": "scheduler"}


@pytest.mark.parametrize("how", HOWS)
def test_what_a_witness_shows_is_read_as_it_was_written(how: str) -> None:
    steps = (ev.Submit("j", "a", {"u": 1}), Settle())
    scenario = replace(
        with_steps(*steps), breaks=Breaks("G14", how, "j"), repeats_from=2, rests_on=("rule 36", "A23"),
        readings=Readings.of(A23="no", A5="void"),
    )  # fmt: skip
    VALIDATOR.validate(as_form(scenario))
    assert written(as_form(scenario)) == scenario
    assert written(as_form(replace(scenario, breaks=Breaks("G18", how)))).breaks == Breaks("G18", how)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_every_example_survives_being_read_written_and_read(path: Path) -> None:
    scenario = load_scenario(str(path))
    form = as_form(scenario)
    VALIDATOR.validate(form)
    assert written(form) == scenario
    assert as_form(written(form)) == form


names = st.sampled_from(["a", "b", "nobody", "j1", "j2", "j3"])
counts = st.dictionaries(st.sampled_from(["u", "w"]), st.integers(1, 3), min_size=1)
FIELDS: Mapping[str, st.SearchStrategy[Any]] = {
    "job": names,
    "share": names,
    "size": counts,
    "limits": counts,
    "capacity": st.dictionaries(st.sampled_from(["u", "w"]), st.integers(0, 4)),
    "priority": st.integers(0, 3),
    "retries": st.none() | st.integers(0, 2),
    "failed": st.booleans(),
    "enabled": st.booleans(),
    "strategy": st.sampled_from(Strategy),
    "borrow_limit": st.none() | st.sampled_from([-1, 0, 50, 100]),
    "state": st.sampled_from(State),
    "victims": st.lists(names, max_size=3).map(tuple),
    "holds": st.booleans(),
    "reason": st.sampled_from(["", "some reason"]),
}
NEW = st.sampled_from([share("a", 1), share("b", 2, "RESERVE"), share("c", {"u": 1, "w": 1}, "LEND_AND_BORROW")])
lists = st.none() | st.lists(names, max_size=2).map(tuple)
expects = st.builds(
    Expect, dispatched=lists, runnable=lists, draining=lists, succeeded=lists, failed=lists, preempted=lists,
    usage=st.none() | st.dictionaries(names, counts, max_size=2),
    preemptions=st.none() | st.dictionaries(names, st.integers(0, 2), max_size=2),
    reasons=st.none() | st.dictionaries(names, st.sampled_from(["", "MISCONFIGURATION"]), max_size=2),
)  # fmt: skip
happenings = st.one_of(
    *(
        st.builds(kind, NEW)
        if kind is ev.CreateShare
        else st.builds(kind, **{f.name: FIELDS[f.name] for f in fields(kind)})
        for kind in EVENTS
    ),
    st.builds(ev.Submit, st.sampled_from(["j1", "j2", "j3"]), st.sampled_from(["a", "b"]), counts, st.integers(0, 3)),
    st.builds(ev.Dispatch, st.sampled_from(["j1", "j2", "j3"])),
    st.builds(Settle, drains=st.booleans()),
    st.just(Settle()),
    expects,
)
readings = st.dictionaries(st.sampled_from(sorted(Readings())), st.integers(0, 2), max_size=3).map(
    lambda d: Readings().assuming({c: list(READINGS[c].choices)[i % len(READINGS[c].choices)] for c, i in d.items()})
)


@fuzz
@given(st.lists(happenings, max_size=8), readings)
def test_any_scenario_is_read_as_it_was_written(steps: list[Step], chosen: Readings) -> None:
    scenario = replace(with_steps(*steps), readings=chosen)
    form = as_form(scenario)
    VALIDATOR.validate(form)
    assert written(form) == scenario


# the schema


def test_the_schema_that_is_shipped_is_the_one_that_is_made() -> None:
    shipped = json.loads((ROOT / "spec" / "schemas" / "scenario.schema.json").read_text(encoding="utf-8"))
    assert shipped == schema()
    jsonschema.Draft202012Validator.check_schema(shipped)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_the_schema_accepts_every_example_as_it_stands_in_its_file(path: Path) -> None:
    VALIDATOR.validate(yaml_text.parse(path.name, path.read_text(encoding="utf-8")).value)


# what is wrong

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
        repeats_from=1, readings=Readings.of(A5="void"),
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


# a play never falls over

UNKNOWN: Mapping[str, tuple[Step, str]] = {
    "a job dispatched": (ev.Dispatch("nobody"), "there is no job 'nobody'"),
    "a job advanced": (ev.Advance("nobody"), "there is no job 'nobody'"),
    "a job finished": (ev.Finish("nobody"), "there is no job 'nobody'"),
    "a job returned": (ev.Return("nobody"), "there is no job 'nobody'"),
    "a job stopped": (ev.Stopped("nobody"), "there is no job 'nobody'"),
    "a job terminated": (ev.Terminate("nobody"), "there is no job 'nobody'"),
    "a job's priority": (ev.SetPriority("nobody", 1), "there is no job 'nobody'"),
    "a claimant": (ev.Claim("nobody"), "there is no job 'nobody'"),
    "a victim": (ev.Claim("waits", ("nobody",)), "there is no job 'nobody'"),
    "a claim released": (ev.Release("nobody"), "there is no job 'nobody'"),
    "a job that is impossible": (ev.Misconfigured("nobody", "why"), "there is no job 'nobody'"),
    "a share for a job": (ev.Submit("new", "nobody", {"u": 1}), "there is no share 'nobody'"),
    "a share's limits": (ev.SetLimits("nobody", {"u": 1}), "there is no share 'nobody'"),
    "a share's strategy": (ev.SetSharing("nobody", Strategy.LEND), "there is no share 'nobody'"),
    "a share's in-share preemption": (ev.SetInShare("nobody", enabled=True), "there is no share 'nobody'"),
    "a share's state": (ev.SetShareState("nobody", State.DISABLED), "there is no share 'nobody'"),
    "a share deleted": (ev.DeleteShare("nobody"), "there is no share 'nobody'"),
    "a share gone": (ev.ShareGone("nobody"), "there is no share 'nobody'"),
    "a job expected to run": (Expect(dispatched=("runs", "nobody")), "dispatched should be nobody, runs, is runs"),
    "a share expected to use": (Expect(usage={"nobody": {"u": 0}}), "there is no share 'nobody'"),
    "a unit expected in use": (Expect(usage={"a": {"x": 0}}), "there is no x in this queue"),
    "a job expected preempted": (Expect(preemptions={"nobody": 0}), "there is no job 'nobody'"),
    "a job expected to say": (Expect(reasons={"nobody": ""}), "there is no job 'nobody'"),
    "a job submitted twice": (ev.Submit("runs", "a", {"u": 1}), "the job 'runs' was submitted twice"),
    "a share created twice": (ev.CreateShare(share("a", 1)), "the share 'a' exists already"),
    "a waiting job advanced": (ev.Advance("waits"), "the job 'waits' is RUNNABLE and cannot advance"),
}


@pytest.mark.parametrize(("step", "told"), UNKNOWN.values(), ids=UNKNOWN.keys())
def test_a_play_says_in_which_step_somebody_is_not_there(step: Step, told: str) -> None:
    before = (ev.Submit("runs", "a", {"u": 2}), Settle(), ev.Submit("waits", "a", {"u": 2}), Settle())
    played = play(with_steps(*before, step, Settle()))
    assert played.wrong == [f"step 5: {told}"]
    assert played.lines[0].event == before[0]


@fuzz
@given(
    st.lists(happenings, min_size=1, max_size=12), readings, st.sampled_from(HOWS), st.sampled_from(sorted(GUARANTEES))
)
def test_no_scenario_makes_a_play_raise(steps: list[Step], chosen: Readings, how: str, guarantee: str) -> None:
    scenario = replace(with_steps(*steps), readings=chosen, breaks=Breaks(guarantee, how, "j1"), repeats_from=1)
    played = play(scenario)
    assert played.wrong or played.shows
    assert all(line.number <= len(steps) for line in played.lines)


def test_a_loop_that_comes_back_in_a_settle_is_told() -> None:
    made = replace(
        with_steps(ev.Submit("own", "b", {"u": 1}), Settle(), ev.Submit("loan", "b", {"u": 1}), Settle(),
                   ev.Submit("back", "l", {"u": 1}), Settle()),
        config=queue(2, share("b", 1, "LEND_AND_BORROW"), share("l", 1)), readings=Readings.of(A15="no", A23="no"),
    )  # fmt: skip
    (wrong,) = play(made).wrong
    assert wrong.startswith("step 6: the same state again before ")


Change = Callable[[Scenario], Scenario]
WEAKER: Mapping[str, tuple[str, Change, str]] = {
    "a lasso that does not come back": (
        "churning-co-lender", lambda s: replace(s, steps=s.steps[:-1]), "the state after the last step is not that"),
    "a loop from another step": (
        "churning-co-lender", lambda s: replace(s, repeats_from=2), "the state after the last step is not that"),
    "a lasso about a job that runs": (
        "churning-co-lender", lambda s: replace(s, breaks=Breaks("G14", "lasso", "own")), "own does not wait"),
    "a lasso under readings that forbid it": (
        "churning-co-lender", lambda s: replace(s, readings=Readings.of(A15="no")), "a step breaks a promise itself"),
    "a circle in which a user acts": (
        "churning-co-lender", lambda s: replace(s, breaks=Breaks("G18", "circle")), "somebody else than scheduler"),
    "an exchange under the favoured reading": (
        "exchange-of-part-owners", lambda s: replace(s, readings=Readings()), "a step breaks a promise itself"),
    "a retaken machine in the right order": (
        "victim-retakes-its-place", lambda s: replace(s, readings=Readings.of(A23="no")), "a step breaks a promise"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "change", "told"), WEAKER.values(), ids=WEAKER.keys())
def test_a_witness_that_is_tampered_with_shows_nothing(name: str, change: Change, told: str) -> None:
    scenario = load_scenario(str(ROOT / "examples" / "scenarios" / f"{name}.yaml"))
    assert play(scenario).shows
    played = play(change(scenario))
    assert not played.shows
    assert len(played.wrong) == 1
    assert told in played.wrong[0]
