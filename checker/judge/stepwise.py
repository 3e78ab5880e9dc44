"""Which promise does a step break? One step against the book before it; the first cause and no other.

`judge` looks, it does not record. A claim is judged victim by victim, in its order, the earlier victims counted as
draining. `at_rest` judges the state in which a scheduler has stopped (G14, G16).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...spec import events as ev
from ...spec.expr.english import FalseClause
from ...spec.model import Stage
from ...spec.rules.guarantees import GUARANTEES
from ...spec.rules.lifecycle import DISPATCHED
from . import rules
from .book import ENDED, HOLDING, Book, Entry
from .state import Build, Situation


@dataclass(frozen=True)
class Violation:
    """A promise that a step breaks: the code, what was done, the false clause with its numbers."""

    code: str
    event: str
    clause: str
    """Code of the false clause, '' when no clause says it."""
    sentence: str

    def __str__(self) -> str:
        return f"{self.code} {GUARANTEES[self.code].name}: {self.event}: {self.sentence}"


def judge(book: Book, event: ev.Event) -> Violation | None:
    """The first promise that `event` breaks in the book's state, or None. Raises Impossible for unknown names."""
    return next(_faults(book, event), None)


def _faults(book: Book, event: ev.Event) -> Iterator[Violation]:
    match event:
        case ev.Dispatch():
            yield from _over(book, event)
            yield from _dispatch(book, event)
        case ev.Claim():
            yield from _over(book, event)
            yield from _claim(book, event)
        case ev.Release():
            yield from _release(book, event)
        case ev.Submit():
            at = Situation(book, book.share(event.share).name)
            yield from _unless(at, rules.g13_submit, "G13", event, None)
        case ev.Stopped():
            yield from _stage(book.job(event.job), (Stage.DRAINING,), event)
        case ev.Return():
            yield from _stage(book.job(event.job), (Stage.SCHEDULED,), event)
        case ev.Finish():
            yield from _stage(book.job(event.job), HOLDING, event)
        case ev.Terminate() | ev.SetPriority():
            job = book.job(event.job)
            if job.stage in ENDED:
                yield Violation("G10", ev.describe(event), "", f"{job.name} has ended: it is {job.stage}")
        case ev.Advance():
            yield from _stage(book.job(event.job), (Stage.SCHEDULED, Stage.STARTING), event)
        case _:
            return


def situation(book: Book, job: Entry, **more: object) -> Situation:
    """The book seen from a job of a share, with the priorities of those who wait."""
    counted = _counted(book, job.share)
    best = max((j.priority for j in counted), default=-1)
    ready = best
    if book.readings["A18"] == "backfill":
        above = [j for j in counted if j.priority > job.priority]
        ready = max((j.priority for j in above if _room(book, j) is None), default=-1)
    return Situation(book, job.share, job, best_waiting=best, best_ready=ready, **more)  # type: ignore[arg-type]


def _counted(book: Book, share: str) -> list[Entry]:
    """Waiting jobs of a share, without those that can never run where these are skipped (A52)."""
    found = list(book.waiting(share))
    if book.readings["A52"] == "skipped":
        found = [j for j in found if not Situation(book, share, j).holds(rules.never)]
    return found


def heads(book: Book, share: str) -> list[Entry]:
    """Waiting jobs of a share that no other waiting job outranks; several at equal priority."""
    found = _counted(book, share)
    best = max((j.priority for j in found), default=-1)
    return [j for j in found if j.priority == best]


def _unless(at: Situation, promise: Build, code: str, event: ev.Event, guard: Build | None) -> Iterator[Violation]:
    """A violation unless the promise holds; the sentence is the first false clause of the scheduler's guard."""
    if not at.holds(promise):
        false = at.why_not(guard) if guard else None
        sentence = false.sentence if false else GUARANTEES[code].sentence
        yield Violation(code, ev.describe(event), false.code if false else "", sentence)


def _stage(job: Entry, allowed: tuple[Stage, ...], event: ev.Event) -> Iterator[Violation]:
    if job.stage not in allowed:
        yield Violation("G10", ev.describe(event), "", f"{job.name} is {job.stage}, not {' or '.join(allowed)}")


def _dispatch(book: Book, event: ev.Dispatch) -> Iterator[Violation]:
    job = book.job(event.job)
    yield from _stage(job, (Stage.RUNNABLE,), event)
    at = situation(book, job)
    yield from _unless(at, rules.g13_dispatch, "G13", event, rules.dispatch_guard)
    yield from _unless(at, rules.g9, "G9", event, rules.dispatch_guard)
    for code, promise in (("G4", rules.g4), ("G3", rules.g3), ("G1", rules.g1), ("G2", rules.g2)):
        yield from _unless(at, promise, code, event, rules.dispatch_guard)
    if book.readings["A23"] == "yes":
        for promise in book.promises:
            yield from _unless(situation(book, job, watched=promise), rules.g7_dispatch, "G7", event, rules.holds_guard)
    if book.readings["A15"] == "yes":
        for tied in _other_heads(book, job):
            views = [situation(book, job, other=other) for other in tied]
            if not any(at.holds(rules.g8) for at in views):
                yield from _unless(views[0], rules.g8, "G8", event, rules.yields_guard)


def _other_heads(book: Book, job: Entry) -> Iterator[list[Entry]]:
    """Per other share the jobs of which one is its head: at equal priority any of them may be (A20)."""
    return (found for s in book.shares_waiting() if s != job.share and (found := heads(book, s)))


