"""A run about one queue: which features it needs, and which promises can come up in it at all.

Trusted: that what a promise speaks of is read off the queue as it is configured; what administrators do to it in a scenario
may bring up more, and is then counted like everything else.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...spec.formats.scenario import Scenario
from ...spec.model import QueueConfig, Strategy
from .backend import Declaration
from .features import lacking

_LOANS = frozenset({"G3", "G5x", "G6", "G6+", "G7", "G8", "G11", "G14", "G17", "G18", "G20"})
_IN_SHARE = frozenset({"G5s", "G21"})
_STOPS = frozenset({"G6", "G11", "G18", "G20"})
"""What comes up by any preemption."""


@dataclass(frozen=True)
class OneQueue:
    """The queue, and the path from which it was read."""

    path: str
    config: QueueConfig

    def lacking(self, declared: Declaration) -> tuple[str, ...]:
        """Features that it needs and a backend has not declared."""
        return lacking(Scenario("", "", self.config, ()), declared.features)

    def never_shows(self) -> frozenset[str]:
        """Guarantees that cannot come up in it: nobody can borrow, say."""
        strategies = {share.strategy for share in self.config.shares}
        found = frozenset[str]() if self._lends() else _LOANS
        if not any(share.in_share for share in self.config.shares):
            found |= _IN_SHARE
        elif not self._lends():
            found -= _STOPS
        found |= {"G4"} if strategies == {Strategy.LEND_AND_BORROW} else set()
        found |= {"G2"} if strategies == {Strategy.RESERVE} else set()
        return found if Strategy.RESERVE in strategies else found | {"G15"}

    def _lends(self) -> bool:
        """Whether a share may borrow what another one lends."""
        borrowers = [
            s.name for s in self.config.shares if s.strategy is Strategy.LEND_AND_BORROW and s.borrow_limit != 0
        ]
        lenders = [s.name for s in self.config.shares if s.strategy is not Strategy.RESERVE and s.limits]
        return any(one != other for one in borrowers for other in lenders)
