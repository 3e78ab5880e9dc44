"""Changes that can be taken back: what a book remembers of its own, as the steps that undo them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any


class Log:
    """Remembers how to take changes back once somebody has asked for a mark; without one it remembers nothing."""

    def __init__(self) -> None:
        self._log: list[Callable[[], Any]] | None = None
        self._forgotten = 0

    def mark(self) -> int:
        """A state to `undo` to; from now on changes are remembered."""
        if self._log is None:
            self._log = []
        return self._forgotten + len(self._log)

    def undo(self, mark: int) -> None:
        """Back to the state at a mark."""
        assert self._log is not None
        while len(self._log) > mark - self._forgotten:
            self._log.pop()()

    def forget(self, mark: int) -> None:
        """No longer remember the changes before a mark."""
        assert self._log is not None
        del self._log[: mark - self._forgotten]
        self._forgotten = mark

    @contextmanager
    def trial(self) -> Generator[None]:
        """Changes that are taken back at the end."""
        kept, self._log = (self._log, self._forgotten), []
        self._forgotten = 0
        try:
            yield
        finally:
            self.undo(0)
            self._log, self._forgotten = kept
