"""Two sides of a game: the same things happen outside, and each scheduler has as many steps as the other.

In each gap between two things that happen outside both sides make as many steps; where the game settles each comes to its own
rest, and whoever is there first waits. What is impossible on the other side is left out there and told. Moves stand one to
one, and so do the steps of a `Pair`: its numbers are of both.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace

from ...spec import events as ev
from ...spec.formats.scenario import Expect
from .frame import Frame, Lamp, Line, Said
from .game import REFERENCE, Game, Move, Side, Tick
from .run import Play
from .watched import Watched


def other_moves(first: Play) -> tuple[Move, ...]:
    """The moves of the other side, one for each of the first."""
    return tuple(Tick() if isinstance(move, ev.SCHEDULER) else move for move in first.game.moves)


class Pair:
    """A play and the one beside it, step by step. The same questions as to a `Play`, and `beside`."""

    def __init__(self, first: Play, other: Play, side: Side) -> None:
        self.first, self.other = first, other
        self._label = label(side)
        self._steps = [(0, 0)]
        """The frames of both that stand beside each other."""
        for move in range(len(first.game.moves)):
            one, two = ((p.last_of(move - 1), p.last_of(move)) for p in (first, other))
            for k in range(1, max(one[1] - one[0], two[1] - two[0]) + 1):
                self._steps.append((min(one[0] + k, one[1]), min(two[0] + k, two[1])))

    @property
    def count(self) -> int:
        """How many steps there are; the last one has the number before it."""
        return len(self._steps)

    def first_at(self, number: int) -> int:
        """The frame of the first side at a step."""
        return self._steps[number][0]

    def line(self, number: int) -> Line:
        """What leads to a step on the first side, or that it waits; and on the other side where that is another thing."""
        at, beside = self._steps[number]
        line, theirs = self.first.line(at), self.other.line(beside)
        waits, they_wait = number > 0 and self._waits(number, 0), number > 0 and self._waits(number, 1)
        if waits:
            line = Line(number, line.move, "", line.kind, (Said("It waits for the other side to come to rest."),))
        meanwhile = theirs.said[0].sentence
        differs = not they_wait and (waits or meanwhile != line.said[0].sentence)
        return replace(line, number=number, beside=f"{self._label}: {meanwhile}" if differs else "")

    def lines(self, since: int = 0) -> tuple[Line, ...]:
        """The lines from a number on."""
        return tuple(map(self.line, range(since, self.count)))

    def frame(self, number: int) -> Frame:
        """The picture of the first side."""
        frame = self._frame(number, self.first, 0)
        if number == self.count - 1 and frame.next is None and (next_ := self.other.next()) is not None:
            frame = replace(frame, next=replace(next_, sentence=f"{self._label}: {next_.sentence}"))
        return replace(frame, line=self.line(number))

    def beside(self, number: int) -> Frame:
        """The picture of the other side."""
        frame = self._frame(number, self.other, 1)
        if number > 0 and self._waits(number, 1):
            line = Line(
                number, frame.line.move, "", frame.line.kind, (Said("It waits for the first side to come to rest."),)
            )
            return replace(frame, line=line)
        return replace(frame, line=replace(frame.line, number=number))

    def step(self, number: int) -> ev.Event | Expect | None:
        """What happens on the first side."""
        return None if number > 0 and self._waits(number, 0) else self.first.step(self.first_at(number))

    def cut(self, number: int) -> Game:
        """The game without what comes after a step. A settle that is cut in the middle becomes ticks."""
        game = self.first.game
        move = self.first.line(self.first_at(number)).move
        begins = self._begins(move)
        ends = self._begins(move + 1)
        if move < 0 or number == ends:
            return self.first.cut(self.first.last_of(move))
        return replace(game, moves=(*game.moves[:move], *[Tick()] * (number - begins)), shows=None)

    def _begins(self, move: int) -> int:
        """The step at which a move begins: the last one of the move before it."""
        if move <= 0:
            return 0
        return max(n for n, (at, _) in enumerate(self._steps) if self.first.line(at).move == move - 1)

    def _waits(self, number: int, side: int) -> bool:
        return self._steps[number][side] == self._steps[number - 1][side]

    def _frame(self, number: int, play: Play, side: int) -> Frame:
        frame = play.frame(self._steps[number][side])
        if number < self.count - 1:
            frame = replace(frame, next=None)
        return replace(frame, lamps=tuple(self._lamp(lamp, side) for lamp in frame.lamps))

    def _lamp(self, lamp: Lamp, side: int) -> Lamp:
        """The lamp with the number of a step."""
        if not lamp.since:
            return lamp
        return replace(lamp, since=bisect_left(self._steps, lamp.since, key=lambda step: step[side]))


def alone(shown: Play | Watched | Pair, number: int) -> tuple[Play | Watched, int]:
    """The first side, and its frame at a step."""
    return (shown.first, shown.first_at(number)) if isinstance(shown, Pair) else (shown, number)


def rests(frame: Frame, beside: Frame | None) -> bool:
    """Whether nobody has anything left to do after the last step, which has been judged: on either side."""
    return frame.next is None and all(one.line.kind == "rest" for one in (frame, beside) if one is not None)


def label(side: Side) -> str:
    """A side in a few words."""
    chosen = [f"{code} {choice}" for code, choice in side.assume.items()]
    name = "the reference" if side.scheduler == REFERENCE else side.scheduler
    return ", ".join((name, *chosen))


def changed(game: Game, side: Side) -> Game:
    """The same moves for another scheduler or other readings: choices that were given become its own."""
    moves = tuple(Tick() if isinstance(move, ev.SCHEDULER) else move for move in game.moves)
    return Game(game.name, game.config, moves, side, game.beside, game.about)
