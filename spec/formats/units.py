"""Which unit somebody means: its full name, or any part of it that only one unit has, such as p5 for ml.p5.48xlarge.

A part between dots counts before a part within one: of ml.p5.48xlarge and ml.p5e.48xlarge, p5 is the first. Used by files
of promises and by options such as SHARE.UNIT=N. Trusted: nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def candidates(text: str, units: Iterable[str]) -> Sequence[str]:
    """The units that `text` may mean: one where it is clear, several where it is not, none where nothing fits."""
    known = list(dict.fromkeys(units))
    if text in known:
        return [text]
    if not text.strip("."):
        return []
    between = [u for u in known if f".{text}." in f".{u}."]
    return between or [u for u in known if text in u]
