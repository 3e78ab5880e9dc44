"""The share table: for every share and unit what is given, sure, the most, and how the share gets its own back.

Everything is arithmetic on the three numbers of a `Grant` and on the environment's capacity, in time proportional to
shares times units. It trusts `spec.model.grant` and the facts "P <= E is kept by every dispatch" and "no dispatch of a
borrower leaves P above K" (guarantee G2; P, K and F as in `Lot`). The formulas are tested against an explicit search.
What covers loans out of unallotted capacity is in `surplus`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...spec.model import MAX_SHARES, Grant, QueueConfig, QuotaShare, State, Strategy, grant
from ...spec.readings import Readings
from ..results import Row, UnitTotal
from .surplus import Borrower, reaches

ENVIRONMENT = "the environment"
"""The lender of unallotted capacity under reading A5 = borrowable."""


@dataclass(frozen=True)
class Lot:
    """One unit of a queue: its capacity E, the grants of all shares in order, and the sums every row is made from."""

    unit: str
    capacity: int
    grants: tuple[Grant, ...]
    unallotted: str
    """Reading A5."""
    closed: frozenset[int] = frozenset()
    """Shares that take no new jobs: DISABLED (rule 50)."""
    stopped: frozenset[int] = frozenset()
    """Shares of which nothing starts: DISABLED where A46 is read as no, or all of a DISABLED environment (rule 52)."""

    @cached_property
    def given(self) -> int:
        """C, the sum of the limits."""
        return sum(g.limit for g in self.grants)

    @cached_property
    def kept(self) -> int:
        """The sum of F, what no share may lend."""
        return sum(g.kept for g in self.grants)

    @cached_property
    def lendable(self) -> int:
        return self.given - self.kept

    @property
    def surplus(self) -> int:
        """Unallotted capacity an owner may take while its own is lent (A5); 0 when it is never used."""
        return 0 if self.unallotted == "void" else max(0, self.capacity - self.given)

    @cached_property
    def borrowers(self) -> tuple[Borrower, ...]:
        """Shares that can borrow, best borrowing per own lendable machine first."""
        able = [Borrower(i, g.borrowable, g.lendable) for i, g in enumerate(self.grants) if self.borrow(i) > 0]
        return tuple(sorted(able, key=Borrower.rank))

    @cached_property
    def lenders(self) -> tuple[int, ...]:
        return tuple(i for i, g in enumerate(self.grants) if g.lendable > 0)

    def cap(self, *, borrowing: bool) -> int:
        """K: what protected usage P may reach by a dispatch that ends above, or within, its share's limit (A5)."""
        tight = self.unallotted == "void" or (borrowing and self.unallotted == "owners")
        return min(self.given, self.capacity) if tight else self.capacity

    def sure(self, i: int) -> int:
        """Size of the largest job that starts in any state, once all that it can have taken back has been.

        What borrows can take nothing back: above the limit counts what is left when all others borrow as well.
        """
        if i in self.stopped:
            return 0
        mine = self.grants[i]
        if self.kept <= self.capacity:
            others = self.given - mine.limit
            within = min(max(self.capacity - others, mine.kept, 0), mine.limit)
            return within if within < mine.limit else within + self._sure_loan(i)
        others = self.kept - mine.kept
        return max(self.capacity - others, 0)

    def _sure_loan(self, i: int) -> int:
        """What of its loans nobody can keep from a share that is sure of its limit."""
        mine = self.borrow(i)
        return max(0, min(mine, self.cap(borrowing=True) - self.given - (self._loans_each - mine)))

    @cached_property
    def _loans_each(self) -> int:
        """What each share could borrow if it were the only one, together."""
        return sum(self.borrow(b.index) for b in self.borrowers)

    def at_once(self, i: int) -> int:
        """Largest usage within the limit that the share can bring itself to in every state that can be reached, without
        anything being stopped for it; compare `sure`."""
        mine = self.grants[i]
        if i in self.stopped or self.kept > self.capacity:
            return min(self.sure(i), mine.limit)
        others = self.given - mine.limit + self._loans(i)
        return min(max(self.cap(borrowing=False) - others, mine.kept), mine.limit)

    def _loans(self, i: int) -> int:
        """The most that the others can borrow together while the share has all its lendable machines idle."""
        room = self.cap(borrowing=True) - self.kept
        low, high = 0, max(0, room)
        while low < high:
            loans = (low + high + 1) // 2
            reached = reaches(self.borrowers, loans, room - loans, without=i)
            low, high = (loans, high) if reached else (low, loans - 1)
        return low

    def most(self, i: int, *, lent: int = 0) -> int:
        """Largest usage the share can ever hold; compare `sure`, which it holds whatever the others do.

        `lent`: what the others keep and would lend instead.
        """
        if i in self.stopped:
            return 0
        mine = self.grants[i]
        others = self.kept - mine.kept - lent

        def fits(bound: int, room: int) -> int:
            return max(min(bound, self.capacity, max(room - others, mine.kept)), 0)

        within = fits(mine.limit, self.cap(borrowing=False))
        if within < mine.limit:
            return within
        top = self.capacity if mine.borrowable is None else mine.limit + mine.borrowable
        return max(within, min(top, self.capacity, self.cap(borrowing=True) - others))

    @cached_property
    def reach(self) -> int:
        """The most that all shares together can ever hold. Above the sum of the limits only what nobody owns is left:
        it is borrowed (A5 = borrowable), or owners use it while their own is lent (A5 = owners)."""
        spare = max(0, self.capacity - self.given)
        if self.unallotted == "borrowable":
            spare = min(spare, sum(spare if b.borrowable is None else b.borrowable for b in self.borrowers))
        elif self.unallotted == "void":
            spare = 0
        else:
            low, high = 0, spare
            while low < high:
                loans = (low + high + 1) // 2
                reached = reaches(self.borrowers, loans, self.lendable - loans, without=-1)
                low, high = (loans, high) if reached else (low, loans - 1)
            spare = low
        return min(self.capacity, self.given) + spare

    def borrow(self, i: int) -> int:
        return max(0, self.most(i) - self.grants[i].limit)

    def pool(self, i: int) -> int:
        """Machines beyond its own limit that the share could borrow if no borrow limit stopped it."""
        mine = self.grants[i]
        return max(0, self.cap(borrowing=True) - (self.kept - mine.kept) - mine.limit)

    def must_take_back(self, i: int) -> bool:
        """True when a job within the share's limit may have to wait until somebody's borrowed job is stopped."""
        return self.grants[i].lendable > 0 and reaches(
            self.borrowers, self.surplus + 1, self.lendable - self._left_idle, without=i
        )

    def loses(self, i: int) -> int:
        """Machines of the largest job a reclaim of one machine can stop; 0 when none of its jobs can be."""
        borrow = self.borrow(i)
        if borrow == 0:
            return 0
        room = self.lendable - self.grants[i].lendable - self._left_idle
        return self.most(i) if reaches(self.borrowers, self.surplus + 1 - borrow, room, without=i) else 0

    def unstopped(self, i: int) -> int:
        """Largest usage such that, holding so much or less, none of its jobs can be stopped for another share."""
        low, high = 1, self.borrow(i)
        if not self.loses(i):
            return self.most(i)
        room = self.lendable - self.grants[i].lendable - self._left_idle
        while low < high:
            loan = (low + high) // 2
            reached = reaches(self.borrowers, self.surplus + 1 - loan, room, without=i)
            low, high = (low, loan) if reached else (loan + 1, high)
        return self.grants[i].limit + low - 1

    @property
    def _left_idle(self) -> int:
        """Lendable machines that must lie idle when the last loan is made, for loans to exceed the surplus by one."""
        return 1 if self.unallotted == "borrowable" else self.surplus + 1


