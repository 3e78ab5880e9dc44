"""The scenario form: what is written is read again, and the schema accepts every example."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quotaproof.spec import events as ev
from quotaproof.spec.formats import yaml_text
from quotaproof.spec.formats.scenario import (
    HOWS,
    VERBS,
    Breaks,
    Expect,
    Settle,
    Step,
    as_form,
    schema,
    step_form,
    verb,
)
from quotaproof.spec.formats.scenario_text import load_scenario
from quotaproof.spec.readings import Readings

from ..support.scenarios import ROOT, STEPS, VALIDATOR, fuzz, happenings, readings, with_steps, written

EXAMPLES = sorted(
    [*(ROOT / "examples" / "conformance").glob("*.yaml"), *(ROOT / "examples" / "scenarios").glob("*.yaml")]
)


# both ways


@pytest.mark.parametrize("step", [s for steps in STEPS.values() for s in steps], ids=lambda s: type(s).__name__)
def test_every_step_is_read_as_it_was_written(step: Step) -> None:
    scenario = with_steps(step)
    form = as_form(scenario)
    VALIDATOR.validate(form)
    assert written(form) == scenario


def test_the_steps_tried_are_of_every_kind_and_set_every_field() -> None:
    assert set(STEPS) == {*ev.EVENTS, Settle, Expect}
    assert set(VERBS.values()) == set(ev.EVENTS)
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


@fuzz
@given(st.lists(happenings, max_size=8), readings)
def test_any_scenario_is_read_as_it_was_written(steps: list[Step], chosen: Readings) -> None:
    scenario = replace(with_steps(*steps), readings=chosen)
    form = as_form(scenario)
    VALIDATOR.validate(form)
    assert written(form) == scenario


def test_public_reports_are_read_as_they_were_written() -> None:
    scenario = replace(with_steps(Settle()), reported=("kubernetes-sigs/kueue#1866", "SchedMD/slurm#203"))
    VALIDATOR.validate(as_form(scenario))
    assert as_form(scenario)["reported"] == ["kubernetes-sigs/kueue#1866", "SchedMD/slurm#203"]
    assert written(as_form(scenario)) == scenario


# the schema


def test_the_schema_that_is_shipped_is_the_one_that_is_made() -> None:
    shipped = json.loads((ROOT / "spec" / "schemas" / "scenario.schema.json").read_text(encoding="utf-8"))
    assert shipped == schema()
    jsonschema.Draft202012Validator.check_schema(shipped)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_the_schema_accepts_every_example_as_it_stands_in_its_file(path: Path) -> None:
    VALIDATOR.validate(yaml_text.parse(path.name, path.read_text(encoding="utf-8")).value)
