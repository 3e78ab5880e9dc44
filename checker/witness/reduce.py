"""What can be taken from a scenario, one thing at a time: steps, numbers, shares, instance types.

Everything that makes scenarios smaller is made of this. A reduction may be of no use or may make a scenario impossible;
who asks for it finds out. Nothing here runs a scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from ...spec import events as ev
from ...spec.formats.scenario import Scenario, Step
from ...spec.model import QueueConfig, QuotaShare, ResourceSharing, ShareCapacityLimit, State, Strategy

Less = Callable[[int, int], Iterator[int]]
"""Smaller numbers to try for one, none below the second."""


def one_less(n: int, low: int) -> Iterator[int]:
    """The next smaller number."""
    if n > low:
        yield n - 1


def much_less(n: int, low: int) -> Iterator[int]:
    """The smallest number, half of it, the next smaller one."""
    yield from dict.fromkeys(k for k in (low, (n + low) // 2, n - 1) if low <= k < n)


def without(scenario: Scenario, gone: Collection[int]) -> Scenario:
    """The scenario without the steps of these numbers."""
    kept = [i for i in range(len(scenario.steps)) if i not in gone]
    repeats = scenario.repeats_from
    if repeats is not None:
        repeats = 1 + sum(i < repeats - 1 for i in kept)
    return replace(scenario, steps=tuple(scenario.steps[i] for i in kept), repeats_from=repeats)


def jobs(scenario: Scenario) -> list[frozenset[int]]:
    """The numbers of each job's steps."""
    names = dict.fromkeys(step.job for step in scenario.steps if isinstance(step, ev.Submit))
    return [frozenset(i for i, step in enumerate(scenario.steps) if getattr(step, "job", None) == n) for n in names]


def single(scenario: Scenario) -> list[frozenset[int]]:
    """Each step alone."""
    return [frozenset((i,)) for i in range(len(scenario.steps))]


def merged(scenario: Scenario) -> Iterator[Scenario]:
    """Two jobs of one share as one job that asks for what both did; what happens to the later one is left out."""
    submits = [(i, step) for i, step in enumerate(scenario.steps) if isinstance(step, ev.Submit)]
    for (first, one), (_, other) in combinations(submits, 2):
        if one.share == other.share:
            size = {u: one.size.get(u, 0) + other.size.get(u, 0) for u in (*one.size, *other.size)}
            steps = (*scenario.steps[:first], replace(one, size=size), *scenario.steps[first + 1 :])
            gone = {i for i, step in enumerate(steps) if getattr(step, "job", None) == other.job}
            yield without(replace(scenario, steps=steps), gone)


def lower(scenario: Scenario, less: Less = one_less) -> Iterator[Scenario]:
    """One number in one step lower, or one thing fewer in it."""
    for i, step in enumerate(scenario.steps):
        for lower in _lower(step, less):
            yield replace(scenario, steps=(*scenario.steps[:i], lower, *scenario.steps[i + 1 :]))


def _lower(step: Step, less: Less) -> Iterator[Step]:
    match step:
        case ev.Submit():
            for unit, n in step.size.items():
                if n == 1 and len(step.size) > 1:
                    yield replace(step, size={u: k for u, k in step.size.items() if u != unit})
                yield from (replace(step, size={**step.size, unit: k}) for k in less(n, 1))
            yield from (replace(step, priority=k) for k in less(step.priority or 0, 0))
            yield from (replace(step, retries=k) for k in less(step.retries or 0, 0))
            if step.retries is not None:
                yield replace(step, retries=None)
        case ev.Claim():
            for victim in step.victims:
                yield replace(step, victims=tuple(v for v in step.victims if v != victim))
        case ev.SetLimits():
            for unit, n in step.limits.items():
                yield from (replace(step, limits={**step.limits, unit: k}) for k in less(n, 1))
        case ev.SetCapacity():
            for unit, n in step.capacity.items():
                yield from (replace(step, capacity={**step.capacity, unit: k}) for k in less(n, 0))
        case ev.SetPriority():
            yield from (replace(step, priority=k) for k in less(step.priority, 0))
        case _:
            return


