"""A game, played: a scheduler on its queue, and the judge's book told what is seen of it. Frames by number.

A frame at any number is cheap: the book goes back and forward by its marks, the scheduler's queue by sparse copies.
Trusted: the judge. Whatever schedules is judged like any other; what users or the platform cannot do is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from ...reference.apply import apply
from ...reference.policy import Policy
from ...reference.queue import Queue
from ...reference.run import signature as exact
from ...spec import events as ev
from ...spec.formats.errors import InputError
from ...spec.formats.scenario import Expect, Settle
from ...spec.observations import Observation, Settled
from ...spec.readings import Readings
from ..conform.reference import seen_of
from ..judge.book import Book, Impossible
from ..judge.observe import look, record
from ..judge.stepwise import Violation, judge
from ..witness.compared import otherwise, unmet
from ..witness.play import signature as alike
from ..witness.words import expected, words
from . import said
from .drawn import drawn
from .frame import Broken, Frame, Line, Said
from .game import REFERENCE, Game, Move, Side, Tick
from .lamps import EXPECTED, Lamps
from .planted import scheduler

_APART = 16
"""Frames from one copy of the queue to the next."""
_RECENT = 5
"""Frames for which a job that has ended is still shown."""
_MOST = 1_000
"""Steps of one settle, and ten for each job: whoever has not come to rest by then never does."""
_AS_EXPECTED = "as expected"
_WHO: tuple[tuple[Any, str], ...] = (
    (ev.UserEvent, "user"), (ev.PlatformEvent, "platform"), (ev.AdministratorEvent, "administrator"),
    (ev.SchedulerEvent, "scheduler"),
)  # fmt: skip
WHO = {kind: who for alias, who in _WHO for kind in get_args(alias)}


@dataclass
class _Run:
    """Steps of the scheduler and drains alone, since somebody else last did something."""

    states: dict[object, int] = field(default_factory=dict[object, int])
    """State -> the first frame that has it."""
    claims: list[int] = field(default_factory=list[int])
    """Frames at which somebody was told to stop."""
    known: tuple[int, bool] = (-1, False)
    """The last frame whose state is among them, and whether choices are given."""


@dataclass(frozen=True)
class _Happened:
    """What leads to a frame."""

    line: Line
    event: ev.Event | None
    seen: tuple[Observation, ...]
    mark: int
    """Of the book, after it."""
    run: _Run
    back: int | None = None
    """The frame whose state has come back."""


class Play:
    """The moves of one side of a game, played. `lenient`: what is impossible is left out, and told as a note."""

    def __init__(self, game: Game, side: Side | None = None, *, lenient: bool = False) -> None:
        self.game = replace(game, moves=(), side=side or game.side)
        self.scheduler = scheduler(self.game.side.scheduler)
        self.readings = Readings().assuming({**self.game.side.assume, **self.scheduler.choices})
        self._asked = lenient
        self.lenient = lenient or self.game.side.scheduler != REFERENCE
        self.book = Book(game.config, self.readings)
        self.lamps = Lamps()
        self._queue = self.scheduler.queue(game.config, self.readings)
        self._policy = self.scheduler.policy(self.readings)
        self._obeys = Policy.of(self.readings)
        start = Line(0, -1, "", "start", (Said(f"{game.config.job_queue_name} is empty: nothing has happened yet."),))
        self._frames = [_Happened(start, None, (), self.book.mark(), _Run())]
        self._copies: dict[int, Queue] = {}
        self._ends: list[int] = []
        """The last frame of each move."""
        self._at = 0
        """The frame at which the book stands."""
        self.take(game.moves)

    def is_of(self, game: Game, side: Side, *, lenient: bool) -> bool:
        """Whether it is a play of this queue by this side, whatever the moves."""
        return (lenient, side, game.config) == (self._asked, self.game.side, self.game.config)

    @property
    def count(self) -> int:
        """How many frames there are; the last one has the number before it."""
        return len(self._frames)

    def line(self, number: int) -> Line:
        """What leads to a frame."""
        return self._frames[number].line

    def lines(self, since: int = 0) -> tuple[Line, ...]:
        """The lines from a number on."""
        return tuple(one.line for one in self._frames[since:])

    def frame(self, number: int) -> Frame:
        """The picture after a line."""
        self._go(number)
        queue = self._queue_at(number)
        recent = [one.event for one in self._frames[max(1, number - _RECENT + 1) : number + 1]]
        ended = {name for event in recent if isinstance(name := getattr(event, "job", None), str)}
        told = drawn(self.book, queue, ended, self._claimants(number))
        last = number == self.count - 1
        return Frame(self.line(number), *told, lamps=self.lamps.at(number), next=self.next() if last else None)

    def next(self) -> Said | None:
        """What would happen at a tick now; None at rest."""
        event = self._choose()
        return None if event is None else Said(f"{words(event)}.", "", said.SOURCES.get(type(event), ""))

    def cut(self, number: int) -> Game:
        """The game without what comes after a frame. A settle that is cut in the middle becomes ticks."""
        move = self.line(number).move
        whole = number + 1 == self.count or self.line(number + 1).move != move
        if whole:
            return replace(self.game, moves=self.game.moves[: move + 1])
        ticks = sum(one.line.move == move for one in self._frames[: number + 1])
        return replace(self.game, moves=(*self.game.moves[:move], *[Tick()] * ticks))

    def step(self, number: int) -> ev.Event | Expect | None:
        """What leads to a frame as a step of a scenario, choices given; None where nothing happened."""
        one = self._frames[number]
        move = self.game.moves[one.line.move] if number else None
        return move if isinstance(move, Expect) else one.event

    def came_back(self, number: int) -> int | None:
        """The earlier frame after which everything was as it is after this one, where that is known."""
        return self._frames[number].back

    def last_of(self, move: int) -> int:
        """The last frame of a move; of move -1 the start."""
        return self._ends[move] if move >= 0 else 0

    def back(self, moves: int) -> None:
        """Go back to the first so many moves."""
        if moves == len(self.game.moves):
            return
        last = self.last_of(moves - 1)
        self._queue = self._queue_at(last).copy()
        self._go(last)
        del self._frames[last + 1 :], self._ends[moves:]
        self._copies = {n: copy for n, copy in self._copies.items() if n <= last}
        self.lamps.forget(last)
        run = self._frames[last].run
        run.states = {state: n for state, n in run.states.items() if n <= last}
        run.claims = [n for n in run.claims if n <= last]
        self.game = replace(self.game, moves=self.game.moves[:moves])

    def take(self, moves: Iterable[Move]) -> None:
        """Play more moves. Raises InputError for one that is impossible now; those before it have been played."""
        for move in moves:
            self._go(self.count - 1)
            self._take(move)
            self._ends.append(self.count - 1)
            self.game = replace(self.game, moves=(*self.game.moves, move))

    # moves

    def _take(self, move: Move) -> None:
        match move:
            case Expect():
                self._expect(move)
            case Settle():
                self._settle(move)
            case Tick():
                self._tick()
            case _ if isinstance(move, ev.SCHEDULER) and self.game.side.scheduler != REFERENCE:
                self._tick()
            case _:
                self._given(move)

    def _choose(self, *, drains: bool = True) -> ev.Event | None:
        """The next step of whoever schedules, the platform's when it has none."""
        chosen = self.scheduler.decide(self._queue, self._policy)
        return chosen or (self.scheduler.platform(self._queue) if drains else None)

    def _tick(self) -> None:
        event = self._choose()
        if event is None:
            self._rest()
        else:
            self._happen(event)

    def _settle(self, move: Settle) -> None:
        most = _MOST + 10 * len(self.book.jobs)
        for _ in range(most):
            event = self._choose(drains=move.drains)
            if event is None:
                self._rest()
                return
            if self._happen(event):
                return
        note = f"stopped here: there is no rest after {most:,} steps"
        self._add("rest", "scheduler", (Said("The scheduler does not come to rest."),), note=note, broken=(
            said.broken("G18", f"no rest after {most:,} steps of scheduler and drains alone"),))  # fmt: skip

    def _rest(self) -> None:
        counts: Counter[str] = Counter()
        found = look(self.book, Settled(), counts)
        self.lamps.count(self.count, counts)
        if self._frames[-1].run.claims:
            self.lamps.count(self.count, {"G18": 1})
        sentences = (
            Said("Nothing is left to do for scheduler and platform."),
            *said.waiting(self.book, self._queue),
        )
        self._add("rest", "scheduler", sentences, broken=_broken(found))

    def _expect(self, move: Expect) -> None:
        told = [v for one in self._since_expected() if isinstance(one, ev.Claim) for v in one.victims]
        try:
            wrong = list(unmet(self.book, self._queue, move, told))
        except Impossible as error:
            wrong = [str(error)]
        number = self.count
        self.lamps.count(number, {EXPECTED: 1})
        if wrong:
            self.lamps.broke(number, EXPECTED, "; ".join(wrong))
        asked = (Said(f"Expected: {expected(move)}.", "", move.why),)
        self._add("expect", "", asked, note="; ".join(wrong) or _AS_EXPECTED)

    def _since_expected(self) -> list[ev.Event]:
        found: list[ev.Event] = []
        for one in reversed(self._frames):
            if one.line.kind == "expect":
                break
            if one.event is not None:
                found.append(one.event)
        return found[::-1]

    def _given(self, event: ev.Event) -> None:
        """A step that the game gives: of users, platform, administrator, or a choice of the scheduler."""
        try:
            note = otherwise(self.book, self._queue, self._obeys, event)
            why = self._impossible(event)
        except Impossible as error:
            note, why = "", str(error)
        if not why:
            self._happen(event, note=note, given=True)
        elif self.lenient:
            self._add(said.verb(event), WHO[type(event)], (Said(f"{words(event)}: not possible here."),), note=why)
        else:
            raise InputError(f"it is not possible: {words(event)}", where=f"move {len(self.game.moves) + 1}", why=f"{why}.",
                             fix="undo to an earlier step, or do something else.")  # fmt: skip

    def _impossible(self, event: ev.Event) -> str:
        """Why this cannot happen now, '' when it can. Raises Impossible."""
        outside = not isinstance(event, ev.SCHEDULER)
        found = judge(self.book, event) if outside else None
        if found is not None:
            return found.sentence
        with self.book.trial():
            self.book.record(event)
        return ""

    # frames

    def _happen(self, event: ev.Event, *, note: str = "", given: bool = False) -> bool:
        """One event; True where a state has come back."""
        number, counts = self.count, Counter[str]()
        by = WHO[type(event)] if given or isinstance(event, ev.SCHEDULER) else "platform"
        told = [*said.before(self.book, event, self.game.side.scheduler)]
        outside = given and not isinstance(event, (*ev.SCHEDULER, ev.Stopped))
        run = _Run() if outside else self._frames[-1].run
        if not outside and (number - 1, given) != run.known:
            run.states.setdefault(self._state(given=given), number - 1)
        apply(self._queue, event)
        seen = tuple(seen_of(self._queue, event))
        found = [violation for what in seen if (violation := self._look(what, counts))]
        told += said.after(self.book, event, self._queue)
        if isinstance(event, ev.Claim) and event.victims:
            run.claims.append(number)
        self.lamps.count(number, counts)
        broken = [b for violation in found for b in _broken(violation)]
        came_back = number if outside else run.states.setdefault(self._state(given=given), number)
        run.known = number, given
        circles = came_back < number and (not given or any(n > came_back for n in run.claims))
        if circles:
            why = f"after this step everything is as it was at step {came_back}, and nobody else has done anything"
            broken.append(said.broken("G18", why))
        self._add(said.verb(event), by, tuple(told), note=note, broken=tuple(broken), event=event, seen=seen, run=run,
                  back=came_back if circles else None)  # fmt: skip
        return circles

    def _look(self, what: Observation, counts: Counter[str]) -> Violation | None:
        found = look(self.book, what, counts)
        record(self.book, what)
        return found

    def _state(self, *, given: bool) -> object:
        """What decides the future: of this scheduler, or where its choices are given, of any."""
        return ("given", alike(self.book)) if given else exact(self._queue)

    def _add(
        self, kind: str, who: str, sentences: tuple[Said, ...], *, note: str = "", broken: tuple[Broken, ...] = (),
        event: ev.Event | None = None, seen: tuple[Observation, ...] = (), run: _Run | None = None,
        back: int | None = None,
    ) -> None:  # fmt: skip
        number = self.count
        job = getattr(event, "job", "")
        share = self.book.jobs[job].share if job in self.book.jobs else getattr(event, "share", "")
        line = Line(number, len(self.game.moves), who, kind, sentences, broken, note, job,
                    share if isinstance(share, str) else share.name)  # fmt: skip
        for one in broken:
            self.lamps.broke(number, one.code, one.sentence)
        self._frames.append(_Happened(line, event, seen, self.book.mark(), run or self._frames[-1].run, back))
        self._at = number
        if number % _APART == 0:
            self._copies[number] = self._queue.copy()

    def _go(self, number: int) -> None:
        """Bring the book to a frame."""
        if number < self._at:
            self.book.undo(self._frames[number].mark)
        for one in self._frames[self._at + 1 : number + 1]:
            for what in one.seen:
                record(self.book, what)
        self._at = number

    def _queue_at(self, number: int) -> Queue:
        """The scheduler's queue at a frame. Not to be changed."""
        if number == self.count - 1:
            return self._queue
        start = number - number % _APART
        queue = self._copies[start].copy() if start else self.scheduler.queue(self.game.config, self.readings)
        for one in self._frames[start + 1 : number + 1]:
            if one.event is not None:
                apply(queue, one.event)
        return queue

    def _claimants(self, number: int) -> dict[int, str]:
        """Number of a claim -> its job."""
        claims = [one.event.job for one in self._frames[: number + 1] if isinstance(one.event, ev.Claim)]
        return dict(enumerate(claims, 1))


def _broken(found: Violation | None) -> tuple[Broken, ...]:
    return () if found is None else (said.broken(found.code, found.sentence),)