def _claim(book: Book, event: ev.Claim) -> Iterator[Violation]:
    job = book.job(event.job)
    yield from _stage(job, (Stage.RUNNABLE,), event)
    for name in event.victims:
        yield from _stage(book.job(name), DISPATCHED, event)
    if book.promise(job.name) is not None:
        yield Violation("G6", ev.describe(event), "", f"{job.name} has a claim already: what it asks is covered")
    scratch = book.copy()
    scratch.open_claim()
    for name in event.victims:
        victim = scratch.job(name)
        yield from _stage(victim, DISPATCHED, event)
        at = situation(scratch, scratch.job(event.job), victim=victim)
        own = victim.share == job.share
        guard = rules.in_share_guard if own else rules.cross_guard
        yield from _unless(at, rules.g6_in_share if own else rules.g6, "G6", event, guard)
        yield from _unless(at, rules.g5s if own else rules.g5x, "G5s" if own else "G5x", event, guard)
        scratch.drain(name)
    if book.readings["A28"] != "greedy" and event.victims:
        yield from _plan(book, event)
    at = situation(scratch, scratch.job(event.job))
    if event.holds:
        yield from _unless(at, rules.is_head, "G9", event, rules.claim_guard)
        yield from _unless(at, rules.entitled_head, "G5x", event, rules.claim_guard)
        yield from _unless(at, rules.g7_open, "G7", event, rules.claim_guard)
    elif book.readings["A23"] == "yes" and at.holds(rules.g7_promises):
        yield Violation("G7", ev.describe(event), "", f"{job.name} is entitled to what it claims and does not keep it")


def _plan(book: Book, event: ev.Claim) -> Iterator[Violation]:
    """G6+: the plan suffices; where plans must be minimal, without any one of its victims it would not."""
    if not _valid(book, event.job, event.victims):
        yield Violation("G6+", ev.describe(event), "", f"the plan does not suffice: {event.job} would still lack room")
    for name in event.victims if book.readings["A28"] == "minimal" else ():
        if _valid(book, event.job, [v for v in event.victims if v != name]):
            yield Violation("G6+", ev.describe(event), "", f"the plan suffices without {name}")


def _valid(book: Book, claimant: str, victims: Sequence[str]) -> bool:
    """The plan suffices, and victims of other shares are taken only for a head that is entitled after its own."""
    scratch = book.copy()
    scratch.open_claim()
    share = scratch.job(claimant).share
    others = [v for v in victims if scratch.job(v).share != share]
    for name in victims:
        if name not in others:
            scratch.drain(name)
    entitled = Situation(scratch, share, scratch.job(claimant)).holds(rules.entitled_head)
    for name in others:
        scratch.drain(name)
    suffices = Situation(scratch, share, scratch.job(claimant)).holds(rules.suffices)
    return suffices and (entitled or not others)


def _over(book: Book, event: ev.Event) -> Iterator[Violation]:
    """A claim that is over ends before the scheduler's next step (A56): nobody waits for it any more."""
    for promise in book.promises:
        job = book.job(promise.job)
        if situation(book, job, watched=promise).holds(rules.claim_over):
            yield Violation(
                "G7", ev.describe(event), "", f"the claim of {promise.job} is over and was not ended before"
            )


def _release(book: Book, event: ev.Release) -> Iterator[Violation]:
    job, promise = book.job(event.job), book.promise(event.job)
    if promise is None:
        yield Violation("G7", ev.describe(event), "", f"{event.job} has no claim to release")
        return
    at = situation(book, job, watched=promise)
    yield from _unless(at, rules.g7_release, "G7", event, rules.release_guard)


def refusal(book: Book, job: Entry) -> FalseClause | None:
    """The first false clause of everything that a dispatch of the job needs; None when it may start now."""
    return situation(book, job).why_not(rules.dispatch_guard) or _room(book, job)


def _room(book: Book, job: Entry) -> FalseClause | None:
    """The same without the order of jobs within the share."""
    unranked = Situation(book, job.share, job)
    false = unranked.why_not(rules.dispatch_guard)
    for promise in book.promises if not false else ():
        false = false or replace(unranked, watched=promise).why_not(rules.holds_guard)
    for tied in _other_heads(book, job) if not false else ():
        found = [replace(unranked, other=other).why_not(rules.yields_guard) for other in tied]
        false = false or (found[0] if all(found) else None)
    return false


def may_dispatch(book: Book, job: Entry) -> str | None:
    """None when the specification lets the job start now, else the code of the first false clause."""
    false = refusal(book, job)
    return false.code if false else None


def at_rest(book: Book) -> Violation | None:
    """The promise broken by a scheduler that stops here: G16 a head that fits waits, G14 an entitled head waits.

    Of waiting jobs with equal priority any one may be the head (A20), so that all of them must show it.
    """
    for share in book.shares_waiting():
        found = [_left_waiting(book, job) for job in heads(book, share)]
        if found and all(found):
            return found[0]
    return None


def _left_waiting(book: Book, job: Entry) -> Violation | None:
    if may_dispatch(book, job) is None:
        return Violation("G16", f"{job.name} waits", "", f"{job.name} is the head of {job.share} and fits")
    if _owed(book, job) and not any(book.draining()):
        why = "the other limits and its share's usage with it fit the environment, and nothing drains"
        return Violation("G14", f"{job.name} waits", "", f"{job.name} is the entitled head of {job.share}: {why}")
    return None


def _owed(book: Book, job: Entry) -> bool:
    at = situation(book, job)
    able = book.environment_enabled and job.share not in book.deleting
    able = able and (book.readings["A46"] == "yes" or book.shares[job.share].state == "ENABLED")
    return able and at.holds(rules.entitled) and at.holds(rules.affordable)
