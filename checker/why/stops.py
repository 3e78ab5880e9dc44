"""Each time that one job was stopped: when, for whom, how much was borrowed, who could have been stopped instead.

Where the order of observations is not known, every state is looked at in which they may have been made: who may have
been the claimant in one of them may have been it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from ...spec import events as ev
from ...spec import observations as ob
from ...spec.model import Stage
from ...spec.observations import History, Kind, Seen
from ...spec.readings import Readings
from ..audit.timeline import middle
from ..judge.book import Book
from ..judge.jobs import Entry
from .claimants import CROSS, IN_SHARE, Claimant, claimants, victims
from .follow import Following, groups
from .told import Holding

_MOST_STATES = 256


@dataclass(frozen=True)
class Found:
    """One time that the job was told to stop, in the terms of the book."""

    seen: Seen
    """The observation that it was told, or that it had stopped where only that was seen."""
    began: int | None
    """As every time here that a ledger and a drawing tell too: the middle of the interval that is known (`audit.timeline`)."""
    ended: int | None
    """None: it had not stopped when the history ended."""
    then: Stage
    """What became of it."""
    started: int | None
    """When it had its machines, or was first seen RUNNING."""
    holdings: tuple[Holding, ...]
    claimants: tuple[Claimant, ...]
    """Everybody who may have asked for it; empty: nobody who is known."""
    asking: tuple[Entry, ...]
    """The claimants' jobs."""
    named: bool
    """True when the history names the claimant."""
    others: tuple[str, ...]
    """Jobs that could have been stopped instead, for one of the claimants."""
    complete: bool
    """Whether every state was looked at in which it may have begun; else there may be more claimants and others."""
    began_by: int | None = None
    """Latest time at which it was told, where no record says when; `began` is the earliest then."""
    kind: Kind | None = None
    """Kind of the preemption, as the history says."""
    reason: str = ""
    """AWS's own words."""


def stops(history: History, readings: Readings, job: str, until: int | None = None) -> tuple[Following, list[Found]]:
    """The state at a time, and every stop of the job up to it, in order."""
    state, found = every_stop(history, readings, lambda name: name == job, until)
    return state, found.get(job, [])


def every_stop(
    history: History, readings: Readings, asked: Callable[[str], bool], until: int | None = None
) -> tuple[Following, dict[str, list[Found]]]:
    """The state at a time, and of each job that is asked for every stop up to it, in order."""
    state = Following(history.config, readings, claims_known=history.claims)
    found: dict[str, list[Found]] = {}
    for group in groups(history, until):
        told = [
            {job: _stop(state, group, i, job) for job in filter(asked, _victims(seen))} for i, seen in enumerate(group)
        ]
        explained = len(state.unexplained)
        for seen, stops_now in zip(group, told, strict=True):
            _take(state, seen, stops_now, found, asked)
        state.again(explained)
    state.now = max(state.now, history.end) if until is None else until
    return state, found


def _take(
    state: Following,
    seen: Seen,
    told: Mapping[str, Found | None],
    found: dict[str, list[Found]],
    asked: Callable[[str], bool],
) -> None:
    """One more observation: the stops that it tells begin, and those that it ends end."""
    own = str(getattr(seen.what, "job", ""))
    about = own if own and not isinstance(seen.what, ev.SetPriority) and asked(own) else ""
    open_ = {job for job in {*told, about} if found.get(job) and found[job][-1].ended is None}
    for job, stop in told.items():
        if stop is not None and job not in open_:
            found.setdefault(job, []).append(stop)
    held = state.book.jobs.get(about)
    unseen = None
    if isinstance(seen.what, ob.Preempted) and held is not None and about not in open_:
        unseen = _unseen(state, seen, held)
    state.take(seen)
    entry = state.book.jobs.get(about)
    if entry is None or entry.stage is Stage.DRAINING or told.get(about) is not None:
        return
    if about in open_:
        found[about][-1] = _ended(found[about][-1], seen, entry)
    elif unseen is not None:
        found.setdefault(about, []).append(_ended(unseen, seen, entry))


def _ended(stop: Found, seen: Seen, entry: Entry) -> Found:
    """The stop with its end, at the time at which it counts."""
    return replace(stop, ended=max(stop.began or 0, middle(seen)), then=entry.stage)


def _of(seen: Seen, job: str) -> bool:
    return getattr(seen.what, "job", None) == job and not isinstance(seen.what, ev.SetPriority)


def _victims(seen: Seen) -> tuple[str, ...]:
    what = seen.what
    return (what.job,) if isinstance(what, ob.Preempting) else what.victims if isinstance(what, ev.Claim) else ()


