"""A configuration some of whose numbers are variables: limits of some units, borrow limits, strategies, capacity.

The variables stand in an `Enumerated` view under their own names, so that a rule can be asked about every configuration
within a `Freedom` at once; `rules` says which values AWS would take, `costs` what a change costs, and `read` makes values
a configuration again. What is lendable and borrowable follows as in `spec.model.grant` (rules 14, 19-21; A4, A6, A8).
Linear, so either limits may move or borrow limits, which are percentages of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ....spec.expr.nodes import Bool, Int, add, all_of, any_of, bool_var, const, int_var, ite
from ....spec.model import (
    MAX_LIMITS,
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
from ....spec.readings import Readings
from ....spec.rules.view import Enumerated
from .envelope import ground


@dataclass(frozen=True)
class Freedom:
    """What may change."""

    units: frozenset[str] = frozenset()
    """Units whose limits may."""
    places: bool = False
    """A limit may be removed, or given where there is none."""
    percents: bool = False
    """Borrow limits may; then no limit may."""
    strategies: bool = False
    """A share may be given fewer rights: it no longer borrows, or no longer lends either, or stops no colleague's job."""
    environment: int | None = None
    """The most that the environment may have of each of these units; None: what it has."""

    def __post_init__(self) -> None:
        if self.units and self.percents:
            raise ValueError("limits and percentages of them: not linear")


