"""What has happened to one job of a play, and why: submitted, waited for what, started on whose machines, stopped for whom.

Each passage is an event of the play with all that is said of it. Nothing is decided here. Trusted: the play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...spec import events as ev
from ...spec import observations as ob
from ...spec.formats.errors import InputError, nearest, shown
from ...spec.formats.scenario import Expect
from ..witness.words import amount
from .beside import Pair
from .frame import JobState, Said
from .run import Play
from .watched import Watched

_BEGINS = (ev.Submit, ob.Submitted, ev.Stopped, ob.Preempted, ev.Return)
"""After these a job may wait."""
_WHAT: dict[type[object], str] = {
    ev.Submit: "Submitted", ob.Submitted: "Submitted", ev.Dispatch: "Starts", ev.Stopped: "Has stopped",
    ob.Preempted: "Has stopped", ev.Return: "Gets no machines, waits again", ev.SetPriority: "Another priority",
    ev.Terminate: "Ended by its user", ev.Misconfigured: "Can never run", ev.Release: "Its claim ends",
    ev.Advance: "Moves on",
}  # fmt: skip


@dataclass(frozen=True)
class Passage:
    """One event in the life of a job, or how it stands when the story ends."""

    number: int
    """Of the frame after it."""
    what: str
    said: tuple[Said, ...]
    at: int | None = None
    """Milliseconds since 1970 where a history says it."""


@dataclass(frozen=True)
class Story:
    """A job's life so far. `stopped`: how often, when and for whom, in a sentence; '' where it never was."""

    job: str
    stopped: str
    passages: tuple[Passage, ...]


def story(play: Play | Watched | Pair, job: str, at: int) -> Story:
    """The story of a job up to a frame. Raises InputError where no job of that name has been submitted by then."""
    teller = _Teller(play, job)
    passages = [*teller.passages(at)]
    if not passages:
        known = {line.job for line in play.lines()[: at + 1] if line.job}
        near = nearest(job, known)
        raise InputError(f"there is no job {shown(job)} yet", where=f"event {at}",
                         why="No job of that name has been submitted.",
                         fix=f"did you mean {near}?" if near else "name a job of the play.")  # fmt: skip
    return Story(job, teller.stopped(), tuple(passages))


class _Teller:
    def __init__(self, play: Play | Watched | Pair, job: str) -> None:
        self._play = play
        self._job = job
        self._told: list[tuple[int, str, str]] = []
        """When it was told to stop, for whom, and because of what."""

    def passages(self, last: int) -> Iterator[Passage]:
        waits_since, told = 0, ""
        rests: list[int] = []
        for number in range(1, last + 1):
            line = self._play.line(number)
            if line.kind == "rest":
                rests.append(number)
            what = self._what(number)
            if not what:
                continue
            if waits_since and (late := [n for n in rests if n > waits_since]):
                yield from self._still(late[-1], told)
            waits_since, told, said = 0, "", line.said
            if isinstance(self._play.step(number), _BEGINS):
                waits_since = number
                if (why := self._waits(number)) is not None:
                    said, told = (*said, why), why.sentence
            yield Passage(number, what, said, line.at)
        yield from self._now(last, told)

    def stopped(self) -> str:
        """How often it was told to stop, when, and for whom."""
        if not self._told:
            return ""
        each = [f"at event {number}{f' for {whom}' if whom else ''}" for number, whom, _ in self._told]
        times = "once" if len(each) == 1 else f"{len(each)} times"
        because = self._told[0][2] if len(each) == 1 else ""
        return f"Told to stop {times}: {', '.join(each)}. {because}".strip()

    def _what(self, number: int) -> str:
        """What an event is to the job, '' where it is nothing to it."""
        event = self._play.step(number)
        if isinstance(event, ev.Claim) and self._job in event.victims:
            whom = event.job if event.job != self._job else ""
            said = self._play.line(number).said
            because = next((one.sentence for one in said if one.code in ("G5x", "G5s")), "")
            seen = "" if whom else said[0].sentence  # a history says there what it is most likely for
            self._told.append((number, whom, f"{seen} {because}".strip()))
            return f"Told to stop for {whom}" if whom else "Told to stop"
        if event is None or isinstance(event, Expect) or getattr(event, "job", None) != self._job:
            return ""
        match event:
            case ev.Claim():
                return f"Others make room: {', '.join(event.victims)}" if event.victims else "Room is kept for it"
            case ev.Finish():
                return "Has failed" if event.failed else "Has succeeded"
            case _:
                return _WHAT[type(event)]

    def _state(self, number: int) -> JobState | None:
        return next((job for job in self._play.frame(number).jobs if job.name == self._job), None)

    def _waits(self, number: int) -> Said | None:
        """Why the job waits after a frame; None where it does not, or need not."""
        job = self._state(number)
        if job is None or job.stage != "RUNNABLE":
            return None
        if job.place > 1:
            return Said(f"It is number {job.place} in the line of {job.share}.", "", "rules 27, 32")
        return None if job.waits is None or job.waits.code == "G16" else job.waits

    def _still(self, number: int, told: str) -> Iterator[Passage]:
        why = self._waits(number)
        if why is not None and why.sentence != told:
            yield Passage(number, "Waits", (why,), self._play.line(number).at)

    def _now(self, last: int, told: str) -> Iterator[Passage]:
        """How it stands at the end, where that is not what the last passage says."""
        job = self._state(last)
        if job is None:
            return
        if job.stage == "RUNNABLE":
            yield from (replace(one, what="Waits now") for one in self._still(last, told))
        elif job.stage == "DRAINING":
            holds = Said(f"Until it has stopped it holds {amount(job.size)}.", "", "rules 35, 46")
            yield Passage(last, "Is stopping now", (holds,), self._play.line(last).at)
        elif job.stage in ("SCHEDULED", "STARTING", "RUNNING"):
            lent = {unit: n for unit, n in job.borrows.items() if n}
            if lent:
                said = f"Its share uses {amount(lent)} beyond its own: it can be stopped for their owner."
            else:
                said = "Nothing that it uses is on loan: no other share can have it stopped as things are."
            risks = [Said(said, "G5x", "rules 36, 37; A13")]
            if any(share.name == job.share and share.in_share for share in self._play.frame(last).shares):
                risks.append(Said("A job of its own share with a higher priority can.", "G5s", "rules 39, 40"))
            yield Passage(last, f"Is {job.stage} now", tuple(risks), self._play.line(last).at)
