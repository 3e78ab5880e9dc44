"""Scenarios: a configuration, what happens to it, and what is expected or broken. One file, YAML or JSON.

A step is an event (its verb is the key: `submit`, `dispatch`, `set-limits`, ...), `settle` (the scheduler and the
platform act until nothing moves) or `expect` (what the state must be). `breaks` says what a witness shows; with
`repeatsFrom` the state after the last step is that before step number `repeatsFrom` (from 1), so that the steps from
there on can go on for ever. `promise` names a promise of an organisation that is broken where everything is as the
scenario expects. Schema: scenario.schema.json, made by `schema`; `scenario_text` reads the files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from functools import cache
from typing import Any, TypeAlias

from .. import events as ev
from ..model import LARGEST, MAX_PRIORITY, QueueConfig, QuotaShare, State, Strategy
from ..readings import READINGS, Readings
from . import own

VERSION = 1


@dataclass(frozen=True)
class Settle:
    """Let the reference scheduler act until nothing moves; without `drains` victims do not stop."""

    drains: bool = True


@dataclass(frozen=True)
class Expect:
    """What must be true now. None is not asked; lists are complete; `usage` is share -> unit -> instances."""

    dispatched: tuple[str, ...] | None = None
    runnable: tuple[str, ...] | None = None
    draining: tuple[str, ...] | None = None
    succeeded: tuple[str, ...] | None = None
    failed: tuple[str, ...] | None = None
    preempted: tuple[str, ...] | None = None
    """Jobs told to stop since the last expectation."""
    usage: Mapping[str, Mapping[str, int]] | None = None
    preemptions: Mapping[str, int] | None = None
    reasons: Mapping[str, str] | None = None
    """Job -> part of its statusReason."""
    why: str = ""
    """The rule it rests on."""


Step: TypeAlias = ev.Event | Settle | Expect


@dataclass(frozen=True)
class Breaks:
    """What a witness shows: the guarantee, the job that suffers, and how.

    `how`: 'step' the last step breaks it, 'stuck' the job waits and nothing can move, 'lasso' the job waits while the
    repeated steps go round, 'circle' scheduler and drains alone go round.
    """

    guarantee: str
    how: str
    job: str = ""


@dataclass(frozen=True)
class Found:
    """Where a scenario was found: the backend that failed it, the guarantee it broke, and the draw that led there."""

    backend: str
    guarantee: str = ""
    """'' where it went wrong and broke nothing."""
    profile: str = ""
    seed: int | None = None


@dataclass(frozen=True)
class Scenario:
    """A configuration and what happens to it."""

    name: str
    about: str
    config: QueueConfig
    steps: tuple[Step, ...]
    readings: Readings = field(default_factory=Readings)
    rests_on: tuple[str, ...] = ()
    breaks: Breaks | None = None
    repeats_from: int | None = None
    checks: tuple[str, ...] = ()
    """Guarantees that come up in it."""
    features: tuple[str, ...] = ()
    """What a scheduler must be able to do to run it."""
    found: Found | None = None
    """Set for the failure of a backend that was kept."""
    promise: str = ""
    """Code of the promise that is broken when its last expectation is met."""
    reported: tuple[str, ...] = ()
    """Public reports of what it shows, owner/repository#number."""


HOWS = ("step", "stuck", "lasso", "circle")


