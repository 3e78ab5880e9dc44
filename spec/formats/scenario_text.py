"""Scenario files to scenarios, with every mistake named by file, line and field.

Trusted: nothing that is read; the tables of `scenario` say what a field may be.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any

from .. import events as ev
from ..model import State, Strategy
from ..readings import Readings, UnknownReading
from . import own
from .conform import Conform
from .document import Document, Pointer
from .errors import InputError, nearest, shown
from .scenario import (
    EXPECT,
    FOUND,
    HOWS,
    NAMES,
    REPORT,
    TYPES,
    VERBS,
    VERSION,
    Breaks,
    Expect,
    Found,
    Scenario,
    Settle,
    Step,
    camel,
)
from .sources import Unread, documents

_FORM = Conform("scenario")
_wrong, _typed, _object, _conform = _FORM.wrong, _FORM.typed, _FORM.keys, _FORM.value


def load_scenario(path: str) -> Scenario:
    """The scenario in a file, or in standard input for "-". Raises InputError."""
    found = list(documents([path]))
    if len(found) == 1 and not isinstance(found[0], Unread):
        return read(found[0])
    raise InputError("it is not one scenario file", where=path, why="A scenario is one YAML or JSON file.",
                     fix="name the file, such as quotaproof-out/QP101-speech.json.")  # fmt: skip


def read(document: Document) -> Scenario:
    """The scenario in a document. Raises InputError."""
    value = document.value
    if isinstance(value, dict) and "scenario" not in value and {"quotaproof", "queues", "Resources"} & set(value):
        raise InputError("it is a configuration, not a scenario", where=document.name, why="A scenario has steps to play.",
                         fix="`quotaproof verify` judges a configuration.")  # fmt: skip
    _object(document, (), value, {"scenario", "name", "about", "restsOn", "queue", "assume", "steps", "repeatsFrom",
                                  "breaks", "promise", "checks", "features", "found", "reported"},
            ("scenario", "queue", "steps"))  # fmt: skip
    if value["scenario"] != VERSION or value["scenario"] is True:
        raise _wrong(document, ("scenario",), f"version {shown(value['scenario'])} is not known", f"write {VERSION}.")
    readings = assumed(document, ("assume",), value.get("assume", {}))
    steps = _typed(document, ("steps",), value["steps"], list, "a list of steps")
    return Scenario(
        name=_typed(document, ("name",), value.get("name", ""), str, "text"),
        about=_typed(document, ("about",), value.get("about", ""), str, "text"),
        config=own.configuration(document, ("queue",), readings),
        steps=tuple(read_step(document, ("steps", i), step, readings) for i, step in enumerate(steps)),
        readings=readings,
        rests_on=tuple(_conform(document, ("restsOn",), value.get("restsOn", []), NAMES)),
        breaks=read_breaks(document, value["breaks"]) if "breaks" in value else None,
        repeats_from=_repeats(document, value["repeatsFrom"], len(steps)) if "repeatsFrom" in value else None,
        promise=_typed(document, ("promise",), value.get("promise", ""), str, "text"),
        checks=tuple(_conform(document, ("checks",), value.get("checks", []), NAMES)),
        features=tuple(_conform(document, ("features",), value.get("features", []), NAMES)),
        found=_found(document, value["found"]) if "found" in value else None,
        reported=_reported(document, value.get("reported", [])),
    )


def assumed(document: Document, at: Pointer, value: Any) -> Readings:
    """The choices at a place of a document. Raises InputError."""
    chosen = _conform(document, at, value, {"type": "object", "additionalProperties": {"type": "string"}})
    try:
        return Readings().assuming(chosen)
    except UnknownReading as error:
        raise _wrong(document, at, str(error), "name a reading and one of its choices.") from None


def read_step(document: Document, at: Pointer, value: Any, readings: Readings) -> Step:
    """The step at a place of a document. Raises InputError."""
    step = _typed(document, at, value, dict, "an object with one verb")
    known = [key for key in step if key in VERBS or key in ("settle", "expect")]
    if len(known) != 1:
        near = next((n for key in step if (n := nearest(key, [*VERBS, "settle", "expect"]))), "")
        if known:
            raise _wrong(document, at, "a step has exactly one verb",
                         f"write {' and '.join(known)} as steps of their own.")  # fmt: skip
        fix = f"did you mean {near}?" if near else "use one of " + ", ".join([*VERBS, "settle", "expect"]) + "."
        raise _wrong(document, at, "the step has no known verb", fix)
    name = known[0]
    if name == "settle":
        _object(document, at, step, {"settle"}, ())
        how = _conform(document, (*at, "settle"), step["settle"], {"enum": ["all", "scheduler"]})
        return Settle(drains=how == "all")
    if name == "expect":
        _object(document, at, step, {"expect"}, ())
        return read_expect(document, (*at, "expect"), step["expect"])
    return _event(document, at, name, step, readings)


def read_expect(document: Document, at: Pointer, value: Any) -> Expect:
    """What is expected at a place of a document. Raises InputError."""
    _object(document, at, value, set(EXPECT), ())
    given = {k: _conform(document, (*at, k), v, EXPECT[k]) for k, v in value.items()}
    listed: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in given.items()}
    return Expect(**listed)


def _event(document: Document, at: Pointer, name: str, step: dict[str, Any], readings: Readings) -> ev.Event:
    kind = VERBS[name]
    first, *rest = fields(kind)
    _object(document, at, step, {name, *(camel(f.name) for f in rest)},
            [camel(f.name) for f in rest if f.default is MISSING])  # fmt: skip
    given: dict[str, Any] = {}
    if kind is ev.CreateShare:
        given["share"] = own.new_share(document, (*at, name), readings)
    else:
        given[first.name] = _conform(document, (*at, name), step[name], TYPES[first.name])
    for f in rest:
        if camel(f.name) in step:
            value = _conform(document, (*at, camel(f.name)), step[camel(f.name)], TYPES[f.name])
            given[f.name] = tuple(value) if isinstance(value, list) else value
    convert: dict[str, Callable[[str], Any]] = {"strategy": Strategy, "state": State}
    return kind(**{k: convert[k](v) if k in convert else v for k, v in given.items()})


def read_breaks(document: Document, value: Any) -> Breaks:
    """What a document says that it breaks. Raises InputError."""
    from ..rules.guarantees import GUARANTEES

    _object(document, ("breaks",), value, {"guarantee", "how", "job"}, ("guarantee", "how"))
    code = _conform(document, ("breaks", "guarantee"), value["guarantee"], {"enum": list(GUARANTEES)})
    how = _conform(document, ("breaks", "how"), value["how"], {"enum": list(HOWS)})
    return Breaks(code, how, _typed(document, ("breaks", "job"), value.get("job", ""), str, "text"))


def _found(document: Document, value: Any) -> Found:
    _object(document, ("found",), value, set(FOUND), ("backend",))
    return Found(**{k: _conform(document, ("found", k), v, FOUND[k]) for k, v in value.items()})


def _reported(document: Document, value: Any) -> tuple[str, ...]:
    for number, report in enumerate(_conform(document, ("reported",), value, NAMES)):
        if not re.fullmatch(REPORT, report):
            raise _wrong(document, ("reported", number), f"{shown(report)} is not a public report",
                         "write owner/repository#number, such as kubernetes-sigs/kueue#1866.")  # fmt: skip
    return tuple(value)


def _repeats(document: Document, value: Any, steps: int) -> int:
    return _conform(document, ("repeatsFrom",), value, {"type": "integer", "minimum": 1, "maximum": steps})
