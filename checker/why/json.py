"""What `why` and `status` found out, for programs. Forms: spec/schemas/why.schema.json and status.schema.json.

Times are ISO 8601, UTC; null is not known or has not happened, or that there is no history. Nothing is shortened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, cast

from ..results import SPEC_VERSION
from .told import Status, Why

_TIMES = {"at", "since", "began", "began_by", "ended", "started", "first", "snapshot"}
_UNTOLD = {"names"}


def document(told: Why | Status) -> dict[str, Any]:
    """The document as Python data, in the order of the schema."""
    command = "why" if isinstance(told, Why) else "status"
    head = {"spec_version": SPEC_VERSION, "tool": {"name": "quotaproof", "version": version("quotaproof")}}
    code = told.exit_code if isinstance(told, Why) else 0
    return {**head, "command": command, "exit_code": code, **_object(told)}


def write(told: Why | Status) -> str:
    """The document, indented, with a line feed at its end."""
    return json.dumps(document(told), indent=2, ensure_ascii=True) + "\n"


def _object(value: Any) -> dict[str, Any]:
    found = [(f.name, getattr(value, f.name)) for f in fields(value) if f.name not in _UNTOLD]
    return {name: _time(v) if name in _TIMES else _value(v) for name, v in found}


def _time(ms: int | None) -> str | None:
    return None if not ms else datetime.fromtimestamp(ms / 1000, tz=UTC).isoformat(timespec="milliseconds")


def _value(value: Any) -> Any:
    if is_dataclass(value):
        return _object(value)
    if isinstance(value, tuple):
        return [_value(v) for v in cast("tuple[Any, ...]", value)]
    return dict(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else value
