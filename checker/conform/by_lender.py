"""A trace of a scheduler whose capacity is per lender: every machine belongs to a share, and whose a job holds is told.

The rules are those of any other trace. What speaks of lending and taking back (G2, G5x, G6, G8, G14, G16, G21) is asked of
each lender's machines as an environment of its own: the lender there has what it has, all other shares are borrowers
without a limit of their own, and a job that runs on somebody else's machines is not there. An owner so waits for its own
machines whatever others leave idle, and takes back what is lent of them and nothing else. A job beyond what its share owns
may start with any lender. Everything else, caps, order, life cycle, retries, is asked of the whole trace.

Trusted: nothing; a lender that is told falsely breaks a promise on its machines, or is an error of the trace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...spec import events as ev
from ...spec import observations as ob
from ...spec.model import EnvironmentCapacityLimit, QueueConfig, QuotaShare, ResourceSharing, Stage, State
from ...spec.observations import Observation
from ...spec.readings import Readings
from ...spec.rules.lifecycle import DISPATCHED
from ..judge import rules
from ..judge.book import HOLDING, Book
from ..judge.jobs import Entry
from ..judge.observe import look, record
from ..judge.rest import at_rest, in_line, left_waiting
from ..judge.start import kinds, situation, supposed
from ..judge.state import Situation
from ..judge.stepwise import Counts, Violation
from .inputs import NotTheScenario

_POOLED = ("G8",)
"""Of a start, what only a lender's machines tell."""
_OF_ALL = (ev.SetPriority, ev.SetInShare, ev.SetShareState, ev.DeleteShare, ev.ShareGone, ev.SetEnvironmentState,
           ev.SetQueueState, ob.Submitted)  # fmt: skip
"""What is the same on everybody's machines."""


