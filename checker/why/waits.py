"""What a RUNNABLE job waits for and what it blocks: the first false clause of what a start needs, and who has the machines.

What its share uses now is what keeps it from starting; what it would borrow is told by what its share uses when settled,
once all that drains has stopped. Trusted: `judge.start.refusal`, which asks the specification's guards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...reference.impossible import reason
from ...spec.expr.english import FalseClause
from ...spec.model import Strategy
from ...spec.rules.quantities import NOW, SETTLED
from ..judge import rules
from ..judge.book import Book
from ..judge.jobs import Entry
from ..judge.rest import in_line
from ..judge.start import has_room, held_by, perhaps_refused, refusal, situation, skipped
from ..judge.state import Situation
from . import sums
from .claimants import guard_holds
from .follow import Following
from .told import LENT, Blocks, Job, Kept, Lender, Waits
from .trial import Trial

Tell = Callable[[Entry], Job]


def waits(state: Following, trial: Trial, job: Entry, tell: Tell) -> Waits:
    """What it waits for. `trial` is the same state."""
    never = reason(trial.queue, trial.policy, trial.queue.jobs[job.name])
    return waits_in(state.book, state.waiting(job.share), never, job, tell)


def waits_in(book: Book, line: Sequence[Entry], never: str, job: Entry, tell: Tell) -> Waits:
    """The same in a book; `line`: the jobs that wait in its share, `never`: why it can never run."""
    place = next(i for i, entry in enumerate(line) if entry is job)
    every = _false(book, job)
    false = every[0] if every else None
    code, about = (false.code, false.unit) if false else ("", "")
    units = [about] if about else [*job.size]
    loan = max(_loan(book, job, u) for u in units)
    before = _behind(book, line[:place])
    fits = not code and before is None
    return Waits(
        place=place + 1,
        line=len(line),
        behind=tell(before) if before else None,
        clause=code,
        sentence=false.sentence if false else "",
        left=false.left if false else None,
        right=false.right if false else None,
        unit=about if len(book.units()) > 1 else "",
        borrows=loan > 0,
        lacks=_lacks(every, about) if code in LENT else 0,
        loan=loan if about else 0,
        partly=code in LENT and _partly(book, job, about),
        never=never,
        lenders=lenders(book, job, units),
        kept=kept(book, job, units),
        draining=tuple(tell(d) for d in book.draining() if any(u in d.size for u in units)),
        claims=tuple(tell(entry) for entry in _claims(book, job, units, code)),
        unseen=fits and not book.claims_known and book.readings["A23"] == "yes",
        in_line=fits and in_line(book, job),
    )


def _behind(book: Book, ahead: Sequence[Entry]) -> Entry | None:
    """The first of those before it, where they are in its way (A18, A52)."""
    strict = book.readings["A18"] == "strict"
    return next((entry for entry in ahead if not skipped(book, entry)), None) if strict else None


def _false(book: Book, job: Entry) -> list[FalseClause]:
    """What a start needs and is false, the first first; of what it leaves to others only the first."""
    at = situation(book, job)
    if not at.holds(rules.dispatch_guard):
        return [*at.all_false(rules.dispatch_guard)]
    false = refusal(book, job) or perhaps_refused(book, job)
    return [false] if false else []


def _lacks(every: Sequence[FalseClause], unit: str) -> int:
    """Machines of the unit that have to come free before there is room for it, by all that it needs of the unit."""
    return max((c.left or 0) - (c.right or 0) for c in every if c.code in LENT and c.unit == unit)


def _settled(book: Book, job: Entry, unit: str) -> int:
    """What its share uses once all that drains has stopped and every claim but its own is served."""
    own = book.promise(job.name)
    return sums.of_share(book, "settled_usage", job.share, unit) - (own.job.size.get(unit, 0) if own else 0)


def _loan(book: Book, job: Entry, unit: str) -> int:
    """How much of what it asks for its share borrows then."""
    n = job.size[unit]
    return min(n, max(0, _settled(book, job, unit) + n - book.grant(job.share, unit).limit))


def _partly(book: Book, job: Entry, unit: str) -> bool:
    """Its share owns some of the unit that others use, and cannot take it back, since part of the job would be a loan."""
    if book.readings["A24"] != "a" or Situation(book, job.share, job).holds(rules.entitled):
        return False
    owns = all(sums.lent(book, unit, moment)[job.share][0] > 0 for moment in (NOW, SETTLED))
    return owns and book.promise(job.name) is None and not _stops(book, job)


def _stops(book: Book, job: Entry) -> bool:
    """Whether somebody is told to stop for it, or may be; for whom something drains that holds the unit may be open."""
    drains = any(u in d.size for d in book.draining() for u in job.size)
    return drains or any(guard_holds(book, job, other) for other in book.running(job.share))


def _claims(book: Book, job: Entry, units: Sequence[str], code: str) -> list[Entry]:
    """Jobs of others for which machines are kept; where that is what keeps it, those that it would leave too little."""
    held = held_by(book, job) if code == "dispatch.hold" else None
    upto = held.number if held else book.claims
    return [
        p.job for p in book.promises if p.job is not job and p.number <= upto and any(u in p.job.size for u in units)
    ]


def lenders(book: Book, job: Entry, units: Sequence[str]) -> tuple[Lender, ...]:
    """Other shares that lend these units."""
    return tuple(
        Lender(share, unit, book.usage(share, unit), book.grant(share, unit).limit)
        for unit in units
        for share in book.now.shares
        if share != job.share and book.grant(share, unit).lendable > 0
    )


def kept(book: Book, job: Entry, units: Sequence[str]) -> tuple[Kept, ...]:
    """Machines of these units that other shares keep idle for themselves."""
    return tuple(k for unit in units for k in _kept(book, job, unit))


def _kept(book: Book, job: Entry, unit: str) -> Iterator[Kept]:
    """Of one unit. Limits are not machines: where fewer are free than are kept, what is surely there is told."""
    free = book.now.capacity.get(unit, 0) - sums.of_all(book, "usage", unit)
    if not sums.of_all(book, "reserved_idle", unit):
        return
    every = {s: sums.of_share(book, "reserved_idle", s, unit) for s in book.now.shares}
    missing = max(0, sum(every.values()) - free)
    for share, n in every.items():
        if n > 0 and share != job.share:
            reserves = book.now.shares[share].strategy is Strategy.RESERVE
            yield Kept(share, unit, max(0, n - missing), reserves)


def blocks(state: Following, job: Entry, tell: Tell) -> Blocks:
    """Jobs of its share that could start and wait behind it."""
    book = state.book
    line = [entry for entry in state.waiting(job.share) if not skipped(book, entry)]
    if book.readings["A18"] == "backfill" or not line or line[0] is not job:
        return Blocks((), {})
    behind = [j for j in line[1:] if has_room(book, j)]
    return Blocks(tuple(tell(j) for j in behind), idle(book, job.share))


def idle(book: Book, share: str) -> dict[str, int]:
    """Unit -> machines within the share's limit that nobody uses."""
    found: dict[str, int] = {}
    for unit in book.now.shares[share].limits:
        free = book.now.capacity.get(unit, 0) - sum(book.usage(s, unit) for s in book.now.shares)
        found[unit] = max(0, min(book.grant(share, unit).limit - book.usage(share, unit), free))
    return found
