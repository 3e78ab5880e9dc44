"""The part of a Markdown report that only `conform` has: what was declared and tried, and how to do it again."""

from __future__ import annotations

from collections.abc import Iterator

from ..results import Verdict, Verification
from .conformed import declaration, effort, in_part, lost, of
from .markdown import escaped


def declared(verification: Verification) -> Iterator[str]:
    """What the backend said of itself; nothing for another command. `verification` is plain already."""
    if verification.conformed is None or verification.conformed.declared is None:
        return
    yield ""
    for line in declaration(verification.conformed.declared):
        yield f"- {escaped(line)}"


def told(verification: Verification) -> Iterator[str]:
    """What came up, what was tried, how to do it again; nothing for another command."""
    conformed = verification.conformed
    if conformed is None or not conformed.tried:
        return
    kept, never = of(verification, Verdict.KEPT), of(verification, Verdict.NEVER_CAME_UP)
    yield from ["", "### Guarantees", ""]
    yield f"- **kept** {escaped(', '.join(f'{r.code} {r.count:,}' for r in kept) or 'none')}"
    if part := in_part(verification):
        said = ", ".join(f"{r.code} {r.count:,}" for r in part)
        yield f"- **kept where they came up, with core scenarios skipped** {escaped(said)}"
    if never:
        yield f"- **never came up** {escaped(', '.join(r.code for r in never))}"
    yield from ["", "### Tried", ""]
    for t in conformed.tried:
        yield f"- **{escaped(t.part)}** {escaped(effort(t))}"
    if conformed.lost:
        yield from ["", "### What it was not told", ""]
        for it in conformed.lost:
            yield f"- {escaped(lost(it))}"
    yield from ["", "### How to reproduce", ""]
    for a in conformed.again:
        yield f"- {escaped(a.what)}: {escaped(a.line)}"
