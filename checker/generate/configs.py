"""Queues: a few shares and units of every kind, with numbers at and around the boundaries of what AWS allows.

Trusted: `spec.model`, which refuses what is no queue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...spec.model import (
    MAX_LIMITS,
    MAX_SHARES,
    EnvironmentCapacityLimit,
    Preemption,
    QueueConfig,
    QuotaShare,
    ResourceSharing,
    ServiceEnvironment,
    ShareCapacityLimit,
    State,
    Strategy,
)
from .choices import Choices, pick, record

QUEUE = "queue"
UNITS = ("u", "w", "x", "y", "z")
SHARES = tuple("abcdefghijklmnopqrst")
assert (len(SHARES), len(UNITS)) == (MAX_SHARES, MAX_LIMITS)
STRATEGIES = (Strategy.LEND, Strategy.LEND_AND_BORROW, Strategy.LEND_AND_BORROW, Strategy.RESERVE)
BORROW_LIMITS = (None, None, 100, 50, -1, 0, 200, 33, 150, 1)
"""Percent of the own limit; the first two and -1 are unlimited."""
_SHARES = (*(2,) * 20, *(3,) * 20, *(4,) * 12, *(1,) * 4, 5, 6, 8, MAX_SHARES)
_UNITS = (*(1,) * 34, *(2,) * 20, *(3,) * 4, 4, 5)
_LIMITS = (1, 2, 1, 3, 2, 4, 1, 2, 3, 5, 1, 2, 3, 4, 10)
_BESIDE = (*(0,) * 10, 1, 1, 2, 2, -1, -1, -2, 5, -5, None)
"""The environment less what the limits add up to; None: the environment lacks the unit."""


def share_of(
    name: str,
    limits: Mapping[str, int],
    strategy: Strategy = Strategy.LEND,
    borrow_limit: int | None = None,
    *,
    in_share: bool = False,
    state: State = State.ENABLED,
) -> QuotaShare:
    """A share; a borrow limit counts only where the strategy borrows."""
    borrow = borrow_limit if strategy is Strategy.LEND_AND_BORROW else None
    return QuotaShare(
        quota_share_name=name,
        capacity_limits=tuple(ShareCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in limits.items()),
        resource_sharing_configuration=ResourceSharing(strategy=strategy, borrow_limit=borrow),
        preemption_configuration=Preemption(in_share_preemption=State.ENABLED if in_share else State.DISABLED),
        state=state,
    )


def queue_of(capacity: Mapping[str, int], shares: Sequence[QuotaShare]) -> QueueConfig:
    """A queue of these shares."""
    limits = tuple(EnvironmentCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in capacity.items())
    environment = ServiceEnvironment(service_environment_name=QUEUE, capacity_limits=limits)
    return QueueConfig(job_queue_name=QUEUE, environment=environment, shares=tuple(shares))


def totals(shares: Sequence[QuotaShare]) -> dict[str, int]:
    """Unit -> what the shares' limits add up to."""
    found: dict[str, int] = {}
    for share in shares:
        for unit, n in share.limits.items():
            found[unit] = found.get(unit, 0) + n
    return found


def share(
    choose: Choices,
    name: str,
    units: Sequence[str],
    *,
    strategies: Sequence[Strategy] = STRATEGIES,
    borrow_limits: Sequence[int | None] = BORROW_LIMITS,
    in_share: bool = True,
    disabled: bool = True,
) -> QuotaShare:
    """A share with limits for all or some of the units. `in_share`, `disabled`: whether it may be so."""
    drawn = record(choose, 5 + len(units))
    strategy, borrow = pick(drawn, strategies), pick(drawn, borrow_limits)
    preempts = bool(drawn.number(0, 1)) and in_share
    off = drawn.number(0, 29) == 29 and disabled
    lacks = units[-1] if drawn.number(0, 5) == 5 and len(units) > 1 else None
    limits = {unit: pick(drawn, _LIMITS) for unit in units if unit != lacks}
    return share_of(name, limits, strategy, borrow, in_share=preempts, state=State.DISABLED if off else State.ENABLED)


def config(
    choose: Choices,
    *,
    most_shares: int = MAX_SHARES,
    most_units: int = MAX_LIMITS,
    strategies: Sequence[Strategy] = STRATEGIES,
    borrow_limits: Sequence[int | None] = BORROW_LIMITS,
    in_share: bool = True,
    disabled: bool = True,
) -> QueueConfig:
    """A queue: mostly 2 to 4 shares and one or two units; limits that fill the environment exactly, or nearly."""
    drawn = record(choose, 2)
    many, units = min(pick(drawn, _SHARES), most_shares), UNITS[: min(pick(drawn, _UNITS), most_units)]
    shares = [
        share(
            choose, SHARES[i], units, strategies=strategies, borrow_limits=borrow_limits, in_share=in_share,
            disabled=disabled and i > 0,
        )
        for i in range(many)
    ]  # fmt: skip
    total, drawn = totals(shares), record(choose, len(units))
    beside = {unit: pick(drawn, _BESIDE) for unit in units}
    beside[units[0]] = beside[units[0]] or 0
    return queue_of({u: max(0, total.get(u, 0) + by) for u, by in beside.items() if by is not None}, shares)
