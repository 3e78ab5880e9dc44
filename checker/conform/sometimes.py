"""What must have happened in a run, at least once, before its silence means anything: goals, and who reaches them.

A scheduler that never lends breaks no promise about loans. A goal is a thing that must come up somewhere in a run of all
scenarios; one that never did leaves the run undecided. Trusted: the judge's book, which follows the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ...spec import events as ev
from ...spec.model import Stage
from ...spec.observations import Observation, Preempted, Preempting, Settled
from ...spec.readings import Readings
from ..judge.book import Book
from ..judge.jobs import Entry
from ..judge.observe import record
from .backend import Declaration
from .verdict import Status, Tested

Seen = Callable[[Book, Observation], bool]
"""Whether an observation, about to be recorded in the book, reaches the goal."""


@dataclass(frozen=True)
class Goal:
    """Something that must happen somewhere in a run. `needs`: features without which it cannot."""

    name: str
    sentence: str
    needs: frozenset[str]
    reached: Seen


def _starts(book: Book, what: Observation) -> Entry | None:
    """The job that is dispatched, if one is."""
    return book.jobs.get(what.job) if isinstance(what, ev.Dispatch) else None


def _borrowed(book: Book, what: Observation) -> bool:
    job = _starts(book, what)
    return job is not None and any(
        book.usage(job.share, u) + n > book.grant(job.share, u).limit for u, n in job.size.items()
    )


def _gang(book: Book, what: Observation) -> bool:
    job = _starts(book, what)
    return job is not None and max(job.size.values()) > 1


def _again(book: Book, what: Observation) -> bool:
    job = _starts(book, what)
    return job is not None and job.preemptions > 0


def _stopped(book: Book, what: Observation, *, own: bool) -> bool:
    """Whether a job is told to stop for one of its own share, or of another.

    Where a trace does not say, a stop counts as for another share if the job's own is above its limit: only then can it be.
    """
    if isinstance(what, Preempting):
        claimant = book.jobs.get(what.claimant or "")
        if claimant is not None and what.job in book.jobs:
            return own == (claimant.share == book.jobs[what.job].share)
        if what.kind is None and what.job in book.jobs:
            return own != _above(book, book.jobs[what.job])
        return what.kind == ("in-share" if own else "cross-share")
    if not isinstance(what, ev.Claim) or what.job not in book.jobs:
        return False
    mine = book.jobs[what.job].share
    return any(v in book.jobs and own == (book.jobs[v].share == mine) for v in what.victims)


def _above(book: Book, job: Entry) -> bool:
    """The job's share uses more than its limit of something that the job holds."""
    return any(book.usage(job.share, u) > book.grant(job.share, u).limit for u in job.size)


def _waits_with_room(book: Book, what: Observation) -> bool:
    """The scheduler stops, and a head waits though the environment has room for it."""
    if not isinstance(what, Settled):
        return False
    free = {u: n - sum(book.usage(s, u) for s in book.now.shares) for u, n in book.now.capacity.items()}
    waiting = [j for j in book.jobs.values() if j.stage is Stage.RUNNABLE]
    return any(all(n <= free.get(u, 0) for u, n in j.size.items()) for j in waiting)


def _fails(_book: Book, what: Observation) -> bool:
    return isinstance(what, Preempted) and what.stage is Stage.FAILED


def _drains_apart(book: Book, what: Observation) -> bool:
    """One of several victims has stopped, and the scheduler has looked at the queue before the next does."""
    stopped = any(j.stage is Stage.RUNNABLE and j.preemptions for j in book.jobs.values())
    return isinstance(what, Settled) and stopped and any(True for _ in book.draining())


def _owner_first(book: Book, what: Observation) -> bool:
    """A job starts within its share's limit, and a job of another share waits that would borrow of the same units."""
    job = _starts(book, what)
    if job is None or _borrowed(book, what):
        return False
    others = (j for j in book.jobs.values() if j.stage is Stage.RUNNABLE and j.share != job.share)
    return any(
        book.now.may_borrow(j.share, book.chosen) and book.usage(j.share, u) + n > book.grant(j.share, u).limit
        for j in others
        for u, n in j.size.items()
        if u in job.size
    )


def _over(book: Book, what: Observation) -> bool:
    """The scheduler stops with a share above all that it may use: an administrator has taken something away."""
    if not isinstance(what, Settled):
        return False
    for share in book.now.shares:
        for unit in book.now.units():
            grant = book.grant(share, unit)
            if grant.borrowable is not None and book.usage(share, unit) > grant.limit + grant.borrowable:
                return True
    return False


_BORROWS = frozenset({"borrowing"})
_ALL = (
    Goal("borrowed", "A share borrowed.", _BORROWS, _borrowed),
    Goal("gang", "A job of several machines started.", frozenset({"gangs"}), _gang),
    Goal("reclaimed", "A lender took back what it had lent.", _BORROWS, lambda b, w: _stopped(b, w, own=False)),
    Goal("in-share", "A job was stopped for a higher priority of its own share.",
         frozenset({"in-share-preemption", "priorities"}), lambda b, w: _stopped(b, w, own=True)),
    Goal("ran-again", "A job that had been preempted started again.", _BORROWS, _again),
    Goal("waited", "A job waited though machines were idle.", frozenset(), _waits_with_room),
    Goal("retries-used-up", "A preemption was one too many, and the job failed.", _BORROWS | {"retries"}, _fails),
    Goal("drained-apart", "A victim had stopped while another still drained, and the scheduler looked.",
         _BORROWS | {"timed-stops"}, _drains_apart),
    Goal("owner-first", "An owner started while somebody else waited to borrow.", _BORROWS, _owner_first),
    Goal("over-limit", "An administrator left a share above all that it may use.", frozenset({"limit-changes"}), _over),
)  # fmt: skip
GOALS: Mapping[str, Goal] = {g.name: g for g in _ALL}


@dataclass
class Sometimes:
    """Which goals a run has reached so far. A goal that is reached costs nothing more."""

    declared: Declaration
    missing: list[str]
    """Names of goals, in the order in which they are told."""
    reached_in: dict[str, str] = field(default_factory=dict[str, str])
    """Goal -> the scenario that reached it first."""

    def take(self, tested: Tested) -> None:
        """One scenario more. A trace that is no evidence reaches nothing."""
        if not self.missing or tested.status in (Status.SKIPPED, Status.ERRORED):
            return
        book = Book(
            tested.scenario.config, Readings().assuming(self.declared.choices), claims_known=self.declared.claims
        )
        for what in tested.seen:
            for name in [n for n in self.missing if GOALS[n].reached(book, what)]:
                self.missing.remove(name)
                self.reached_in[name] = tested.scenario.name
            if not self.missing:
                return
            record(book, what)


def sentences(names: Iterable[str]) -> tuple[str, ...]:
    """What the goals of these names say."""
    return tuple(GOALS[n].sentence for n in names)
