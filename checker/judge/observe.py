"""One observation against a book: which promise it breaks, and what it changes.

A history that does not know every claim (`Book.claims_known`) may also lack stages of a job: what was skipped is taken
as having happened. A job that was never submitted, or that happens to exist already, breaks G12; its observation changes
nothing. Everything else is recorded as it was seen, allowed or not.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...spec import events as ev
from ...spec import observations as ob
from ...spec.model import Stage
from ...spec.rules.lifecycle import DISPATCHED
from . import weak
from .book import ENDED, HOLDING, Book, Impossible
from .jobs import Entry
from .rest import at_rest
from .state import CODES
from .stepwise import Counts, Violation, judge

Told = ob.Observation


def look(book: Book, what: Told, counts: Counts) -> Violation | None:
    """The first promise that an observation breaks, or None. Nothing is recorded."""
    try:
        return _look(book, what, counts)
    except Impossible as error:
        return Violation("G12", named(what), "", str(error))


def named(what: Told) -> str:
    """The observation in a few words."""
    if isinstance(what, ob.Submitted):
        return f"Submitted {what.job} to {what.share}"
    return ev.describe(what)  # type: ignore[arg-type]


def _look(book: Book, what: Told, counts: Counts) -> Violation | None:
    match what:
        case ob.Submitted():
            return _submitted(book, what, counts)
        case ob.Rejected() | ev.Misconfigured():
            return None
        case ob.Settled():
            return at_rest(book, counts)
        case ob.Reached():
            counts["G10"] += 1
            return _reached(book, book.job(what.job), what)
        case ob.Preempting():
            return weak.preempting(book, what, counts)
        case ob.Preempted():
            counts.update(("G10", "G11", "G20"))
            return _preempted(book, book.job(what.job), what)
        case ob.Retried():
            counts["G10"] += 1
            return _moves(book.job(what.job), HOLDING, what)
        case ev.ShareGone():
            counts["G19"] += 1
            live = [j.name for j in book.jobs.values() if j.share == book.share(what.share) and j.stage not in ENDED]
            why = f"{', '.join(live)} of the deleted share {what.share} {'has' if len(live) == 1 else 'have'} not ended"
            return Violation("G19", named(what), "", why) if live else None
        case ev.Claim() if not book.claims_known:
            return weak.claim(book, what, counts)
        case ev.Release() if not book.claims_known:
            book.job(what.job)
            return None
        case ev.Dispatch() | ev.Finish() | ev.Return() if not book.claims_known:
            return _perhaps_after_more(book, book.job(what.job), what, counts)
        case ev.Dispatch() | ev.Claim() | ev.Release() | ev.Return() | ev.Finish() | ev.Terminate() | ev.SetPriority():
            return judge(book, what, counts)
        case _:
            with book.trial():
                book.record(what)
            return None


def _submitted(book: Book, what: ob.Submitted, counts: Counts) -> Violation | None:
    if what.job in book.jobs:
        counts["G12"] += 1
        return Violation("G12", named(what), "", f"the job {what.job!r} was submitted before")
    if what.share not in book.now.shares:
        counts["G13"] += 1
        return Violation("G13", named(what), "", f"there is no share {what.share!r}")
    found = judge(book, ev.Submit(what.job, what.share, what.size), counts)
    return found and Violation(found.code, named(what), found.clause, found.sentence)


def _moves(job: Entry, allowed: Iterable[Stage], what: Told) -> Violation | None:
    if job.stage in allowed:
        return None
    return Violation(
        "G10", named(what), "", f"{job.name} is {job.stage}, not {' or '.join(s for s in Stage if s in allowed)}"
    )


def _reached(book: Book, job: Entry, what: ob.Reached) -> Violation | None:
    before = [s for s in DISPATCHED if CODES[s] < CODES[what.stage]]
    if not book.claims_known:
        before += [Stage.RUNNABLE, what.stage]
    return _moves(job, before, what)


def _preempted(book: Book, job: Entry, what: ob.Preempted) -> Violation | None:
    draining = (Stage.DRAINING,) if book.claims_known else HOLDING
    found = _moves(job, draining, what)
    if found:
        return found
    expected = job.preemptions + (not job.was_scheduled or book.readings["A38"] == "yes")
    count = expected if what.count is None else what.count
    if count < expected or (book.claims_known and count > expected):
        why = f"{job.name} was preempted {expected} times, this one included; the count says {count}"
        return Violation("G11", named(what), "", why)
    if what.stage is None or not job.retries_known:
        return None
    spent = job.retries is not None and count > job.retries
    if what.stage is not (Stage.FAILED if spent else Stage.RUNNABLE):
        limit = "without limit" if job.retries is None else f"{job.retries} times"
        why = f"{job.name} may be preempted {limit} and run again; after preemption {count} it is {what.stage}"
        return Violation("G11", named(what), "", why)
    return None


def _perhaps_after_more(
    book: Book, job: Entry, what: ev.Dispatch | ev.Finish | ev.Return, counts: Counts
) -> Violation | None:
    """Where stages may not have been seen: a job that ends had started, a victim that starts had stopped."""
    if isinstance(what, ev.Finish) and job.stage is Stage.RUNNABLE:
        counts["G10"] += 1
        return None
    if isinstance(what, ev.Dispatch) and job.stage is Stage.DRAINING:
        with book.trial():
            book.stopped(job)
            return judge(book, what, counts)
    return judge(book, what, counts)


def record(book: Book, what: Told) -> None:
    """Write an observation into the book, whether it was allowed or not."""
    try:
        _record(book, what)
    except Impossible:
        return


def _record(book: Book, what: Told) -> None:
    match what:
        case ob.Submitted():
            book.submit(what.job, what.share, what.size, what.priority, what.retries, known=what.retries_known)
        case ob.Rejected() | ob.Settled() | ev.Misconfigured():
            return
        case ob.Reached():
            if book.job(what.job).stage not in ENDED:
                book.reach(book.job(what.job), what.stage)
        case ob.Preempting():
            book.open_claim()
            book.drain(book.job(what.job))
        case ob.Preempted():
            book.stopped(book.job(what.job), what.count, what.stage)
        case ob.Retried():
            book.leave(book.job(what.job), Stage.RUNNABLE)
        case ev.ShareGone():
            for job in [j for j in book.jobs.values() if j.share == what.share and j.stage not in ENDED]:
                book.leave(job, Stage.FAILED)
            book.record(what)
        case ev.Claim() if not book.claims_known:
            book.open_claim()
            for victim in what.victims:
                book.drain(book.job(victim))
        case ev.Release() if not book.claims_known:
            return
        case ev.Dispatch() if not book.claims_known and book.job(what.job).stage is Stage.DRAINING:
            book.stopped(book.job(what.job))
            book.record(what)
        case _:
            book.record(what)
