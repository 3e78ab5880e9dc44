"""The JSON Schema of one line of a trace, made from the table of words. trace.schema.json holds it; a test compares."""

from __future__ import annotations

from typing import Any

from .scenario import TYPES, camel
from .trace_words import CREATED, ENVIRONMENT, FORMS, LATEST, SETTLED, SHARE, UPDATE_KEYS, WORDS, Word

VERSION = 1
_TIME = {
    "description": "Milliseconds since 1970, or ISO 8601 with its offset (Z is UTC).",
    "oneOf": [
        {"type": "integer", "minimum": 0, "maximum": LATEST},
        {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.]\d+)?)?(Z|[+-]\d\d:\d\d)$"},
    ],
}
_OFTEN = ("job", "share", "size", "limits", "priority", "retries", "reason", "strategy", "state")
"""Parts of several lines."""
_TIMES = {
    "at": {"$ref": "#/$defs/time"},
    "until": {
        "$ref": "#/$defs/time",
        "description": "It happened at some instant from `at` to this one; absent: at `at`.",
    },
}
_OWN = "in the form `queue`"


def schema() -> dict[str, Any]:
    """The schema of one line."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "quotaproof trace",
        "description": "One line of a trace: NDJSON, one observation a line, the header first, then by time. A field that "
        "is absent is not known. A job is submitted before anything else is said of it, also one that was there before.",
        "$defs": {"time": _TIME, **{name: _form(name) for name in _OFTEN}},
        "oneOf": [
            _header(),
            *(_plain(name, word) for name, word in WORDS.items()),
            _share(),
            _line("CreateQuotaShare.", CREATED, {"type": "object", "description": f"The share, {_OWN}."}),
            _line(
                "UpdateServiceEnvironment: all its capacity, or its state.",
                ENVIRONMENT,
                {"oneOf": [TYPES["capacity"], _part("state")]},
            ),
            _line("The scheduler has nothing left to do.", SETTLED, {"const": True}),
        ],
    }


def _header() -> dict[str, Any]:
    return {
        "type": "object",
        "description": "The first line, and no other.",
        "required": ["trace", "config"],
        "additionalProperties": False,
        "properties": {
            "trace": {"const": VERSION, "description": "Version of this form."},
            "queue": {"type": "string", "description": "The queue's name, as its configuration has it."},
            "config": {
                "type": "object",
                "description": f"In force at the start: the queue {_OWN}, or in AWS's fields: jobQueueName, environment (as "
                "describe-service-environments shows one), shares (as list-quota-shares shows them).",
            },
            "ordered": {
                "type": "boolean",
                "description": "true: the lines stand in the order in which things happened. Absent or false: lines of "
                "equal time have no order.",
            },
            "claims": {
                "type": "boolean",
                "description": "true: every claim is in it, with its victims. Absent or false: claims are not known.",
            },
        },
    }


def _line(about: str, word: str, subject: Any, more: dict[str, Any] | None = None, *needs: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": about,
        "required": ["at", word, *needs],
        "additionalProperties": False,
        "properties": {**_TIMES, word: subject, **(more or {})},
    }


def _form(attribute: str) -> Any:
    given = FORMS[attribute]
    return {**given, "type": ["integer", "null"]} if attribute == "retries" else given


def _part(attribute: str) -> Any:
    return {"$ref": f"#/$defs/{attribute}"} if attribute in _OFTEN else _form(attribute)


def _plain(name: str, word: Word) -> dict[str, Any]:
    first, *rest = word.fields
    more = {camel(f): _part(f) for f in (*rest, *word.beside)}
    return _line(word.about, name, _part(first), more, *(camel(n) for n in word.needs))


def _share() -> dict[str, Any]:
    kinds = ("limits", "strategy", "borrow_limit", "enabled", "state")
    more = {key: _part(kind) for key, kind in zip(UPDATE_KEYS, kinds, strict=True)}
    about = (
        "UpdateQuotaShare: what changes; limits are replaced whole. A strategy without borrowLimit is one that was sent "
        "without it (A9)."
    )
    made = _line(about, SHARE, _part("share"), more)
    return {
        **made,
        "anyOf": [{"required": [k]} for k in UPDATE_KEYS],
        "dependentRequired": {"borrowLimit": ["strategy"]},
    }
