"""The state in which a scheduler has stopped: what it leaves waiting and should not (G14, G16, G17, G21)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from ...spec.model import Stage
from . import rules
from .book import Book
from .jobs import Entry
from .start import fits, kinds, other_heads, refusal, surely_fits
from .state import Situation
from .stepwise import Counts, Violation

_FIRST = ("G16", "G14", "G17", "G21")
"""Of several jobs that may be the head the one that shows the first of these is told."""
Left = Callable[[Book, Entry, set[str]], Violation | None]
"""Why a job that may be the head of its share should not be waiting; the promises that came up are added to a set."""


def at_rest(book: Book, counts: Counts | None = None, left: Left | None = None) -> Violation | None:
    """The promise broken by a scheduler that stops here: G16 a head that fits waits, G14 and G17 an entitled one waits,
    G21 one that could take the place of lower priorities of its share.

    Of waiting jobs with equal priority any one may be the head (A20), so that all of them must show it. `left` judges one
    of them: `left_waiting`, unless something else is asked.
    """
    counts = Counter() if counts is None else counts
    first: Violation | None = None
    came_up: set[str] = set()
    for share in book.shares_waiting():
        told = _left_by(book, share, came_up, left or left_waiting)
        first = first or told
    counts.update(came_up)
    return first


def _left_by(book: Book, share: str, came_up: set[str], left: Left) -> Violation | None:
    """Why no job that may be the head of the share should be waiting; None when one of them may."""
    first: Violation | None = None
    may_wait = False
    for job in kinds(book, share):
        told = left(book, job, came_up)
        may_wait = may_wait or told is None
        if told and (first is None or _FIRST.index(told.code) < _FIRST.index(first.code)):
            first = told
        if may_wait and "G16" in came_up:
            return None
    return None if may_wait else first


def left_waiting(book: Book, job: Entry, came_up: set[str]) -> Violation | None:
    """Why the job should not be waiting."""
    at = Situation(book, job.share, job)
    if _perhaps_promised(book, job):
        return None
    if not in_line(book, job):
        came_up.add("G16")
        if surely_fits(book, job):
            others = any(True for _ in _borrowers_in_line(book, job))
            so_do = ", and so does every borrower that may be in front of it" if others else ""
            return _waits("G16", job, f"{job.name} is the head of {job.share} and fits{so_do}")
    if closed(book, job, at) or any(book.draining()):
        return None
    found = _owed(book, job, at) if at.holds(rules.entitled) else None
    victims = [] if found else in_share_victims(book, job)
    if victims:
        stop = " and ".join(victim.name for victim in victims)
        why = f"it would fit once {stop}, of lower priority in its share, had stopped, and nothing drains"
        return _waits("G21", job, f"{job.name} is the head of {job.share}: {why}")
    return found


def _waits(code: str, job: Entry, why: str) -> Violation:
    return Violation(code, f"{job.name} waits", "", why, job.name)


def in_line(book: Book, job: Entry) -> bool:
    """Whether the job would borrow and may have to wait for a borrower in front of it that cannot start (A16b).

    Who is in front is not asked (A16): where each of them can start, the first can.
    """
    others = _borrowers_in_line(book, job)
    return any(_perhaps_promised(book, other) or not surely_fits(book, other) for other in others)


def _borrowers_in_line(book: Book, job: Entry) -> Iterator[Entry]:
    """With A16b strict, for a job that would borrow: jobs that may be heads of other shares and would borrow as well."""
    if book.chosen["A16b"] == "strict" and _borrows(book, job):
        for share in book.shares_waiting():
            if share != job.share and book.now.may_borrow(share, book.chosen):
                yield from (head for head in kinds(book, share) if _borrows(book, head))


def _borrows(book: Book, job: Entry) -> bool:
    return Situation(book, job.share, job).holds(rules.borrows_now)


def _owed(book: Book, job: Entry, at: Situation) -> Violation | None:
    """Why an entitled head should not be waiting while nothing drains."""
    if at.holds(rules.owed) and (book.chosen["A13"] != "a" or labelled_serve(book, job)):
        return _waits("G14", job, f"{_own(book, job)}; {_borrowers(book, job)}, and nobody is told to stop")
    for share in book.now.shares if book.chosen["A13"] == "b" else ():
        over = next(iter(book.running(share)), None) if share != job.share else None
        if over and Situation(book, job.share, job, other=over).holds(rules.owed_by):
            why = f"{share} uses more than it may ever, by all that {job.name} lacks, and nobody is told to stop"
            return _waits("G17", job, f"{_own(book, job)}; {why}")
    return None


def _own(book: Book, job: Entry) -> str:
    """That what an entitled head asks is its share's own, with the numbers; or, with A24 b, that part of it is."""
    if any(book.usage(job.share, u) + n > book.grant(job.share, u).limit for u, n in job.size.items()):
        return f"{job.share} owns a part of what its head {job.name} asks for, and may borrow the rest"
    with_it = (
        f"{book.usage(job.share, u) + n} of its {book.grant(job.share, u).limit} {u}" for u, n in job.size.items()
    )
    return f"{job.share} owns what its head {job.name} asks for (with it {' and '.join(with_it)} in use)"


