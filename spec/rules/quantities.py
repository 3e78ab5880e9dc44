"""Every derived number, once: what a share uses, keeps, lends and borrows of a unit, at three moments.

NOW is the state as it is. DUE is the moment when the drains that the watched claim waits for have ended and every claim
up to it is served. SETTLED is when every drain has ended and every claim is served. Capacity and limits are judged NOW;
entitlement, need and who may be a victim when SETTLED; what a claim was promised when DUE. Each derived number is
written once, as a function of what is used at the moment.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..expr.nodes import Int, ite, maximum, minimum, positive
from .view import QUANTITIES, Cell, Quantity, quantity


@quantity("rule 16")
def usage(c: Cell) -> Int:
    """machines that dispatched jobs hold, draining ones included"""
    return c.usage


@quantity("rule 14")
def limit(c: Cell) -> Int:
    """the share's own capacity limit"""
    return c.limit


@quantity("rule 19")
def lendable(c: Cell) -> Int:
    """the part of the limit that other shares may use while it is idle"""
    return c.lendable


@quantity("rules 19, 24")
def kept(c: Cell) -> Int:
    """the part of the limit that no other share may ever use"""
    return c.limit - c.lendable


@quantity("rule 46")
def draining(c: Cell) -> Int:
    """held by victims that were told to stop and have not yet"""
    return c.drains_due + c.drains_later


@quantity("rule 46, A56")
def drains_due(c: Cell) -> Int:
    """held by victims of claims up to the watched one, ended claims included"""
    return c.drains_due


@quantity("A23, A58")
def claimed(c: Cell) -> Int:
    """asked by live claims"""
    return c.claims_due + c.claims_later


@quantity("A23, A58")
def claims_due(c: Cell) -> Int:
    """asked by live claims up to the watched one"""
    return c.claims_due


@quantity("A23, A58")
def due_usage(c: Cell) -> Int:
    """usage once the drains that the watched claim waits for have ended and every claim up to it is served"""
    return c.usage - c.drains_due + c.claims_due


@quantity("A23, A58")
def held_usage(c: Cell) -> Int:
    """the same, with as much held for the claims as A58 says: all they ask; or, drains still counted, what was freed"""
    freed = c.usage + minimum(c.claims_due, c.freed)  # what drains is not free yet: else it would be given away twice
    return ite(c.reading("A58", "whole"), due_usage(c), freed)


@quantity("A23, A24")
def settled_usage(c: Cell) -> Int:
    """usage once every drain has ended and every claim is served"""
    return c.usage - draining(c) + claimed(c)


@dataclass(frozen=True, eq=False)
class Moment:
    """The derived numbers of one moment. They satisfy the same laws at each."""

    used: Quantity
    borrowed: Quantity
    lendable_idle: Quantity
    reserved_idle: Quantity
    protected: Quantity


def _moment(prefix: str, used: Quantity) -> Moment:
    """The four numbers that follow from what is used."""
    at = f" ({prefix.rstrip('_')})" if prefix else ""

    def derive(name: str, source: str, sentence: str, meaning: object) -> Quantity:
        made = Quantity(prefix + name, source, meaning, sentence + at)  # type: ignore[arg-type]
        QUANTITIES[made.name] = made
        return made

    return Moment(
        used,
        derive("borrowed", "rule 21", "usage beyond the own limit", lambda c: positive(used(c) - c.limit)),
        derive("lendable_idle", "rules 19, 22", "idle capacity that other shares may borrow",
               lambda c: minimum(c.lendable, positive(c.limit - used(c)))),
        derive("reserved_idle", "rules 19, 24", "idle capacity that no other share may use",
               lambda c: positive(kept(c) - used(c))),
        derive("protected", "rules 16, 24", "usage or, where that is more, what is kept: not available to anybody else",
               lambda c: maximum(used(c), kept(c))),
    )  # fmt: skip


NOW = _moment("", usage)
DUE = _moment("due_", due_usage)
HELD = _moment("held_", held_usage)
SETTLED = _moment("settled_", settled_usage)
MOMENTS = (NOW, DUE, HELD, SETTLED)


def beyond_kept(c: Cell, moment: Moment, more: Int) -> Int:
    """How much of `more` machines is not covered by what is kept for the share and idle at the moment."""
    return positive(more - moment.reserved_idle(c))


def shared_capacity(c: Cell) -> Int:
    """What an owner within its limit may fill: the environment; with A5 void never more than the limits add up to."""
    return ite(c.reading("A5", "void"), minimum(c.total(limit), c.capacity), c.capacity)


def lent_capacity(c: Cell) -> Int:
    """What a borrower may fill: no more than the limits add up to, except with A5 borrowable (rule 22)."""
    return ite(c.reading("A5", "borrowable"), c.capacity, minimum(c.total(limit), c.capacity))