def _moments(state: Following, group: Sequence[Seen], place: int, job: str) -> Iterator[Following]:
    """Every state in which the observation at `place` may have been made, as they stand in the group."""
    what = group[place].what
    with state.trial():
        if isinstance(what, ev.Claim):
            for name in what.victims[: what.victims.index(job)]:
                state.take(replace(group[place], what=ob.Preempting(name)))
        yield state
    if isinstance(what, ev.Claim):
        return
    certain, others = _around(group, place, job)
    with state.trial():
        for seen in certain:
            state.take(seen)
        for before in _befores(others):
            with state.trial():
                for seen in before:
                    state.take(seen)
                yield state


def _around(group: Sequence[Seen], place: int, job: str) -> tuple[list[Seen], list[Seen]]:
    """Of a group: what happened before the observation at `place`, and what may have; in their order."""
    told = group[place]
    certain: list[Seen] = []
    others: list[Seen] = []
    for k, seen in enumerate(group):
        if k != place and seen.at <= told.until and not (k > place and _of(seen, job)):
            before = seen.until < told.at or (k < place and _of(seen, job))
            (certain if before else others).append(seen)
    return certain, others


def _befores(others: Sequence[Seen]) -> Iterator[list[Seen]]:
    """What may have happened before: any of them, but of one job never a later one without an earlier.

    Where these are too many, only as the observations stand, by their earliest times and by their latest.
    """
    yield []
    keys = [_key(seen) for seen in others]
    if _orders(others) > _MOST_STATES:
        for order in (others, sorted(others, key=lambda seen: seen.until)):
            yield from (list(order[:n]) for n in range(1, len(order) + 1))
        return
    for lengths in product(*(range(keys.count(key) + 1) for key in dict.fromkeys(keys))):
        left = dict(zip(dict.fromkeys(keys), lengths, strict=True))
        chosen: list[Seen] = []
        for seen, key in zip(others, keys, strict=True):
            if left[key]:
                left[key] -= 1
                chosen.append(seen)
        if chosen:
            yield chosen


def _key(seen: Seen) -> str:
    """The job that is observed; '' for what is no job's."""
    return str(getattr(seen.what, "job", ""))


def _orders(others: Sequence[Seen]) -> int:
    """How many sets may have happened before."""
    counts = Counter(map(_key, others))
    return prod(n + 1 for n in counts.values())


def _stop(state: Following, group: Sequence[Seen], place: int, job: str) -> Found | None:
    """The stop as it is known when it begins, seen from the beginning of its group; None for an unknown job."""
    seen, asked, instead = group[place], dict[Claimant, Entry](), set[str]()
    for moment in _moments(state, group, place, job):
        for claimant in _claimants(moment, seen, job):
            asked[claimant] = replace(moment.book.job(claimant.job))
            instead |= victims(moment, claimant)
    with state.trial():
        for earlier in group[:place]:
            state.take(earlier)
        entry = state.book.jobs.get(job)
        if entry is None:
            return None
        held = _holdings(state, entry)
        started = state.started.get(job)
    ordered = sorted(asked, key=lambda c: (c.kind, c.job))
    told = seen.what if isinstance(seen.what, ob.Preempting) else ob.Preempting(job)
    unrecorded = seen.inferred and seen.until > seen.at
    return Found(
        seen=seen,
        began=seen.at if unrecorded else middle(seen),
        ended=None,
        then=Stage.DRAINING,
        started=started,
        holdings=held,
        claimants=tuple(ordered),
        asking=tuple(asked[c] for c in ordered),
        named=_named(seen) is not None,
        others=tuple(sorted(instead - {job, *_victims(seen)})),
        complete=isinstance(seen.what, ev.Claim) or _orders(_around(group, place, job)[1]) <= _MOST_STATES,
        began_by=seen.until if unrecorded else None,
        kind=told.kind,
        reason=told.reason,
    )


def _named(seen: Seen) -> str | None:
    what = seen.what
    return what.job if isinstance(what, ev.Claim) else what.claimant if isinstance(what, ob.Preempting) else None


def _claimants(state: Following, seen: Seen, job: str) -> set[Claimant]:
    by = _named(seen)
    if by is not None and by in state.book.jobs and job in state.book.jobs:
        own = state.book.job(by).share == state.book.job(job).share
        return {Claimant(by, IN_SHARE if own else CROSS)}
    return claimants(state, job, seen.what.kind if isinstance(seen.what, ob.Preempting) else None)


def _unseen(state: Following, seen: Seen, entry: Entry) -> Found:
    """A stop of which only the end was seen."""
    started = state.started.get(entry.name)
    return Found(seen, None, None, Stage.DRAINING, started, _holdings(state, entry), (), (), False, (), True)


def _holdings(state: Following, entry: Entry) -> tuple[Holding, ...]:
    return tuple(holding(state.book, entry, unit) for unit in entry.size)


def holding(book: Book, entry: Entry, unit: str) -> Holding:
    """What the job's share holds of a unit."""
    grant = book.grant(entry.share, unit)
    allowed = None if grant.borrowable is None else grant.limit + grant.borrowable
    return Holding(unit, book.usage(entry.share, unit), grant.limit, allowed)
