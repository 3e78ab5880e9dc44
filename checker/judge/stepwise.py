"""Which promise does a step break? One step against the book before it; the first cause and no other.

`judge` looks, it does not record. A claim is judged victim by victim, in its order, the earlier victims counted as
draining. `counts` are told which promises came up. `rest` judges the state in which a scheduler has stopped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...spec import events as ev
from ...spec.model import Stage
from ...spec.rules.guarantees import GUARANTEES
from ...spec.rules.lifecycle import DISPATCHED
from . import rules
from .book import ENDED, Book
from .jobs import Entry
from .start import other_heads, situation, supposed
from .state import Build, Situation, Together

Counts = Counter[str]

_PROMISES: tuple[tuple[str, Build], ...] = (
    ("G13", rules.g13_dispatch), ("G9", rules.g9), ("G4", rules.g4), ("G3", rules.g3), ("G1", rules.g1), ("G2", rules.g2),
)  # fmt: skip
_DISPATCH = Together((*(build for _, build in _PROMISES), rules.borrows_now, *rules.DISPATCH_PREMISES.values()))
_YIELDS = Together((rules.g8, rules.g8_premise))
_PREMISES = tuple(rules.DISPATCH_PREMISES)


@dataclass(frozen=True)
class Violation:
    """A promise that a step breaks: the code, what was done, the false clause with its numbers."""

    code: str
    event: str
    clause: str
    """Code of the false clause, '' when no clause says it."""
    sentence: str
    job: str = ""
    """The job that waits and should not, where a scheduler that has stopped leaves one."""

    def __str__(self) -> str:
        return f"{self.code} {GUARANTEES[self.code].name}: {self.event}: {self.sentence}"


def judge(book: Book, event: ev.Event, counts: Counts | None = None) -> Violation | None:
    """The first promise that `event` breaks in the book's state, or None. Raises Impossible for unknown names."""
    how = _JUDGE.get(type(event))
    return how(book, event, Counter() if counts is None else counts) if how else None


def _start(book: Book, event: ev.Dispatch, counts: Counts) -> Violation | None:
    job = book.job(event.job)
    counts["G10"] += 1
    counts["G12"] += 1
    counts["G13"] += 1
    if job.stage is Stage.RUNNABLE:
        return _dispatch(book, job, event, counts)
    return next(_over(book, event), None) or _stage(job, (Stage.RUNNABLE,), event)


def _submit(book: Book, event: ev.Submit, counts: Counts) -> Violation | None:
    at = Situation(book, book.share(event.share))
    counts["G12"] += 1
    counts["G13"] += 1
    return None if at.holds(rules.g13_submit) else broken(at, "G13", event, None)


def _moves(*allowed: Stage) -> Callable[[Book, Any, Counts], Violation | None]:
    """A job moves that has to be in one of these stages."""

    def judge(book: Book, event: Any, counts: Counts) -> Violation | None:
        job = book.job(event.job)
        counts["G10"] += 1
        counts["G20"] += job.stage is Stage.DRAINING and Stage.DRAINING in allowed
        return None if job.stage in allowed else _stage(job, allowed, event)

    return judge


def _stop(book: Book, event: ev.Stopped, counts: Counts) -> Violation | None:
    for code in ("G10", "G11", "G20"):
        counts[code] += 1
    return _stage(book.job(event.job), (Stage.DRAINING,), event)


def _terminate(book: Book, event: ev.Terminate, counts: Counts) -> Violation | None:
    job = book.job(event.job)
    counts["G10"] += 1
    counts["G20"] += job.stage is Stage.DRAINING
    return _ended(job, event) if job.stage in ENDED else None


def _set_priority(book: Book, event: ev.SetPriority, _counts: Counts) -> Violation | None:
    job = book.job(event.job)
    return _ended(job, event) if job.stage in ENDED else None


def _ended(job: Entry, event: ev.Event) -> Violation:
    return Violation("G10", ev.describe(event), "", f"{job.name} has ended: it is {job.stage}")


def _unless(at: Situation, promise: Build, code: str, event: ev.Event, guard: Build | None) -> Iterator[Violation]:
    """A violation unless the promise holds; the sentence is the first false clause of the scheduler's guard."""
    if not at.holds(promise):
        yield broken(at, code, event, guard)


def broken(at: Situation, code: str, event: ev.Event, guard: Build | None) -> Violation:
    """A promise that does not hold here, with the first false clause of the guard that keeps it."""
    false = at.why_not(guard) if guard else None
    sentence = false.sentence if false else GUARANTEES[code].sentence
    return Violation(code, ev.describe(event), false.code if false else "", sentence)


