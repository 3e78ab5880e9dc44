"""Mutants in all runs of small queues: what breaks there and nowhere under the true rules.

The model is made by the explorer from the mutant's guards; what is asked of its states is the true rules' meaning.
"""

from __future__ import annotations

from functools import cache

from quotaproof.checker.explore.explored import Explored, explore
from quotaproof.checker.explore.kinds import Kind
from quotaproof.checker.explore.search import OutOfBounds
from quotaproof.checker.explore.system import system
from quotaproof.spec.expr.nodes import Bool, any_of
from quotaproof.spec.rules.mutants import Mutant

from ..queues import queue, share
from .theorem import planted_in_proofs

MOST = 20_000
"""States; a system has some hundreds under the true rules."""
SYSTEMS = {
    "unit jobs": (
        queue(2, share("a", 1, "LEND"), share("b", 1, "LEND_AND_BORROW", in_share=True)),
        (Kind("a", "a", {"u": 1}, jobs=2), Kind("b", "b", {"u": 1}, jobs=2), Kind("B", "b", {"u": 1}, priority=1)),
    ),
    "gangs": (
        queue(4, share("a", 2, "LEND"), share("b", 1, "LEND_AND_BORROW", 200), share("c", 1, "RESERVE")),
        (Kind("a", "a", {"u": 2}), Kind("b", "b", {"u": 1}, jobs=3), Kind("c", "c", {"u": 1})),
    ),
}


@cache
def _true_starts(name: str) -> Bool:
    """A job may start, by the true rules."""
    model = system(*SYSTEMS[name], name=name)
    return any_of(*[t.guard for t in model.transitions if t.about["event"] == "dispatch"])


def breaks(mutant: Mutant | None) -> tuple[str, str] | None:
    """The first promise that some run breaks, and the system; None when none does."""
    for name, (config, kinds) in SYSTEMS.items():
        starts = _true_starts(name)
        try:
            with planted_in_proofs(mutant):
                found = explore(config, kinds, name=name, most=MOST)
        except OutOfBounds:
            return "G12", name
        code = _broken(found, starts)
        if code:
            return code, name
    return None


def _broken(found: Explored, starts: Bool) -> str:
    for code, states in found.invariants.items():
        if states:
            return code
    if found.ends.kept is False:
        return "G18"
    if any(finding.kept is False for finding in found.served.values()):
        return "G14"
    return "G16" if _left_waiting(found, starts) else ""


def _left_waiting(found: Explored, starts: Bool) -> bool:
    """Scheduler and platform have nothing left to do, and a job may start."""
    import numpy as np

    space = found.space
    acts = np.array([t.who != "environment" for t in space.model.transitions], dtype=bool)
    moving = np.zeros(len(space), dtype=bool)
    moving[space.edges.source[acts[space.edges.transition]]] = True
    (may,) = space.values(starts)
    return bool(space.complete and (may & ~moving).any())
