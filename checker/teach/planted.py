"""Schedulers with one bug each, for a menu: what each does, which guarantee it breaks, and a play that shows it.

Each is the reference with one thing changed. Trusted: nothing; the judge has to find them, and a test sees that it does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...reference.clock import Decide
from ...reference.decide import decide as obey
from ...reference.policy import Policy
from ...reference.queue import Queue
from ...spec.readings import Readings
from ..conform.reference import Reference
from . import bugs
from .game import REFERENCE

OBEYS = Reference(REFERENCE)
"""The scheduler without a bug."""


@dataclass(frozen=True)
class Planted:
    """A scheduler with a bug."""

    name: str
    code: str
    """The guarantee that it breaks."""
    says: str
    """What it does, for a newcomer."""
    shows: str
    """A scenario in which it breaks it: a seed, or one of the corpus."""
    scheduler: Reference


def scheduler(name: str) -> Reference:
    """The scheduler of this name: the reference, or a planted one."""
    return OBEYS if name == REFERENCE else PLANTED[name].scheduler


def _policy(changes: Mapping[str, Any]) -> Callable[[Readings], Policy]:
    return lambda readings: replace(Policy.of(readings), **changes)


def _bug(
    name: str, code: str, shows: str, says: str, queue: type[Queue] = Queue, *, decide: Decide = obey,
    policy: Mapping[str, Any] | None = None, choices: Mapping[str, str] | None = None,
) -> Planted:  # fmt: skip
    reads = Policy.of if policy is None else _policy(policy)
    return Planted(name, code, says, shows, Reference(name, choices or {}, decide, queue, reads))


_ALL = (
    _bug("one-more-machine", "G1", "limits-above-the-environment",
         "It thinks that the environment has one machine more than it has.", bugs.OneMoreMachine),
    _bug("lends-reserve", "G2", "reserve-idle",
         "It lends what a RESERVE share keeps for itself.", bugs.LendsReserve),
    _bug("borrows-one-more", "G3", "half-of-three",
         "It lets every share borrow one machine more than its borrow limit.", bugs.BorrowsOneMore),
    _bug("lenders-borrow", "G4", "jobs-too-large",
         "It lets shares borrow that may only lend.", bugs.LendersBorrow),
    _bug("takes-from-owners", "G5x", "limits-above-the-environment",
         "It stops jobs of shares that use only their own.", policy={"borrows": bugs.takes_from_owners}),
    _bug("in-share-always", "G5s", "INSHARE-OFF",
         "It stops lower priorities of a share also where in-share preemption is off.", bugs.InShareAlways),
    _bug("stops-one-more", "G6", "DEMO-1",
         "It stops one job more than it needs to.", decide=bugs.stops_one_more),
    _bug("insufficient-plan", "G6+", "in-share-where-nobody-borrows",
         "It stops jobs even where that does not make enough room.", policy={"insufficient": True}),
    _bug("gives-claimed-away", "G7", "everyone-borrows-last-returns",
         "It gives machines that were freed for one job to another.", bugs.GivesClaimedAway),
    _bug("borrowers-first", "G8", "bug-borrowers-first",
         "It lets borrowers take what a share is about to need for itself.", policy={"entitled_first": False}),
    _bug("low-priority-first", "G9", "half-of-three",
         "It starts the lowest priority of a share first.", bugs.LowPriorityFirst),
    _bug("never-requeues", "G11", "DEMO-1",
         "It lets every stopped job fail instead of waiting again.", bugs.NeverRequeues),
    _bug("never-reclaims", "G14", "DEMO-1",
         "It never stops a job, so that nobody gets back what was borrowed.", bugs.NeverReclaims),
    _bug("priority-decides", "G14", "DEMO-1",
         "It takes a share's own back only from jobs of lower priority.", decide=bugs.priority_decides),
    _bug("starts-no-loans", "G16", "DEMO-1",
         "It lends nothing: machines idle while a job could borrow them.", decide=bugs.starts_no_loans),
    _bug("victims-return", "G18", "DEMO-1",
         "It keeps nothing for whom it made room: the stopped job takes it again.", choices={"A15": "no", "A23": "no"}),
    _bug("never-in-share", "G21", "DEMO-1",
         "It lets a high priority wait behind lower ones of its own share.", decide=bugs.never_in_share),
)  # fmt: skip

PLANTED: Mapping[str, Planted] = {one.name: one for one in _ALL}
"""By name."""