@dataclass(frozen=True)
class Symbolic:
    """All configurations that a change within the freedom makes of one."""

    config: QueueConfig
    readings: Readings
    freedom: Freedom

    def view(self, units: tuple[str, ...], members: tuple[str, ...] = ()) -> Enumerated:
        """The queue in these units, without drains and claims; what jobs use and ask is left open."""
        if (units, members) not in self._views:
            known = ground(self.config, self.readings, units, members)
            for share in self.config.shares:
                if self._strategy_moves(share):
                    del known["may_borrow", share.name]
                if self._switches_off(share):
                    del known["in_share", share.name]
                for unit in units:
                    for name in self._open(share, unit):
                        known.pop((name, share.name, unit), None)
            for unit in filter(self._is_for_sale, units):
                del known["capacity", unit]
            names = tuple(s.name for s in self.config.shares)
            self._views[units, members] = Enumerated(names, units, self.readings, known)
        return self._views[units, members]

    @cached_property
    def _views(self) -> dict[tuple[tuple[str, ...], tuple[str, ...]], Enumerated]:
        return {}

    def _open(self, share: QuotaShare, unit: str) -> Iterator[str]:
        """Numbers and facts of the share in this unit that are variables."""
        free = unit in self.freedom.units
        if free:
            yield "limit"
        if free or self._strategy_moves(share):
            yield "lendable"
        moves = free or self.freedom.percents or self._strategy_moves(share)
        if share.strategy is Strategy.LEND_AND_BORROW and moves:
            yield from ("borrowable", "unlimited")

    @cached_property
    def _whole(self) -> Enumerated:
        return self.view(self.config.units)

    @cached_property
    def rules(self) -> tuple[Bool, ...]:
        """What AWS takes of the numbers, and what follows from them."""
        sold = [(self.capacity(u), self._had(u)) for u in self.config.units if self._is_for_sale(u)]
        return (
            *[rule for share in self.config.shares for rule in self._of(share)],
            *[all_of(now >= had, now <= (self.freedom.environment or 0)) for now, had in sold],
            *[all_of(far >= now - had, far >= had - now) for far, now, had in (*self._moves, *self._points)],
        )

    def capacity(self, unit: str) -> Int:
        return self._whole.number("capacity", unit)

    def limit(self, share: QuotaShare, unit: str) -> Int:
        return self._whole.number("limit", share.name, unit)

    def given(self, unit: str) -> Int:
        """What the limits of a unit add up to."""
        return add(*[self.limit(share, unit) for share in self.config.shares])

    def _had(self, unit: str) -> int:
        return self.config.environment.capacity.get(unit, 0)

    def _is_for_sale(self, unit: str) -> bool:
        return self.freedom.environment is not None and unit in self.freedom.units

    def _strategy_moves(self, share: QuotaShare) -> bool:
        return self.freedom.strategies and share.strategy is not Strategy.RESERVE

    def _switches_off(self, share: QuotaShare) -> bool:
        return self.freedom.strategies and share.in_share

    def in_share(self, share: QuotaShare) -> Bool:
        return bool_var(f"in_share.{share.name}") if self._switches_off(share) else const(share.in_share)

    def _largest(self, unit: str) -> int:
        """No limit of the unit need be larger."""
        return max(self._had(unit), self.freedom.environment or 0, *(s.limits.get(unit, 0) for s in self.config.shares))

    # one share

    def _of(self, share: QuotaShare) -> Iterator[Bool]:
        name, free = share.name, [u for u in self.config.units if u in self.freedom.units]
        for unit in free:
            stays = not self.freedom.places
            none = stays and share.limits.get(unit, 0) == 0
            yield self.limit(share, unit) >= (1 if stays and not none else 0)
            yield self.limit(share, unit) <= (0 if none else self._largest(unit))
        has = [ite(self.limit(share, u) > 0, const(1), const(0)) for u in self.config.units]
        yield add(*has) >= 1
        yield add(*has) <= MAX_LIMITS
        lends, borrows = self.lends(share), self.may_borrow(share)
        yield borrows.implies(lends)
        for unit in self.config.units:
            lendable = ite(lends, self.limit(share, unit), 0) if self._offers(share) else const(0)
            if "lendable" in self._open(share, unit):
                yield self._whole.at(name, unit).lendable == lendable
            if "borrowable" in self._open(share, unit):
                yield from self._borrowing(share, unit)
        if share.strategy is Strategy.LEND_AND_BORROW:
            yield self.percent(share) >= min(1, self.percent_today(share))
            yield self.percent(share) <= max(self.percent_today(share), self.widest(share))
            yield any_of(borrows, self.percent(share) == self.percent_today(share))

    def _offers(self, share: QuotaShare) -> bool:
        return share.state is State.ENABLED or self.readings["A47"] != "no"

    def may_borrow(self, share: QuotaShare) -> Bool:
        return self._whole.fact("may_borrow", share.name)

    def lends(self, share: QuotaShare) -> Bool:
        if self._strategy_moves(share):
            return bool_var(f"lends.{share.name}")
        return const(share.strategy is not Strategy.RESERVE)

    # the borrow limit

    def unbounded(self, share: QuotaShare) -> bool:
        """Whether the share has no maximum today (A8)."""
        return share.borrow_limit in (None, -1) or (share.borrow_limit == 0 and self.readings["A8"] == "unset")

    def widest(self, share: QuotaShare) -> int:
        """A percentage that no longer binds: it stands for no maximum where there is none today."""
        limits = [n for n in share.limits.values() if n]
        most = max([self._largest(unit) for unit in self.config.units])
        return max(100, -(-100 * most // min(limits, default=1)))

    def percent_today(self, share: QuotaShare) -> int:
        return self.widest(share) if self.unbounded(share) else share.borrow_limit or 0

    def percent(self, share: QuotaShare) -> Int:
        return int_var(f"percent.{share.name}") if self.freedom.percents else const(self.percent_today(share))

    def _borrowing(self, share: QuotaShare, unit: str) -> Iterator[Bool]:
        """Borrowable and unlimited, as `spec.model.grant` maps them."""
        cell, percent, today = self._whole.at(share.name, unit), self.percent(share), self.percent_today(share)
        no_maximum = (percent == today) if self.unbounded(share) else const(False)
        if self.readings["A4"] == "nothing":
            yield cell.unlimited == all_of(no_maximum, self.may_borrow(share), cell.limit > 0)
        else:
            yield cell.unlimited == all_of(no_maximum, self.may_borrow(share))
        limit, part = share.limits.get(unit, 0), cell.limit * today
        product = part if cell.limit.op != "const" else percent * limit
        low, high = {"floor": (0, 99), "ceil": (-99, 0), "round": (-50, 49)}[self.readings["A6"]]
        rounded = all_of(cell.borrowable * 100 + low <= product, product <= cell.borrowable * 100 + high)
        yield ite(all_of(self.may_borrow(share), ~no_maximum), rounded, cell.borrowable == 0)
        keeps = any_of(percent == today, ~self.may_borrow(share), cell.limit == 0, cell.borrowable >= 1)
        yield keeps  # a borrow limit that lets a share borrow nothing is a change of strategy

    @cached_property
    def today(self) -> tuple[tuple[Int | Bool, int], ...]:
        """Every number that makes a configuration and what it is today, in a fixed order: what is first had rather stay.

        Small limits come first, since of two shares that could give as much the larger feels it less.
        """
        free = [u for u in self.config.units if u in self.freedom.units]
        limits = [(self.limit(s, u), s.limits.get(u, 0)) for s in self.config.shares for u in free]
        limits.sort(key=lambda one: one[1])
        rights = [
            right
            for s in self.config.shares
            for right in (
                (self.lends(s), s.strategy is not Strategy.RESERVE),
                (self.may_borrow(s), s.strategy is Strategy.LEND_AND_BORROW),
                (self.in_share(s), s.in_share),
            )
        ]
        borrowers = [s for s in self.config.shares if s.strategy is Strategy.LEND_AND_BORROW]
        percents = [(self.percent(s), self.percent_today(s)) for s in borrowers]
        every = (*limits, *rights, *percents, *[(self.capacity(u), self._had(u)) for u in free])
        return tuple((number, int(value)) for number, value in every if number.op != "const")

    @property
    def numbers(self) -> tuple[Int | Bool, ...]:
        return tuple(number for number, _ in self.today)

    # what a change costs

    @cached_property
    def costs(self) -> tuple[Int, ...]:
        """Machines bought; rights taken; limits removed or new; machines by which limits change; shares touched; percent
        points. Where they are least; else they may be more than the change costs."""
        shares, units = self.config.shares, [u for u in self.config.units if u in self.freedom.units]
        bought = [self.capacity(u) - self._had(u) for u in units if self._is_for_sale(u)]
        placed = [_one((self.limit(s, u) > 0) == (s.limits.get(u, 0) == 0)) for s in shares for u in units]
        rights = [_one(~held) for share in shares for held in self._rights(share)]
        touched = [_one(any_of(*self._differences(s, units))) for s in shares]
        moved, points = ([far for far, _, _ in kind] for kind in (self._moves, self._points))
        return add(*bought), add(*rights), add(*placed), add(*moved), add(*touched), add(*points)

    @cached_property
    def _moves(self) -> list[tuple[Int, Int, int]]:
        """(How far a limit moves, the limit, what it is today): a variable, so that sums stay linear."""
        cells = [(s, u) for s in self.config.shares for u in self.config.units if u in self.freedom.units]
        return [(int_var(f"moved.{s.name}.{u}"), self.limit(s, u), s.limits.get(u, 0)) for s, u in cells]

    @cached_property
    def _points(self) -> list[tuple[Int, Int, int]]:
        borrowers = [s for s in self.config.shares if s.strategy is Strategy.LEND_AND_BORROW and self.freedom.percents]
        return [(int_var(f"points.{s.name}"), self.percent(s), self.percent_today(s)) for s in borrowers]

    def _rights(self, share: QuotaShare) -> Iterator[Bool]:
        """What may be taken from the share: to lend, to borrow, to stop its own jobs."""
        if self._strategy_moves(share):
            yield self.lends(share)
            if share.strategy is Strategy.LEND_AND_BORROW:
                yield self.may_borrow(share)
        if self._switches_off(share):
            yield self.in_share(share)

    def _differences(self, share: QuotaShare, units: list[str]) -> Iterator[Bool]:
        yield from (~(self.limit(share, unit) == share.limits.get(unit, 0)) for unit in units)
        yield from (~held for held in self._rights(share))
        if share.strategy is Strategy.LEND_AND_BORROW:
            yield ~(self.percent(share) == self.percent_today(share))

    # back to a configuration

    def read(self, value: Callable[[Int | Bool], int]) -> QueueConfig:
        """The configuration in which every number has this value."""
        shares = tuple(self._read(share, value) for share in self.config.shares)
        held = {u: value(self.capacity(u)) for u in self.freedom.units if self._is_for_sale(u)}
        return self.config.model_copy(update={"shares": shares, "environment": self._bought(held)})

    def _bought(self, held: Mapping[str, int]) -> ServiceEnvironment:
        environment = self.config.environment
        had = environment.capacity
        limits = {**had, **{u: n for u, n in held.items() if n or u in had}}
        made = tuple(EnvironmentCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in limits.items())
        return environment.model_copy(update={"capacity_limits": made})

    def _read(self, share: QuotaShare, value: Callable[[Int | Bool], int]) -> QuotaShare:
        limits = {
            **share.limits,
            **{u: value(self.limit(share, u)) for u in self.config.units if u in self.freedom.units},
        }
        made = tuple(ShareCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in limits.items() if n)
        sharing = share.resource_sharing_configuration
        if self._strategy_moves(share):
            lends = bool(value(self.lends(share)))
            borrows = share.strategy is Strategy.LEND_AND_BORROW and bool(value(self.may_borrow(share)))
            kind = Strategy.LEND_AND_BORROW if borrows else Strategy.LEND if lends else Strategy.RESERVE
            if kind is not share.strategy:
                sharing = ResourceSharing(strategy=kind)
        if sharing.strategy is Strategy.LEND_AND_BORROW:
            percent = value(self.percent(share))
            if percent != self.percent_today(share):
                sharing = sharing.model_copy(update={"borrow_limit": percent})
        switch = Preemption(in_share_preemption=State.ENABLED if value(self.in_share(share)) else State.DISABLED)
        parts = {"capacity_limits": made, "resource_sharing_configuration": sharing, "preemption_configuration": switch}
        return share.model_copy(update=parts)


def _one(condition: Bool) -> Int:
    return ite(condition, const(1), const(0))
