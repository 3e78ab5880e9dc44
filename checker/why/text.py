"""A page on a terminal: ASCII, at most 100 columns; in tables long cells go on below, longer names are shortened."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from ..report.layout import WIDTH, Grid, entry, paragraph, plain, shorten
from .page import Block, Choices, Foot, Head, Page, Part, Table

_LABEL = 16
_WIDTHS = (*range(48, 10, -2), 10)
"""Of a cell of a table, the most generous first."""
_CHANGE = 40


def write(page: Page) -> str:
    """The whole text."""
    lines: list[str] = []
    was: Block | None = None
    for block in plain(page):
        if was is not None and (not isinstance(block, Part) or not isinstance(was, Part)):
            lines.append("")
        lines += _block(block)
        was = block
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Head():
            yield from _head(block)
        case Table():
            yield from _table(block)
        case Part():
            first, *rest = paragraph(" ".join(block.sentences), _LABEL) or [""]
            yield f"{block.label:<{_LABEL - 1}} {first.strip()}"
            yield from rest
        case Choices():
            yield from _choices(block)
        case Foot():
            right = f"exit {block.exit_code}"
            yield from entry("", block.text, right)


def _head(head: Head) -> Iterator[str]:
    name = shorten(head.name, 60)
    line = f"{name}   {head.about}"
    if len(line) + len(head.right) + 3 <= WIDTH:
        yield f"{line:<{WIDTH - len(head.right)}}{head.right}"
    else:
        yield name
        yield from paragraph(head.about, 4)
        yield from paragraph(head.right, 4)
    for more in head.more:
        yield from paragraph(more, min(len(name) + 3, 20))


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield from paragraph(table.title, 0)
    if table.rows:
        grid, rows = _fitted(table)
        yield from grid.heading()
        for row in rows:
            yield from grid.row(row)
    for note in table.notes:
        yield from paragraph(note, 2)


def _fitted(table: Table) -> tuple[Grid, list[list[str]]]:
    """The widest cells with which the table is not too wide."""
    for widest in _WIDTHS:
        rows = [line for row in table.rows for line in _wrapped(row, widest)]
        grid = Grid.fit(table.columns, rows)
        if not grid.below or widest == _WIDTHS[-1]:
            return grid, rows
    raise AssertionError(_WIDTHS)


def _wrapped(row: Sequence[str], widest: int) -> Iterator[list[str]]:
    """A row as lines. Cells break between words, so that a name is cut only where it is longer than a cell."""
    cells = [" ".join(shorten(word, widest) for word in cell.split(" ")) for cell in row]
    lines = [[cell] if len(cell) <= widest else textwrap.wrap(cell, widest, break_on_hyphens=False) for cell in cells]
    yield from map(list, zip_longest(*lines, fillvalue=""))


def _choices(choices: Choices) -> Iterator[str]:
    yield choices.title
    width = min(_CHANGE, max((len(change) for change, _, _ in choices.rows), default=0))
    for change, result, hint in choices.rows:
        said = f"{result}{f' ({hint})' if hint else ''}"
        first, *rest = paragraph(said, width + 4)
        left = paragraph(change, 2)
        if len(left) == 1 and len(change) <= width:
            yield f"  {change:<{width}}  {first.strip()}"
        else:
            yield from left
            yield first
        yield from rest
