"""Two sides of a game: the same things happen outside, and each scheduler has as many steps as the other.

In each gap between two things that happen outside the other side makes as many steps as the first, and settles where the
first came to rest. What is impossible on the other side is left out there and told. Moves stand one to one.
"""

from __future__ import annotations

from ...spec import events as ev
from ...spec.formats.scenario import Settle
from .game import REFERENCE, Game, Move, Side, Tick
from .run import Play


def other_moves(first: Play) -> tuple[Move, ...]:
    """The moves of the other side, one for each of the first."""
    return tuple(_other(first, number, move) for number, move in enumerate(first.game.moves))


def _other(first: Play, number: int, move: Move) -> Move:
    if isinstance(move, ev.SCHEDULER):
        return Tick()
    if isinstance(move, Tick) and first.line(first.last_of(number)).kind == "rest":
        return Settle()
    return move


def partner(first: Play, other: Play, number: int) -> int:
    """The frame of the other side that stands beside a frame of the first."""
    move = first.line(number).move
    if number == first.last_of(move):
        return other.last_of(move)
    return min(other.last_of(move - 1) + number - first.last_of(move - 1), other.last_of(move))


def label(side: Side) -> str:
    """A side in a few words."""
    chosen = [f"{code} {choice}" for code, choice in side.assume.items()]
    name = "the reference" if side.scheduler == REFERENCE else side.scheduler
    return ", ".join((name, *chosen))


def changed(game: Game, side: Side) -> Game:
    """The same moves for another scheduler or other readings: choices that were given become its own."""
    moves = tuple(Tick() if isinstance(move, ev.SCHEDULER) else move for move in game.moves)
    return Game(game.name, game.config, moves, side, game.beside, game.about)
