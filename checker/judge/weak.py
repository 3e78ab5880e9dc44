"""Preemption in a history that does not know claims, and perhaps neither claimant nor kind (G5x, G5s, G6).

A stop is kept if for some job that it may have been for the strict rule holds, while as much counts as claimed as heads
of all shares, its own included, can claim beside it: claims only add to what is needed, so that a stop that some set of
claims allows is never called a fault. Only with A24 b do claims of others also take away what a job is entitled to; it
is then asked without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...spec import events as ev
from ...spec.model import Stage
from ...spec.observations import Kind, Preempting
from ...spec.rules.lifecycle import DISPATCHED
from . import rules
from .book import Book
from .jobs import Entry
from .start import best, is_one, kinds, supposed
from .state import Situation
from .stepwise import Counts, Violation, victim_faults


@dataclass(frozen=True)
class _Told:
    """What is said of a stop."""

    event: ev.Event
    claimant: Entry | None
    kind: Kind | None


def preempting(book: Book, what: Preempting, counts: Counts) -> Violation | None:
    """The promise that a stop breaks whoever it was for, or None."""
    victim = book.job(what.job)
    claimant = book.job(what.claimant) if what.claimant is not None else None
    kind = what.kind
    if claimant is not None:
        kind = "in-share" if claimant.share == victim.share else "cross-share"
    told = _Told(ev.Claim(what.claimant or "", (what.job,)), claimant, kind)
    return _stop(book, victim, told, counts)


def claim(book: Book, event: ev.Claim, counts: Counts) -> Violation | None:
    """The same for the victims of a claim whose job is known, the earlier ones counted as draining."""
    job, victims = book.job(event.job), [book.job(name) for name in event.victims]
    with book.trial():
        for victim in victims:
            kind: Kind = "in-share" if victim.share == job.share else "cross-share"
            found = _stop(book, victim, _Told(event, job, kind), counts)
            if found:
                return found
            book.open_claim()
            book.drain(victim)
    return None


def _stop(book: Book, victim: Entry, told: _Told, counts: Counts) -> Violation | None:
    counts.update(("G10", "G6"))
    if victim.stage not in DISPATCHED:
        if told.kind:
            counts.update(_came_up(told.kind))
        idle = f"{victim.name} is {victim.stage} and holds no machines to give back"
        told_before = f"{victim.name} was told to stop already"
        return Violation("G10", _words(victim), "", told_before if victim.stage is Stage.DRAINING else idle)
    first: Violation | None = None
    for kind in ("cross-share", "in-share") if told.kind is None else (told.kind,):
        for job in _candidates(book, victim, told, kind):
            found = _fault(book, job, victim, told)
            if found is None:
                counts.update(_came_up(kind))
                return None
            if first is None or (first.code == "G6" and found.code != "G6"):
                first = found
    code = "G5s" if told.kind == "in-share" else "G5x"
    counts.update(_came_up(told.kind or "cross-share"))
    where = "of its share" if told.kind == "in-share" else "of another share" if told.kind else "anywhere"
    nobody = Violation(code, _words(victim), "", f"no job {where} waits for which {victim.name} could be stopped")
    return (first and replace(first, event=_words(victim))) or nobody


def _came_up(kind: str) -> tuple[str, ...]:
    return ("G5s", "G21") if kind == "in-share" else ("G5x",)


def _words(victim: Entry) -> str:
    return f"stop of {victim.name}"


def _candidates(book: Book, victim: Entry, told: _Told, kind: str) -> Iterator[Entry]:
    if told.claimant is not None:
        yield told.claimant
    elif kind == "in-share":
        yield from kinds(book, victim.share)
    else:
        for share in book.shares_waiting():
            if share != victim.share:
                yield from kinds(book, share)


def _fault(book: Book, job: Entry, victim: Entry, told: _Told) -> Violation | None:
    """What the stop breaks if it was for this job."""
    top = -1 if is_one(book, job) else best(book, job.share)
    at = Situation(book, job.share, job, victim=victim, best_waiting=top, best_ready=top)
    own = victim.share == job.share
    entitled = own or at.holds(rules.entitled_head)
    with supposed(book, job, mates=0 if own else 1):
        found = next(victim_faults(at, told.event), None)
        partly = found and book.chosen["A24"] == "b" and entitled and at.holds(rules.g6)
        return None if partly and at.holds(rules.g5x_but_entitled) else found
