"""What nobody promises to a job that waits at the head of its share: guarantees whose premise does not hold, in numbers.

A promise that is not broken because it was never made is not kept either. Whether a premise holds is asked of the
specification; only the words are made here. Trusted: `rest`, which asks the same of a scheduler that stops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...spec import events as ev
from . import rules
from .book import Book
from .jobs import Entry
from .rest import closed, in_line, in_share_victims, labelled_serve
from .rows import quantity
from .start import heads, surely_fits
from .state import Situation


@dataclass(frozen=True)
class Unpromised:
    """A guarantee that says nothing of a job that waits, and why."""

    code: str
    job: str
    sentence: str


def unpromised(book: Book) -> Iterator[Unpromised]:
    """For every job that waits and may be the head of its share: what its share is not promised here."""
    for share in book.shares_waiting():
        for job in _each_size(book, share):
            yield from (Unpromised(code, job.name, why) for code, why in _of(book, job))


def _each_size(book: Book, share: str) -> Iterable[Entry]:
    """Of the jobs that may be the head of a share one of each size, the first by name; one with a claim is the head."""
    found: dict[tuple[tuple[str, ...], tuple[int, ...]], Entry] = {}
    first = heads(book, share)
    claimants = [job for job in first if book.promise(job.name) is not None]
    for job in sorted(claimants or first, key=lambda job: job.name):
        found.setdefault((job.units, job.asks), job)
    return found.values()


def _of(book: Book, job: Entry) -> Iterator[tuple[str, str]]:
    line = in_line(book, job)
    told = [] if line else list(_waiting(book, job))
    if not (told or line):
        return
    fits = surely_fits(book, job)
    if line and fits:
        yield "G16", f"{job.name} fits, and a borrower that may be in front of it does not (A16b strict)"
    elif not fits:
        yield from told or _waiting(book, job)


def _waiting(book: Book, job: Entry) -> Iterator[tuple[str, str]]:
    """What a job is not promised that does not fit."""
    at = Situation(book, job.share, job)
    own, promised = at.holds(rules.entitled), book.promise(job.name) is not None
    why = closed(book, job, at)
    if why or promised:
        if why and (own or promised):
            yield "G14", f"{job.name} is {job.share}'s own to start, and {why}"
        return
    if own:
        yield from (("G14", why) for why in _not_owed(book, job, at))
        yield from (("G15", why) for why in _not_there(book, job))
        yield from (("G17", why) for why in _not_enough(book, job, at))
    victims = [] if book.now.shares[job.share].in_share else _lower(book, job)
    if victims:
        yield (
            "G21",
            (
                f"{job.name} would fit once {' and '.join(victims)}, of lower priority in its share, had stopped; "
                f"in-share preemption of {job.share} is off"
            ),
        )


def _lower(book: Book, job: Entry) -> list[str]:
    """Jobs of lower priority in its share that would have to stop for it if in-share preemption were on."""
    if not any((v.priority or 0) < (job.priority or 0) for v in book.running(job.share)):
        return []
    with book.trial():
        book.record(ev.SetInShare(job.share, True))
        return [victim.name for victim in in_share_victims(book, job)]


def _not_owed(book: Book, job: Entry, at: Situation) -> Iterator[str]:
    """Why an entitled head is not promised its share's own."""
    if not at.holds(rules.owed):
        yield from (
            f"{job.name} waits for what {job.share} owns, but {_limits(book, job, u)}" for u in _above(book, job)
        )
    elif book.chosen["A13"] == "a" and not labelled_serve(book, job):
        yield f"{job.name} waits for what {job.share} owns; what is in use was no loan when it started (A13 a)"


def _above(book: Book, job: Entry) -> Iterator[str]:
    """The first unit of which there is less than the share with the job and the limits of the others."""
    yield from [u for u in job.units if sum(_sides(book, job, u)) > book.now.capacity.get(u, 0)][:1]


def _sides(book: Book, job: Entry, unit: str) -> tuple[int, int]:
    """What the share uses with the job, drains counted as gone; what the limits of the others add up to."""
    used = quantity("settled_usage", book.readings)(book.rows.rows[unit][job.share])[0]
    others = sum(book.grant(share, unit).limit for share in book.now.shares if share != job.share)
    return used + job.size[unit], others


def _limits(book: Book, job: Entry, unit: str) -> str:
    """That more is promised than exists."""
    own, others = _sides(book, job, unit)
    limit, exist = book.grant(job.share, unit).limit, book.now.capacity.get(unit, 0)
    drains = any(job.share == d.share and unit in d.size for d in book.draining())
    stopped = ", once what drains has stopped" if drains else ""
    return (
        f"with it {job.share} uses {own} of its {limit} {unit}{stopped}, and the other shares may use {others} of their own: "
        f"{own + others}, and {exist} {'exists' if exist == 1 else 'exist'}; these limits are at fault, as `verify` says, "
        "and no step"
    )


def _not_there(book: Book, job: Entry) -> Iterator[str]:
    """That machines are kept for the share which do not exist, or which others use."""
    inside = all(
        book.usage(job.share, u) + n <= (g := book.grant(job.share, u)).limit - g.lendable for u, n in job.size.items()
    )
    for unit, n in job.size.items() if inside else ():
        used, exist = sum(book.usage(share, unit) for share in book.now.shares), book.now.capacity.get(unit, 0)
        if used + n > exist:
            yield f"{job.name} asks for {n} {unit} that are kept for {job.share}, but {used} of {exist} are in use"
            return


def _not_enough(book: Book, job: Entry, at: Situation) -> Iterator[str]:
    """That what another share uses beyond all that it may is less than the job lacks."""
    if at.holds(rules.owed):
        return
    for share in book.now.shares if book.chosen["A13"] == "b" else ():
        victim = next(iter(book.running(share)), None) if share != job.share else None
        if victim is None:
            continue
        over = Situation(book, job.share, job, victim=victim).holds(rules.overdrawn)
        if over and not Situation(book, job.share, job, other=victim).holds(rules.owed_by):
            yield f"{share} uses more than it may ever, but not by all that {job.name} lacks"
            return
