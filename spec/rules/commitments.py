"""What a queue may come to without an administrator's step, and when a commitment is broken then: expressions.

**Reach.** From the empty queue, by starts, ends and preemptions, a queue comes to usages r of a unit exactly where

- every share is within limit + borrowable, or within its limit where it may not borrow, and a share of which nothing
  starts uses nothing (rules 14, 19-21; A46);
- all usage together is within the environment (rules 12, 16);
- where some share uses more than what is kept for it, all that is protected is within what owners may fill: only a start
  that takes more than what is kept makes P larger, and it ends with P <= shared_capacity (rule 24; A5);
- where some share is above its limit, the usage of the shares above their limits and what is kept for the others are
  within what borrowers may fill (rule 22; A5). Necessary: when the last of those shares made its last start, each of
  them used at least what it uses now, and P <= lent_capacity. Sufficient: they start first, then the owners.

Units are independent: jobs of one unit each reach any combination. Claims and waiting jobs only keep jobs from starting,
so they add no state; and the usage that is settled is a state to come, so what holds of every state holds of it.

**Broken.** A condition speaks of a state with neither drains nor claims, and of the job that a share asks for in it.
"It fits" is `actions.room`, "it may take its own back" is `actions.entitled`: nothing of them is said again.
The quantities stand beside `QUANTITIES`, not in it: no scheduler is judged by them. Limits, what of them is lendable and
borrowable and the environment may be variables; a view of given numbers folds them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..expr.nodes import Bool, Int, add, all_of, any_of, const, ite
from .actions import borrows, closed, entitled, room, served_by_loans, short, within_limit
from .quantities import NOW, SETTLED, kept, lent_capacity, shared_capacity, usage
from .view import Cell, Quantity, Share, Unit, View


def _quantity(source: str) -> Callable[[Callable[[Cell], Int]], Quantity]:
    def made(meaning: Callable[[Cell], Int]) -> Quantity:
        return Quantity(meaning.__name__, source, meaning, (meaning.__doc__ or "").strip())

    return made


# what can be reached


@_quantity("rules 19, 24")
def uses_more_than_kept(c: Cell) -> Int:
    """1 for a share that uses more than what is kept for it"""
    return ite(c.usage > kept(c), 1, 0)


@_quantity("rule 21")
def is_above_limit(c: Cell) -> Int:
    """1 for a share above its limit"""
    return ite(c.usage > c.limit, 1, 0)


@_quantity("rules 21, 24")
def protected_at_loans(c: Cell) -> Int:
    """usage of a share above its limit, of any other what is kept for it: what was protected, at least, when the last
    loan was made"""
    return ite(c.usage > c.limit, c.usage, kept(c))


def starts(view: View, share: Share) -> Bool:
    """Jobs of the share are started at all (rules 50-52; A46)."""
    return all_of(view.fact("environment_enabled"), ~closed(view, share))


def within_bounds(c: Cell) -> Bool:
    """What the share alone may come to: its limit, and what it may borrow beyond it."""
    over = c.usage - c.limit
    return all_of(
        c.usage >= 0,
        any_of(over <= 0, all_of(c.may_borrow, any_of(c.unlimited, over <= c.borrowable))),
        any_of(starts(c.view, c.share), c.usage == 0),
    )


def within_capacity(view: View, unit: Unit) -> Bool:
    """What all shares together may come to in a unit, where each is within its bounds."""
    c = view.at(view.shares[0], unit)
    return all_of(
        c.total(usage) <= c.capacity,
        any_of(c.total(uses_more_than_kept) == 0, c.total(NOW.protected) <= shared_capacity(c)),
        any_of(c.total(is_above_limit) == 0, c.total(protected_at_loans) <= lent_capacity(c)),
    )


def reachable(view: View) -> Bool:
    """The view's usages are those of a state that the queue can come to."""
    each = [within_bounds(c) for share in view.shares for c in view.cells(share)]
    return all_of(*each, *[within_capacity(view, unit) for unit in view.units])


# what a share asks for


@dataclass(frozen=True)
class Bound:
    """So many of a unit, or of a measure: unit -> how many of it one instance counts, and the most there are."""

    weights: Mapping[Unit, int]
    most: int

    def weigh(self, count: Callable[[Unit], Int]) -> Int:
        """The sum over the units, weighted."""
        return add(*[count(unit) * weight for unit, weight in self.weights.items()])

    @property
    def counts_machines(self) -> bool:
        """Whether it is about one unit, counted as it is."""
        return tuple(self.weights.values()) == (1,)


def asks_something(view: View, share: Share) -> Bool:
    """The share asks for a job of at least one machine."""
    cells = list(view.cells(share))
    return all_of(*[c.asks >= 0 for c in cells], any_of(*[c.asks >= 1 for c in cells]))


def waits(view: View, share: Share) -> Bool:
    """The job that the share asks for does not start now."""
    return any_of(~starts(view, share), *[~room(c, NOW, "promise") for c in view.cells(share)])


def takes_back(view: View, share: Share) -> Bool:
    """Stopping loans of other shares makes room for it: the share is entitled, and what lacks is lent (rules 36, 37)."""
    return all_of(starts(view, share), entitled(view, share, "promise"), served_by_loans(view, share))


def waits_for_others(view: View, share: Share) -> Bool:
    """Nothing but the end of others' jobs, or of its own, makes room for it."""
    return all_of(waits(view, share), ~takes_back(view, share))


def within(view: View, share: Share, bounds: tuple[Bound, ...]) -> Bool:
    """The share and the job that it asks for hold no more than was promised to it."""
    return all_of(*[b.weigh(lambda u: view.at(share, u).usage + view.at(share, u).asks) <= b.most for b in bounds])


# broken: a statement of a state and of the asked job


