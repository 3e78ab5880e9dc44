"""Every promise of a file measured on a history, as events: kept, broken, never came up, not to be seen, or undecided.

A promise counts on the days on which it is in force; where an exception covers a share, that time is measured by itself,
and what is broken then is accepted. What the promises assume of stops is measured beside them. Trusted: the watches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, TypeAlias

from ....spec import promises as terms
from ....spec.observations import History
from ....spec.promises import KEYS, Exemption, Promise, Promises, Span, Term
from ....spec.readings import Readings
from ...promised import STOPS, How, Promised
from ...results import Result, Verdict, Waiver
from ..words import duration
from .amounts import AtMost, Shrinks
from .heads import Heads, Idle
from .jobs import Crowd, Ready, SetBy
from .measure import measure
from .shown import FirstWaits, LostShare, OwnBack
from .stops import StopsPerJob, StopTimes, Undisturbed
from .watch import FOR_EVER, Watch, Window


@dataclass(frozen=True)
class Subject:
    """A promise about a queue: its shares, and the file that it stands in."""

    promise: Promise
    shares: tuple[str, ...]
    units: tuple[str, ...]
    file: Promises
    saves_every: int

    @property
    def name(self) -> str:
        """The shares together, as a result names them."""
        return self.promise.scope.group or ", ".join(self.promise.scope.shares)


@dataclass(frozen=True)
class Part:
    """One term in one time: what measures it, or why nothing does."""

    promise: Promise
    term: Term
    how: How
    window: Window
    watch: Watch | None = None
    waiver: Waiver | None = None
    because: str = ""
    verdict: Verdict = Verdict.NOT_APPLICABLE
    subject: str = ""


Watches: TypeAlias = Iterator[tuple[str, Watch]]
"""Each with the share that it is about, '' for several together."""
Make: TypeAlias = Callable[[Subject, Any], Watches]


def kept(
    history: History, readings: Readings, promises: Promises, counts: Window, *, saves_every: int
) -> Iterator[Promised]:
    """The promises measured, in the order of the file. `saves_every`: milliseconds between two savings of a job."""
    parts = [p for promise in promises.promises for p in _parts(history, promises, promise, counts, saves_every)]
    stops = {unit: StopTimes(unit, ms) for unit, ms in promises.stop_takes.items()}
    watched = [(p.window, p.watch) for p in parts if p.watch is not None]
    measure(history, readings, [*watched, *((counts, watch) for watch in stops.values())], saves_every)
    for part in parts:
        for result in _results(part):
            yield _promised(part, result)
    for unit, watch in stops.items():
        says = f"What is promised assumes that a stop on {unit} takes {duration(watch.assumed / 1000)} at most."
        for result in watch.results():
            made = replace(result, code=STOPS, place=result.place or promises.name)
            yield Promised(STOPS, says, "stop_takes", How.MEASURED, made)


def _parts(history: History, promises: Promises, promise: Promise, counts: Window, saves_every: int) -> Iterator[Part]:
    config = history.config
    shares = promise.scope.shares or tuple(s.name for s in promise.scope.of(config))
    subject = Subject(promise, shares, config.units, promises, saves_every)
    valid = _days(promise.valid)
    counted = valid.both(counts)
    for term in promise.terms:
        if counted.empty:
            never = "in force on no day of this history"
            yield Part(promise, term, How.MEASURED, valid, because=never, verdict=Verdict.NEVER_CAME_UP)
            continue
        made = list(WATCHES[type(term)](subject, term))
        if not made:
            yield Part(promise, term, How.RECORDED, counted, because=_recorded(term, shares))
        for number, (share, _) in enumerate(made):
            for window, exemption in _phases(promises.exemptions, promise, share, counted):
                _, watch = list(WATCHES[type(term)](subject, term))[number]
                yield Part(promise, term, How.MEASURED, window, watch, exemption and _waiver(exemption), subject=share)


def _recorded(term: Term, shares: Sequence[str]) -> str:
    """Why a term has nothing that could be measured."""
    if not shares:
        return "it is about no share of this queue"
    match term:
        case terms.Recovery():
            return "evidence is looked at by verify, beside the configuration"
        case terms.PriorityBand():
            return "what the priorities mean is for people to keep"
        case _:
            return "nothing of it can be measured"


def _phases(
    exemptions: Sequence[Exemption], promise: Promise, share: str, counted: Window
) -> Iterator[tuple[Window, Exemption | None]]:
    """The time in which an exception covers the share, and the time after it."""
    covering = [e for e in exemptions if e.to == promise.code and e.share in ("", share)]
    last = max(covering, key=lambda e: e.until, default=None)
    end = _end(last.until) if last is not None else 0
    accepted, plain = counted.both(Window(end=end)), counted.both(Window(start=end))
    if not accepted.empty:
        yield accepted, last
    if not plain.empty:
        yield plain, None


def _waiver(exemption: Exemption) -> Waiver:
    return Waiver(exemption.says or exemption.why, exemption.until.isoformat(), exemption.place)


def _results(part: Part) -> Iterator[Result]:
    if part.watch is None:
        yield Result("", part.verdict, part.because, part.subject)
        return
    for result in part.watch.results():
        if part.waiver is None or result.verdict is not Verdict.NEVER_CAME_UP:
            yield result


def _promised(part: Part, result: Result) -> Promised:
    promise = part.promise
    place = result.place or promise.place
    accepted = part.waiver if result.verdict is Verdict.BROKEN_HERE else None
    made = replace(result, code=promise.code, waiver=accepted, place=place)
    how, force = part.how, part.because == "" or part.how is How.RECORDED
    return Promised(
        promise.code, promise.says, KEYS[type(part.term)], how, made, owner=promise.owner, why=promise.why,
        valid=promise.valid.words(), in_force=force,
    )  # fmt: skip


def _days(span: Span) -> Window:
    """The days of a span as times, UTC."""
    start = 0 if span.first is None else _start(span.first)
    return Window(start, FOR_EVER if span.last is None else _end(span.last))


def _start(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp() * 1000)


def _end(day: date) -> int:
    return _start(day + timedelta(days=1))


def _gets(s: Subject, term: terms.Gets) -> Watches:
    return ((share, Heads(share, term.amounts, term.within)) for share in s.shares)


def _fits(s: Subject, term: terms.Fits) -> Watches:
    return ((share, Heads(share, term.amounts, None)) for share in s.shares)


def _undisturbed(s: Subject, term: terms.Undisturbed) -> Watches:
    return ((share, Undisturbed(share, term.by, term.always)) for share in s.shares)


def _amounts(s: Subject, amounts: terms.Amounts) -> Iterator[tuple[str, Mapping[str, int], int]]:
    """What is counted, how much one instance of each unit counts, and the bound."""
    weighed = s.file.per_unit(amounts, s.units)
    if weighed is not None:
        yield next(m for m in amounts if m in s.file.weights), *weighed
        return
    yield from ((unit, {unit: 1}, n) for unit, n in amounts.items())


def _holds(s: Subject, term: terms.HoldsAtMost) -> Watches:
    for what, weights, bound in _amounts(s, term.amounts):
        yield "", AtMost(s.name, s.shares, weights, bound, what)


def _borrows(s: Subject, term: terms.BorrowsAtMost) -> Watches:
    for what, weights, bound in _amounts(s, term.amounts):
        for share in s.shares:
            yield share, AtMost(share, [share], weights, bound, what, borrows=True)


def _stops(s: Subject, term: terms.StopsPerJob) -> Watches:
    return ((share, StopsPerJob(share, term.at_most)) for share in s.shares)


def _recovery(s: Subject, term: terms.Recovery) -> Watches:
    return ((share, Ready(share)) for share in s.shares if term.checkpoint)


def _priority(s: Subject, term: terms.PriorityBand) -> Watches:
    if term.at_most_jobs is not None:
        yield "", Crowd(term, s.shares)
    if term.set_by:
        yield "", SetBy(term, s.shares)


def _idle(s: Subject, term: terms.IdleWhileWaiting) -> Watches:
    return ((share, Idle(share, term.unit, term.at_most)) for share in s.shares)


def _changes(s: Subject, term: terms.Changes) -> Watches:
    notice = f"{term.shrink_notice.days} {'working ' if term.shrink_notice.working else ''}days'"
    return ((share, Shrinks(share, notice)) for share in s.shares)


def _measured(s: Subject, term: terms.Measured) -> Watches:
    match term.measure:
        case terms.Measure.LOST_SHARE:
            yield "", LostShare(term, s.shares, s.units, s.saves_every)
        case terms.Measure.OWN_BACK_P95 | terms.Measure.OWN_BACK_WORST:
            yield "", OwnBack.of(term, s.shares)
        case _:
            yield "", FirstWaits(term, s.shares)


WATCHES: Mapping[type[Term], Make] = {
    terms.Gets: _gets,
    terms.Fits: _fits,
    terms.Undisturbed: _undisturbed,
    terms.HoldsAtMost: _holds,
    terms.BorrowsAtMost: _borrows,
    terms.StopsPerJob: _stops,
    terms.Recovery: _recovery,
    terms.PriorityBand: _priority,
    terms.IdleWhileWaiting: _idle,
    terms.Changes: _changes,
    terms.Measured: _measured,
}
"""Kind of term -> what measures it, for each share or for all together."""