def verb(event: type[ev.Event]) -> str:
    """The key of an event in a file: SetLimits is set-limits."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", event.__name__).lower()


VERBS: Mapping[str, type[ev.Event]] = {verb(e): e for e in ev.EVENTS}
_COUNTS = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0, "maximum": LARGEST}}
_UNIT = {"type": "string", "minLength": 1, "maxLength": 256}
_CAPACITY = {**_COUNTS, "propertyNames": _UNIT}
_SIZE = {"type": "object", "minProperties": 1, "propertyNames": _UNIT,
         "additionalProperties": {"type": "integer", "minimum": 1, "maximum": LARGEST}}  # fmt: skip
NAMES = {"type": "array", "items": {"type": "string"}}
REPORT = r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+#[1-9][0-9]*"
"""A public report: the repository, and the number of an issue or of a pull request in it."""
TYPES: Mapping[str, Any] = {
    "job": {"type": "string", "minLength": 1},
    "share": {"type": "string", "minLength": 1},
    "size": _SIZE,
    "priority": {"type": "integer", "minimum": 0, "maximum": MAX_PRIORITY},
    "retries": {"type": "integer", "minimum": 0, "maximum": LARGEST},
    "failed": {"type": "boolean"},
    "limits": _SIZE,
    "capacity": _CAPACITY,
    "strategy": {"enum": [s.value for s in Strategy]},
    "borrow_limit": {"type": "integer", "minimum": -1, "maximum": LARGEST},
    "enabled": {"type": "boolean"},
    "state": {"enum": [s.value for s in State]},
    "victims": NAMES,
    "holds": {"type": "boolean", "description": "Whether what the job asks is kept for it."},
    "reason": {"type": "string"},
}
FOUND: Mapping[str, Any] = {
    "backend": {"type": "string", "minLength": 1}, "guarantee": {"type": "string"}, "profile": {"type": "string"},
    "seed": {"type": "integer"},
}  # fmt: skip
EXPECT: Mapping[str, Any] = {
    **dict.fromkeys(("dispatched", "runnable", "draining", "succeeded", "failed", "preempted"), NAMES),
    "usage": {"type": "object", "additionalProperties": _COUNTS},
    "preemptions": _COUNTS,
    "reasons": {"type": "object", "additionalProperties": {"type": "string"}},
    "why": {"type": "string"},
}


@cache
def camel(name: str) -> str:
    """A field's name in a file."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def own_share(share: QuotaShare) -> dict[str, Any]:
    """A share in quotaproof's own form."""
    form: dict[str, Any] = {"name": share.name, "limits": share.limits, "strategy": share.strategy.value}
    if share.borrow_limit is not None:
        form["borrowLimit"] = share.borrow_limit
    form["inSharePreemption"] = share.in_share
    if share.state is not State.ENABLED:
        form["state"] = share.state.value
    return form


def own_form(config: QueueConfig) -> dict[str, Any]:
    """A configuration in quotaproof's own form."""
    return {
        "quotaproof": own.VERSION,
        "queue": config.job_queue_name,
        "environment": config.environment.capacity,
        "shares": [own_share(s) for s in config.shares],
    }


def step_form(step: Step) -> dict[str, Any]:
    """A step as it stands in a file."""
    if isinstance(step, Settle):
        return {"settle": "all" if step.drains else "scheduler"}
    if isinstance(step, Expect):
        given = {f.name: getattr(step, f.name) for f in fields(step)}
        form = {k: list(v) if isinstance(v, tuple) else v for k, v in given.items() if v not in (None, "")}
        return {"expect": form}
    name, first, rest = _keys(type(step))
    subject: Any = getattr(step, first)
    if isinstance(subject, QuotaShare):
        subject = own_share(subject)
    form: dict[str, Any] = {name: dict(subject) if isinstance(subject, Mapping) else subject}
    for attribute, key, default in rest:
        value = getattr(step, attribute)
        if value != default:
            form[key] = list(value) if isinstance(value, tuple) else value
    return form


@cache
def _keys(kind: type[ev.Event]) -> tuple[str, str, tuple[tuple[str, str, Any], ...]]:
    """The verb of an event, its first field, and of each other field the name, the key in a file and the default."""
    first, *rest = fields(kind)
    return verb(kind), first.name, tuple((f.name, camel(f.name), f.default) for f in rest)


def as_form(scenario: Scenario) -> dict[str, Any]:
    """A scenario as it stands in a file; `read` gives it back."""
    form: dict[str, Any] = {"scenario": VERSION, "name": scenario.name, "about": scenario.about}
    if scenario.rests_on:
        form["restsOn"] = list(scenario.rests_on)
    form["queue"] = own_form(scenario.config)
    if scenario.readings.chosen:
        form["assume"] = dict(scenario.readings.chosen)
    form["steps"] = [step_form(s) for s in scenario.steps]
    if scenario.repeats_from is not None:
        form["repeatsFrom"] = scenario.repeats_from
    if scenario.breaks is not None:
        b = scenario.breaks
        form["breaks"] = {"guarantee": b.guarantee, "how": b.how, **({"job": b.job} if b.job else {})}
    if scenario.promise:
        form["promise"] = scenario.promise
    if scenario.checks:
        form["checks"] = list(scenario.checks)
    if scenario.features:
        form["features"] = list(scenario.features)
    if scenario.found is not None:
        form["found"] = {k: v for k, v in asdict(scenario.found).items() if v not in ("", None)}
    if scenario.reported:
        form["reported"] = list(scenario.reported)
    return form


