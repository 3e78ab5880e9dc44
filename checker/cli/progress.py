"""A progress bar on standard error while a long history is read; nothing where standard error is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TypeVar

from ...spec.observations import Seen

T = TypeVar("T")
EVERY = 2000
"""Things between two looks at their clock."""


def shown(start: int, end: int) -> Progress:
    """For a history from `start` to `end`, in milliseconds."""
    return Progress(start, max(end - start, 1))


class Progress:
    """Passes observations on and shows how far in the history's time they are."""

    def __init__(self, start: int, length: int) -> None:
        self._start, self._length = start, length

    def __call__(self, seen: Iterator[Seen], doing: str) -> Iterator[Seen]:
        return watched(seen, doing, self._start, self._length, lambda one: one.at)


def watched(things: Iterator[T], doing: str, start: int, length: int, at: Callable[[T], int]) -> Iterator[T]:
    """Passes on what happens from `start` for `length`, each at its time, and shows how far it is."""
    return _shown(things, doing, start, length, at) if sys.stderr.isatty() else things


def _shown(things: Iterator[T], doing: str, start: int, length: int, at: Callable[[T], int]) -> Iterator[T]:
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=1.0)
        for number, one in enumerate(things):
            if not number % EVERY:
                bar.update(task, completed=min(1.0, max(0.0, (at(one) - start) / length)))
            yield one
