"""A page as Markdown, for a pull request's comment or a ticket. Whatever comes from outside is text, never markup."""

from __future__ import annotations

from collections.abc import Iterator

from ..report.layout import plain
from ..report.markdown import escaped
from .page import Block, Choices, Head, Page, Part, Table


def write(page: Page) -> str:
    """The whole text."""
    blocks = [list(_block(block)) for block in plain(page)]
    return "\n".join("\n".join(lines) + "\n" for lines in blocks if lines)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Head():
            yield f"## {escaped(block.name)}"
            yield ""
            for line in (block.about, block.right, *block.more):
                if line:
                    yield f"{escaped(line)}  "
        case Table():
            yield from _table(block)
        case Choices():
            yield f"**{escaped(block.title)}**"
            yield ""
            for change, result, hint in block.rows:
                yield f"- {escaped(change)}: {escaped(result)}{f' ({escaped(hint)})' if hint else ''}"
        case Part():
            yield f"**{escaped(block.label)}** {escaped(' '.join(block.sentences))}"
        case _:
            yield f"{escaped(block.text)}, exit code {block.exit_code}"


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield escaped(table.title)
        yield ""
    if table.rows:
        yield f"| {' | '.join(escaped(c.heading) for c in table.columns)} |"
        yield f"|{'|'.join('--:' if c.right else '---' for c in table.columns)}|"
    for row in table.rows:
        yield f"| {' | '.join(escaped(cell) for cell in row)} |"
    for note in table.notes:
        yield ""
        yield escaped(note)
