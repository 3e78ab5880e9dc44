"""Laws: linear relations without a constant that hold of every share and hence of any sum of shares.

They are all that a proof for any number of shares knows of the shares it does not name. Each is proved for one share by
the prover before it is used; `well_formed` is what a single share must satisfy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from ..expr.nodes import Bool, Int, add, all_of
from .quantities import (
    DUE,
    HELD,
    MOMENTS,
    NOW,
    SETTLED,
    Moment,
    claimed,
    claims_due,
    draining,
    drains_due,
    due_usage,
    kept,
    lendable,
    limit,
    settled_usage,
    usage,
)
from .view import Cell, Quantity, View


@dataclass(frozen=True)
class Law:
    """The sum of factor times quantity is zero, or not negative; with `given`, under that reading."""

    name: str
    terms: Mapping[Quantity, int]
    relation: Literal["==", ">="] = ">="
    given: tuple[str, str] | None = None

    def on(self, view: View, value: Callable[[Quantity], Int]) -> Bool:
        """The law for given values of the quantities."""
        left = add(*[value(q) * factor for q, factor in self.terms.items()])
        holds = left == 0 if self.relation == "==" else left >= 0
        return holds if self.given is None else view.reading(*self.given).implies(holds)


def parts(moment: Moment) -> tuple[Quantity, ...]:
    """The quantities of a moment, what is protected last."""
    return (moment.used, moment.borrowed, moment.lendable_idle, moment.reserved_idle, moment.protected)


LAWS: tuple[Law, ...] = (
    Law("the limit is kept or lendable", {limit: 1, kept: -1, lendable: -1}, "=="),
    Law("drains hold machines", {usage: 1, draining: -1}),
    Law("drains due are drains", {draining: 1, drains_due: -1}),
    Law("claims due are claims", {claimed: 1, claims_due: -1}),
    Law("due usage", {due_usage: 1, usage: -1, drains_due: 1, claims_due: -1}, "=="),
    Law("settled usage", {settled_usage: 1, usage: -1, draining: 1, claimed: -1}, "=="),
    *(law for m in MOMENTS for law in (
        Law(f"{m.protected.title} is {m.used.title} and {m.reserved_idle.title}",
            {m.protected: 1, m.used: -1, m.reserved_idle: -1}, "=="),
        Law(f"limit less {m.protected.title} is {m.lendable_idle.title} less {m.borrowed.title}",
            {limit: 1, m.protected: -1, m.lendable_idle: -1, m.borrowed: 1}, "=="),
        Law(f"{m.protected.title} covers what is kept", {m.protected: 1, kept: -1}),
        Law(f"idle at most the limit ({m.used.title})", {limit: 1, m.lendable_idle: -1, m.reserved_idle: -1}),
    )),
    Law("what is due exceeds what is now by the claims due at most",
        {NOW.protected: 1, claims_due: 1, DUE.protected: -1}),
    Law("what is now exceeds what is due by the drains due at most",
        {DUE.protected: 1, drains_due: 1, NOW.protected: -1}),
    Law("what is settled exceeds what is due by the later claims at most",
        {DUE.protected: 1, claimed: 1, claims_due: -1, SETTLED.protected: -1}),
    Law("what is due exceeds what is settled by the later drains at most",
        {SETTLED.protected: 1, draining: 1, drains_due: -1, DUE.protected: -1}),
    *(Law(f"all that is due is held ({due.name})", {due: 1, held: -1}, "==", ("A58", "whole"))
      for due, held in zip(parts(DUE), parts(HELD), strict=True)),
    *(Law(f"{q.title} is not negative", {q: 1})
      for q in (kept, lendable, drains_due, claims_due, *(part for m in MOMENTS
                for part in parts(m)[:-1]))),
)  # fmt: skip


def well_formed(c: Cell) -> Bool:
    """What holds of every share in every state, also one that an administrator changed."""
    return all_of(
        c.limit >= 0, c.lendable >= 0, c.lendable <= c.limit, c.borrowable >= 0, c.asks >= 0, c.takes >= 0,
        c.usage >= 0, c.drains_due >= 0, c.drains_later >= 0, c.claims_due >= 0, c.claims_later >= 0, c.freed >= 0,
        draining(c) <= c.usage,
        (~c.may_borrow).implies(all_of(c.borrowable == 0, ~c.unlimited)),
    )  # fmt: skip
