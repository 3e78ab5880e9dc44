"""JSON text to a value, by the json module alone, with everything refused that JSON lets through or that hurts.

Refused: a key twice in one object, NaN and Infinity, numbers of absurd length, nesting without end. The module's hooks
do not say where they are, so a refusal looks the place up afterwards with a scan that skips strings. Trusted: the json
module; json-source-map for lines, which only ever sees text that json has parsed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from .document import Document, as_field
from .errors import InputError, shown

_MOST_DIGITS = 30
_MOST_LEVELS = 100
_MOST_MAPPED = 2 << 20
"""Characters. In a longer text places are files without lines."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


class _RefusedError(ValueError):
    """A hook met something that is not allowed."""


def mistake(error: json.JSONDecodeError) -> str:
    """What is wrong, in the parser's words, which in some messages expect a place after them."""
    return error.msg.lower().removesuffix(" at")


def parse(name: str, text: str) -> Document:
    """The document in `text`. Raises InputError."""
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_whole, parse_float=_fraction
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"not valid JSON: {mistake(error)} in column {error.colno}",
            where=f"{name}:{error.lineno}",
            why="The rest of the file cannot be read.",
            fix="correct the syntax there; text goes in double quotes, and no comma stands before a closing bracket.",
        ) from None
    except RecursionError:
        raise _too_deep(name, text) from None
    except _RefusedError as refused:
        raise _located(name, text) or InputError(
            str(refused), where=name, why="It has no safe meaning.", fix="remove it."
        ) from None
    return Document(name, value, lambda: _lines(text))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _RefusedError("a key is given twice")
    return value


def _constant(text: str) -> Any:
    raise _RefusedError(f"{text} is not a number")


def _whole(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise _RefusedError("a number is too long")
    return int(text)


def _fraction(text: str) -> float:
    if len(text) > 10 * _MOST_DIGITS:
        raise _RefusedError("a number is too long")
    return float(text)


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Tokens with the line of each, for text that is valid JSON up to the place that is looked for."""
    line, end = 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", end, token.start())
        end = token.start()
        yield token.group(), line


def _located(name: str, text: str) -> InputError | None:
    """The first thing in `text` that a hook refuses, with its place."""
    keys: list[dict[str, int]] = []
    path: list[str | int] = []
    expects_key: list[bool] = []
    for token, line in _tokens(text):
        if token in "{[":
            keys.append({})
            path.append(0 if token == "[" else "")
            expects_key.append(token == "{")
        elif token in "}]" and path:
            del keys[-1], path[-1], expects_key[-1]
        elif token == "," and path:
            step = path[-1]
            expects_key[-1] = isinstance(step, str)
            if isinstance(step, int):
                path[-1] = step + 1
        elif token[0] == '"' and expects_key and expects_key[-1]:
            key = str(json.loads(token))
            path[-1], expects_key[-1] = key, False
            if key in keys[-1]:
                return InputError(
                    f"{shown(key)} is given twice",
                    where=f"{name}:{line}, {as_field(path)}",
                    why=f"It stands on line {keys[-1][key]} already; readers disagree on which of the two counts.",
                    fix="delete one of the two.",
                )
            keys[-1][key] = line
        elif token in ("NaN", "Infinity", "-Infinity"):
            return InputError(
                f"{token} is not a number",
                where=f"{name}:{line}, {as_field(path)}",
                why="JSON has no such value, and no capacity is without end.",
                fix="write a whole number; for a borrow limit without maximum leave borrowLimit out or write -1.",
            )
        elif token[0] in "-0123456789" and len(token) > _MOST_DIGITS:
            return InputError(
                f"{token[:12]}... is a number of {len(token)} characters",
                where=f"{name}:{line}, {as_field(path)}",
                why="No cluster has so many instances.",
                fix="write the number that was meant.",
            )
    return None


def _too_deep(name: str, text: str) -> InputError:
    return InputError(
        "brackets are nested too deeply",
        where=f"{name}:{_deep_line(text) or 1}",
        why="No queue configuration is more than ten levels deep.",
        fix="give the file that AWS or `aws batch` wrote, unchanged.",
    )


def _deep_line(text: str) -> int:
    """The line on which brackets are nested too deeply; 0 when they nowhere are."""
    depth = 0
    for token, line in _tokens(text):
        depth += (token in "{[") - (token in "}]")
        if depth > _MOST_LEVELS:
            return line
    return 0


def _lines(text: str) -> dict[str, int]:
    from json_source_map import calculate

    if len(text) > _MOST_MAPPED or _deep_line(text):
        return {}  # a map takes a minute for 16 MiB, and its time grows with the square of the depth
    try:
        found = calculate(text)
    except RecursionError:
        return {}
    # Its keys are raw source text between slashes: a key written with escapes is found by its surroundings only.
    return {pointer: (entry.key_start or entry.value_start).line + 1 for pointer, entry in found.items()}