def schema() -> dict[str, Any]:
    """The JSON Schema of the form, as scenario.schema.json holds it."""
    from ..rules.guarantees import GUARANTEES

    verbs = [_verb_schema(name, kind) for name, kind in VERBS.items()]
    about_settle = (
        "The scheduler and, with `all`, the platform act until nothing moves; with `scheduler` no victim stops."
    )
    settle = {"type": "object", "description": about_settle, "required": ["settle"], "additionalProperties": False,
              "properties": {"settle": {"enum": ["all", "scheduler"]}}}  # fmt: skip
    expected = {"type": "object", "properties": dict(EXPECT), "additionalProperties": False}
    about_expect = "What must be true now. Lists are complete; `preempted` counts since the last expectation."
    expect = {"type": "object", "description": about_expect, "required": ["expect"], "additionalProperties": False,
              "properties": {"expect": expected}}  # fmt: skip
    readings = {code: {"enum": list(r.choices)} for code, r in READINGS.items() if r.modelled}
    about_how = (
        "step: the last step breaks it; stuck: the job waits and nothing can move; lasso: it waits while the repeated "
        "steps go round; circle: scheduler and drains alone go round."
    )
    how = {"enum": list(HOWS), "description": about_how}
    breaks = {"type": "object", "required": ["guarantee", "how"], "additionalProperties": False, "properties": {
        "guarantee": {"enum": list(GUARANTEES)}, "how": how, "job": {"type": "string"}}}  # fmt: skip
    about_found = "Where it was found: a backend failed it. `quotaproof replay` runs that backend again."
    found = {"type": "object", "description": about_found, "required": ["backend"],
             "additionalProperties": False, "properties": FOUND}  # fmt: skip
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "quotaproof scenario",
        "description": "A quota-share queue, what happens to it, and what is expected of it or broken in it.",
        "type": "object",
        "required": ["scenario", "queue", "steps"],
        "additionalProperties": False,
        "properties": {
            "scenario": {"const": VERSION, "description": "Version of this form."},
            "name": {"type": "string"},
            "about": {"type": "string", "description": "What it shows, in a sentence."},
            "restsOn": {**NAMES, "description": "Rules and readings that it rests on."},
            "queue": {"type": "object", "description": "The queue, in the form `queue`."},
            "assume": {"type": "object", "properties": readings, "additionalProperties": False},
            "steps": {"type": "array", "items": {"oneOf": [*verbs, settle, expect]}},
            "repeatsFrom": {"type": "integer", "minimum": 1, "description": "The steps from this one on go round."},
            "breaks": breaks,
            "promise": {"type": "string", "description": "A promise that is broken where the last expectation is met."},
            "checks": {
                "type": "array",
                "items": {"enum": list(GUARANTEES)},
                "description": "Guarantees that come up in it.",
            },
            "features": {**NAMES, "description": "What a scheduler must be able to do to run it."},
            "found": found,
            "reported": {
                "type": "array",
                "items": {"type": "string", "pattern": f"^{REPORT}$"},
                "description": "Public reports of what it shows: owner/repository#number.",
            },
        },
    }


def _verb_schema(name: str, kind: type[ev.Event]) -> dict[str, Any]:
    first, *rest = fields(kind)
    subject = {"type": "object"} if kind is ev.CreateShare else TYPES[first.name]
    properties = {name: subject, **{camel(f.name): TYPES[f.name] for f in rest}}
    required = [name, *(camel(f.name) for f in rest if f.default is MISSING)]
    description = (kind.__doc__ or "").strip().splitlines()[0]
    return {"type": "object", "description": description, "properties": properties, "required": required,
            "additionalProperties": False}  # fmt: skip
