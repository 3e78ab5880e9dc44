"""What a queue remembers of what was worked out, until something changes it. Nothing of it is state.

`Queue` alone writes it. Trusted: that a queue which remembers nothing takes the same steps, which tests compare.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from ..spec.model import Grant
from .usage import Usage

Stuck = tuple[str, int, int]
"""A unit, and how much all may use of it, and may use or have kept, for a head not to be stuck."""


@dataclass
class Known:
    """What was worked out of a queue, by what it depends on."""

    grants: dict[tuple[str, str], Grant] = field(default_factory=dict[tuple[str, str], Grant])
    limits: dict[str, int] = field(default_factory=dict[str, int])
    """Unit -> what the shares' limits add up to."""
    due: dict[int, Usage] = field(default_factory=dict[int, Usage])
    held: dict[int, Usage] = field(default_factory=dict[int, Usage])
    heads: set[str] = field(default_factory=set[str])
    """Shares in which another job may have become the first of those that wait."""
    at_rest: object = None
    """The policy under which nothing moves."""
    heads_only: bool = False
    """Jobs behind the first of their share make no difference under it."""
    stuck: dict[str, Stuck] = field(default_factory=dict[str, Stuck])
    """Share -> until when its head may neither start nor claim; under `stuck_under`."""
    stuck_under: object = None
    loose: set[str] = field(default_factory=set[str])
    """Those of them of which that was over when they were last looked at."""
    freed: bool = False
    """Machines have become free since: only then may it be over for others."""

    def copies(self) -> Collection[Usage]:
        """Each of `due` and `held` that is not the queue's own count."""
        return {id(used): used for used in (*self.due.values(), *self.held.values())}.values()