def lots(config: QueueConfig, readings: Readings) -> tuple[Lot, ...]:
    """One `Lot` per unit of the queue; the capacity of a unit the environment lacks is 0."""
    capacity = config.environment.capacity
    nothing = config.environment.state is State.DISABLED
    closed = frozenset(i for i, s in enumerate(config.shares) if s.state is State.DISABLED)
    off = closed if readings["A46"] == "no" else frozenset[int]()
    stopped = frozenset(range(len(config.shares))) if nothing else off
    limits = [share.limits for share in config.shares]
    return tuple(
        Lot(
            unit,
            capacity.get(unit, 0),
            tuple(_grant(s, own.get(unit), readings) for s, own in zip(config.shares, limits, strict=True)),
            readings["A5"],
            closed,
            stopped,
        )
        for unit in config.units
    )


def table(
    config: QueueConfig, readings: Readings, *, assumed: bool = False
) -> tuple[tuple[UnitTotal, ...], tuple[Row, ...]]:
    """Totals of every unit and the rows below them, shares in the order of the configuration.

    `assumed` says that the capacity is the sum of the limits because no environment was given.
    """
    known = config.environment.capacity
    totals: list[UnitTotal] = []
    rows: list[Row] = []
    every = lots(config, readings)
    limits = [share.limits for share in config.shares]
    borrowing = {i for lot in every for i in range(len(lot.grants)) if lot.loses(i)}
    for lot in every:
        absent = lot.unit not in known
        totals.append(UnitTotal(lot.unit, None if absent else lot.capacity, lot.given, assumed))
        for i in range(len(limits)):
            if lot.unit in limits[i] or lot.most(i) > 0:
                rows.append(_row(lot, i, config.shares, loses=lot.most(i) if i in borrowing else 0))
    return tuple(totals), tuple(rows)


