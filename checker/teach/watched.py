"""A history as frames: what was seen of a real queue, told like a play. Nobody schedules here and nothing can be added.

What must have happened for an observation to be possible is told too (`why.follow`); a claim that nobody saw is told as not
known. What is broken is the audit's to say: it was judged when the history was opened. Trusted: both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ...spec import events as ev
from ...spec import observations as ob
from ...spec.formats.errors import InputError
from ...spec.formats.trace import read_trace
from ...spec.observations import Seen
from ...spec.readings import Readings
from ..audit.drawing import Told
from ..audit.timeline import middle
from ..why.every import stops_told
from ..why.follow import Following, Recorded, groups
from . import said
from .drawn import Lines, drawn
from .frame import Frame, Line, Said
from .game import Game, Side
from .lamps import Lamps
from .run import WHO

_RECENT = 5
"""Frames for which a job that has ended is still shown."""


@dataclass(frozen=True)
class _Frame:
    line: Line
    mark: int
    lines: Lines
    told: Recorded | None
    seen: int
    """Number of the observation that leads to it, from 0; -1 for the start."""


class _Follows(Following):
    """Tells what it takes and what it records."""

    listener: Watched

    def take(self, seen: Seen) -> None:
        self.listener.now = seen
        super().take(seen)

    def record(self, event: Recorded) -> None:
        before = self.listener.about(event)
        super().record(event)
        self.listener.recorded(event, before)


class Watched:
    """The frames of a history. The same questions as to a `Play`."""

    def __init__(self, game: Game, side: Side | None = None) -> None:
        assert game.history is not None
        self.game = replace(game, side=side or game.side)
        self.record = game.history
        self.readings = Readings().assuming(self.game.side.assume)
        self.now = Seen(0, 0, ob.Settled())
        """The observation that is taken."""
        with TemporaryDirectory() as folder:
            path = Path(folder, "history.ndjson")
            path.write_text(self.record.trace, encoding="utf-8")
            history = read_trace(str(path), readings=self.readings)
            self._seen = list(history.seen())
        if history.problems:
            first = history.problems[0]
            raise InputError(first.sentence, where=first.place, why="The history in the play was changed by hand.",
                             fix="open the history anew.")  # fmt: skip
        self._claims = history.claims
        self._stops = stops_told(replace(history, seen=lambda: iter(self._seen)), self.readings)
        self._numbers = {id(seen): seen.line - 2 for seen in self._seen}
        """Observation -> its number in the trace, from 0."""
        self._state = _Follows(history.config, self.readings, claims_known=history.claims)
        self._state.listener = self
        self.book = self._state.book
        self._frames: list[_Frame] = []
        self._at = -1
        for group in groups(replace(history, seen=lambda: iter(self._seen))):
            self._take(group)
        self._begin()
        self.lamps = self._judged()

    # what is asked

    @property
    def count(self) -> int:
        """How many frames there are."""
        return len(self._frames)

    @property
    def opens_at(self) -> int:
        """The frame that is looked at first: a job is told to stop for the first time; the last one where none ever is."""
        stops = (n for n, one in enumerate(self._frames) if isinstance(one.told, ev.Claim) and one.told.victims)
        return next(stops, self.count - 1)

    def line(self, number: int) -> Line:
        """What leads to a frame."""
        return self._frames[number].line

    def lines(self, since: int = 0) -> tuple[Line, ...]:
        """The lines from a number on."""
        return tuple(one.line for one in self._frames[since:])

    def frame(self, number: int) -> Frame:
        """The picture after a line."""
        self._go(number)
        recent = [one.told for one in self._frames[max(1, number - _RECENT + 1) : number + 1]]
        ended = {name for told in recent if isinstance(name := getattr(told, "job", None), str)}
        claims = [one.told.job for one in self._frames[: number + 1] if isinstance(one.told, ev.Claim)]
        named = dict(enumerate(claims, 1)) if self._claims and not self.record.opening else {}
        return Frame(
            self.line(number),
            *drawn(self.book, self._frames[number].lines, ended, named),
            self.lamps.now(number, self.book),
        )

    def next(self) -> Said | None:
        """A history says nothing of what comes."""
        return None

    def step(self, number: int) -> Recorded | None:
        """What was seen, or must have happened, that leads to a frame."""
        return self._frames[number].told

    def cut(self, number: int) -> Game:
        """The history without what was seen after a frame."""
        lines = self.record.trace.splitlines(keepends=True)
        kept = max(self._frames[number].seen + 1, self.record.opening)
        return replace(self.game, history=replace(self.record, trace="".join(lines[: kept + 1])))

    # how it is made

    def about(self, event: Recorded) -> tuple[Said, ...]:
        """What an event is, seen from the state before it."""
        if self._numbers[id(self.now)] < self.record.opening:
            return ()
        self._begin()
        return tuple(self._before(event))

    def recorded(self, event: Recorded, before: tuple[Said, ...]) -> None:
        """An event has been recorded."""
        if self._numbers[id(self.now)] < self.record.opening:
            return
        match event:
            case ob.Submitted():
                kind, who, after = "submit", "user", ()
            case ob.Preempted():
                kind, who, after = "stopped", "platform", said.after(self.book, ev.Stopped(event.job))
            case _:
                kind, who, after = said.verb(event), WHO[type(event)], said.after(self.book, event)
        self._add(kind, who, (*before, *after), event)

    def _before(self, event: Recorded) -> Iterator[Said]:
        match event:
            case ob.Submitted():
                yield from said.before(
                    self.book, ev.Submit(event.job, event.share, event.size, event.priority, event.retries)
                )
            case ob.Preempted():
                yield from said.before(self.book, ev.Stopped(event.job))
            case ev.Claim() if not self._claims:
                for victim in event.victims:
                    told = self._stops.get((victim, self.now.at, self.now.until), Told())
                    yield from said.told_to_stop(victim, told)
            case _:
                yield from said.before(self.book, event, "")

    def _begin(self) -> None:
        """The first frame, before anything that is shown."""
        if not self._frames:
            self.book.mark()
            name = self.game.config.job_queue_name
            how = "as it was when the part that is shown begins" if self.record.opening else "before anything was seen"
            self._frames.append(_Frame(Line(0, -1, "", "start", (Said(f"{name}, {how}."),)), self.book.mark(),
                                       self._lines(), None, -1))  # fmt: skip
            self._at = 0

    def _take(self, group: Sequence[Seen]) -> None:
        """Observations of which it is not known in which order they were made."""
        state = self._state
        explained = len(state.unexplained)
        for seen in group:
            before = len(self._frames)
            state.take(seen)
            if len(self._frames) == before and self._numbers[id(seen)] >= self.record.opening:
                self._only_seen(seen)
        state.again(explained)
        for seen, why in state.unexplained[explained:]:
            self.now = seen
            if self._numbers[id(seen)] >= self.record.opening:
                self._begin()
                self._add(
                    "unexplained", "", (Said(f"Something was seen that cannot have happened as things were: {why}."),)
                )

    def _only_seen(self, seen: Seen) -> None:
        """An observation that changes nothing."""
        match seen.what:
            case ob.Settled():
                told = [Said("The scheduler has nothing left to do."), *self._waiting()]
                kind, who = "rest", "scheduler"
            case ob.Rejected():
                kind, who, told = (
                    "rejected",
                    "user",
                    [Said(f"{seen.what.share} refuses {seen.what.job}.", "G13", "rule 50")],
                )
            case ev.Misconfigured() if seen.what.job in self.book.jobs:
                kind, who, told = "misconfigured", "scheduler", [*said.before(self.book, seen.what)]
            case _:
                return
        self._begin()
        self._add(kind, who, tuple(told))

    def _waiting(self) -> Iterator[Said]:
        for share in self.book.shares_waiting():
            yield said.waits(self.book, self._state.waiting(share)[0])

    def _add(self, kind: str, who: str, sentences: tuple[Said, ...], told: Recorded | None = None) -> None:
        job = getattr(told, "job", "")
        share = self.book.jobs[job].share if job in self.book.jobs else getattr(told, "share", "")
        name = share if isinstance(share, str) else share.name
        number = len(self._frames)
        line = Line(number, number - 1, who, kind, sentences, (), "", job, name, middle(self.now))
        self._frames.append(_Frame(line, self.book.mark(), self._lines(), told, self._numbers[id(self.now)]))
        self._at = number

    def _lines(self) -> Lines:
        shares = self.book.shares_waiting()
        return Lines({share: [job.name for job in self._state.waiting(share)] for share in shares})

    def _judged(self) -> Lamps:
        """The lamps as the audit judged."""
        lamps = Lamps(self.record.unknown)
        last = {one.seen: one.line.number for one in self._frames}
        for code, seen in self.record.kept.items():
            lamps.count(next((n for at, n in last.items() if at >= seen >= self.record.opening), 0), {code: 1})
        for number, code, sentence in self.record.faults:
            if number in last:
                one, broken = self._frames[last[number]], said.broken(code, sentence)
                lamps.broke(one.line.number, code, broken.sentence)
                line = replace(one.line, broken=(*one.line.broken, broken))
                self._frames[last[number]] = replace(one, line=line)
        return lamps

    def _go(self, number: int) -> None:
        if number < self._at:
            self.book.undo(self._frames[number].mark)
        for one in self._frames[self._at + 1 : number + 1]:
            if one.told is not None:
                self._again(one.told)
        self._at = number

    def _again(self, told: Recorded) -> None:
        """Write into the book once more what was written before."""
        match told:
            case ob.Submitted():
                self.book.submit(told.job, told.share, told.size, told.priority, told.retries, known=told.retries_known)
            case ob.Preempted():
                self.book.stopped(self.book.job(told.job), told.count, told.stage)
            case _:
                self.book.record(told)
