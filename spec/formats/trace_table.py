"""Traces as Parquet, with the extra `scale`: one row a line, its columns the fields that a line may have.

A column that is null is a field that is absent; retries that are without limit, null in a line, are -1. Sizes, limits and
victims are JSON text. The header is the file's metadata. Rows are read as the lines that they stand for, so that what a
line may be is said once. Trusted: nothing that is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from ..model import QueueConfig
from ..observations import Seen
from . import trace_header
from .errors import InputError
from .scenario import camel
from .trace_words import CREATED, ENVIRONMENT, EVERY, FORMS, SETTLED, TIMES, UPDATE_KEYS, WORDS, form

MAGIC = b"PAR1"
_HEADER = b"quotaproof.trace"
_ROWS = 1 << 14
_UNLIMITED = -1
_AS_JSON = ("size", "limits", "victims", ENVIRONMENT, CREATED)


def write_table(path: str, config: QueueConfig, seen: Iterable[Seen], *, ordered: bool, claims: bool) -> None:
    """Write a trace as Parquet. Raises InputError where the extra is missing."""
    arrow, parquet = _library(path)
    header = trace_header.written(config, ordered=ordered, claims=claims)
    schema = arrow.schema(_columns(arrow), metadata={_HEADER: header.encode()})
    rows = _rows(seen)
    with parquet.ParquetWriter(path, schema) as writer:
        while block := list(islice(rows, _ROWS)):
            writer.write_table(arrow.Table.from_pylist(block, schema=schema))


def rows(path: str, complain: Callable[[int, str], None]) -> Iterator[tuple[int, list[str]]]:
    """The lines that the rows stand for, and the number of the first; the header is line 1."""
    arrow, parquet = _library(path)
    try:
        with parquet.ParquetFile(path) as file:
            yield 1, [(file.schema_arrow.metadata or {}).get(_HEADER, b"").decode()]
            number = 2
            for batch in file.iter_batches(batch_size=_ROWS):
                lines = [_line(row) for row in batch.to_pylist()]
                yield number, lines
                number += len(lines)
    except (OSError, ValueError, arrow.ArrowException) as error:
        complain(1, f"the table cannot be read: {str(error).splitlines()[0] if str(error) else type(error).__name__}")


def _library(path: str) -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError("Parquet needs pyarrow, which is not installed", where=path, why="It comes with the extra `scale`.",
                         fix="pip install 'quotaproof[scale]', or give the trace as NDJSON.") from None  # fmt: skip
    return pyarrow, pyarrow.parquet


def _columns(arrow: Any) -> list[tuple[str, Any]]:
    kinds = {"integer": arrow.int64(), "boolean": arrow.bool_()}
    found: dict[str, Any] = dict.fromkeys(TIMES, arrow.int64())
    found |= dict.fromkeys(EVERY, arrow.string())
    found[SETTLED] = arrow.bool_()
    for word in WORDS.values():
        found |= {camel(f): kinds.get(FORMS[f].get("type"), arrow.string()) for f in (*word.fields[1:], *word.beside)}
    more = {"borrowLimit": arrow.int64(), "inSharePreemption": arrow.bool_()}
    return list({**found, **{key: more.get(key, arrow.string()) for key in UPDATE_KEYS}}.items())


def _rows(seen: Iterable[Seen]) -> Iterator[dict[str, Any]]:
    claims = 0
    for one in seen:
        claims += type(one.what).__name__ == "Claim"
        line = form(one.what, claims)
        row = {k: json.dumps(v) if k in _AS_JSON else _UNLIMITED if v is None else v for k, v in line.items()}
        yield {"at": one.at, "until": one.until, **row}


def _line(row: dict[str, Any]) -> str:
    line: dict[str, Any] = {}
    for key, value in row.items():
        if value is None:
            continue
        if key in _AS_JSON:
            # Text that is no JSON stays as it is: the reader says of the line what is wrong.
            with suppress(ValueError):
                value = json.loads(value)
        line[key] = None if key == "retries" and value == _UNLIMITED else value
    return json.dumps(line, separators=(",", ":"), default=str)