def _grant(share: QuotaShare, own: int | None, readings: Readings) -> Grant:
    made = grant(own, share.strategy, share.borrow_limit, readings)
    if share.state is State.DISABLED and readings["A47"] == "no":
        return Grant(made.limit, 0, made.borrowable)
    return made


def _row(lot: Lot, i: int, shares: tuple[QuotaShare, ...], *, loses: int) -> Row:
    """`loses`: a job of several units is stopped whole for what it borrows of any of them."""
    borrow = lot.borrow(i)
    named = lot.lenders if borrow and len(lot.lenders) <= MAX_SHARES + 1 else ()
    lenders = tuple(shares[j].name for j in named if j != i)
    if borrow and lot.unallotted == "borrowable" and lot.surplus:
        lenders = (*lenders, ENVIRONMENT)
    return Row(
        share=shares[i].name,
        unit=lot.unit,
        rule=_rule(shares[i], lot, i),
        given=lot.grants[i].limit,
        sure=lot.sure(i),
        most=lot.most(i),
        borrow=borrow,
        lenders=lenders,
        loses=loses,
        own_back=_own_back(lot, i, shares),
    )


def _rule(share: QuotaShare, lot: Lot, i: int) -> str:
    """The strategy, with the borrow limit unless something else stops the share first."""
    if share.strategy is not Strategy.LEND_AND_BORROW:
        return share.strategy.value
    grant = lot.grants[i]
    percent = share.borrow_limit
    if percent in (None, -1) or (percent == 0 and grant.borrowable is None):
        return f"{share.strategy.value} no max"
    binds = grant.borrowable is not None and lot.most(i) == grant.limit + grant.borrowable
    slack = binds and lot.cap(borrowing=True) - (lot.kept - grant.kept) > lot.most(i)
    return f"{share.strategy.value} {percent:>2} %" if slack or percent == 0 else share.strategy.value


def _own_back(lot: Lot, i: int, shares: tuple[QuotaShare, ...]) -> str:
    mine, sure = lot.grants[i], lot.sure(i)
    if mine.limit == 0:
        return "-"
    if i in lot.stopped:
        return "NO: DISABLED, nothing starts"
    if lot.capacity == 0:
        return "NO: can run nothing"
    if sure < mine.limit:
        return f"NO: {mine.limit - sure} of {mine.limit} may never come" if sure else "NO: may wait for ever"
    if mine.lendable == 0:
        return "at once: it is never lent"
    if all(b.index == i for b in lot.borrowers):
        return "at once: nobody can borrow it"
    if not lot.must_take_back(i):
        return "at once: spare capacity covers it"
    first, *others = lot.borrowers
    if others:
        return "by stopping borrowed jobs"
    only = first.index
    jobs = "a borrowed job" if lot.borrow(only) == 1 else "borrowed jobs"
    return f"by stopping {jobs} of {shares[only].name}"
