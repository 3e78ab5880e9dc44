"""The JSON Schema of every message, made from the tables of `protocol`, scenarios and traces. protocol.schema.json holds it.

Any message is one of `oneOf`; one kind alone is `#/$defs/NAME`: start, configure, run and stop are the harness's,
declaration and answer the backend's.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from ...spec import schemas
from ...spec.formats import scenario, trace_schema
from ...spec.formats.scenario import VERBS
from .protocol import DECLARED, LENDERS, UNTOLD, VERSION

KINDS = ("start", "configure", "run", "stop", "declaration", "answer")


def schema() -> dict[str, Any]:
    """The schema of one message."""
    trace, queue = trace_schema.schema(), _queue()
    reason = {"type": "string", "minLength": 1}
    lines = {"type": "array", "items": {"$ref": "#/$defs/line"}}
    answer = _object("To a `run`: what happened, or why nothing is told; skipped: it cannot run this; errored: it went wrong.",
                     "id", id=_ID, trace={**lines, "description": "All that happened, in order."}, lenders=LENDERS,
                     skipped=reason, errored=reason)  # fmt: skip
    one = [{"required": ["trace"], "not": {"anyOf": [{"required": ["skipped"]}, {"required": ["errored"]}]}},
           {"required": ["skipped"], "not": {"anyOf": [{"required": ["trace"]}, {"required": ["errored"]}]}},
           {"required": ["errored"], "not": {"required": ["skipped"]}}]  # fmt: skip
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "quotaproof protocol",
        "description": "The messages between quotaproof and a scheduler under test, one line of JSON each.",
        "oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in KINDS],
        "$defs": {
            "start": _object("Say who you are. Answered by a declaration.", "cmd", "protocol",
                             cmd={"const": "start"}, protocol={"const": VERSION}),
            "configure": _object("Every run from now on starts with this queue, empty. Has no answer.", "cmd", "queue",
                                 cmd={"const": "configure"}, queue={"$ref": "#/$defs/queue"}),
            "run": _object("Do these steps, in order, on an empty queue, and tell what happened. Has one answer.",
                           "cmd", "id", "steps", cmd={"const": "run"}, id=_ID,
                           steps={"type": "array", "items": _step()}),
            "stop": _object("End.", "cmd", cmd={"const": "stop"}),
            "declaration": _object("To `start`.", "protocol", "name", **DECLARED),
            "answer": {**answer, "oneOf": one},
            "queue": queue["form"],
            "line": {"description": "What happened, as in a trace; times may stand there and count for nothing.",
                     "oneOf": [_untimed(line) for line in trace["oneOf"] if "trace" not in line["properties"]]},
            **trace["$defs"],
            **queue["parts"],
        },
    }  # fmt: skip


_ID = {"type": "integer", "minimum": 1, "description": "Of the run; its answer has the same."}


def _object(about: str, *needed: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "description": about, "required": list(needed), "additionalProperties": False,
            "properties": properties}  # fmt: skip


def _step() -> dict[str, Any]:
    """The steps that a backend is told."""
    told = {verb for verb, kind in VERBS.items() if not issubclass(kind, UNTOLD)} | {"settle"}
    steps = scenario.schema()["properties"]["steps"]["items"]["oneOf"]
    found = [step for step in steps if told & step["properties"].keys()]
    return {"oneOf": [_of_share(step) if "create-share" in step["properties"] else step for step in found]}


def _of_share(step: dict[str, Any]) -> dict[str, Any]:
    return {**step, "properties": {"create-share": {"$ref": "#/$defs/own-share"}}}


def _untimed(line: dict[str, Any]) -> dict[str, Any]:
    return {**line, "required": [key for key in line["required"] if key != "at"]}


def _queue() -> dict[str, Any]:
    """The form `queue` and its parts, under names of their own."""
    text = files(schemas).joinpath("queue.schema.json").read_text(encoding="utf-8")
    names = json.loads(text)["$defs"]
    for name in names:
        text = text.replace(f'"#/$defs/{name}"', f'"#/$defs/own-{name}"')
    whole = json.loads(text)
    parts = {f"own-{name}": part for name, part in whole.pop("$defs").items()}
    form = {key: value for key, value in whole.items() if key not in ("$schema", "$id", "title")}
    return {"form": form, "parts": parts}
