"""A scenario made to fit what a scheduler can do: what it cannot do is taken out, the rest stays.

Trusted: `features`, which says what a scenario needs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from ...spec import events as ev
from ...spec.formats.scenario import Scenario, Settle, Step
from ...spec.model import QueueConfig, QuotaShare, State, Strategy
from ..conform.features import needs
from .configs import queue_of, share_of, totals


def within(scenario: Scenario, features: Collection[str] | None) -> Scenario:
    """The scenario without what needs a feature that is not among `features`; None: as it is."""
    return scenario if features is None else _Fitting(features).scenario(scenario)


class _Fitting:
    def __init__(self, features: Collection[str]) -> None:
        self.has = frozenset(features)

    def scenario(self, whole: Scenario) -> Scenario:
        unit = whole.config.units[0]
        config = self._queue(whole.config, unit)
        now, there = replace(whole, config=config), {share.name for share in config.shares}
        kept, drains = list[Step](), False
        for step in self._simpler(whole.steps, unit):
            if not needs(replace(now, steps=(step,))) <= self.has:
                continue
            if isinstance(step, ev.Submit) and step.share not in there:
                continue
            if drains and isinstance(step, ev.Finish | ev.Terminate) and "early-ends" not in self.has:
                continue
            if isinstance(step, ev.CreateShare):
                there.add(step.share.name)
            now = replace(now, config=_after(now.config, step))
            if isinstance(step, Settle):
                drains = not step.drains
            kept.append(step)
        return replace(whole, config=config, steps=tuple(kept))

    def _simpler(self, steps: tuple[Step, ...], unit: str) -> Iterator[Step]:
        """The steps with less in them where that is enough."""
        for step in steps:
            match step:
                case Settle() if "timed-stops" not in self.has:
                    yield Settle()
                case ev.Submit():
                    yield self._job(step, unit)
                case ev.CreateShare():
                    yield ev.CreateShare(self._share(step.share, unit))
                case ev.SetLimits() if "several-units" not in self.has:
                    yield replace(step, limits=_only(step.limits, unit))
                case ev.SetCapacity() if "several-units" not in self.has:
                    yield replace(step, capacity=_only(step.capacity, unit))
                case _:
                    yield step

    def _queue(self, config: QueueConfig, unit: str) -> QueueConfig:
        shares = [self._share(share, unit) for share in config.shares]
        capacity = config.environment.capacity
        capacity = capacity if "several-units" in self.has else _only(capacity, unit)
        if "overcommitment" not in self.has:
            capacity = {**capacity, **{u: max(n, capacity.get(u, 0)) for u, n in totals(shares).items()}}
        return queue_of(capacity, shares)

    def _share(self, share: QuotaShare, unit: str) -> QuotaShare:
        borrows = share.strategy is Strategy.LEND_AND_BORROW and "borrowing" not in self.has
        return share_of(
            share.name,
            share.limits if "several-units" in self.has else _only(share.limits, unit),
            Strategy.LEND if borrows else share.strategy,
            share.borrow_limit,
            in_share=share.in_share and "in-share-preemption" in self.has,
            state=share.state if "share-states" in self.has else State.ENABLED,
        )

    def _job(self, job: ev.Submit, unit: str) -> ev.Submit:
        size = dict(job.size) if "several-units" in self.has else _only(job.size, unit)
        if "mixed-jobs" not in self.has:
            size = dict(list(size.items())[:1])
        if "gangs" not in self.has:
            size = dict.fromkeys(size, 1)
        priority = job.priority if "priorities" in self.has else None
        return replace(job, size=size, priority=priority, retries=job.retries if "retries" in self.has else None)


def _after(config: QueueConfig, step: Step) -> QueueConfig:
    """The queue after a step that changes limits, as far as what comes next needs to know."""
    capacity, shares = config.environment.capacity, {share.name: share for share in config.shares}
    match step:
        case ev.SetCapacity():
            return queue_of(step.capacity, config.shares)
        case ev.SetLimits() if step.share in shares:
            old = shares[step.share]
            shares[step.share] = share_of(
                old.name, step.limits, old.strategy, old.borrow_limit, in_share=old.in_share, state=old.state
            )
        case ev.CreateShare():
            shares[step.share.name] = step.share
        case _:
            return config
    return queue_of(capacity, tuple(shares.values()))


def _only(counts: Mapping[str, int], unit: str) -> dict[str, int]:
    """The counts of one unit, 1 where there is none."""
    return {unit: counts.get(unit, 1)}
