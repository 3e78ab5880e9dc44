"""Queues of one unit in one line: `one_unit(16, a=(8, "LEND_AND_BORROW", 25))`."""

from __future__ import annotations

from quotaproof.spec.model import QueueConfig

from ...support.queues import queue, share

UNIT = "ml.p5.48xlarge"


def one_unit(capacity: int, **shares: tuple[int, str] | tuple[int, str, int | None]) -> QueueConfig:
    """Every share is (limit, strategy, borrow limit)."""
    made = [share(name, {UNIT: given[0]}, *given[1:]) for name, given in shares.items()]
    return queue({UNIT: capacity}, *made, name="queue")
