"""The block Promises of the text screens. Made from `promised.Told` only; `level` as in `text`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..promised import Promised
from ..results import Verification
from .layout import INDENT, WIDTH, entry, items, paragraph, shorten
from .options import Options
from .promised import Told, tally, told, word
from .words import numbers, of_promise

CODE = 12
"""Letters of an id that are shown."""
MOST_PARTS = 3
"""Shares of one promise that are told of, unless everything is asked for."""
_BRIEF = 6
_MOST = 3


def block(verification: Verification, options: Options, level: int, heading: str = "Promises  ") -> Iterator[str]:
    """A heading, and an entry for each promise; from level 2 on those that nobody need look at are only named, and from
    level 6 on few have more than a line."""
    every = told(verification, options)
    if not every:
        return
    decisive = [t for t in every if t.decisive]
    others = [t for t in every if not t.decisive]
    shown = decisive if level < _BRIEF else decisive[:_MOST]
    hint = "" if level < 0 or (level < 2 and not _cut(every)) else "  (--verbose: every share and reason)"
    first = f"{heading} {tally(every)}"
    fits = len(first + hint) <= WIDTH
    yield from ["", f"{first}{hint}" if fits else shorten(first, WIDTH)]
    if hint and not fits:
        yield from paragraph(hint.strip())
    for one in shown:
        lines = [*_head(one, level), *_below(one, verification, options, level)]
        yield from lines[:1] if level >= _BRIEF else lines
    if len(shown) < len(decisive):
        yield from paragraph(f"{len(decisive) - len(shown)} more: --verbose")
    if level < 2:
        for one in others:
            yield from [*_head(one, level), *_below(one, verification, options, level)]
        return
    for said in dict.fromkeys(t.word for t in others):
        named = [shorten(t.code, CODE) for t in others if t.word == said]
        yield from items("", named if level < _BRIEF else named[:8], f"{said}: ")
        if level >= _BRIEF and len(named) > 8:
            yield from paragraph(f"{len(named) - 8} more: --verbose")


def _head(one: Told, level: int) -> Iterator[str]:
    code = one.code if level < 0 else shorten(one.code, CODE)
    yield from entry(code, one.says, f"{one.place}  {one.word}" if level < 0 else one.word)


def _below(one: Told, verification: Verification, options: Options, level: int) -> Iterator[str]:
    chosen = _parts(one, options, level)
    if level < 0:
        first = one.parts[0]
        yield from paragraph(f"owner {first.owner}" + (f"; why: {first.why}" if first.why else ""))
    if not one.decisive and level >= 0:
        said = numbers(chosen[0]) if level < 1 else ""
        valid = f"In force {one.parts[0].valid}." if one.parts[0].valid else ""
        yield from paragraph(" ".join(part for part in (said, valid) if part))
        return
    told_already: set[str] = set()
    for part in chosen:
        for line in of_promise(part, verification.began.assumed, options.out):
            mark = f"{part.term}, {word(part, options)}: " if level < 0 and line == numbers(part) else ""
            if line not in told_already:
                yield from paragraph(f"{mark}{line}", INDENT)
            told_already.add(line)
    if len(chosen) < len(one.parts) and level < 2:
        yield from paragraph(f"{len(one.parts) - len(chosen)} more judged: --verbose")


def _parts(one: Told, options: Options, level: int) -> Sequence[Promised]:
    """Of a promise that is not kept, the terms and shares for which it is not."""
    if level < 0:
        return one.parts
    same = [p for p in one.parts if word(p, options) == one.word] or one.parts
    return same[:MOST_PARTS]


def _cut(every: Sequence[Told]) -> bool:
    """Whether some share of some promise is not told of."""
    return any(len(t.parts) > 1 for t in every)
