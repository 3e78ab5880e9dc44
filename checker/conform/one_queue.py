"""A run about one queue: which features it needs and where, and which promises can come up in it at all.

Trusted: that what a promise speaks of is read off the queue as it is configured; what administrators do to it in a scenario
may bring up more, and is then counted like everything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...spec.formats.scenario import Scenario
from ...spec.model import QueueConfig, Strategy
from ..results import Source
from .backend import Backend, Declaration, Unable
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

    @property
    def source(self) -> Source:
        """Where it was read."""
        return Source(Path(self.path).name, self.path, "queue")

    def told_to(self, backend: Backend, declared: Declaration) -> tuple[str, ...]:
        """Why the backend cannot be told the queue, and what to do about it; () when it can."""
        empty = Scenario("the queue alone", "", self.config, ())
        if missing := lacking(empty, declared.features):
            need = f"the queue needs what it does not have: {', '.join(missing)}"
            if "overcommitment" not in missing:
                return need, "Fix: `quotaproof explain features` says what that is; ask about a queue without it."
            where = "; ".join(self._beyond())
            return (
                f"{need}. In {self.path} {where}",
                "Fix: raise the environment to what the limits add up to, or lower limits.",
            )
        if declared.lanes:
            answer = next(iter(backend.run([empty])))
            if isinstance(answer, Unable) and answer.skipped:
                why = f"the queue of {self.path} cannot be told to {declared.name}: {answer.why}"
                return (
                    why,
                    "Fix: change that in the queue, or name another mapping: `quotaproof explain slurm` lists them.",
                )
        return ()

    def _beyond(self) -> Iterator[str]:
        """Where limits add up to more than the environment has."""
        capacity = self.config.environment.capacity
        for unit in dict.fromkeys(u for share in self.config.shares for u in share.limits):
            given = {share.name: share.limits[unit] for share in self.config.shares if share.limits.get(unit)}
            shares, there = ", ".join(f"{name} {n}" for name, n in given.items()), capacity.get(unit)
            if given and there is None:
                yield f"shares have limits of {unit} ({shares}), which the environment does not have"
            elif there is not None and sum(given.values()) > there:
                yield f"the limits of {unit} add up to {sum(given.values())} ({shares}), and the environment has {there}"

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
