"""Which unit somebody means: its full name, or any part of it that only one unit has, such as p5 for ml.p5.48xlarge.

A part between dots counts before a part within one: of ml.p5.48xlarge and ml.p5e.48xlarge, p5 is the first. Used by files
of promises and by options such as SHARE.UNIT=N. Trusted: nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .errors import InputError, listed, nearest, shown


def candidates(text: str, units: Iterable[str]) -> Sequence[str]:
    """The units that `text` may mean: one where it is clear, several where it is not, none where nothing fits."""
    known = list(dict.fromkeys(units))
    if text in known:
        return [text]
    if not text.strip("."):
        return []
    between = [u for u in known if f".{text}." in f".{u}."]
    return between or [u for u in known if text in u]


def unit_of(part: str, units: Iterable[str], *, where: str) -> str:
    """The unit that `part` means among `units`. Raises InputError, with `where` as its place."""
    known = list(dict.fromkeys(units))
    found = candidates(part, known)
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(
            f"{shown(part)} is a part of {len(found)} units: {listed(found)}",
            where=where,
            why="Nothing says which of them is meant.",
            fix=f"write more of it, for example {found[0]}.",
        )
    close = nearest(part, known) or nearest(part, {c: u for u in known for c in u.split(".")})
    full = next((u for u in known if close and (u == close or close in u.split("."))), "")
    raise InputError(
        f"there is no unit {shown(part)}",
        where=where,
        why=f"The queue's units are {listed(known)}." if known else "The queue has no unit.",
        fix=f"did you mean {full}?" if full else "write one of them, or a part that only one of them has.",
    )
