"""When a promise comes up: the premise of each guarantee, once. A promise that never came up was not kept, it slept.

Step premises speak of the cells before and after a dispatch, of the step's job and victim, or of the step alone (then
they are true whenever such a step happens). A step counts once for a guarantee, in however many units it comes up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ..expr.nodes import Bool, all_of, any_of, positive
from .actions import closed, short, within_limit
from .guarantees import need
from .quantities import NOW, SETTLED, beyond_kept, limit
from .view import Cell, Share, View

DispatchPremise: TypeAlias = Callable[[Cell, Cell], Bool]


def g1(before: Cell, _after: Cell) -> Bool:
    """Any dispatch comes up to the environment."""
    return before.asks > 0


def g2(before: Cell, _after: Cell) -> Bool:
    """A dispatch takes something beyond what is kept for its share."""
    return all_of(before.asks > 0, beyond_kept(before, NOW, before.asks) > 0)


def g3(before: Cell, after: Cell) -> Bool:
    """A dispatch of a share that may borrow ends above its limit."""
    return all_of(before.asks > 0, before.may_borrow, after.usage > after.limit)


def g4(before: Cell, _after: Cell) -> Bool:
    """A dispatch of a share that may not borrow."""
    return all_of(before.asks > 0, ~before.may_borrow)


def g15(before: Cell, _after: Cell) -> Bool:
    """A dispatch stays within what is kept for its share."""
    inside = before.usage + before.asks <= before.limit - before.lendable
    return all_of(before.asks > 0, inside, before.total(NOW.used) + before.asks <= before.capacity)


DISPATCH: Mapping[str, DispatchPremise] = {"G1": g1, "G2": g2, "G3": g3, "G4": g4, "G15": g15}
"""Guarantee -> its premise at a dispatch, in one unit."""


def lends(before: Cell, after: Cell) -> Bool:
    """G8, the borrower's side: a dispatch that ends above its share's limit."""
    return all_of(before.asks > 0, after.usage > after.limit)


def g8(before: View, after: View, share: Share, other: Share) -> Bool:
    """A dispatch borrows a unit that the entitled head of another share, which loans can serve, waits for."""
    waits = all_of(
        ~before.fact("has_claim", other),
        ~closed(before, other),
        *[within_limit(c) for c in before.cells(other)],
        *[need(c) <= c.total(SETTLED.borrowed) - SETTLED.borrowed(c) for c in before.cells(other)],
    )
    units = zip(before.cells(share), after.cells(share), before.cells(other), strict=True)
    return all_of(waits, any_of(*[all_of(lends(old, new), theirs.asks > 0) for old, new, theirs in units]))


def overdrawn(c: Cell) -> Bool:
    """G17: settled, a share uses more than limit and borrow limit, as after a cut."""
    return all_of(~c.unlimited, SETTLED.used(c) > c.limit + c.borrowable)


def owed(view: View, share: Share) -> Bool:
    """G14 at rest, R1 of Theorem R: an entitled head, and the other limits and its share's usage with it fit the
    environment."""
    cells = list(view.cells(share))
    fit = [
        (c.asks > 0).implies(c.total(limit) - c.limit + SETTLED.used(c) + c.asks <= c.capacity) for c in cells
    ]  # fmt: skip
    return all_of(*[within_limit(c) for c in cells], *fit)


def owed_by(view: View, share: Share, other: Share) -> Bool:
    """G17 at rest: the other share uses more than limit and borrow limit by all that an entitled head of the share lacks."""
    head, over = list(view.cells(share)), view.cells(other)
    pairs = list(zip(head, over, strict=True))
    spare = [all_of(~o.unlimited, short(c) <= positive(SETTLED.used(o) - o.limit - o.borrowable)) for c, o in pairs]
    covers = [any_of(short(c) <= 0, one) for (c, _), one in zip(pairs, spare, strict=True)]
    return all_of(*[within_limit(c) for c in head], any_of(*[short(c) > 0 for c in head]), *covers)


def let_in(view: View, share: Share) -> Bool:
    """G21 at rest, its victims gone: the head may have what they held; without their loans where A31 is own."""
    within = [within_limit(c) for c in view.cells(share)]
    return any_of(view.reading("A31", "inherit"), all_of(*within))


STEPS: Mapping[str, str] = {
    "G5x": "a job is told to stop for a job of another share",
    "G5s": "a job is told to stop for a job of its own share",
    "G6": "a job is told to stop",
    "G6+": "a claim names victims and its plan has to suffice (A28)",
    "G9": "a job starts while another job of its share waits",
    "G10": "a job moves",
    "G11": "a victim has stopped",
    "G12": "a job is submitted or starts",
    "G13": "a job is accepted or starts",
    "G14": "a job starts for which capacity was claimed",
    "G16": "the scheduler has nothing left to do and a head waits",
    "G17": "a job is told to stop whose share uses more than it may ever",
    "G19": "a deleted share no longer exists",
    "G20": "a victim stops, or ends by itself",
    "G21": "a job is told to stop for a job of its own share",
}
"""Guarantee -> the step at which it comes up, where the step alone says it."""
