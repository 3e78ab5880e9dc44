"""A workload: jobs as users bring them, without what a scheduler made of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from .events import Submit
from .model import QueueConfig


@dataclass(frozen=True, slots=True)
class Work:
    """A job that arrives at `at` and runs for `runs`, both in milliseconds, once it has its machines."""

    at: int
    runs: int
    submit: Submit


@dataclass(frozen=True)
class Workload:
    """Jobs by arrival, and a queue for them."""

    config: QueueConfig
    work: tuple[Work, ...]
    notes: tuple[str, ...] = field(default=())
    """What was changed to make the source fit: fractions of a GPU rounded up, say."""
