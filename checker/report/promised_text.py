"""The block Promises of the text screens: what is broken first, what is kept in few lines. Made from `promised.Told` only.

Where there is too much, less is said in fixed steps (`_LEVELS`), and the heading says so; `verbose` says everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..promised import Promised
from ..results import Verification
from .layout import entry, items, paragraph, shorten
from .options import Options
from .promised import Told, tally, told, word
from .words import numbers, of_promise, rests_on, suggested

_LEVELS = {0: 48, 1: 48, 2: 60, 3: 90, 4: 60, 5: 60}
"""Each step with the lines it may take. 0 as designed; 1 tells the kept ones in a line each; from 2 on they are only named;
3 tells of each that is not kept the numbers and what mends it, for one share; 4 leaves a line to each; 5 tells of few."""
_FEW = 20
_CODE = 12
"""Letters of an id that are shown."""
_PARTS = 3
"""Shares of one promise that are told of."""
_NAMED = 60


def block(verification: Verification, options: Options, title: str = "Promises", *, named: bool = False) -> list[str]:
    """An empty line, a heading, and an entry for each promise; nothing where there are none.

    With `named` those that nobody has to look at are only named.
    """
    every = told(verification, options)
    if not every:
        return []
    lines: list[str] = []
    for level in [-1] if options.verbose else [level for level in _LEVELS if level >= (2 if named else 0)]:
        lines = ["", *_block(title, every, verification, options, level)]
        if len(lines) <= _LEVELS.get(level, 0):
            break
    return lines


def _block(
    title: str, every: Sequence[Told], verification: Verification, options: Options, level: int
) -> Iterator[str]:
    """`level` -1: everything."""
    decisive = [t for t in every if t.decisive]
    others = [t for t in every if not t.decisive]
    shown = decisive if level < 5 else decisive[:_FEW]
    cut = level > 0 or (level == 0 and any(len(t.parts) > 1 for t in every))
    yield from entry(title, f"  {tally(every)}{'  (--verbose: every share and reason)' if cut else ''}")
    for one in shown:
        below = _below(one, verification, options, level) if level < 4 else ()
        yield from [*list(_head(one, level))[: 1 if level >= 4 else None], *below]
    if len(shown) < len(decisive):
        yield from paragraph(f"{len(decisive) - len(shown)} more: --verbose")
    if level < 2:
        for one in others:
            yield from [*_head(one, level), *(_below(one, verification, options, level) if level < 1 else ())]
        return
    for said in dict.fromkeys(t.word for t in others):
        codes = [shorten(t.code, _CODE) for t in others if t.word == said]
        more = [f"{len(codes) - _NAMED} more"] if len(codes) > _NAMED else []
        yield from items("", [*codes[:_NAMED], *more], f"{said}: ")


def _head(one: Told, level: int) -> Iterator[str]:
    if level < 0:
        yield from entry(one.code, one.says, f"{one.place}  {one.word}" if one.place else one.word)
    else:
        yield from entry(shorten(one.code, _CODE), one.says, one.word)


def _below(one: Told, verification: Verification, options: Options, level: int) -> Iterator[str]:
    """What stands below a promise: of a broken one all that a reader needs, of a kept one the numbers."""
    if level < 0:
        first = one.parts[0]
        yield from paragraph(f"owner {first.owner}" + (f"; why: {first.why}" if first.why else ""))
        for part in one.parts:
            yield from paragraph(f"{part.term}: {word(part, options)}")
            for line in of_promise(part, verification.began.assumed, options.out):
                yield from paragraph(line)
        return
    chosen = _chosen(one, options)
    if not one.decisive:
        valid = f"In force {one.parts[0].valid}." if one.parts[0].valid else ""
        under = rests_on(chosen[0].result, verification.began.assumed)
        yield from paragraph(" ".join(said for said in (numbers(chosen[0]), under, valid) if said))
        return
    if level == 3:
        for line in (numbers(chosen[0]), suggested(chosen[0])):
            yield from paragraph(line)
        return
    said = dict.fromkeys(line for part in chosen for line in of_promise(part, verification.began.assumed, options.out))
    for line in said:
        yield from paragraph(line)
    if len(chosen) < len(one.parts):
        yield from paragraph(f"{len(one.parts) - len(chosen)} more judged: --verbose")


def _chosen(one: Told, options: Options) -> Sequence[Promised]:
    """Of a promise that is not kept the terms and shares for which it is not, the first few."""
    return ([p for p in one.parts if word(p, options) == one.word] or one.parts)[:_PARTS]
