"""Lines and columns of published traces, with their places: what every reader of this folder reads from.

A file may be compressed with gzip (.gz). A number that is absent, -1 where the format says so, or empty is None; anything
else that is no number is an InputError. Trusted: nothing.
"""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError, listed, shown

_NUMBER = re.compile(r"-?\d{1,12}(\.\d{1,12})?", re.ASCII)
_LONGEST = 1 << 16
"""Characters of a line; a row of these formats has a few hundred."""


@dataclass(frozen=True)
class Row:
    """One line, its values by column."""

    file: str
    line: int
    values: Mapping[str, str]

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"

    def error(self, column: str, what: str, *, why: str, fix: str) -> InputError:
        return InputError(what, where=f"{self.place}, {column}", why=why, fix=fix)

    def text(self, column: str) -> str:
        """The value; '' for a column that the file lacks."""
        return self.values.get(column, "").strip()

    def needs(self, column: str) -> str:
        """The value, which may not be empty."""
        value = self.text(column)
        if not value:
            raise self.error(column, f"{column} is empty", why="Nothing else in the row says it.", fix="fill it in.")
        return value

    def number(self, column: str) -> float | None:
        """A number, None where the source does not record it."""
        value = self.text(column)
        if not value:
            return None
        if not _NUMBER.fullmatch(value):
            raise self.error(
                column,
                f"{column} is {shown(value)}, not a number",
                why="Times are in seconds and sizes in counts, written as plain decimals.",
                fix="write a number such as 12 or 0.5, or leave the field empty.",
            )
        return float(value)

    def given(self, column: str) -> float:
        """A number that has to be there."""
        self.needs(column)
        return self.number(column) or 0.0

    def count(self, column: str) -> int:
        """A whole number, not negative, that has to be there."""
        value = self.given(column)
        if value < 0 or value % 1:
            raise self.error(
                column,
                f"{column} is {shown(self.text(column))}, not a count",
                why="It counts whole things.",
                fix="write a whole number that is not negative.",
            )
        return int(value)


def ms(seconds: float) -> int:
    """Seconds in milliseconds."""
    return round(seconds * 1000)


def lines(path: str) -> Iterator[tuple[int, str]]:
    """The lines of a text file with their numbers. Raises InputError."""
    name, number = Path(path).name, 0
    if "\0" in path or not path:
        raise InputError(
            f"{shown(path)} is not a path", where="command line", why="No file has such a name.", fix="name a file."
        )
    try:
        with gzip.open(path, "rb") if path.endswith(".gz") else Path(path).open("rb") as file:
            while raw := file.readline(_LONGEST):
                number += 1
                if len(raw) == _LONGEST:
                    raise InputError("the line is too long", where=f"{name}:{number}",
                                     why="No row of a trace is.", fix="give the file as it was published.")  # fmt: skip
                yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise InputError(
            "not text in UTF-8", where=f"{name}:{number}", why="The rest of it cannot be read.", fix="save it as UTF-8."
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        what = getattr(error, "strerror", None) or str(error) or "it is cut off"
        raise InputError(f"cannot be read: {what}", where=f"{name}:{number}" if number else path,
                         why="A part of a workload is no workload.", fix="give a file that can be read to its end.",
                         ) from None  # fmt: skip


def table(path: str) -> Iterator[Row]:
    """The rows of a CSV file with a header. Raises InputError."""
    name = Path(path).name
    reader = csv.reader((text for _, text in lines(path)), strict=True)
    header: list[str] = []
    try:
        for fields in reader:
            if not fields:
                continue
            if not header:
                header = [field.strip() for field in fields]
                twice = next((column for column in header if column and header.count(column) > 1), None)
                if twice is not None:
                    raise InputError(f"two columns have the name {shown(twice)}", where=f"{name}:{reader.line_num}",
                                     why="Which of them counts is not known.", fix="name them apart.")  # fmt: skip
                continue
            if len(fields) != len(header):
                raise InputError(
                    f"{len(fields)} fields under a header of {len(header)}",
                    where=f"{name}:{reader.line_num}",
                    why="Which value belongs to which column cannot be known.",
                    fix="give every row a value, or nothing between two commas, for each column.",
                )
            yield Row(name, reader.line_num, dict(zip(header, fields, strict=True)))
    except csv.Error as error:
        raise InputError(
            f"not valid CSV: {error}", where=f"{name}:{reader.line_num}", why="The rest of the file cannot be read.",
            fix="close every quotation mark.",
        ) from None  # fmt: skip


def header(path: str) -> Sequence[str]:
    """The columns of a CSV file; of anything else, the words of its first line."""
    first = next((text for _, text in lines(path) if text.strip()), "")
    return [field.strip() for field in first.split(",")]


def unknown(path: str, columns: Sequence[str], known: Mapping[str, Sequence[str]]) -> InputError:
    """The error for a file of no known format."""
    forms = "; ".join(f"{what}: {', '.join(needed)}" for what, needed in known.items())
    return InputError(
        f"its first line is no known header: {listed(columns, most=6)}" if any(columns) else "it is empty",
        where=Path(path).name,
        why="A trace is known by its columns.",
        fix=f"give a file in the Standard Workload Format, or a CSV with the columns of {forms}.",
    )
