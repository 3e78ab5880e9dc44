"""Policies: small things over one core, which is the reference on a clock.

A policy makes of a queue and a workload a `Setup`: another configuration, other readings, or the same jobs in another
share. Stages, drains, retries and checkpoints are the clock's and alike in all. `as-it-was` alone is no scheduler: it
tells what a history saw. Trusted: `reference.clock`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ....reference import clock
from ....spec import events as ev
from ....spec.model import Preemption, QueueConfig, QuotaShare, ResourceSharing, State, Strategy
from ....spec.observations import Preempting, Rejected, Retried, Settled
from ....spec.readings import Readings
from ....spec.workload import UNSAID, Checkpoints, Work
from . import recorded, splits
from .best import best_split

Moment: TypeAlias = tuple[int, ev.Event | Rejected | Settled | Preempting | Retried]
"""When, and what. `Preempting` and `Retried` are only in what a history recorded, in which nobody decides and rests."""

POOL = "pool"
"""The share that everything is in when nobody has one of its own."""


@dataclass(frozen=True)
class Settings:
    """What a workload does not say. Times are milliseconds."""

    readings: Readings = field(default_factory=Readings)
    drain: int = 120_000
    """How long a victim holds its machines after it was told to stop."""
    scheduled: int = 0
    starting: int = 0
    checkpoints: Checkpoints = UNSAID
    """Of jobs and shares that do not say it themselves."""
    by_share: Mapping[str, Checkpoints] = field(default_factory=dict[str, Checkpoints])
    seed: int = 0
    """Which part of a large workload splits are tried on."""
    until: int | None = None
    """Nothing later happens; None: until the last job has ended."""

    def of(self, share: str) -> Checkpoints:
        """How jobs of the share save that do not say it themselves."""
        own = self.by_share.get(share)
        return self.checkpoints if own is None else own.over(self.checkpoints)


@dataclass(frozen=True)
class Setup:
    """A queue and a workload as one policy has them."""

    policy: str
    config: QueueConfig
    work: tuple[Work, ...]
    settings: Settings
    notes: tuple[str, ...] = ()
    """What was done to make them so."""
    tells: bool = False
    """It tells what a history saw."""
    pooled: bool = False
    """All jobs are in one share, which is none of the workload's."""

    def moments(self) -> Iterator[Moment]:
        """What happens, each step before it is applied. Raises GoesRound as `clock.run` does."""
        s = self.settings
        if self.tells:
            return recorded.moments(self.work, s.until)
        return clock.run(
            self.config, s.readings, self.work, drain=s.drain, scheduled=s.scheduled, starting=s.starting, until=s.until
        )


Prepare: TypeAlias = Callable[[QueueConfig, tuple[Work, ...], Settings], Setup]


@dataclass(frozen=True)
class Policy:
    """A name, what it does in a sentence, and how a queue is set up for it."""

    name: str
    sentence: str
    prepare: Prepare


def _lend_borrow(config: QueueConfig, work: tuple[Work, ...], settings: Settings) -> Setup:
    return Setup("lend-borrow", config, work, settings)


def _static(config: QueueConfig, work: tuple[Work, ...], settings: Settings) -> Setup:
    split = splits.by_limits(config)
    return Setup("static", splits.reserved(config, split), work, settings, (splits.described(config, split),))


def _static_best(config: QueueConfig, work: tuple[Work, ...], settings: Settings) -> Setup:
    found = best_split(config, work, settings.seed, lambda alone, jobs: Setup("", alone, jobs, settings).moments())
    notes = (found.told, splits.described(config, found.split))
    return Setup("static-best", splits.reserved(config, found.split), work, settings, notes)


def _pool(config: QueueConfig, work: tuple[Work, ...], settings: Settings, name: str = "pool") -> Setup:
    one = QuotaShare(
        quota_share_name=POOL,
        capacity_limits=splits.limits(config.environment.capacity),
        resource_sharing_configuration=ResourceSharing(strategy=Strategy.RESERVE),
        preemption_configuration=Preemption(in_share_preemption=State.DISABLED),
    )
    moved = tuple(replace(w, submit=replace(w.submit, share=POOL)) for w in work)
    return Setup(name, config.model_copy(update={"shares": (one,)}), moved, settings, pooled=True)


def _backfill(config: QueueConfig, work: tuple[Work, ...], settings: Settings) -> Setup:
    readings = settings.readings.assuming({"A18": "backfill"})
    return _pool(config, work, replace(settings, readings=readings), "pool-backfill")


def _as_it_was(config: QueueConfig, work: tuple[Work, ...], settings: Settings) -> Setup:
    return Setup("as-it-was", config, work, settings, tells=True)


POLICIES: Mapping[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy("lend-borrow", "The queue as it is configured: shares lend, borrow and take back.", _lend_borrow),
        Policy("static", f"No share lends or borrows: {splits.RULE}.", _static),
        Policy(
            "static-best",
            "No share lends or borrows, and the capacity is split as waited for least in this very workload, as far as a "
            "bounded search found: nobody knows that before, and it need not be the best there is.",
            _static_best,
        ),
        Policy(
            "pool",
            "One share of everything: jobs start by priority, then arrival, and nobody passes one that does not fit; "
            "nothing is stopped.",
            _pool,
        ),
        Policy(
            "pool-backfill",
            "One share of everything: by priority, then arrival, whatever fits starts; nothing is kept for a job that does "
            "not fit, so that a large one may wait long; nothing is stopped.",
            _backfill,
        ),
        Policy("as-it-was", "When jobs started and ended, as a history recorded it; nobody decides.", _as_it_was),
    )
}
