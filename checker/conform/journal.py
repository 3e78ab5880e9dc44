"""What a campaign has done so far, on disk: a killed campaign goes on where it was.

One line of JSON for the plan, then one for each finished batch, each written whole and forced to the disk before the
campaign relies on it. A last line that is torn is a batch that was not finished; anything else that is wrong is an error.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from ...spec.formats.errors import InputError
from .batch import Batch

NAME = "campaign.ndjson"


class Journal:
    """Append-only. `header` says which campaign it is of; only a journal of the same campaign is gone on with. Where that is
    not asked for, one that is there is put aside."""

    def __init__(self, path: Path, header: Mapping[str, Any], *, resume: bool) -> None:
        """Raises InputError when the journal is of another campaign or cannot be read or written."""
        self.path = path
        self.done: tuple[Mapping[str, Any], ...] = ()
        keep = 0
        try:
            if resume and path.exists():
                keep, lines = _whole(path)
                self.done = tuple(_batches(path, header, lines))
            elif path.exists():
                path.replace(path.with_suffix(f".before{path.suffix}"))
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = path.open("r+b" if keep else "wb")
            self._file.truncate(keep)
            self._file.seek(keep)
        except OSError as error:
            raise InputError("the journal of the campaign cannot be used", where=str(path), why=str(error.strerror),
                             fix="name another folder with --out DIR.") from error  # fmt: skip
        if not keep:
            self.write(header)

    def write(self, line: Mapping[str, Any]) -> None:
        """One line more, safe on the disk when this returns. Raises InputError."""
        try:
            self._file.write(f"{json.dumps(line, separators=(',', ':'))}\n".encode())
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._file.close()
            raise InputError("the journal of the campaign cannot be written", where=str(self.path), why=str(error.strerror),
                             fix="make room, or name another folder with --out DIR.") from error  # fmt: skip

    def batches(self) -> Iterator[tuple[Batch, float]]:
        """What was done, and how long the campaign had taken by then. Raises InputError."""
        for number, line in enumerate(self.done, 2):
            try:
                batch, seconds = Batch.read(line["batch"]), float(line["seconds"])
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise _wrong(self.path, number, f"the line is no batch ({type(error).__name__}: {error})") from None
            yield batch, seconds

    def close(self) -> None:
        """Nothing more is to be written."""
        with suppress(OSError):
            self._file.close()


def _whole(path: Path) -> tuple[int, list[bytes]]:
    """The lines that end, and how many bytes they take."""
    data = path.read_bytes()
    end = data.rfind(b"\n") + 1
    return end, data[:end].splitlines()


def _batches(path: Path, header: Mapping[str, Any], lines: Iterable[bytes]) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(lines, 1):
        try:
            found = json.loads(line)
        except ValueError:
            raise _wrong(path, number, "the line is not JSON") from None
        if not isinstance(found, dict):
            raise _wrong(path, number, "the line is not an object")
        if number > 1:
            yield found
        elif found != header:
            other = [k for k in {**header, **found} if found.get(k) != header.get(k)]
            said = ", ".join(f"{k} {found.get(k)!r} there, {header.get(k)!r} asked for" for k in other)
            raise InputError("it is the journal of another campaign", where=f"{path}:1", why=f"{said}.",
                             fix="ask for the same campaign, or leave out --resume to begin anew.")  # fmt: skip


def _wrong(path: Path, line: int, what: str) -> InputError:
    return InputError(what, where=f"{path}:{line}", why="Nobody knows what it stood for.",
                      fix="leave out --resume to begin anew.")  # fmt: skip