def _stage(job: Entry, allowed: Sequence[Stage], event: ev.Event) -> Violation | None:
    if job.stage in allowed:
        return None
    wanted = " or ".join(allowed)
    return Violation("G10", ev.describe(event), "", f"{job.name} is {job.stage}, not {wanted}")


def _stoppable(victim: Entry, event: ev.Event) -> Violation | None:
    if victim.stage is Stage.DRAINING:
        return Violation("G10", ev.describe(event), "", f"{victim.name} was told to stop already")
    return _stage(victim, DISPATCHED, event)


def _dispatch(book: Book, job: Entry, event: ev.Dispatch, counts: Counts) -> Violation | None:
    at = situation(book, job)
    found = at.all(_DISPATCH)
    for code, came_up in zip(_PREMISES, found[len(_PROMISES) + 1 :], strict=True):
        if came_up:
            counts[code] += 1
    compared = book.claims_known or book.chosen["A18"] != "backfill"
    if compared and job.priority is not None and book.waiting(job.share).known > 1:
        counts["G9"] += 1
    held = [p for p in book.promises if p.job is not job]
    if any(unit in p.job.size for p in held for unit in job.units):
        counts["G7"] += 1
    if len(held) < len(book.promises):
        counts["G14"] += 1
    views: list[list[tuple[Situation, bool]]] = []
    if book.chosen["A15"] == "yes" and found[len(_PROMISES)]:
        views = list(_yielding(book, job, counts))
    if not book.promises and not views and all(found[: len(_PROMISES)]):
        return None
    return next(_unkept(book, at, found, views, event), None)


def _unkept(
    book: Book, at: Situation, found: Sequence[Any], views: list[list[tuple[Situation, bool]]], event: ev.Dispatch
) -> Iterator[Violation]:
    """What a dispatch breaks, the first cause first."""
    yield from _over(book, event)
    for (code, _), kept in zip(_PROMISES, found, strict=False):
        if not kept:
            yield broken(at, code, event, rules.dispatch_guard)
    assert at.job is not None
    for promise in book.promises if book.chosen["A23"] == "yes" else ():
        watched = situation(book, at.job, watched=promise)
        yield from _unless(watched, rules.g7_dispatch, "G7", event, rules.holds_guard)
    for tied in views:
        if not any(kept for _, kept in tied):
            yield broken(tied[0][0], "G8", event, rules.yields_guard)


def _yielding(book: Book, job: Entry, counts: Counts) -> Iterator[list[tuple[Situation, bool]]]:
    """Per other share the dispatch seen from each job that may be its head, and whether it leaves that what it needs."""
    came_up = False
    for tied in other_heads(book, job):
        seen = [Situation(book, job.share, job, other=other) for other in tied]
        told = [at.all(_YIELDS) for at in seen]
        came_up = came_up or all(premise for _, premise in told)
        yield [
            (at, kept or (not book.claims_known and _promised(at))) for at, (kept, _) in zip(seen, told, strict=True)
        ]
    counts["G8"] += came_up


def _promised(at: Situation) -> bool:
    """Where claims are not known: with those of all other shares, loans may not serve the head, and nobody has to yield.

    Nor has anybody to yield to a share whose head has a claim: its capacity is kept by G7, unless claims keep none (A23
    no) or only what was freed (A58).
    """
    assert at.other is not None
    if at.book.chosen["A23"] == "no" or at.book.chosen["A58"] == "freed":
        return True
    with supposed(at.book, at.other):
        return not at.holds(rules.g8_premise)


def _claim(book: Book, event: ev.Claim, counts: Counts) -> Violation | None:
    job, victims = book.job(event.job), [book.job(name) for name in event.victims]
    counts["G7"] += event.holds
    counts["G6+"] += book.chosen["A28"] != "greedy" and bool(victims)
    for victim in victims:
        counts.update(("G10", "G6", *(("G5s", "G21") if victim.share == job.share else ("G5x",))))
        counts["G17"] += victim.share != job.share and Situation(book, job.share, job, victim=victim).holds(
            rules.overdrawn
        )
    return next(_unjust(book, event, job, victims), None)


