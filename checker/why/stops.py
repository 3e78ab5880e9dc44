"""Each time that one job was stopped: when, for whom, how much was borrowed, who could have been stopped instead.

Where the order of observations is not known, every state is looked at that they may have been made in, one after the
other as they stand: who may have been the claimant in one of them may have been it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...spec import events as ev
from ...spec import observations as ob
from ...spec.model import Stage
from ...spec.observations import History, Seen
from ...spec.readings import Readings
from ..judge.book import Book, Entry
from .claimants import CROSS, IN_SHARE, Claimant, claimants, victims
from .follow import Following, groups
from .told import Holding


@dataclass(frozen=True)
class Found:
    """One time that the job was told to stop, in the terms of the book."""

    seen: Seen
    """The observation that it was told, or that it had stopped where only that was seen."""
    began: int | None
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


def stops(history: History, readings: Readings, job: str, until: int | None = None) -> tuple[Following, list[Found]]:
    """The state at a time, and every stop of the job up to it, in order."""
    state = Following(history.config, readings, claims_seen=history.claims)
    found: list[Found] = []
    for group in groups(history, until):
        at_start = state.copy() if len(group) > 1 and any(_tells(seen, job) for seen in group) else None
        for i, seen in enumerate(group):
            told = _tells(seen, job)
            is_open = bool(found) and found[-1].ended is None
            if told and not is_open and job in state.book.jobs:
                found.append(_stop(state, _moments(at_start or state, group, i, job), seen, job))
            state.take(seen)
            entry = state.book.jobs.get(job)
            if entry is None or entry.stage is Stage.DRAINING or told or not _of(seen, job):
                continue
            if is_open:
                found[-1] = replace(found[-1], ended=seen.at, then=entry.stage)
            elif isinstance(seen.what, ob.Preempted):
                found.append(replace(_stop(state, [], seen, job), began=None, ended=seen.at, then=entry.stage))
    state.now = max(state.now, history.end) if until is None else until
    return state, found


def _of(seen: Seen, job: str) -> bool:
    return getattr(seen.what, "job", None) == job and not isinstance(seen.what, ev.SetPriority)


def _tells(seen: Seen, job: str) -> bool:
    """The observation is that the job was told to stop."""
    what = seen.what
    return (isinstance(what, ob.Preempting) and what.job == job) or (isinstance(what, ev.Claim) and job in what.victims)


def _victims(seen: Seen) -> tuple[str, ...]:
    what = seen.what
    return (what.job,) if isinstance(what, ob.Preempting) else what.victims if isinstance(what, ev.Claim) else ()


def _moments(start: Following, group: Sequence[Seen], place: int, job: str) -> Iterator[Following]:
    """Every state in which the observation at `place` may have been made, as they stand in the group."""
    what = group[place].what
    if isinstance(what, ev.Claim):
        start = start.copy()
        for name in what.victims[: what.victims.index(job)]:
            start.take(replace(group[place], what=ob.Preempting(name)))
    yield start
    others = [seen for k, seen in enumerate(group) if k != place and not (k > place and _of(seen, job))]
    if others and not isinstance(what, ev.Claim):
        yield from _after_own_victims(start, others)
        state = start.copy()
        for seen in others:
            state.take(seen)
            yield state


def _after_own_victims(start: Following, others: Sequence[Seen]) -> Iterator[Following]:
    """For each share the state after its own victims of the group alone: it may be entitled only then (A59)."""
    told = [(seen, name) for seen in others for name in _victims(seen) if name in start.book.jobs]
    for share in dict.fromkeys(start.book.job(name).share for _, name in told):
        state = start.copy()
        for seen, name in told:
            if start.book.job(name).share == share:
                state.take(replace(seen, what=ob.Preempting(name)))
        yield state


def _stop(state: Following, moments: Iterable[Following], seen: Seen, job: str) -> Found:
    """The stop as it is known when it begins."""
    what, entry = seen.what, state.book.job(job)
    by = what.job if isinstance(what, ev.Claim) else what.claimant if isinstance(what, ob.Preempting) else None
    kind = what.kind if isinstance(what, ob.Preempting) else None
    held = tuple(holding(state.book, entry, unit) for unit in entry.size)
    started = state.started.get(job)
    asked: dict[Claimant, Entry] = {}
    instead: set[str] = set()
    for moment in moments:
        may = claimants(moment, job, kind)
        if by is not None and by in moment.book.jobs:
            own = moment.book.job(by).share == entry.share
            may = {Claimant(by, IN_SHARE if own else CROSS)}
        for claimant in may:
            asked[claimant] = replace(moment.book.job(claimant.job))
            instead |= victims(moment, claimant)
    instead -= {job, *_victims(seen)}
    ordered = sorted(asked, key=lambda c: (c.kind, c.job))
    return Found(
        began=seen.at,
        ended=None,
        then=Stage.DRAINING,
        started=started,
        holdings=held,
        claimants=tuple(ordered),
        asking=tuple(asked[c] for c in ordered),
        named=by is not None,
        others=tuple(sorted(instead)),
        seen=seen,
    )


def holding(book: Book, entry: Entry, unit: str) -> Holding:
    """What the job's share holds of a unit."""
    grant = book.grant(entry.share, unit)
    allowed = None if grant.borrowable is None else grant.limit + grant.borrowable
    return Holding(unit, book.usage(entry.share, unit), grant.limit, allowed)
