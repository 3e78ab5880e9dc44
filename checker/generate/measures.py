"""How far a trace went towards trouble: machines borrowed, machines owed to those who wait, jobs told to stop.

Numbers to aim at, no verdicts. Trusted: the judge's book, which believes a trace.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...spec import events as ev
from ...spec.observations import Preempting
from ...spec.readings import Readings
from ..conform.verdict import Tested
from ..judge.book import Book
from ..judge.observe import record
from ..judge.start import heads


def measures(tested: Tested) -> Mapping[str, int]:
    """The most machines that were borrowed at a time, that were owed at a time, and how many jobs were told to stop."""
    book = Book(tested.scenario.config, Readings())
    most = {"borrowed": 0, "owed": 0, "stopped": 0}
    for what in tested.seen:
        record(book, what)
        if isinstance(what, ev.Claim):
            most["stopped"] += len(what.victims)
        elif isinstance(what, Preempting):
            most["stopped"] += 1
        elif isinstance(what, ev.Dispatch):
            most["borrowed"] = max(most["borrowed"], borrowed(book))
        most["owed"] = max(most["owed"], owed(book)) if book.shares_waiting() else most["owed"]
    return most


def borrowed(book: Book) -> int:
    """Machines above the limits of the shares that hold them."""
    return sum(max(0, n - book.grant(s, u).limit) for s in book.now.shares for u, n in book.in_use(s).items())


def owed(book: Book) -> int:
    """Machines that first jobs in line ask for within their shares' limits, as far as they are lent."""
    asked = 0
    for share in book.shares_waiting():
        for job in heads(book, share)[:1]:
            inside = all(book.usage(share, u) + n <= book.grant(share, u).limit for u, n in job.size.items())
            asked += sum(job.size.values()) if inside else 0
    return min(asked, borrowed(book))
