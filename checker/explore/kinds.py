"""What a small system consists of: jobs of a few kinds, and what its scheduler does that AWS leaves open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ...spec.model import NAME, QueueConfig, Size


@dataclass(frozen=True)
class Kind:
    """Jobs that are alike. At most `jobs` of them exist at a time; one that has ended makes room for another."""

    name: str
    share: str
    size: Size
    priority: int = 0
    jobs: int = 1


@dataclass(frozen=True)
class Discipline:
    """How the scheduler chooses, and faults that may be planted in it.

    `order`: '' any share's turn; 'share' the share first that has been entitled longest, nobody borrows while anybody is;
    'head' the same, and a share whose job started is entitled anew. `wary`: what a borrower leaves to an entitled head is
    counted as if nothing drained and the head had no claim, which matters where a claim holds only what was freed (A58).
    `patient`: an entitled share starts nothing above its limit while its own victims still drain. No text of AWS says any of
    it.
    """

    order: Literal["", "share", "head"] = ""
    wary: bool = False
    patient: bool = False
    empty_claims: bool = True
    """False, a fault: a claim that needs no victims is not recorded."""
    inherited: bool = True
    """False, a fault: what drains for a claim that has ended counts for nobody's."""


class NotExplored(ValueError):
    """A system that the explorer has no model of."""


def check(config: QueueConfig, kinds: Sequence[Kind]) -> None:
    """Raise NotExplored for kinds that make no system."""
    shares = {s.name for s in config.shares}
    names = [k.name for k in kinds]
    if not kinds or len(set(names)) < len(names):
        raise NotExplored("name at least one kind of jobs, each by a name of its own")
    for kind in kinds:
        if not re.match(NAME, kind.name):
            raise NotExplored(f"{kind.name!r} is no name: letters, digits, - and _")
        if kind.share not in shares:
            raise NotExplored(f"{kind.name} is of {kind.share}, which is no share of the queue")
        if kind.jobs < 1 or not kind.size or min(kind.size.values()) < 1:
            raise NotExplored(f"{kind.name} needs at least one job, and every count of its size to be 1 or more")
