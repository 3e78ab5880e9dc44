"""The lines of a file of any size, plain or gzip, or of standard input: a block at a time, each line with its number.

Standard input is kept in a temporary file, so that it can be read again. Trusted: nothing that is read.
"""

from __future__ import annotations

import gzip
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from . import trace_table
from .errors import InputError

BLOCK = 1 << 18
LONGEST = 1 << 20
"""Bytes of one line. A configuration of 20 shares is 10 kB."""
_GZIP = b"\x1f\x8b"
Complain = Callable[[int, str], None]
"""Told the number of a line that cannot be used, and why."""


def opened(path: str) -> BufferedIOBase:
    """The file at `path`, unzipped, or standard input for "-". Raises InputError."""
    try:
        file = standard_input().name if path == "-" else path
        with Path(file).open("rb") as stream:
            zipped = stream.read(2) == _GZIP
        return gzip.open(file, "rb") if zipped else Path(file).open("rb")
    except (OSError, ValueError, AttributeError) as error:
        reason = (error.strerror if isinstance(error, OSError) and error.strerror else "it cannot be opened").lower()
        raise InputError(f"cannot be read: {reason}", where=path, why="Nothing was read.",
                         fix="check that it is a file that you may read.") from None  # fmt: skip


@cache
def standard_input() -> Any:
    """What was piped in, in a file that lives as long as the program."""
    kept = tempfile.NamedTemporaryFile(prefix="quotaproof-")  # noqa: SIM115
    shutil.copyfileobj(sys.stdin.buffer, kept)
    kept.flush()
    return kept


def of(path: str, complain: Complain) -> Iterator[tuple[int, list[str]]]:
    """The lines of a trace, NDJSON or Parquet, a block at a time, and the number of the first. Raises InputError."""
    with opened(path) as stream:
        table = _is_table(stream)
        if not table:
            yield from blocks(stream, complain)
    if table:
        yield from trace_table.rows(standard_input().name if path == "-" else path, complain)


def _is_table(stream: BufferedIOBase) -> bool:
    if isinstance(stream, gzip.GzipFile):
        return False
    found = stream.read(len(trace_table.MAGIC)) == trace_table.MAGIC
    stream.seek(0)
    return found


def blocks(stream: BufferedIOBase, complain: Complain) -> Iterator[tuple[int, list[str]]]:
    """Lines without their ends, and the number of the first; a line that cannot be used is empty."""
    number, rest = 1, b""
    while True:
        try:
            block = stream.read1(BLOCK)
        except (OSError, EOFError, zlib.error):
            complain(number + rest.count(b"\n"), "the file is cut off or damaged here; what follows cannot be read")
            block = b""
        if not block:
            break
        cut = block.rfind(b"\n")
        if cut < 0:
            if len(rest) <= LONGEST:
                rest += block
            continue
        lines = _decoded(rest + block[:cut], number, complain)
        yield number, lines
        number, rest = number + len(lines), block[cut + 1 :]
    if rest.strip():
        yield number, _decoded(rest, number, complain)


def _decoded(text: bytes, number: int, complain: Complain) -> list[str]:
    if number == 1:
        text = text.removeprefix(b"\xef\xbb\xbf")
    try:
        lines = text.decode().replace("\r\n", "\n").removesuffix("\r").split("\n")
    except UnicodeDecodeError:
        lines = [_line(raw, n, complain) for n, raw in enumerate(text.split(b"\n"), number)]
    if len(text) > LONGEST:
        for index, line in enumerate(lines):
            if len(line) > LONGEST:
                complain(number + index, f"the line is longer than {LONGEST >> 20} MiB")
                lines[index] = ""
    return lines


def _line(raw: bytes, number: int, complain: Complain) -> str:
    try:
        return raw.decode().removesuffix("\r")
    except UnicodeDecodeError as error:
        complain(number, f"not UTF-8: byte 0x{raw[error.start]:02x} at offset {error.start} of the line")
        return ""


def last(path: str) -> str:
    """The last line that is not empty, as far as it can be read."""
    with opened(path) as stream:
        if not isinstance(stream, gzip.GzipFile) and not _is_table(stream):
            stream.seek(max(0, stream.seek(0, 2) - LONGEST))
            lines = stream.read().splitlines()
            return next((line.decode(errors="replace") for line in reversed(lines) if line.strip()), "")
    found = ""
    for _, block in of(path, lambda _number, _why: None):
        found = next((line for line in reversed(block) if line.strip()), found)
    return found
