"""One observation against a book: which promise it breaks, and what it changes.

A history that does not know every claim (`Book.claims_known`) may also lack stages of a job: what was skipped is taken
as having happened. A job that was never submitted, or that happens to exist already, breaks G12; its observation changes
nothing. Everything else is recorded as it was seen, allowed or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

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
        return _LOOK.get(type(what), _changes)(book, what, counts)
    except Impossible as error:
        return Violation("G12", named(what), "", str(error))


def named(what: Told) -> str:
    """The observation in a few words."""
    if isinstance(what, ob.Submitted):
        return f"Submitted {what.job} to {what.share}"
    return ev.describe(what)  # type: ignore[arg-type]


def _changes(book: Book, what: Any, _counts: Counts) -> None:
    """An administrator's step: it may name a share that does not exist."""
    if isinstance(what, ev.ADMINISTRATOR):
        if why := book.now.impossible(what):
            raise Impossible(why)
        return
    with book.trial():
        book.record(what)


def _told(_book: Book, _what: Told, _counts: Counts) -> None:
    return


def _retried(book: Book, what: ob.Retried, counts: Counts) -> Violation | None:
    counts["G10"] += 1
    return _moves(book.job(what.job), HOLDING, what)


def _gone(book: Book, what: ev.ShareGone, counts: Counts) -> Violation | None:
    counts["G19"] += 1
    live = [j.name for j in book.jobs.values() if j.share == book.share(what.share) and j.stage not in ENDED]
    why = f"{', '.join(live)} of the deleted share {what.share} {'has' if len(live) == 1 else 'have'} not ended"
    return Violation("G19", named(what), "", why) if live else None


def _claim(book: Book, what: ev.Claim, counts: Counts) -> Violation | None:
    return (judge if book.claims_known else weak.claim)(book, what, counts)


def _release(book: Book, what: ev.Release, counts: Counts) -> Violation | None:
    if book.claims_known:
        return judge(book, what, counts)
    book.job(what.job)
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


def _reached(book: Book, what: ob.Reached, counts: Counts) -> Violation | None:
    counts["G10"] += 1
    job = book.job(what.job)
    if job.stage is Stage.SCHEDULED or (job.stage is Stage.STARTING and what.stage is Stage.RUNNING):
        return None
    before = [s for s in DISPATCHED if CODES[s] < CODES[what.stage]]
    if not book.claims_known:
        before += [Stage.RUNNABLE, what.stage]
    return _moves(job, before, what)


def _preempted(book: Book, what: ob.Preempted, counts: Counts) -> Violation | None:
    for code in ("G10", "G11", "G20"):
        counts[code] += 1
    job = book.job(what.job)
    draining = (Stage.DRAINING,) if book.claims_known else HOLDING
    found = _moves(job, draining, what)
    if found:
        return found
    expected = job.preemptions + (not job.was_scheduled or book.chosen["A38"] == "yes")
    count = expected if what.count is None else what.count
    if count < expected or (book.claims_known and count > expected):
        times = "once" if expected == 1 else f"{expected} times"
        why = f"{job.name} was preempted {times}, this one included; the count says {count}"
        return Violation("G11", named(what), "", why)
    if what.stage is None or not job.retries_known:
        return None
    spent = job.retries is not None and count > job.retries
    if what.stage is not (Stage.FAILED if spent else Stage.RUNNABLE):
        limit = "without limit" if job.retries is None else f"{job.retries} time{'s' * (job.retries != 1)}"
        why = f"{job.name} may be preempted {limit} and run again; after preemption {count} it is {what.stage}"
        return Violation("G11", named(what), "", why)
    return None


def _perhaps_after_more(book: Book, what: ev.Dispatch | ev.Finish, counts: Counts) -> Violation | None:
    """Where stages may not have been seen: a job that ends had started, a victim that starts had stopped."""
    if book.claims_known:
        return judge(book, what, counts)
    job = book.job(what.job)
    if isinstance(what, ev.Finish) and job.stage is Stage.RUNNABLE:
        counts["G10"] += 1
        return None
    if isinstance(what, ev.Dispatch) and job.stage is Stage.DRAINING:
        with book.trial():
            book.stopped(job)
            return judge(book, what, counts)
    return judge(book, what, counts)


_LOOK: dict[type, Callable[[Book, Any, Counts], Violation | None]] = {
    ob.Submitted: _submitted,
    ob.Rejected: _told,
    ev.Misconfigured: _told,
    ob.Settled: lambda book, _what, counts: at_rest(book, counts),
    ob.Reached: _reached,
    ob.Preempting: weak.preempting,
    ob.Preempted: _preempted,
    ob.Retried: _retried,
    ev.ShareGone: _gone,
    ev.Claim: _claim,
    ev.Release: _release,
    ev.Dispatch: _perhaps_after_more,
    ev.Finish: _perhaps_after_more,
    ev.Return: judge,
    ev.Terminate: judge,
    ev.SetPriority: judge,
}


def record(book: Book, what: Told) -> None:
    """Write an observation into the book, whether it was allowed or not."""
    try:
        _RECORD.get(type(what), Book.record)(book, what)
    except Impossible:
        return


def begun(book: Book, what: Told) -> None:
    """Write what is possible of an observation that as a whole is not: of a claim, the victims that run are told to stop."""
    if isinstance(what, ev.Claim):
        book.open_claim()
        for name in what.victims:
            if name in book.jobs and book.jobs[name].stage in DISPATCHED:
                book.drain(book.jobs[name])


def _submit(book: Book, what: ob.Submitted) -> None:
    book.submit(what.job, what.share, what.size, what.priority, what.retries, known=what.retries_known)


def _reach(book: Book, what: ob.Reached) -> None:
    job = book.job(what.job)
    if job.stage not in ENDED:
        book.reach(job, what.stage)


def _stop(book: Book, what: ob.Preempting) -> None:
    book.open_claim()
    book.drain(book.job(what.job))


def _end_share(book: Book, what: ev.ShareGone) -> None:
    for job in [j for j in book.jobs.values() if j.share == what.share and j.stage not in ENDED]:
        book.leave(job, Stage.FAILED)
    book.record(what)


def _open(book: Book, what: ev.Claim) -> None:
    if book.claims_known:
        book.record(what)
        return
    book.open_claim()
    for victim in what.victims:
        book.drain(book.job(victim))


def _start(book: Book, what: ev.Dispatch) -> None:
    if not book.claims_known and book.job(what.job).stage is Stage.DRAINING:
        book.stopped(book.job(what.job))
    book.record(what)


_RECORD: dict[type, Callable[[Book, Any], None]] = {
    ob.Submitted: _submit,
    ob.Rejected: lambda _book, _what: None,
    ob.Settled: lambda _book, _what: None,
    ob.Reached: _reach,
    ob.Preempting: _stop,
    ob.Preempted: lambda book, what: book.stopped(book.job(what.job), what.count, what.stage),
    ob.Retried: lambda book, what: book.leave(book.job(what.job), Stage.RUNNABLE),
    ev.ShareGone: _end_share,
    ev.Claim: _open,
    ev.Release: lambda book, what: book.record(what) if book.claims_known else None,
    ev.Dispatch: _start,
}