def _borrowers(book: Book, job: Entry) -> str:
    """Who has what the job lacks: shares that use more than their own of the unit in which it does not fit."""
    false = refusal(book, job)
    unit = false.unit if false else ""
    over = {s: book.usage(s, unit) - book.grant(s, unit).limit for s in book.now.shares if s != job.share and unit}
    used = [f"{s} uses {n} {unit} more than its own" for s, n in over.items() if n > 0]
    return " and ".join(used) or "others use more than their own"


def in_share_victims(book: Book, job: Entry) -> list[Entry]:
    """Jobs of its share that may be stopped for the head one after another, after which it surely fits; none: no such.

    What leaves takes no room from the head, so that every one is taken that may be; but where an in-share preemptor
    inherits no loan (A31 own) the smallest go first, and other victims might do where these do not. Where a borrower waits
    for those in front of it (A16b strict), another one that waits may be who would take what the victims give back.
    """
    if job.priority is None or not book.now.shares[job.share].in_share:
        return []
    drops = book.chosen["A33"] == "triggers"
    known = (v for v in book.running(job.share) if (v.priority if drops else v.priority_since_dispatch) is not None)
    victims: list[Entry] = []
    with book.trial():
        for victim in sorted(known, key=lambda v: (sum(v.asks), v.name)):
            if Situation(book, job.share, job, victim=victim, best_waiting=job.priority).holds(rules.in_share_guard):
                book.leave(victim, Stage.FAILED)
                victims.append(victim)
        alone = not any(True for _ in _borrowers_in_line(book, job))
        let_in = alone and Situation(book, job.share, job).holds(rules.let_in)
        served = bool(victims) and let_in and surely_fits(book, job)
    return victims if served else []


def _perhaps_promised(book: Book, job: Entry) -> bool:
    """Where claims are not known: while victims drain, what is free may be kept for the entitled head of another share.

    With A24 b a claim may lose what it was entitled to and stay, also when nothing drains any more.
    """
    partly = book.chosen["A24"] == "b"
    if book.claims_known or not (partly or any(True for _ in book.draining())):
        return False
    others = (head for tied in other_heads(book, job) for head in tied if not set(head.units).isdisjoint(job.units))
    return any(partly or Situation(book, head.share, head).holds(rules.entitled) for head in others)


def labelled_serve(book: Book, job: Entry) -> bool:
    """A13 a: the job fits once all that was dispatched on loan to other shares has stopped.

    After a limit is lowered a share may be above it with jobs that are no loans by their label, and nobody may stop them.
    """
    others = [v for s in book.now.shares if s != job.share for v in book.running(s) if any(v.borrowed.values())]
    with book.trial():
        for victim in others:
            book.leave(victim, Stage.FAILED)
        return fits(book, job)


def closed(book: Book, job: Entry, at: Situation) -> str:
    """Why the share of the job starts nothing now, whatever others use; '' where it may."""
    if not book.now.environment_enabled:
        return "the environment is disabled"
    if job.share in book.now.deleting:
        return f"{job.share} is being deleted"
    if book.chosen["A46"] == "no" and book.now.shares[job.share].state != "ENABLED":
        return f"{job.share} is disabled (A46 no)"
    waits = book.chosen["A50"] == "waits" and at.holds(rules.above_environment)
    return "more is in use than there is, which has to end by itself first (A50 waits)" if waits else ""


def due(book: Book) -> dict[str, int]:
    """Code -> answers that are due in this state: drains, jobs of deleted shares, heads that fit or are owed capacity."""
    found: Counter[str] = Counter()
    found["G20"] = sum(1 for _ in book.draining())
    found["G19"] = sum(1 for share in book.now.deleting if _lives(book, share))
    for share in book.shares_waiting() if book.claims_known else ():
        told = _left_by(book, share, set(), left_waiting)
        if told:
            found[told.code] += 1
    return dict(+found)


def _lives(book: Book, share: str) -> bool:
    return bool(book.waiting(share).count or any(True for _ in book.running(share))) or any(
        job.share == share for job in book.draining()
    )