class ByLender:
    """Every lender's machines beside the `whole` book, which is recorded first."""

    def __init__(self, config: QueueConfig, readings: Readings, whole: Book) -> None:
        self._config, self._whole = config, whole
        self._readings = readings.assuming({"A4": "unlimited"})
        self._at: dict[str, str] = {}
        """Job -> the share whose machines it holds."""
        self._books = {share.name: self._machines(share.name) for share in config.shares}

    # looking

    def look(self, what: Observation, lender: str, counts: Counts) -> Violation | None:
        """The first promise that an observation breaks, or None. Raises NotTheScenario for a lender that is none."""
        match what:
            case ev.Claim() | ev.Release():
                raise NotTheScenario(
                    f"it names a claim of {what.job}: where capacity is per lender claims are not told"
                )
            case ev.Dispatch():
                return self._start(what, lender, counts)
            case ob.Preempting():
                return self._stop(what, counts)
            case ob.Settled():
                return at_rest(self._whole, counts, self._left)
            case _:
                return look(self._whole, what, counts)

    def _start(self, what: ev.Dispatch, lender: str, counts: Counts) -> Violation | None:
        if lender not in self._whole.now.shares:
            raise NotTheScenario(f"{what.job} is dispatched on the machines of {lender!r}, and there is no such share")
        found, pooled = _looked(self._whole, what)
        counts.update({code: n for code, n in pooled.items() if code not in _POOLED})
        if found is not None and found.code not in _POOLED:
            return found
        found, here = _looked(self._books[lender], what)
        counts.update({code: n for code, n in here.items() if code in _POOLED})
        if found is None or (found.code == "G8" and not all(map(self._within_caps, kinds(self._whole, lender)))):
            return None
        return _among(lender, found)

    def _stop(self, what: ob.Preempting, counts: Counts) -> Violation | None:
        """A stop is kept if it is for some job for which it may have been, on the machines that it frees."""
        jobs = self._whole.jobs
        victim = jobs.get(what.job)
        if (
            victim is None
            or victim.stage not in DISPATCHED
            or (what.claimant is not None and what.claimant not in jobs)
        ):
            return look(self._whole, what, counts)
        lender, first, here = self._at[what.job], None, Counter[str]()
        for stop in self._purposes(what, victim):
            found, here = _looked(self._books[lender], stop)
            if found is None and stop.claimant is not None and jobs[stop.claimant].share == victim.share:
                found = self._covered(jobs[stop.claimant], lender)
            if found is None:
                counts.update(here)
                return None
            if first is None or (first.code == "G6" and found.code != "G6"):
                first = found
        counts.update(here)
        return first and _among(lender, first)

    def _purposes(self, what: ob.Preempting, victim: Entry) -> Iterator[ob.Preempting]:
        """What a stop may have been for: another share, or each job that may be the head of the victim's own."""
        if what.claimant is not None:
            yield what
            return
        if what.kind != "in-share":
            yield replace(what, kind="cross-share")
        own = kinds(self._whole, victim.share) if what.kind != "cross-share" else []
        for job in own:
            yield replace(what, claimant=job.name)
        if what.kind == "in-share" and not own:
            yield what

    def _covered(self, job: Entry, lender: str) -> Violation | None:
        """Whether a job for which another of its share was stopped has room elsewhere: on its share's own machines, or, if
        those are its share's already, with any lender."""
        owner, settled = self._is_owner(job), _has_room(self._whole, job)
        for name, book in self._books.items():
            own = name == job.share
            if settled and name != lender and (own or not owner) and _has_room(book, book.jobs[job.name]):
                why = f"{job.name} has room on the machines of {name}, drains under way counted as gone"
                return Violation("G6", f"stop for {job.name}", "", why)
        return None

    def _left(self, _book: Book, job: Entry, came_up: set[str]) -> Violation | None:
        """Why the job should not be waiting: an owner for its own machines, else for anybody's that it may have."""
        owner, capped = self._is_owner(job), not self._within_caps(job)
        if not owner and in_line(self._whole, job):
            return None
        drains = any(True for _ in self._whole.draining())
        first: Violation | None = None
        for name in [job.share] if owner else [job.share, *(n for n in self._books if n != job.share)]:
            book = self._books[name]
            found = left_waiting(book, book.jobs[job.name], came_up)
            if found is None or (found.code == "G21" and drains) or (capped and not self._replaces(found, job)):
                continue
            if first is None or (found.code == "G16" and first.code != "G16"):
                first = _among(name, found)
        return first

    def _replaces(self, found: Violation, job: Entry) -> bool:
        """Whether the job takes no more than what has to stop for it, so that caps are not in the way."""
        return found.code == "G21" and sum(job.asks) == 1

    def _is_owner(self, job: Entry) -> bool:
        """Whether the job would, settled, be within what its share owns, on its own machines."""
        home = self._books[job.share]
        return Situation(home, job.share, home.jobs[job.name]).holds(rules.entitled)

    def _within_caps(self, job: Entry) -> bool:
        """Whether the job would leave its share within limit and borrow limit, wherever its jobs run."""
        at = situation(self._whole, job)
        return at.holds(rules.g3) and at.holds(rules.g4)

    # changing

    def record(self, what: Observation, lender: str) -> None:
        """Write an observation, which the whole book has recorded, into the books of the machines."""
        match what:
            case ev.Dispatch():
                self._at[what.job] = lender
                for name, book in self._books.items():
                    if name == lender:
                        record(book, what)
                    else:
                        book.leave(book.jobs[what.job], Stage.SUCCEEDED)
            case ob.Preempting():
                record(self._books[self._at[what.job]], what)
            case ev.SetLimits():
                record(self._books[what.share], what)
                record(self._books[what.share], ev.SetCapacity(dict(what.limits)))
            case ev.SetSharing():
                for name, book in self._books.items():
                    record(book, what if name == what.share else replace(what, borrow_limit=None))
            case ev.CreateShare():
                for book in self._books.values():
                    record(book, ev.CreateShare(_borrower(what.share)))
                self._books[what.share.name] = self._machines(what.share.name)
            case _ if isinstance(what, _OF_ALL):
                for book in self._books.values():
                    record(book, what)
                if isinstance(what, ev.ShareGone):
                    record(self._books[what.share], ev.SetCapacity({}))
            case _:
                self._move(getattr(what, "job", ""))

    def _move(self, name: str) -> None:
        """A job is where the whole book says; one that holds nothing any more waits or has ended on all machines."""
        job = self._whole.jobs.get(name)
        if job is None:
            return
        lender = self._at.get(name, "") if job.stage in HOLDING else self._at.pop(name, "")
        for machines, book in self._books.items():
            if job.stage not in HOLDING:
                book.leave(book.jobs[name], job.stage)
            elif machines == lender:
                book.reach(book.jobs[name], job.stage)

    def _machines(self, lender: str) -> Book:
        """The book of a lender's machines, as things stand."""
        now = self._whole.now
        limits = tuple(EnvironmentCapacityLimit(capacity_unit=u, max_capacity=n)
                       for u, n in now.shares[lender].limits.items())  # fmt: skip
        state = State.ENABLED if now.environment_enabled else State.DISABLED
        environment = self._config.environment.model_copy(update={"capacity_limits": limits, "state": state})
        shares = tuple(share if name == lender else _borrower(share) for name, share in now.shares.items())
        config = self._config.model_copy(update={"environment": environment, "shares": shares})
        book = Book(config, self._readings, claims_known=False, stages_known=True)
        for share in now.deleting:
            book.record(ev.DeleteShare(share))
        for job in self._whole.jobs.values():
            book.submit(job.name, job.share, job.size, job.priority, job.retries, known=job.retries_known)
            if job.stage is not Stage.RUNNABLE:
                book.leave(book.jobs[job.name], Stage.SUCCEEDED)
        return book


def _looked(book: Book, what: Any) -> tuple[Violation | None, Counter[str]]:
    """What an observation breaks, and what came up."""
    counts = Counter[str]()
    return look(book, what, counts), counts


def _has_room(book: Book, job: Entry) -> bool:
    """Settled the job lacks nothing, as much counted as claimed as heads can claim."""
    with supposed(book, job, mates=0):
        return Situation(book, job.share, job).holds(rules.suffices)


def _borrower(share: QuotaShare) -> QuotaShare:
    """A share as it is on somebody else's machines: with no limit of its own, and none on what it borrows."""
    sharing = ResourceSharing(strategy=share.strategy)
    return share.model_copy(update={"capacity_limits": (), "resource_sharing_configuration": sharing})


def _among(lender: str, found: Violation) -> Violation:
    return replace(found, sentence=f"{found.sentence} (among the machines of {lender} alone)")
