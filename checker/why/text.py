"""A page on a terminal: ASCII, at most 100 columns, long names shortened in tables."""

from __future__ import annotations

from collections.abc import Iterator

from ..report.layout import WIDTH, Grid, entry, paragraph, plain, shorten
from .page import Block, Foot, Head, Page, Part, Table

_LABEL = 16
_WIDEST = 40
"""Of a cell of a table, the last column's excepted."""


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
    columns = [c for k, c in enumerate(table.columns) if any(r[k] for r in table.rows)]
    kept = [k for k, c in enumerate(table.columns) if c in columns]
    rows = [[shorten(r[k], _WIDEST) if k != kept[-1] else r[k] for k in kept] for r in table.rows]
    if not rows:
        return
    grid = Grid.fit(columns, rows)
    if grid.below:
        rows = [[*(shorten(c, 20) for c in r[:-1]), r[-1]] for r in rows]
        grid = Grid.fit(columns, rows)
    yield from (line.rstrip() for line in grid.heading())
    for row in rows:
        yield from grid.row(row)
    for note in table.notes:
        yield from paragraph(note, 2)
