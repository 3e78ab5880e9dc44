"""The part of an HTML report that only `conform` has: what was declared and tried, and how to do it again."""

from __future__ import annotations

from collections.abc import Iterator

from ...spec.rules.guarantees import GUARANTEES
from ..results import Result, Verification
from .conformed import OTHERS, SCENARIO, declaration, effort, lost, short
from .hypertext import Tag, listed, section, table, tag

_HEADS = ("code", "guarantee", "verdict", "came up")


def declared(verification: Verification) -> list[Tag]:
    """What the backend said of itself; nothing for another command. `verification` is plain already."""
    if verification.conformed is None or verification.conformed.declared is None:
        return []
    return listed([line] for line in declaration(verification.conformed.declared))


def told(verification: Verification) -> Iterator[Tag]:
    """What each promise and each scenario came to, what was tried, how to do it again; nothing for another command."""
    conformed = verification.conformed
    if conformed is None or not conformed.tried:
        return
    promises = [r for r in verification.results if r.code not in (SCENARIO, *OTHERS)]
    yield from section("Guarantees", table(_HEADS, [_promise(r) for r in promises], (3,)))
    tried = ([tag("strong", t.part), f" {effort(t)}"] for t in conformed.tried)
    yield from section("Tried", listed(tried))
    if conformed.lost:
        yield from section("What it was not told", listed([lost(it)] for it in conformed.lost))
    again = ([f"{a.what}: ", tag("code", a.line)] for a in conformed.again)
    yield from section("How to reproduce", listed(again))
    scenarios = [[r.subject, short(r), r.because] for r in verification.results if r.code == SCENARIO]
    yield from section("Scenarios", table(("scenario", "verdict", "what"), scenarios))


def _promise(r: Result) -> list[str]:
    known = GUARANTEES.get(r.code)
    return [r.code, known.name if known else "", short(r), f"{r.count:,}"]
