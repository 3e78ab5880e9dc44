"""Units as people write them: the full instance type, or any part of it that means one unit only (p5).

Whole components between dots count before mere pieces, so that p5 is ml.p5.48xlarge also beside ml.p5e.48xlarge.
Trusted: nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from .errors import InputError, listed, nearest, shown


def unit_of(part: str, units: Iterable[str], *, where: str) -> str:
    """The unit that `part` means among `units`. Raises InputError, with `where` as its place."""
    known = list(dict.fromkeys(units))
    if part in known:
        return part
    found = [u for u in known if _components(part, u)] or [u for u in known if part and part in u]
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


def _components(part: str, unit: str) -> bool:
    """Whether `part` is made of whole components of `unit`, in order and side by side."""
    return bool(part) and f".{part}." in f".{unit}."
