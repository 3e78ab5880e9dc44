"""Where a file stands, for reports that leave this machine: relative to the current folder, or absolute outside of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from ..results import Source


def located(path: str) -> str:
    """`path` as seen from the current folder; absolute where it is not below it. "-" and "" stay."""
    if path in ("-", "") or "\0" in path:
        return path
    here = Path.cwd()
    absolute = Path(os.path.normpath(here / path))
    return str(absolute.relative_to(here) if absolute.is_relative_to(here) else absolute)


def uri(path: str) -> str:
    """The path as a URI reference: relative with forward slashes, or absolute with the scheme `file`."""
    where = Path(located(path))
    text = where.as_posix()
    encoded = text.encode("utf-8", "surrogateescape" if _decoded(text) else "surrogatepass")
    quoted = quote(encoded)
    if not where.is_absolute():
        return quoted
    return f"file://{quoted}" if quoted.startswith("/") else f"file:///{quoted}"


def _decoded(text: str) -> bool:
    """True when surrogates stand only for bytes of a file name that is not UTF-8."""
    return not any("\ud800" <= c <= "\udfff" and not "\udc80" <= c <= "\udcff" for c in text)


def found(place: str, sources: Sequence[Source]) -> tuple[Source | None, int]:
    """The source and the line that a place, "file:line", names; no source where it names none, and line 1 without one."""
    name, _, line = place.rpartition(":")
    if not (name and line.isascii() and line.isdigit()):
        name, line = place, "1"
    return next((s for s in sources if s.name == name), None), max(int(line), 1)
