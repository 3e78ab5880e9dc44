"""A progress bar on standard error while a long history is read; nothing where standard error is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from ...spec.observations import Seen

EVERY = 2000
"""Observations between two looks at the clock of the history."""


def shown(start: int, end: int) -> Progress:
    """For a history from `start` to `end`, in milliseconds."""
    return Progress(start, max(end - start, 1))


class Progress:
    """Passes observations on and shows how far in the history's time they are."""

    def __init__(self, start: int, length: int) -> None:
        self._start, self._length = start, length

    def __call__(self, seen: Iterator[Seen], doing: str) -> Iterator[Seen]:
        return self._watched(seen, doing) if sys.stderr.isatty() else seen

    def _watched(self, seen: Iterator[Seen], doing: str) -> Iterator[Seen]:
        from rich.console import Console
        from rich.progress import Progress as Bar

        with Bar(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(doing, total=1.0)
            for number, one in enumerate(seen):
                if not number % EVERY:
                    bar.update(task, completed=min(1.0, max(0.0, (one.at - self._start) / self._length)))
                yield one
