"""Run a queue: `settle` lets the scheduler and the platform act until nothing moves.

Each step is yielded before it is applied, so that a judge sees state and step.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..spec.events import Event, ShareGone, Stopped, Terminate
from ..spec.model import Stage
from .apply import apply
from .decide import decide
from .policy import Policy
from .queue import ENDED, Queue


class GoesRound(RuntimeError):
    """The scheduler came back to a state it had been in: it would go on for ever (G18)."""


def signature(queue: Queue) -> tuple[object, ...]:
    """What distinguishes two states for the future of a run without arrivals."""
    jobs = tuple(
        (j.name, j.stage, j.drains_for > 0, j.priority, 0 if j.retries is None else min(j.preemptions, j.retries + 1))
        for j in sorted(queue.jobs.values(), key=lambda j: j.name)
    )
    return jobs, tuple(c.job for c in queue.claims)


def platform_step(queue: Queue) -> Event | None:
    """A drain that ends, the jobs of a deleted share terminated, a deleted share gone; None when there is none."""
    drains = sorted((j for j in queue.jobs.values() if j.stage is Stage.DRAINING), key=lambda j: (j.drains_for, j.name))
    if drains:
        return Stopped(drains[0].name)
    for share in queue.shares.values():
        if share.deleting:
            live = [j.name for j in queue.jobs.values() if j.share == share.name and j.stage not in ENDED]
            return Terminate(live[0]) if live else ShareGone(share.name)
    return None


def settle(queue: Queue, policy: Policy, *, drains: bool = True) -> Iterator[Event]:
    """Steps until nothing moves; with `drains` victims stop too. Raises GoesRound when a state comes back."""
    seen: set[tuple[object, ...]] = set()
    while True:
        step: Event | None = decide(queue, policy)
        if step is None:
            step = platform_step(queue) if drains else None
        if step is None:
            return
        before = signature(queue)
        if before in seen:
            raise GoesRound(f"the same state again before {step}")
        seen.add(before)
        yield step
        apply(queue, step)
