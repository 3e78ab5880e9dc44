"""A game, played: each move to events, each event to the judge's book and the scheduler's queue, each to a frame.

Trusted: the judge. Whatever schedules is judged like any other; what users or the platform cannot do is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, get_args

from ...reference.apply import apply
from ...reference.policy import Policy
from ...reference.run import signature as exact
from ...spec import events as ev
from ...spec.formats.errors import InputError
from ...spec.formats.scenario import Expect, Scenario, Settle
from ...spec.model import Stage
from ...spec.observations import Observation, Settled
from ...spec.readings import Readings
from ..conform.reference import seen_of
from ..judge.book import Impossible
from ..judge.observe import look, record
from ..judge.stepwise import Violation, judge
from ..replay import how
from ..why.page import count, named
from ..witness.compared import otherwise, unmet
from ..witness.play import play as replayed
from ..witness.play import signature as alike
from ..witness.words import expected, words
from . import said
from .drawn import Lines, drawn
from .frame import Broken, Frame, Line, Said
from .game import REFERENCE, Game, Move, Side, Tick
from .lamps import EXPECTED, Lamps
from .planted import scheduler
from .track import Happened, Run, Track

_MOST = 1_000
"""Steps of one settle, and ten for each job: whoever has not come to rest by then never does."""
_AS_EXPECTED = "as expected"
_WHO: tuple[tuple[Any, str], ...] = (
    (ev.UserEvent, "user"), (ev.PlatformEvent, "platform"), (ev.AdministratorEvent, "administrator"),
    (ev.SchedulerEvent, "scheduler"),
)  # fmt: skip
WHO = {kind: who for alias, who in _WHO for kind in get_args(alias)}


class Play:
    """The moves of one side of a game, played.

    What is impossible is left out and told as a note; but whoever adds a move that is impossible is refused, unless the play
    is `lenient` or its scheduler another than the reference.
    """

    def __init__(self, game: Game, side: Side | None = None, *, lenient: bool = False) -> None:
        self.game = replace(game, moves=(), side=side or game.side)
        self.scheduler = scheduler(self.game.side.scheduler)
        self.readings = Readings().assuming({**self.game.side.assume, **self.scheduler.choices})
        self.lamps = Lamps()
        self._lenient = lenient
        start = Line(
            0, -1, "", "start", (Said(f"The queue {game.config.job_queue_name} is empty: nothing has happened yet."),)
        )
        self._track = Track(self.scheduler, game.config, self.readings, start)
        self.book = self._track.book
        self._policy = self.scheduler.policy(self.readings)
        self._obeys = Policy.of(self.readings)
        self._chosen: tuple[Happened | None, ev.Event | None] = (None, None)
        """After what the scheduler was last asked, and its answer."""
        self._ends: list[int] = []
        """The last frame of each move."""
        self._left_out: dict[int, InputError] = {}
        """Number of a move that is impossible -> what whoever adds it is told."""
        self.take(game.moves)

    def is_of(self, game: Game, side: Side, *, lenient: bool) -> bool:
        """Whether it is a play of this queue by this side, whatever the moves."""
        mine = (self._lenient, self.game.side, self.game.config, self.game.shows)
        return (lenient, side, game.config, game.shows) == mine

    @property
    def count(self) -> int:
        """How many frames there are; the last one has the number before it."""
        return len(self._track.frames)

    def line(self, number: int) -> Line:
        """What leads to a frame."""
        return self._track.frames[number].line

    def lines(self, since: int = 0) -> tuple[Line, ...]:
        """The lines from a number on."""
        return tuple(one.line for one in self._track.frames[since:])

    def frame(self, number: int) -> Frame:
        """The picture after a line."""
        track = self._track
        track.go(number)
        told = drawn(self.book, Lines.of(track.queue_at(number)), track.recent(number), track.claimants(number))
        last = number == self.count - 1
        return Frame(
            self.line(number), *told, lamps=self.lamps.now(number, self.book), next=self.next() if last else None
        )

    def next(self) -> Said | None:
        """What would happen at a tick now; None at rest."""
        event = self._choose()
        return None if event is None else Said(said.opening(event, self.book), "", said.source(event, self.book))

    def step(self, number: int) -> ev.Event | Expect | None:
        """What leads to a frame as a step of a scenario, choices given; None where nothing happened."""
        one = self._track.frames[number]
        move = self.game.moves[one.line.move] if number else None
        return move if isinstance(move, Expect) else one.event

    def seen(self, number: int) -> tuple[Observation, ...]:
        """What was seen of what leads to a frame."""
        return self._track.frames[number].seen

    def came_back(self, number: int) -> int | None:
        """The earlier frame after which everything was as it is after this one, where that is known."""
        return self._track.frames[number].back

    def last_of(self, move: int) -> int:
        """The last frame of a move; of move -1 the start."""
        return self._ends[move] if move >= 0 else 0

    def cut(self, number: int) -> Game:
        """The game without what comes after a frame. A settle that is cut in the middle becomes ticks."""
        move = self.line(number).move
        ticks = number - self.last_of(move - 1) if move >= 0 and number < self.last_of(move) else 0
        moves = (*self.game.moves[:move], *[Tick()] * ticks) if ticks else self.game.moves[: move + 1]
        shows = self.game.shows
        kept = shows if shows is not None and shows.moves <= len(self.game.moves[: move + 1]) and not ticks else None
        return replace(self.game, moves=moves, shows=kept)

    def back(self, moves: int) -> None:
        """Go back to the first so many moves."""
        if moves < len(self.game.moves):
            last = self.last_of(moves - 1)
            self._track.back(last)
            self.lamps.forget(last)
            del self._ends[moves:]
            self._left_out = {number: why for number, why in self._left_out.items() if number < moves}
            self.game = replace(self.game, moves=self.game.moves[:moves])

    def take(self, moves: Iterable[Move], *, lenient: bool = False) -> None:
        """Play more moves. Raises InputError where the last one is impossible now; those before it have been played."""
        for move in moves:
            self._track.go(self.count - 1)
            self._take(move)
            self._ends.append(self.count - 1)
            self.game = replace(self.game, moves=(*self.game.moves, move))
            self._show()
        refused = None if lenient else self.refused()
        if refused is not None:
            self.back(len(self.game.moves) - 1)
            raise refused

    def refused(self) -> InputError | None:
        """What whoever adds the last move is told, where it is impossible."""
        others = self._lenient or self.game.side.scheduler != REFERENCE
        return None if others else self._left_out.get(len(self.game.moves) - 1)

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
        queue, now = self._track.queue, self._track.frames[-1]
        if self._chosen[0] is not now:
            self._chosen = now, self.scheduler.decide(queue, self._policy)
        return self._chosen[1] or (self.scheduler.platform(queue) if drains else None)

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
        why = f"no rest after {most:,} steps of scheduler and drains alone"
        self._add("rest", "scheduler", (Said("It does not come to rest."),), broken=(said.broken("G18", why),))

    def _rest(self) -> None:
        counts: Counter[str] = Counter()
        found = look(self.book, Settled(), counts)
        self.lamps.count(self.count, counts)
        if self._track.frames[-1].run.claims:
            self.lamps.count(self.count, {"G18": 1})
        broken = _broken(found)
        self._add("rest", "scheduler", (self._nothing(stops=bool(broken)), *self._waiting()), broken=broken)

    def _nothing(self, *, stops: bool) -> Said:
        """That nobody does anything now; `stops`: though the scheduler should."""
        drains = [job.name for job in self.book.draining()]
        if drains:
            have = "has" if len(drains) == 1 else "have"
            return Said(f"The scheduler does nothing until {named(drains)} {have} stopped.")
        return Said(
            "The scheduler does nothing more." if stops else "Nothing is left to do for scheduler and platform."
        )

    def _waiting(self) -> Iterator[Said]:
        """Why the first of each share waits."""
        queue = self._track.queue
        for share in self.book.shares_waiting():
            first = queue.first(share)
            entry = self.book.jobs.get(first.name) if first is not None else None
            if first is not None and entry is not None and entry.stage is Stage.RUNNABLE:
                yield said.waits(self.book, entry, first.reason)

    def _expect(self, move: Expect) -> None:
        try:
            wrong = list(unmet(self.book, self._track.queue, move, self._track.told_to_stop()))
        except Impossible as error:
            wrong = [str(error)]
        number = self.count
        self.lamps.count(number, {EXPECTED: 1})
        if wrong:
            self.lamps.broke(number, EXPECTED, "; ".join(wrong))
        asked = (Said(f"Expected: {expected(move)}.", "", move.why),)
        self._add("expect", "", asked, note="; ".join(wrong) or _AS_EXPECTED)

    def _given(self, event: ev.Event) -> None:
        """A step that the game gives: of users, platform, administrator, or a choice of the scheduler."""
        try:
            note = otherwise(self.book, self._track.queue, self._obeys, event)
            why = self._impossible(event)
        except Impossible as error:
            note, why = "", str(error)
        if not why:
            self._happen(event, note=note, given=True)
            return
        number, now = len(self.game.moves), "As things are, " if why[0].islower() else ""
        self._left_out[number] = InputError(
            f"it is not possible now: {words(event)}", where=f"move {number + 1}",
            why=f"{now}{why.removesuffix('.')}.", fix="do something else, or undo first.")  # fmt: skip
        left_out = Said(f"Not possible here, and left out: {words(event)}.")
        self._add(said.verb(event), WHO[type(event)], (left_out,), note=why)

    def _impossible(self, event: ev.Event) -> str:
        """Why this cannot happen now, '' when it can. Raises Impossible."""
        found = None if isinstance(event, ev.SCHEDULER) else judge(self.book, event)
        if found is not None:
            return found.sentence
        with self.book.trial():
            self.book.record(event)
        return ""

    def _show(self) -> None:
        """Where the game is a witness and this was its last move: what it shows, if a replay confirms it."""
        shows, side = self.game.shows, self.game.side
        if shows is None or shows.moves != len(self.game.moves) or side.scheduler != REFERENCE:
            return
        steps = tuple(move for move in self.game.moves if not isinstance(move, Tick))
        again = Scenario(self.game.name, "", self.game.config, steps, self.readings,
                         breaks=shows.breaks, repeats_from=shows.repeats_from)  # fmt: skip
        code = shows.breaks.guarantee
        if len(steps) == shows.moves and replayed(again).shows and self.lamps.first(code) is None:
            broken = said.broken(code, how(shows.breaks))
            self._track.breaks(broken)
            self.lamps.broke(self.count - 1, code, broken.sentence)

    # frames

    def _happen(self, event: ev.Event, *, note: str = "", given: bool = False) -> bool:
        """One event; True where a state has come back."""
        number, counts, track = self.count, Counter[str](), self._track
        by = WHO[type(event)] if given or isinstance(event, ev.SCHEDULER) else "platform"
        told = [*said.before(self.book, event, self.game.side.scheduler)]
        outside = given and not isinstance(event, (*ev.SCHEDULER, ev.Stopped))
        run = Run() if outside else track.frames[-1].run
        if not outside and (number - 1, given) != run.known:
            run.states.setdefault(self._state(given=given), number - 1)
        apply(track.queue, event)
        seen = tuple(seen_of(track.queue, event))
        broken = [b for what in seen for b in _broken(self._look(what, counts))]
        told += said.after(self.book, event, self._first_beside(event))
        if isinstance(event, ev.Claim) and event.victims:
            run.claims.append(number)
        if given:
            run.given.append(number)
        self.lamps.count(number, counts)
        came_back = number
        if not outside:
            came_back = run.states.setdefault(self._state(given=given), number)
            run.known = number, given
        alone = not any(n > came_back for n in run.given)
        circles = came_back < number and (alone or any(n > came_back for n in run.claims))
        if circles:
            steps = count(number - came_back, "step")
            why = f"after this step everything is as it was {steps} before, and nobody else has done anything"
            broken.append(said.broken("G18", why))
        self._add(said.verb(event), by, tuple(told), note=note, broken=tuple(broken),
                  happened=Happened(self.line(0), event, seen, run, came_back if circles else None))  # fmt: skip
        return circles

    def _first_beside(self, event: ev.Event) -> str:
        """The job that is first in the line of the share of the event's job."""
        job = self.book.jobs.get(getattr(event, "job", ""))
        first = self._track.queue.first(job.share) if job is not None else None
        return first.name if first is not None else ""

    def _look(self, what: Observation, counts: Counter[str]) -> Violation | None:
        found = look(self.book, what, counts)
        record(self.book, what)
        return found

    def _state(self, *, given: bool) -> object:
        """What decides the future: of this scheduler, or where its choices are given, of any."""
        return ("given", alike(self.book)) if given else exact(self._track.queue)

    def _add(
        self, kind: str, who: str, sentences: tuple[Said, ...], *, note: str = "", broken: tuple[Broken, ...] = (),
        happened: Happened | None = None,
    ) -> None:  # fmt: skip
        """One frame more. `happened`: what did, its line not yet written; None: nothing."""
        number = self.count
        happened = happened or Happened(self.line(0), run=self._track.frames[-1].run)
        job = getattr(happened.event, "job", "")
        share = self.book.jobs[job].share if job in self.book.jobs else getattr(happened.event, "share", "")
        line = Line(number, len(self.game.moves), who, kind, sentences, broken, note, job,
                    share if isinstance(share, str) else share.name)  # fmt: skip
        for one in broken:
            self.lamps.broke(number, one.code, one.sentence)
        self._track.add(replace(happened, line=line))


def _broken(found: Violation | None) -> tuple[Broken, ...]:
    return () if found is None else (said.broken(found.code, found.sentence, found.job),)