def _unjust(book: Book, event: ev.Claim, job: Entry, victims: list[Entry]) -> Iterator[Violation]:
    """What a claim breaks, the first cause first."""
    yield from _over(book, event)
    moved = [_stage(job, (Stage.RUNNABLE,), event), *(_stoppable(victim, event) for victim in victims)]
    yield from (found for found in moved if found)
    if book.promise(job.name) is not None:
        yield Violation("G6", ev.describe(event), "", f"{job.name} has a claim already: what it asks is covered")
    yield from _plan(book, event, job, victims)


def _plan(book: Book, event: ev.Claim, job: Entry, victims: list[Entry]) -> list[Violation]:
    found: list[Violation] = []
    with book.trial():
        book.open_claim()
        for victim in victims:
            idle = _stoppable(victim, event)
            found += [idle] if idle else []
            found += victim_faults(situation(book, job, victim=victim), event)
            book.drain(victim)
        kept: list[Violation] = []
        at = situation(book, job)
        if event.holds:
            kept += _unless(at, rules.is_head, "G9", event, rules.claim_guard)
            kept += _unless(at, rules.entitled_head, "G5x", event, rules.claim_guard)
            kept += _unless(at, rules.g7_open, "G7", event, rules.claim_guard)
        elif book.chosen["A23"] == "yes" and at.holds(rules.g7_promises):
            why = f"{job.name} is entitled to what it claims and does not keep it"
            kept.append(Violation("G7", ev.describe(event), "", why))
    if book.chosen["A28"] != "greedy" and victims:
        found += _suffices(book, event, job, victims)
    return found + kept


def victim_faults(at: Situation, event: ev.Event) -> Iterator[Violation]:
    """What stopping the situation's victim for its job breaks."""
    assert at.job is not None and at.victim is not None
    own = at.victim.share == at.job.share
    guard = rules.in_share_guard if own else rules.cross_guard
    yield from _unless(at, rules.g6_in_share if own else rules.g6, "G6", event, guard)
    yield from _unless(at, rules.g5s if own else rules.g5x, "G5s" if own else "G5x", event, guard)


def _suffices(book: Book, event: ev.Claim, job: Entry, victims: list[Entry]) -> Iterator[Violation]:
    """The plan suffices; where plans must be minimal, without any one of its victims it would not."""
    if not _valid(book, job, victims):
        yield Violation("G6+", ev.describe(event), "", f"the plan does not suffice: {event.job} would still lack room")
    for victim in victims if book.chosen["A28"] == "minimal" else ():
        if _valid(book, job, [v for v in victims if v is not victim]):
            yield Violation("G6+", ev.describe(event), "", f"the plan suffices without {victim.name}")


def _valid(book: Book, job: Entry, victims: Sequence[Entry]) -> bool:
    """The plan suffices, and victims of other shares are taken only for a head that is entitled after its own."""
    others = [v for v in victims if v.share != job.share]
    with book.trial():
        book.open_claim()
        for victim in victims:
            if victim not in others:
                book.drain(victim)
        entitled = Situation(book, job.share, job).holds(rules.entitled_head)
        for victim in others:
            book.drain(victim)
        return Situation(book, job.share, job).holds(rules.suffices) and (entitled or not others)


def _over(book: Book, event: ev.Event) -> Iterator[Violation]:
    """A claim that is over ends before the scheduler's next step (A56): nobody waits for it any more."""
    for promise in book.promises:
        if situation(book, promise.job, watched=promise).holds(rules.claim_over):
            job = promise.job.name
            why = (
                f"the claim of {job} is over and was not ended before: a release of {job} belongs where {job} stops being "
                "the first waiting job of its share, entitled and funded"
            )
            yield Violation("G7", ev.describe(event), "", why)


def _release(book: Book, event: ev.Release, counts: Counts) -> Violation | None:
    counts["G7"] += 1
    job, promise = book.job(event.job), book.promise(event.job)
    if promise is None:
        return Violation("G7", ev.describe(event), "", f"{event.job} has no claim to release")
    at = situation(book, job, watched=promise)
    return next(_unless(at, rules.g7_release, "G7", event, rules.release_guard), None)


_JUDGE: dict[type, Callable[[Book, Any, Counts], Violation | None]] = {
    ev.Dispatch: _start,
    ev.Claim: _claim,
    ev.Release: _release,
    ev.Submit: _submit,
    ev.Stopped: _stop,
    ev.Return: _moves(Stage.SCHEDULED),
    ev.Finish: _moves(*DISPATCHED, Stage.DRAINING),
    ev.Advance: _moves(Stage.SCHEDULED, Stage.STARTING),
    ev.Terminate: _terminate,
    ev.SetPriority: _set_priority,
}
