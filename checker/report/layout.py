"""Plain text on a terminal: harmless, at most `WIDTH` wide, ASCII. Knows nothing of shares.

`plain` must be applied before anything else: the rest of the text report trusts that no string holds a control
character or anything else that a terminal acts on.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar, cast

WIDTH = 100
INDENT = 8
_GLUE = "\0"
"""A blank at which no line is broken; no plain text has it."""
T = TypeVar("T")


def plain(value: T) -> T:
    """A copy of a string, container or dataclass in which every character outside printable ASCII is a \\ escape."""
    return cast("T", _plain(value))


def _plain(value: Any) -> Any:
    if type(value) is str:
        return value if value.isascii() and value.isprintable() else "".join(map(_character, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _plain(getattr(value, f.name)) for f in fields(value)})
    if isinstance(value, tuple):
        return tuple(_plain(v) for v in cast("tuple[Any, ...]", value))
    if isinstance(value, Mapping):
        return {_plain(k): _plain(v) for k, v in cast("Mapping[Any, Any]", value).items()}
    return value


def _character(c: str) -> str:
    return c if " " <= c <= "~" else c.encode("unicode_escape", "surrogatepass").decode("ascii")


def shorten(text: str, width: int) -> str:
    """`text`, with ... in its middle when it is longer than `width`."""
    if len(text) <= width:
        return text
    tail = max(0, (width - 3) // 2)
    return f"{text[: width - 3 - tail]}...{text[len(text) - tail :]}"[:width]


def stopped(sentence: str) -> str:
    """The sentence with its full stop, where it does not end with a mark of its own."""
    return sentence if sentence.endswith(("?", ".")) else f"{sentence}."


def paragraph(text: str, indent: int = INDENT) -> list[str]:
    """`text` wrapped behind a margin. Runs of blanks are kept."""
    return [f"{'':{indent}}{line}" for line in textwrap.wrap(text, WIDTH - indent, break_on_hyphens=False)]


def entry(first: str, text: str, right: str = "") -> list[str]:
    """`first` in the margin, `text` wrapped beside it, and `right` at the right edge of the first line."""
    room = max(WIDTH - INDENT - len(right) - 2, 30) if right else WIDTH - INDENT
    narrower = max(0, len(first) + 1 - INDENT)
    lines = textwrap.wrap(text, room - narrower, break_on_hyphens=False) or [""]
    top = f"{first:<{INDENT - 1}} {lines[0]}"
    top = f"{top:<{INDENT + room}}  {right}" if right else top
    return [top.rstrip(), *(f"{'':{INDENT}}{line}" for line in lines[1:])]


def items(first: str, listed: Sequence[str], opening: str = "") -> list[str]:
    """`first` in the margin, and beside it what is listed; no item is parted."""
    whole = f"{opening}{', '.join(item.replace(' ', _GLUE) for item in listed)}"
    return [line.replace(_GLUE, " ") for line in entry(first, whole)]


@dataclass(frozen=True)
class Column:
    """A column: its heading, and whether its cells stand at the right."""

    heading: str
    right: bool = False


@dataclass(frozen=True)
class Grid:
    """Cells set in columns at most `WIDTH` wide. The last column goes to lines of its own when there is no room."""

    columns: Sequence[Column]
    widths: Sequence[int]
    gap: int
    stacked: bool
    below: bool

    @classmethod
    def fit(cls, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> Grid:
        """The most generous layout that is not too wide for `rows`."""
        cells = [max((len(r[k]) for r in rows), default=0) for k in range(len(columns))]
        single = [max(w, len(c.heading)) for w, c in zip(cells, columns, strict=True)]
        double = [max(w, *map(len, c.heading.split(" ", 1))) for w, c in zip(cells, columns, strict=True)]
        double[-1] = single[-1]
        choices = [(single, 3, False), (single, 2, False), (double, 3, True), (double, 2, True)]
        for widths, gap, stacked in choices:
            if sum(widths) + gap * (len(widths) - 1) <= WIDTH:
                return cls(columns, widths, gap, stacked, below=False)
        gap = 2 if sum(double[:-1]) + 2 * (len(double) - 2) <= WIDTH else 1
        return cls(columns, double, gap, stacked=True, below=True)

    def heading(self) -> Iterator[str]:
        if not self.stacked:
            yield self._line([c.heading for c in self.columns])
            return
        last = len(self.columns) - 1
        halves = [["", c.heading] if " " not in c.heading or k == last else c.heading.split(" ", 1)
                  for k, c in enumerate(self.columns)]  # fmt: skip
        yield self._line([h[0] for h in halves])
        yield self._line([h[1] for h in halves])

    def row(self, cells: Sequence[str]) -> Iterator[str]:
        yield self._line(cells)
        if self.below:
            yield from paragraph(cells[-1], INDENT + 4)

    def _line(self, cells: Sequence[str]) -> str:
        shown = cells[:-1] if self.below else cells
        triples = zip(shown, self.columns, self.widths, strict=False)
        text = [f"{cell:>{w}}" if c.right else f"{cell:<{w}}" for cell, c, w in triples]
        return (" " * self.gap).join(text).rstrip()
