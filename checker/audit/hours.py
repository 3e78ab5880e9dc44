"""Machine-hours of every share and unit: own, borrowed, lent, kept idle, exactly by running sums.

What a share is owed of something that all shares share (who lent, how much of a reserve exists) is its own number times a
rate of the unit. The rates are integrated over time, so an observation costs the same for three shares and for a thousand.

Loans are pooled: at each moment what all borrow is split over what lenders leave idle, in proportion; what is more than
that came from nobody (`beyond`). A share's loans are spread evenly over its running jobs. Trusted: `Numbers.quantities`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..measured import HOUR, Range, ShareHours, UnitHours
from .numbers import BORROWED, LENDABLE_IDLE, LIMIT, QUANTITIES, RESERVED_IDLE, USED

ZERO = (0,) * len(QUANTITIES)
_LENT, _KEPT, _WANTED, _CROWDED = range(4)
"""Rates of a unit: of idle capacity that is lent; of reserved capacity that exists; the same while some share has a job
that waits for the unit; the same while two have one."""


@dataclass(slots=True)
class Account:
    """One share and unit. Sums are machine-milliseconds of the current period."""

    share: str
    unit: str
    now: tuple[int, ...] = ZERO
    """Its quantities."""
    waiting: int = 0
    """Jobs of the share that wait for the unit."""
    since: int = 0
    marks: list[float] = field(default_factory=lambda: [0.0] * 4)
    own: int = 0
    borrowed: int = 0
    lent: float = 0.0
    kept: float = 0.0
    kept_waiting: float = 0.0
    on_loan: float = 0.0
    """Since the beginning: milliseconds that one machine in use was a loan."""

    def settle(self, at: int, integrals: Sequence[float]) -> None:
        """Write down what came together since the last change."""
        gone = at - self.since
        now = self.now
        if gone:
            loans = now[BORROWED]
            self.own += (now[USED] - loans) * gone
            self.borrowed += loans * gone
            if loans:
                self.on_loan += loans / now[USED] * gone
            self.since = at
        rates = [new - old for new, old in zip(integrals, self.marks, strict=True)]
        self.marks[:] = integrals
        self.lent += now[LENDABLE_IDLE] * rates[_LENT]
        self.kept += now[RESERVED_IDLE] * rates[_KEPT]
        self.kept_waiting += now[RESERVED_IDLE] * rates[_CROWDED if self.waiting else _WANTED]

    def clear(self) -> None:
        self.own = self.borrowed = 0
        self.lent = self.kept = self.kept_waiting = 0.0


@dataclass(slots=True)
class Pool:
    """One unit over all shares."""

    unit: str
    capacity: int = 0
    total: list[int] = field(default_factory=lambda: list(ZERO))
    wanting: int = 0
    """Shares that have a job waiting for the unit."""
    since: int = 0
    integrals: list[float] = field(default_factory=lambda: [0.0] * 4)
    exists: int = 0
    busy: int = 0
    borrowed: int = 0
    beyond: int = 0
    lost: list[int] = field(default_factory=lambda: [0, 0])
    lost_on_loan: list[int] = field(default_factory=lambda: [0, 0])

    def advance(self, at: int) -> None:
        gone = at - self.since
        if gone <= 0:
            return
        self.since = at
        used, borrowed, idle, reserved = (self.total[k] for k in (USED, BORROWED, LENDABLE_IDLE, RESERVED_IDLE))
        self.exists += self.capacity * gone
        self.busy += used * gone
        self.borrowed += borrowed * gone
        self.beyond += max(0, borrowed - idle) * gone
        if borrowed and idle:
            self.integrals[_LENT] += min(1.0, borrowed / idle) * gone
        free = self.capacity - used
        if reserved and free > 0:
            there = min(1.0, free / reserved) * gone
            for rate, wanted in ((_KEPT, 0), (_WANTED, 1), (_CROWDED, 2)):
                if self.wanting >= wanted:
                    self.integrals[rate] += there

    def clear(self) -> None:
        self.exists = self.busy = self.borrowed = self.beyond = 0
        self.lost, self.lost_on_loan = [0, 0], [0, 0]


class Hours:
    """All accounts and pools, and the time up to which they are written."""

    def __init__(self, start: int) -> None:
        self._start = start
        self.accounts: dict[tuple[str, str], Account] = {}
        self.pools: dict[str, Pool] = {}

    def pool(self, unit: str) -> Pool:
        if unit not in self.pools:
            self.pools[unit] = Pool(unit, since=self._start)
        return self.pools[unit]

    def account(self, share: str, unit: str, at: int) -> Account:
        key = share, unit
        if key not in self.accounts:
            made = self.accounts[key] = Account(share, unit, since=at)
            made.marks[:] = self.pool(unit).integrals
        return self.accounts[key]

    def change(self, at: int, share: str, unit: str, now: tuple[int, ...]) -> None:
        """From `at` on the share has other quantities in the unit."""
        pool = self.pool(unit)
        pool.advance(at)
        account = self.account(share, unit, at)
        account.settle(at, pool.integrals)
        for k, (new, old) in enumerate(zip(now, account.now, strict=True)):
            pool.total[k] += new - old
        account.now = now

    def wait(self, at: int, share: str, unit: str, more: int) -> None:
        """One more job of the share waits for the unit, or one less."""
        pool = self.pool(unit)
        pool.advance(at)
        account = self.account(share, unit, at)
        account.settle(at, pool.integrals)
        pool.wanting += bool(account.waiting + more) - bool(account.waiting)
        account.waiting += more

    def equip(self, at: int, unit: str, capacity: int) -> None:
        """From `at` on the environment has so many."""
        pool = self.pool(unit)
        pool.advance(at)
        pool.capacity = capacity

    def on_loan(self, at: int, share: str, unit: str) -> float:
        """How many milliseconds one machine of the share was a loan since the beginning."""
        account = self.account(share, unit, at)
        pool = self.pool(unit)
        pool.advance(at)
        account.settle(at, pool.integrals)
        return account.on_loan

    def borrows(self, share: str, unit: str) -> bool:
        """Whether the share uses more than its limit."""
        account = self.accounts.get((share, unit))
        return account is not None and account.now[BORROWED] > 0

    def lose(self, unit: str, saving: int, all_: int, *, on_loan: bool) -> None:
        """A stopped attempt lost so many machine-milliseconds: if jobs save now and then, and if none does."""
        pool = self.pool(unit)
        for lost in (pool.lost, *([pool.lost_on_loan] if on_loan else [])):
            lost[0] += saving
            lost[1] += all_

    def close(self, at: int, period: str) -> Iterator[UnitHours | ShareHours]:
        """The sums up to `at`, which then begin anew."""
        kept = dict.fromkeys(self.pools, (0.0, 0.0))
        rows: list[ShareHours] = []
        for account in self.accounts.values():
            pool = self.pools[account.unit]
            pool.advance(at)
            account.settle(at, pool.integrals)
            told = (account.own, account.borrowed, account.lent, account.kept, account.kept_waiting)
            if account.now[LIMIT] or any(told):
                rows.append(ShareHours(period, account.share, account.unit, *(n / HOUR for n in told)))
            kept[account.unit] = kept[account.unit][0] + account.kept, kept[account.unit][1] + account.kept_waiting
            account.clear()
        for pool in self.pools.values():
            pool.advance(at)
            idle, waiting = kept[pool.unit]
            yield UnitHours(
                period,
                pool.unit,
                capacity=pool.exists / HOUR,
                busy=pool.busy / HOUR,
                borrowed=pool.borrowed / HOUR,
                beyond=pool.beyond / HOUR,
                lost=Range(*(n / HOUR for n in pool.lost)),
                lost_on_loan=Range(*(n / HOUR for n in pool.lost_on_loan)),
                kept=idle / HOUR,
                kept_waiting=waiting / HOUR,
            )
            pool.clear()
        yield from rows
