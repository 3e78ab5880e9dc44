"""What would help a job, in sentences: changes that do, with what comes of them, and one line for those that do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .claimants import CROSS, IN_SHARE
from .page import Choices, Part, named
from .told import Help, Outcome

_NO_HELP = 3
_TITLE = "What would help (simulated on the reference from this state)"


def helps_page(helps: Sequence[Help]) -> Iterator[Choices | Part]:
    """The changes that improve something, then those that were tried in vain."""
    rows = tuple((h.change, _result(h), h.hint) for h in helps if h.rank != _NO_HELP)
    if rows:
        yield Choices(_TITLE, rows)
    why: dict[str, list[str]] = {}
    for h in helps:
        if h.rank == _NO_HELP:
            why.setdefault(_because(h), []).append(h.change)
    if why:
        tried = [f"{named(changes, most=len(changes))}, because {reason}" for reason, changes in why.items()]
        yield Part("Tried, no help", (f"{'; '.join(tried)}.",))


def starts(outcome: Outcome) -> str:
    """When a job starts that does."""
    if not outcome.waits_for:
        return "starts at once"
    have = "has" if len(outcome.waits_for) == 1 else "have"
    return f"starts when {named(outcome.waits_for)} {have} stopped"


def _result(help_: Help) -> str:
    outcome = help_.outcome
    shares = [t.share for t in outcome.threats if t.kind == CROSS]
    if help_.own:
        return "no job of its own share can stop it then" + (f"; {named(shares)} still can" if shares else "")
    safe = "no single arrival could stop it then" if outcome.borrows else "no other share can stop it then"
    after = f"can be stopped by {named(shares)}" if shares else safe
    if any(t.kind == IN_SHARE for t in outcome.threats):
        after += "; a job of its own share can still stop it"
    return after if help_.keeps else f"{starts(outcome)}; {after}"


def _because(help_: Help) -> str:
    """Why a change does not help. AWS's words say what kind of reason it is, then the reason."""
    outcome = help_.outcome
    if outcome.round:
        return "the reference goes round and what comes of it is not known"
    if outcome.never:
        return f"it can never run so ({outcome.never.rpartition(' - ')[2].rstrip('.')})"
    if outcome.starts:
        shares = list(dict.fromkeys(t.share for t in outcome.threats))
        return f"{named(shares)} can stop it all the same" if shares else "that changes nothing"
    return outcome.because or "it does not run then"