def simpler(scenario: Scenario, less: Less = one_less) -> Iterator[Scenario]:
    """A share or an instance type fewer, or one setting of the queue lower or simpler."""
    for share in scenario.config.shares if len(scenario.config.shares) > 1 else ():
        yield _without_share(scenario, share.name)
    for unit in scenario.config.units if len(scenario.config.units) > 1 else ():
        yield _without_unit(scenario, unit)
    for share in scenario.config.shares:
        for changed, by in _plainer(share, less):
            shares = tuple(changed if s is share else s for s in scenario.config.shares)
            config = scenario.config.model_copy(update={"shares": shares})
            if by:
                left = {u: n - by.get(u, 0) for u, n in config.environment.capacity.items()}
                if min(left.values(), default=0) >= 0:
                    yield replace(scenario, config=_capacity(config, left))
            yield replace(scenario, config=config)
    capacity = scenario.config.environment.capacity
    for unit, n in capacity.items():
        for k in less(n, 0):
            yield replace(scenario, config=_capacity(scenario.config, {**capacity, unit: k}))


def _plainer(share: QuotaShare, less: Less) -> Iterator[tuple[QuotaShare, Mapping[str, int]]]:
    """The share with one setting lower or simpler, and what its limits have less."""
    for unit, n in share.limits.items():
        for k in less(n, 1):
            yield _limits(share, {**share.limits, unit: k}), {unit: n - k}
    plain = ResourceSharing(strategy=Strategy.LEND)
    if share.strategy is not Strategy.LEND:
        yield share.model_copy(update={"resource_sharing_configuration": plain}), {}
    if share.borrow_limit is not None:
        free = ResourceSharing(strategy=share.strategy)
        yield share.model_copy(update={"resource_sharing_configuration": free}), {}
    if share.in_share:
        off = share.preemption_configuration.model_copy(update={"in_share_preemption": State.DISABLED})
        yield share.model_copy(update={"preemption_configuration": off}), {}
    if share.state is State.DISABLED:
        yield share.model_copy(update={"state": State.ENABLED}), {}


def _without_share(scenario: Scenario, name: str) -> Scenario:
    """The share is not there, nor are its jobs; the environment has less by its limits."""
    share = scenario.config.share(name)
    own = {step.job for step in scenario.steps if isinstance(step, ev.Submit) and step.share == name}
    gone = [i for i, s in enumerate(scenario.steps) if _names(s, name) or getattr(s, "job", None) in own]
    left = {u: max(0, n - share.limits.get(u, 0)) for u, n in scenario.config.environment.capacity.items()}
    shares = tuple(s for s in scenario.config.shares if s.name != name)
    config = scenario.config.model_copy(update={"shares": shares})
    return replace(without(scenario, gone), config=_capacity(config, left))


def _names(step: Step, share: str) -> bool:
    named: Any = getattr(step, "share", None)
    return named == share or getattr(named, "name", None) == share


def _without_unit(scenario: Scenario, unit: str) -> Scenario:
    """Nobody has, wants or limits the instance type; jobs and limits that are about it alone are gone."""

    def rest(counts: Mapping[str, int]) -> dict[str, int]:
        return {u: n for u, n in counts.items() if u != unit}

    shares = tuple(_limits(s, rest(s.limits)) for s in scenario.config.shares if rest(s.limits))
    found = replace(scenario, config=scenario.config.model_copy(update={"shares": shares}))
    found = replace(found, config=_capacity(found.config, rest(scenario.config.environment.capacity)))
    steps, gone = list(scenario.steps), set[int]()
    for i, step in enumerate(scenario.steps):
        match step:
            case ev.Submit() if unit in step.size:
                steps[i] = replace(step, size=rest(step.size))
                if not rest(step.size):
                    gone |= {k for k, s in enumerate(steps) if getattr(s, "job", None) == step.job}
            case ev.SetLimits() if unit in step.limits:
                steps[i] = replace(step, limits=rest(step.limits))
                gone |= set() if rest(step.limits) else {i}
            case ev.SetCapacity():
                steps[i] = replace(step, capacity=rest(step.capacity))
            case ev.CreateShare():
                limits = rest(step.share.limits)
                steps[i] = ev.CreateShare(_limits(step.share, limits))
                gone |= set() if limits else {i}
            case _:
                pass
    return without(replace(found, steps=tuple(steps)), gone)


def _limits(share: QuotaShare, limits: Mapping[str, int]) -> QuotaShare:
    made = tuple(ShareCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in limits.items())
    return share.model_copy(update={"capacity_limits": made})


def _capacity(config: QueueConfig, capacity: Mapping[str, int]) -> QueueConfig:
    limits = tuple(
        limit.model_copy(update={"max_capacity": capacity[limit.capacity_unit]})
        for limit in config.environment.capacity_limits
        if limit.capacity_unit in capacity
    )
    environment = config.environment.model_copy(update={"capacity_limits": limits})
    return config.model_copy(update={"environment": environment})
