"""The section on promises as Markdown: one row for each promise, term and share."""

from __future__ import annotations

from collections.abc import Iterator

from ..results import Verification
from .markdown import escaped
from .options import Options
from .promised import HEADS, cells, tally, told


def section(verification: Verification, options: Options) -> Iterator[str]:
    """Nothing where there are no promises."""
    rows = cells(verification, options)
    if rows:
        yield from ["", "### Promises", "", f"{escaped(tally(told(verification, options)))}", ""]
        yield f"| {' | '.join(HEADS)} |"
        yield "|---|---|---|---|---|"
        for row in rows:
            yield f"| {' | '.join(map(escaped, row))} |"
