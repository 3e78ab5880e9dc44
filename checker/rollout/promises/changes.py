"""What differs between two configurations of the same shares, and what that costs each share, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....spec.model import QueueConfig, QuotaShare, Strategy
from ....spec.readings import Readings
from ...findings.check import short_units
from ...findings.table import lots


@dataclass(frozen=True)
class Change:
    """One number or switch that is to be written differently."""

    words: str
    amount: int
    """Machines, or percent points; 0 for a switch."""


def changes(old: QueueConfig, new: QueueConfig) -> Iterator[Change]:
    """Every difference, share by share, the environment last."""
    for before, after in zip(old.shares, new.shares, strict=True):
        for unit in dict.fromkeys((*before.limits, *after.limits)):
            had, has = before.limits.get(unit, 0), after.limits.get(unit, 0)
            if had != has:
                words = f"{before.name} {unit} {had or 'no limit'} -> {has or 'no limit'}"
                yield Change(words, abs(had - has))
        if before.strategy is not after.strategy:
            yield Change(f"{before.name} {before.strategy} -> {after.strategy}", 0)
        elif before.borrow_limit != after.borrow_limit:
            yield Change(
                f"{before.name} borrowLimit {_percent(before)} -> {_percent(after)}",
                abs((after.borrow_limit or 0) - before.borrow_limit) if before.borrow_limit not in (None, -1) else 0,
            )
        if before.in_share and not after.in_share:
            yield Change(f"{before.name} in-share preemption ENABLED -> DISABLED", 0)
    had, has = old.environment.capacity, new.environment.capacity
    for unit, n in has.items():
        if n != had.get(unit, 0):
            yield Change(f"environment {unit} {had.get(unit, 0)} -> {n} (a purchase)", n - had.get(unit, 0))


def _percent(share: QuotaShare) -> str:
    return "no maximum" if share.borrow_limit in (None, -1) else f"{share.borrow_limit} %"


def costs(old: QueueConfig, new: QueueConfig, readings: Readings) -> Iterator[str]:
    """What a share has less of: what it is sure of, the most that it can hold, that others may use its own."""
    short = short_units(old.units)
    for before, after in zip(lots(old, readings), lots(new, readings), strict=False):
        for i, share in enumerate(old.shares):
            unit = short[before.unit]
            if after.sure(i) < before.sure(i):
                yield f"{share.name} is sure of {after.sure(i)} {unit}, not {before.sure(i)}"
            if after.most(i) < before.most(i):
                yield f"{share.name} holds at most {after.most(i)} {unit}, not {before.most(i)}"
    for before, after in zip(old.shares, new.shares, strict=True):
        if after.strategy is Strategy.RESERVE and before.strategy is not Strategy.RESERVE:
            yield f"{before.name} lends nothing any more"
        if before.in_share and not after.in_share:
            yield f"{before.name}'s urgent jobs no longer stop its others"