def not_at_once(view: View, share: Share, bounds: tuple[Bound, ...]) -> Bool:
    """A job within what was promised does not start at once (`Gets`, within 0)."""
    return all_of(asks_something(view, share), within(view, share, bounds), waits(view, share))


def not_by_stops(view: View, share: Share, bounds: tuple[Bound, ...]) -> Bool:
    """A job within what was promised does not start at once, and taking back does not help either (`Gets`)."""
    return all_of(asks_something(view, share), within(view, share, bounds), waits_for_others(view, share))


@_quantity("rules 36, 38")
def holds_beside_loans(c: Cell) -> Int:
    """1 for a share that holds something of this unit and borrows another: one job may hold both"""
    elsewhere = [o.usage > o.limit for o in c.view.cells(c.share) if o.unit != c.unit]
    return ite(all_of(c.usage >= 1, any_of(*elsewhere)), 1, 0)


def stops_hold(view: View, share: Share, unit: Unit) -> Bool:
    """What is stopped for the share, which has and asks nothing of this unit, may hold some of it as well."""
    c = view.at(share, unit)
    others = c.total(holds_beside_loans) - holds_beside_loans(c)
    return all_of(c.usage == 0, c.asks == 0, others >= 1)


def _idle_share_asks(view: View, share: Share, bounds: tuple[Bound, ...]) -> Bool:
    cells = list(view.cells(share))
    sizes = [(b, b.weigh(lambda u: view.at(share, u).asks)) for b in bounds]
    asked = [n == b.most if b.counts_machines else n <= b.most for b, n in sizes]
    return all_of(asks_something(view, share), *asked, *[c.usage == 0 for c in cells])


def does_not_fit_at_once(view: View, share: Share, bounds: tuple[Bound, ...]) -> Bool:
    """A job of this size of a share that is idle does not start at once; of a measure, a job of at most so many."""
    return all_of(_idle_share_asks(view, share, bounds), waits(view, share))


def does_not_fit(view: View, share: Share, bounds: tuple[Bound, ...]) -> Bool:
    """The same, and taking back does not help either (`Fits`)."""
    return all_of(_idle_share_asks(view, share, bounds), waits_for_others(view, share))


@_quantity("rule 16")
def members_usage(c: Cell) -> Int:
    """usage of a share that the promise is about, else 0"""
    return ite(c.view.fact("member", c.share), c.usage, 0)


@_quantity("rule 21")
def members_loans(c: Cell) -> Int:
    """what a share that the promise is about borrows, else 0"""
    return ite(c.view.fact("member", c.share), NOW.borrowed(c), 0)


def holds_more(view: View, bound: Bound) -> Bool:
    """The shares that the promise is about hold more together (`HoldsAtMost`)."""
    return bound.weigh(lambda u: view.total(members_usage, u)) > bound.most


def borrows_more(view: View, bound: Bound) -> Bool:
    """They borrow more together; asked of one share (`BorrowsAtMost`)."""
    return bound.weigh(lambda u: view.total(members_loans, u)) > bound.most


def idles(c: Cell) -> Bool:
    """A job of one machine of a share that may borrow waits, and a machine that may be lent to it is idle."""
    lent = c.total(NOW.protected) + 1 <= lent_capacity(c)
    idle = all_of(c.usage >= c.limit, c.total(usage) + 1 <= c.capacity, lent)
    return all_of(c.may_borrow, c.asks == 1, idle, ~room(c, NOW, "promise"))


@_quantity("rules 36, 37")
def takes_back_here(c: Cell) -> Int:
    """1 for a share whose job within its limit waits in this unit, where others borrow what it lacks"""
    lent = short(c) <= c.total(SETTLED.borrowed) - SETTLED.borrowed(c)
    waits_here = all_of(c.asks >= 1, within_limit(c), ~room(c, NOW, "promise"))
    return ite(all_of(starts(c.view, c.share), waits_here, lent), 1, 0)


def is_above_its_limit(c: Cell) -> Bool:
    """The share borrows."""
    return c.usage > c.limit


def counts_as_borrowing_within(c: Cell) -> Bool:
    """A job may be taken from the share by others although it is within its limit (`Undisturbed`, by other shares; A13)."""
    return all_of(borrows(c), SETTLED.used(c) <= c.limit)


def loses_what_it_borrowed(c: Cell) -> Bool:
    """The share, within its limit, may run a machine that it borrowed once, while a job of another waits for its own."""
    once = all_of(c.may_borrow, any_of(c.unlimited, c.borrowable >= 1))
    return all_of(once, c.asks == 0, c.usage >= 1, c.usage <= c.limit, c.total(takes_back_here) >= 1)


def loses_loans(c: Cell) -> Bool:
    """The share is above its limit while a job of another share within its own limit waits (`Undisturbed`, always)."""
    return all_of(c.asks == 0, c.usage > c.limit, c.total(takes_back_here) >= 1)


def loses_to_its_own(c: Cell) -> Bool:
    """The share is within its limit, and stops a job of its own (`Undisturbed`, by anyone)."""
    return all_of(c.usage <= c.limit, stops_its_own(c))


def stops_its_own(c: Cell) -> Bool:
    """A job waits while the share runs one job, and fits when that is stopped (`Undisturbed`, by anyone, always). One beyond
    the limit needs what others lend: whether it takes that over from the victim is A31."""
    stopped = c.view.after({("usage", c.share, c.unit): const(0)})
    then = stopped.at(c.share, c.unit)
    return all_of(
        starts(c.view, c.share),
        c.usage >= 1,
        c.asks >= 1,
        any_of(c.asks <= c.limit, c.reading("A31", "inherit")),
        ~room(c, NOW, "promise"),
        room(then, NOW, "promise"),
    )
