"""Readings and free choices as tables of functions, put together once into a `Policy`.

A reading picks a function by its choice; nothing asks for a reading while the scheduler runs. Free choices (victim, ties,
order of shares) are one choice each of what the specification allows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..spec.model import LARGEST
from ..spec.readings import Readings
from .queue import Job, Queue, Share
from .usage import Usage

Ceiling = Callable[[Queue, str, bool], int]
Borrows = Callable[[Queue, Usage, Job, str], bool]
VictimKey = Callable[[Queue, Usage, Job], tuple[int, ...]]


def _environment(queue: Queue, unit: str, _borrows: bool) -> int:
    return queue.capacity.get(unit, 0)


def _given(queue: Queue, unit: str, _borrows: bool) -> int:
    return min(queue.limits(unit), queue.capacity.get(unit, 0))


def _owners(queue: Queue, unit: str, borrows: bool) -> int:
    return (_given if borrows else _environment)(queue, unit, borrows)


CEILING: Mapping[str, Ceiling] = {"owners": _owners, "void": _given, "borrowable": _environment}
"""A5: what may be filled, by an owner within its limit or by a borrower."""


def _above_limit(queue: Queue, used: Usage, victim: Job, unit: str) -> bool:
    return used[victim.share, unit] > queue.grant(victim.share, unit).limit


def _labelled(_queue: Queue, _used: Usage, victim: Job, unit: str) -> bool:
    return victim.borrowed.get(unit, 0) > 0


def _in_overage(queue: Queue, used: Usage, victim: Job, unit: str) -> bool:
    over = used[victim.share, unit] - queue.grant(victim.share, unit).limit
    mates = [j for j in queue.stoppable(victim.share) if unit in j.size and j.name not in used.victims]
    for job in sorted(mates, key=lambda j: (j.priority, -j.dispatched)):
        if over <= 0:
            return False
        if job is victim:
            return True
        over -= job.size[unit]
    return False


BORROWS: Mapping[str, Borrows] = {"b": _above_limit, "a": _labelled, "c": _in_overage}
"""A13: whether a job counts as borrowing in a unit; `used` is settled usage."""

ONLY_ABOVE = frozenset({_above_limit, _in_overage})
"""Those by which no job of a share does that is not above its limit."""


def _loan(queue: Queue, used: Usage, job: Job) -> int:
    return sum(min(n, max(0, used[job.share, u] - queue.grant(job.share, u).limit)) for u, n in job.size.items())


VICTIM: Mapping[str, VictimKey] = {
    "priority": lambda _queue, _used, job: (job.priority, -job.dispatched),
    "borrowed": lambda queue, used, job: (-_loan(queue, used, job), job.priority, -job.dispatched),
    "oldest": lambda _queue, _used, job: (job.dispatched,),
}
"""A26: which victim first."""

SHARES: Mapping[str, Callable[[Share], tuple[int | str, ...]]] = {
    "creation": lambda share: (share.created,),
    "name": lambda share: (share.name,),
    "newest": lambda share: (-share.created,),
}
"""A17: in which order shares are visited."""

FIFO: Mapping[str, Callable[[Share, Job], int]] = {
    "head": lambda share, _job: share.head_since,
    "created": lambda _share, job: job.created,
}
"""A16: which borrowing head comes first."""

PLACE: Mapping[str, Callable[[int], int]] = {"created": lambda clock: clock, "newest": lambda clock: LARGEST - clock}
"""A20: place of a new job among those of its priority."""


@dataclass(frozen=True)
class Policy:
    """One reading of everything that AWS leaves open, and one choice of everything it leaves free."""

    ceiling: Ceiling
    borrows: Borrows
    victim: VictimKey
    share_order: Callable[[Share], tuple[int | str, ...]]
    fifo: Callable[[Share, Job], int]
    entitled_first: bool
    claims_hold: bool
    claims_whole: bool
    part_own: bool
    backfill: bool
    strict_fifo: bool
    skip_impossible: bool
    own_victims_first: bool
    inherits_loans: bool
    mixed_plans: bool
    prune: bool
    insufficient: bool
    disabled_run: bool
    waits_for_environment: bool
    share_reason_first: bool
    drop_of_priority_counts: bool

    @classmethod
    def of(cls, readings: Readings) -> Policy:
        """The policy of these readings."""
        return cls(
            ceiling=CEILING[readings["A5"]],
            borrows=BORROWS[readings["A13"]],
            victim=VICTIM[readings["A26"]],
            share_order=SHARES[readings["A17"]],
            fifo=FIFO[readings["A16"]],
            entitled_first=readings["A15"] == "yes",
            claims_hold=readings["A23"] == "yes",
            claims_whole=readings["A58"] == "whole",
            part_own=readings["A24"] == "b",
            backfill=readings["A18"] == "backfill",
            strict_fifo=readings["A16b"] == "strict",
            skip_impossible=readings["A52"] == "skipped",
            own_victims_first=readings["A30"] == "in-share",
            inherits_loans=readings["A31"] == "inherit",
            mixed_plans=readings["A59"] == "yes",
            prune=readings["A28"] != "greedy",
            insufficient=readings["A28"] == "greedy",
            disabled_run=readings["A46"] == "yes",
            waits_for_environment=readings["A50"] == "waits",
            share_reason_first=readings["A51"] == "share",
            drop_of_priority_counts=readings["A33"] == "triggers",
        )
