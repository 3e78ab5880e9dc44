"""Files that show that a promise is kept, such as reports of drills: which there are, and which day each is about.

They are looked for below the folder of the file of promises, and nowhere else: no pattern leads out of it and no link is
followed. A file is dated by an ISO date in its path, else in a line "date: 2026-10-01" among its first ones; never by when
it was written. Trusted: nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath, PureWindowsPath

from ..errors import InputError, shown

_DATE = re.compile(r"(?<![0-9])([0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9])")
_LINE = re.compile(r"^[\W_]*date[\W_]*[:=]\W*([0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9])", re.IGNORECASE | re.MULTILINE)
_FIRST = 4096
"""Bytes of a file that are looked at."""
_LINES = 20
MOST = 10_000
"""Files and folders that are looked at."""


@dataclass(frozen=True)
class Dated:
    """A file: its path below the folder, and the day that it is about; None where nothing says it."""

    path: str
    day: date | None


@dataclass
class _Left:
    """How many entries may still be looked at."""

    entries: int = field(default=MOST)


def evidence(folder: str, pattern: str, *, place: str) -> tuple[Dated, ...]:
    """The files that match, by path. `place` is where the pattern stands. Raises InputError for one that leads out of the
    folder, or to too many files.
    """
    parts = folders(pattern, place)
    left = _Left()
    found = {path.relative_to(folder).as_posix(): path for path in _walk(Path(folder), parts, left, pattern, place)}
    return tuple(Dated(name, _day(name, found[name])) for name in sorted(found))


def folders(pattern: str, place: str) -> tuple[str, ...]:
    """The pattern folder by folder. Raises InputError for one that leads out of the folder that it starts in."""
    parts = PurePosixPath(pattern).parts
    out = PurePosixPath(pattern).is_absolute() or PureWindowsPath(pattern).drive or "\\" in pattern or "\0" in pattern
    if not parts or out or ".." in parts:
        raise InputError(
            f"{shown(pattern)} is no pattern of files below this folder",
            where=place,
            why="Evidence lies beside the promises, so that whoever reads them has it too.",
            fix="write a relative pattern such as drills/*.md, without .. and with /.",
        )
    return parts


def _walk(folder: Path, parts: Sequence[str], left: _Left, pattern: str, place: str) -> Iterator[Path]:
    if parts[0] == "**":
        yield from _walk(folder, parts[1:] or ("*",), left, pattern, place)
    for entry in _entries(folder, place):
        left.entries -= 1
        if left.entries < 0:
            raise InputError(
                f"{shown(pattern)} leads to more than {MOST:,} files and folders",
                where=place,
                why="Evidence is a few reports; looking through so much would take long.",
                fix="name the folder that the reports are in.",
            )
        if entry.name.startswith(".") and not parts[0].startswith("."):
            continue
        inside = entry.is_dir(follow_symlinks=False)
        if parts[0] == "**":
            if inside:
                yield from _walk(Path(entry.path), parts, left, pattern, place)
        elif fnmatchcase(entry.name, parts[0]):
            if inside and len(parts) > 1:
                yield from _walk(Path(entry.path), parts[1:], left, pattern, place)
            elif len(parts) == 1 and entry.is_file(follow_symlinks=False):
                yield Path(entry.path)


def _entries(folder: Path, place: str) -> list[os.DirEntry[str]]:
    """What a folder holds, by name."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(
            f"the folder {shown(folder.name)} cannot be read: {(error.strerror or 'it cannot be opened').lower()}",
            where=place,
            why="Evidence in it would be overlooked.",
            fix="check that it is a folder that you may read.",
        ) from None


def _day(name: str, path: Path) -> date | None:
    """The last date in the path, else the first one that a line gives."""
    for said in reversed(_DATE.findall(name)):
        if (day := _of(said)) is not None:
            return day
    try:
        with path.open("rb") as stream:
            text = stream.read(_FIRST).decode("utf-8", "replace")
    except OSError:
        return None
    first = "\n".join(text.splitlines()[:_LINES])
    return next((day for said in _LINE.findall(first) if (day := _of(said)) is not None), None)


def _of(said: str) -> date | None:
    try:
        return date.fromisoformat(said)
    except ValueError:
        return None
