"""Plays that are kept for a while: a request carries its whole game, and a step costs only what is new in it.

Nothing depends on what is kept: a game is played the same from its start. Safe for several threads, one at a time.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from time import monotonic

from ...spec.formats.errors import InputError
from .beside import Pair, other_moves
from .game import Game, Move, Side
from .run import Play
from .watched import Watched

_MOST = 8
"""Plays that are kept."""
_LOSES = 64
"""Moves that a play may lose to become another one; for more a new one is made, and both are kept."""


class Unfinished(InputError):
    """A play that takes longer than one question may; what has been played is kept for the next time."""


class Plays:
    """The plays used last. `seconds`: what one game may take; what has been played by then is kept for the next time."""

    def __init__(self, seconds: float = float("inf")) -> None:
        self._seconds = seconds
        self._kept: list[Play] = []
        self._watched: Watched | None = None
        self._lock = Lock()

    @contextmanager
    def play(self, game: Game, side: Side | None = None, *, lenient: bool = False) -> Generator[Play | Watched]:
        """The game, played by one of its sides; what is impossible is left out. Nobody else has it meanwhile. Raises
        InputError."""
        with self._lock:
            yield self._history(game) if game.history is not None else self._play(game, side or game.side, lenient)

    @contextmanager
    def shown(self, game: Game, *, adds: bool = False) -> Generator[Play | Watched | Pair]:
        """The game as its steps are numbered: of both sides where there is one beside it. Raises InputError; with `adds`, where
        its last move has just been added, also where that is impossible."""
        with self._lock:
            if game.history is not None:
                yield self._history(game)
                return
            first = self._play(game, game.side, False)
            refused = first.refused() if adds else None
            if refused is not None:
                raise refused
            if game.beside is None:
                yield first
            else:
                other = replace(game, moves=other_moves(first), shows=None)
                yield Pair(first, self._play(other, game.beside, True), game.beside)

    def _history(self, game: Game) -> Watched:
        if self._watched is None or self._watched.game != game:
            self._watched = Watched(game)
        return self._watched

    def _play(self, game: Game, side: Side, lenient: bool) -> Play:
        alike = [p for p in self._kept if p.is_of(game, side, lenient=lenient)]
        best = max(alike, key=lambda p: _shared(p.game.moves, game.moves), default=None)
        shared = _shared(best.game.moves, game.moves) if best is not None else 0
        if best is None or len(best.game.moves) - shared > _LOSES:
            best, shared = Play(replace(game, moves=()), side, lenient=lenient), 0
        else:
            best.back(shared)
            self._kept.remove(best)
        best.game = replace(best.game, name=game.name, about=game.about, beside=game.beside)
        self._kept = [*self._kept[-_MOST + 1 :], best]
        self._take(best, game.moves[shared:])
        return best

    def _take(self, play: Play, moves: Sequence[Move]) -> None:
        until = monotonic() + self._seconds
        for left, move in zip(range(len(moves) - 1, -1, -1), moves, strict=True):
            if left + 1 < len(moves) and monotonic() > until:
                raise Unfinished(f"it takes more than {self._seconds:g} seconds", where=f"move {len(play.game.moves) + 1}",
                                 why=f"{left + 1:,} moves are not played yet; those before them are kept.",
                                 fix="ask once more, and it goes on from there; or play fewer moves.")  # fmt: skip
            play.take((move,), lenient=True)


def _shared(one: Sequence[Move], other: Sequence[Move]) -> int:
    """How many moves two games have in common from their start."""
    for n, (a, b) in enumerate(zip(one, other, strict=False)):
        if a is not b and a != b:
            return n
    return min(len(one), len(other))
