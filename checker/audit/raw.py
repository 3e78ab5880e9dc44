"""The line of a file in which an observation stands, as it stands there. What cannot be read again is ''."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...spec.formats.errors import InputError
from ...spec.formats.trace_lines import blocks, opened
from ...spec.observations import History, Seen

LONGEST = 8000
"""Characters of a line that is one record; a longer one holds a whole file."""
SPREAD = 40
"""Lines over which a record may be spread."""


def raw_lines(history: History) -> Callable[[Sequence[Seen]], Sequence[str]]:
    """A function from observations to their lines, which reads each file once."""

    def lines(seen: Sequence[Seen]) -> Sequence[str]:
        wanted: dict[int, set[int]] = {}
        for one in seen:
            if one.line and one.file < len(history.paths):
                wanted.setdefault(one.file, set()).add(one.line)
        found = {(file, n): text for file, numbers in wanted.items()
                 for n, text in _read(history.paths[file], numbers).items()}  # fmt: skip
        return [found.get((one.file, one.line), "") for one in seen]

    return lines


def _read(path: str, numbers: set[int]) -> dict[int, str]:
    """The records that begin on these lines of one file."""
    needed = {n + more for n in numbers for more in range(SPREAD)}
    last, kept = max(needed), dict[int, str]()
    try:
        with opened(path) as stream:
            for first, lines in blocks(stream, _unused):
                kept.update((n, line) for n, line in enumerate(lines, first) if n in needed)
                if first + len(lines) > last:
                    break
    except InputError:
        return {}
    return {n: _record(n, kept) for n in numbers}


def _record(number: int, kept: dict[int, str]) -> str:
    """The line; with those after it where it only opens a record that is spread over lines."""
    text = kept.get(number, "").strip()
    if text and not text.rstrip("[{ "):
        text = " ".join(kept.get(n, "").strip() for n in range(number, number + SPREAD)).strip()
        return text[:LONGEST]
    return text if len(text) <= LONGEST else ""


def _unused(_number: int, _why: str) -> None:
    """A line that cannot be used is no line of an observation."""
