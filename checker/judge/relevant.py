"""Which open questions can make a difference to a history at all, as its configurations and kinds of observation show."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...spec import events as ev
from ...spec.model import QueueConfig, State, Strategy
from ...spec.observations import History, Observation, Preempted, Preempting, Settled


def comes_up(code: str, facts: Facts) -> bool:
    """False where the question cannot make a difference, as the configurations and the kinds of observation show."""
    test = _NEEDS.get(code)
    return test is None or test(facts)


class Facts:
    """What a history has at all."""

    def __init__(self, history: History) -> None:
        self.config: QueueConfig = history.config
        self.kinds: set[type] = set()
        self.changes: list[Observation] = []
        for seen in history.seen():
            self.kinds.add(type(seen.what))
            if isinstance(seen.what, ev.ADMINISTRATOR):
                self.changes.append(seen.what)

    def borrowers(self) -> list[int | None]:
        """Borrow limits of shares that borrow, or may come to."""
        now = [s.borrow_limit for s in self.config.shares if s.strategy is Strategy.LEND_AND_BORROW]
        later = [c.borrow_limit for c in self.changes if isinstance(c, ev.SetSharing)]
        return [*now, *later, *(c.share.borrow_limit for c in self.changes if isinstance(c, ev.CreateShare))]

    def disabled(self) -> bool:
        changes = any(isinstance(c, ev.SetShareState | ev.DeleteShare | ev.CreateShare) for c in self.changes)
        return changes or any(s.state is State.DISABLED for s in self.config.shares)


_NEEDS: Mapping[str, Callable[[Facts], bool]] = {
    "A4": lambda f: any(b in (None, -1) for b in f.borrowers()),
    "A6": lambda f: any(b not in (None, -1) and b % 100 for b in f.borrowers()),
    "A8": lambda f: 0 in f.borrowers(),
    "A9": lambda f: any(isinstance(c, ev.SetSharing) and c.borrow_limit is None for c in f.changes),
    "A33": lambda f: ev.SetPriority in f.kinds,
    "A46": Facts.disabled,
    "A47": Facts.disabled,
    "A48": lambda f: ev.DeleteShare in f.kinds,
    "A50": lambda f: ev.SetCapacity in f.kinds,
    "A51": lambda f: ev.Misconfigured in f.kinds,
    "A54": lambda f: ev.Return in f.kinds,
    **{
        q: (lambda f: bool(f.kinds & {Preempting, Preempted, ev.Claim, Settled}))
        for q in ("A13", "A24", "A28", "A30", "A59")
    },
}
"""Question -> what must be in a history for it to make a difference."""
