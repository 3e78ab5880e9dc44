"""Plays that are kept for a while: a request carries its whole game, and a step costs only what is new in it.

Nothing depends on what is kept: a game is played the same from its start. Safe for several threads, one at a time.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock

from .beside import other_moves
from .game import Game, Move, Side
from .run import Play

_MOST = 8
"""Plays that are kept."""
_LOSES = 64
"""Moves that a play may lose to become another one; for more a new one is made, and both are kept."""


class Plays:
    """The plays used last."""

    def __init__(self) -> None:
        self._kept: list[Play] = []
        self._lock = Lock()

    @contextmanager
    def play(self, game: Game, side: Side | None = None, *, lenient: bool = False) -> Generator[Play]:
        """The game, played by one of its sides. Nobody else has it meanwhile. Raises InputError."""
        with self._lock:
            yield self._play(game, side or game.side, lenient)

    @contextmanager
    def both(self, game: Game) -> Generator[tuple[Play, Play | None]]:
        """The game played by its side, and by the one beside it if there is one. Raises InputError."""
        with self._lock:
            first = self._play(game, game.side, False)
            if game.beside is None:
                yield first, None
            else:
                yield first, self._play(replace(game, moves=other_moves(first)), game.beside, True)

    def _play(self, game: Game, side: Side, lenient: bool) -> Play:
        alike = [p for p in self._kept if p.is_of(game, side, lenient=lenient)]
        best = max(alike, key=lambda p: _shared(p.game.moves, game.moves), default=None)
        shared = _shared(best.game.moves, game.moves) if best is not None else 0
        if best is None or len(best.game.moves) - shared > _LOSES:
            best = Play(game, side, lenient=lenient)
        else:
            best.back(shared)
            best.take(game.moves[shared:])
            self._kept.remove(best)
        self._kept = [*self._kept[-_MOST + 1 :], best]
        return best


def _shared(one: Sequence[Move], other: Sequence[Move]) -> int:
    """How many moves two games have in common from their start."""
    for n, (a, b) in enumerate(zip(one, other, strict=False)):
        if a is not b and a != b:
            return n
    return min(len(one), len(other))
