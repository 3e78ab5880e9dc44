"""Scenarios for tests: every kind of step, and strategies that draw any step and any readings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import jsonschema
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from quotaproof.spec import events as ev
from quotaproof.spec.formats import json_text
from quotaproof.spec.formats.scenario import (
    Expect,
    Scenario,
    Settle,
    Step,
    schema,
)
from quotaproof.spec.formats.scenario_text import read
from quotaproof.spec.model import State, Strategy
from quotaproof.spec.readings import READINGS, Readings

from .queues import queue, share

ROOT = Path(__file__).resolve().parents[2]
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
        for kind in ev.EVENTS
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
