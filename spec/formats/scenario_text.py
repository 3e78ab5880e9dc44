"""Scenario files to scenarios, with every mistake named by file, line and field.

Trusted: nothing that is read; the tables of `scenario` say what a field may be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any

from .. import events as ev
from ..model import EnvironmentCapacityLimit, QueueConfig, QuotaShare, ServiceEnvironment, State, Strategy
from ..readings import Readings, UnknownReading
from . import own
from .document import Document, Pointer
from .errors import InputError, nearest, shown
from .items import QueueItem, ShareItem
from .scenario import EXPECT, HOWS, NAMES, TYPES, VERBS, VERSION, Breaks, Expect, Scenario, Settle, Step, camel
from .sources import Unread, documents


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
                                  "breaks"}, ("scenario", "queue", "steps"))  # fmt: skip
    if value["scenario"] != VERSION or value["scenario"] is True:
        raise _wrong(document, ("scenario",), f"version {shown(value['scenario'])} is not known", f"write {VERSION}.")
    readings = _readings(document, value.get("assume", {}))
    steps = _typed(document, ("steps",), value["steps"], list, "a list of steps")
    return Scenario(
        name=_typed(document, ("name",), value.get("name", ""), str, "text"),
        about=_typed(document, ("about",), value.get("about", ""), str, "text"),
        config=_config(document, readings),
        steps=tuple(_step(document, ("steps", i), step, readings) for i, step in enumerate(steps)),
        readings=readings,
        rests_on=tuple(_conform(document, ("restsOn",), value.get("restsOn", []), NAMES)),
        breaks=_breaks(document, value.get("breaks")),
        repeats_from=_repeats(document, value.get("repeatsFrom"), len(steps)),
    )


def _readings(document: Document, value: Any) -> Readings:
    chosen = _conform(document, ("assume",), value, {"type": "object", "additionalProperties": {"type": "string"}})
    try:
        return Readings().assuming(chosen)
    except UnknownReading as error:
        raise _wrong(document, ("assume",), str(error), "name a reading and one of its choices.") from None


def _config(document: Document, readings: Readings) -> QueueConfig:
    inner = Document(document.name, document.value["queue"], lambda: _below(document, "/queue"))
    if not isinstance(inner.value, dict):
        raise _wrong(document, ("queue",), "the queue is not an object", "write it as `quotaproof explain queue` says.")
    queue, shares = None, []
    for item in own.items(inner, None, readings):
        if isinstance(item, QueueItem):
            queue = item
        elif isinstance(item, ShareItem):
            if any(item.share.name == s.name for s in shares):
                raise _wrong(document, ("queue", "shares"), f"the share {shown(item.share.name)} is given twice",
                             "delete one of the two.")  # fmt: skip
            shares.append(item.share)
    assert queue is not None
    if queue.own_environment is not None:
        environment = queue.own_environment.environment
    else:
        total: dict[str, int] = {}
        for share in shares:
            for unit, n in share.limits.items():
                total[unit] = total.get(unit, 0) + n
        limits = tuple(EnvironmentCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in total.items())
        environment = ServiceEnvironment(service_environment_name=queue.name, capacity_limits=limits)
    return QueueConfig(job_queue_name=queue.name, environment=environment, shares=tuple(shares))


def _below(document: Document, prefix: str) -> dict[str, int]:
    lines = document.find_lines()
    return {key.removeprefix(prefix): line for key, line in lines.items() if key.startswith(prefix)}


def _step(document: Document, at: Pointer, value: Any, readings: Readings) -> Step:
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
        return _expect(document, (*at, "expect"), step["expect"])
    return _event(document, at, name, step, readings)


def _expect(document: Document, at: Pointer, value: Any) -> Expect:
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
        given["share"] = _new_share(document, (*at, name), step[name], readings)
    else:
        given[first.name] = _conform(document, (*at, name), step[name], TYPES[first.name])
    for f in rest:
        if camel(f.name) in step:
            value = _conform(document, (*at, camel(f.name)), step[camel(f.name)], TYPES[f.name])
            given[f.name] = tuple(value) if isinstance(value, list) else value
    convert: dict[str, Callable[[str], Any]] = {"strategy": Strategy, "state": State}
    return kind(**{k: convert[k](v) if k in convert else v for k, v in given.items()})


def _new_share(document: Document, at: Pointer, value: Any, readings: Readings) -> QuotaShare:
    prefix = "".join(f"/{step}" for step in at)
    tree = {"quotaproof": own.VERSION, "queue": "q", "shares": [value]}
    inner = Document(document.name, tree, lambda: {f"/shares/0{k}": v for k, v in _below(document, prefix).items()})
    return next(i.share for i in own.items(inner, None, readings) if isinstance(i, ShareItem))


def _breaks(document: Document, value: Any) -> Breaks | None:
    if value is None:
        return None
    from ..rules.guarantees import GUARANTEES

    _object(document, ("breaks",), value, {"guarantee", "how", "job"}, ("guarantee", "how"))
    code = _conform(document, ("breaks", "guarantee"), value["guarantee"], {"enum": list(GUARANTEES)})
    how = _conform(document, ("breaks", "how"), value["how"], {"enum": list(HOWS)})
    return Breaks(code, how, _typed(document, ("breaks", "job"), value.get("job", ""), str, "text"))


def _repeats(document: Document, value: Any, steps: int) -> int | None:
    if value is None:
        return None
    return _conform(document, ("repeatsFrom",), value, {"type": "integer", "minimum": 1, "maximum": steps})


def _wrong(document: Document, at: Pointer, what: str, fix: str) -> InputError:
    return document.error(at, what, why="`quotaproof explain scenario` shows the form.", fix=fix)


def _typed(document: Document, at: Pointer, value: Any, kind: type, words: str) -> Any:
    if type(value) is not kind:
        raise _wrong(document, at, f"{shown(value)} is not {words}", f"write {words}.")
    return value


def _object(document: Document, at: Pointer, value: Any, known: set[str], needed: Any) -> None:
    _typed(document, at, value, dict, "an object")
    for key in value:
        if key not in known:
            near = nearest(key, known)
            fix = f"did you mean {near}?" if near else "use " + ", ".join(sorted(known)) + "."
            raise _wrong(document, (*at, key), f"{shown(key)} is not known here", fix)
    for key in needed:
        if key not in value:
            raise _wrong(document, at, f"{key} is missing", f"add {key}.")


def _conform(document: Document, at: Pointer, value: Any, form: Mapping[str, Any]) -> Any:
    """`value` if it is what the schema fragment says: the few keywords that this module uses."""
    if "enum" in form:
        if value not in form["enum"] or isinstance(value, bool):
            near = nearest(value, form["enum"]) if isinstance(value, str) else ""
            fix = f"did you mean {near}?" if near else "use one of " + ", ".join(map(str, form["enum"])) + "."
            raise _wrong(document, at, f"{shown(value)} is not known here", fix)
        return value
    kinds: dict[str, tuple[type, str]] = {
        "string": (str, "text"), "integer": (int, "a whole number"), "boolean": (bool, "true or false"),
        "array": (list, "a list"), "object": (dict, "an object"),
    }  # fmt: skip
    _typed(document, at, value, *kinds[form["type"]])
    if form["type"] == "integer" and not form.get("minimum", value) <= value <= form.get("maximum", value):
        raise _wrong(document, at, f"{shown(value)} is out of range", f"use {form['minimum']} to {form['maximum']}.")
    if len(value) < form.get("minLength", form.get("minProperties", 0)) if hasattr(value, "__len__") else False:
        raise _wrong(document, at, "it is empty", "name at least one.")
    for key, part in value.items() if isinstance(value, dict) else ():
        _conform(document, (*at, key), part, form["additionalProperties"])
    for i, part in enumerate(value) if isinstance(value, list) else ():
        _conform(document, (*at, i), part, form["items"])
    return value
