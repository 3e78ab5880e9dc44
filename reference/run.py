"""Run a queue: `settle` lets the scheduler and the platform act until nothing moves.

Each step is yielded before it is applied, so that a judge sees state and step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count

from ..spec.events import Event, ShareGone, Stopped, Terminate
from ..spec.model import Stage
from .apply import apply
from .decide import decide
from .policy import Policy
from .queue import STOPPABLE, Queue


class GoesRound(RuntimeError):
    """The scheduler came back to a state it had been in: it would go on for ever (G18)."""


def signature(queue: Queue) -> tuple[object, ...]:
    """What decides the future of a run without arrivals. Times and numbers count by their order alone."""
    live = sorted(queue.live(), key=lambda j: j.name)
    place = _ranks(j.place for j in live)
    started = _ranks(j.dispatched for j in live if j.stage in STOPPABLE)
    number = _ranks([*(j.drains_for for j in live), *(c.number for c in queue.claims)])
    since = _ranks(s.head_since for s in queue.shares.values())
    jobs = tuple(
        (j.name, j.stage, j.priority, 0 if j.retries is None else j.preemptions, j.reason, place[j.place],
         (started[j.dispatched], j.guard_priority, tuple(j.borrowed.items())) if j.stage in STOPPABLE else (),
         number[j.drains_for], j.stage is Stage.DRAINING and j.stopped_scheduled)
        for j in live
    )  # fmt: skip
    claims = tuple((c.job, number[c.number], tuple(c.freed.items())) for c in queue.claims)
    return jobs, claims, tuple((s.name, s.head, since[s.head_since]) for s in queue.shares.values())


def _ranks(values: Iterable[int]) -> dict[int, int]:
    return {value: rank for rank, value in enumerate(sorted(set(values)))}


def platform_step(queue: Queue) -> Event | None:
    """A drain that ends, or a step of a deletion; None when there is neither."""
    first = min(queue.draining(), key=lambda j: (j.drains_for, j.name), default=None)
    return Stopped(first.name) if first else deletion(queue)


def deletion(queue: Queue) -> Event | None:
    """The jobs of a deleted share terminated, then the share gone; None when none is being deleted."""
    for share in queue.shares.values():
        if share.deleting:
            live = [j.name for j in queue.live() if j.share == share.name]
            return Terminate(live[0]) if live else ShareGone(share.name)
    return None


def settle(queue: Queue, policy: Policy, *, drains: bool = True) -> Iterator[Event]:
    """Steps until nothing moves; with `drains` victims stop too. Raises GoesRound when a state comes back."""
    return until_rest(queue, lambda: decide(queue, policy) or (platform_step(queue) if drains else None))


def until_rest(queue: Queue, choose: Callable[[], Event | None], *, unseen: int = 0) -> Iterator[Event]:
    """Steps until `choose` has none. Raises GoesRound when a state comes back after the first `unseen` steps."""
    seen: set[tuple[object, ...]] = set()
    for number in count():
        step = choose()
        if step is None:
            return
        if number >= unseen:
            before = signature(queue)
            if before in seen:
                raise GoesRound(f"the same state again before {step}")
            seen.add(before)
        yield step
        apply(queue, step)
