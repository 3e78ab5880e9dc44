"""The reference scheduler in tests: jobs named after their share, queues to which something has happened."""

from __future__ import annotations

from typing import Any

from quotaproof.reference.apply import apply
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Queue
from quotaproof.reference.run import settle
from quotaproof.spec import events as ev
from quotaproof.spec.model import QueueConfig
from quotaproof.spec.readings import Readings


def job(name: str, priority: int = 0, n: int = 1, **more: Any) -> ev.Submit:
    """`a-job` is a job of share a, of n machines of unit u."""
    return ev.Submit(name, name.split("-")[0], {"u": n}, priority, **more)


def told(config: QueueConfig, *events: ev.Event, **readings: str) -> Queue:
    """A queue to which this has happened, without a scheduler."""
    made = Queue(config, Readings().assuming(readings))
    for event in events:
        apply(made, event)
    return made


def settled(made: Queue, *, drains: bool = True) -> list[ev.Event]:
    return list(settle(made, Policy.of(made.readings), drains=drains))
