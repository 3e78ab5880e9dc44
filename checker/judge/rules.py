"""The specification's formulas as a judge asks them: each a function of a view, to be built once and evaluated often.

The shares of a step are called `actor`, `victim` and `other`; sums over all shares are given by the state. `state` says
what a book answers for each variable.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ...spec.expr.nodes import Bool, Node, all_of, any_of
from ...spec.rules import actions, guarantees, premises
from ...spec.rules.quantities import NOW, SETTLED, shared_capacity
from ...spec.rules.view import Running


def per_unit(formula: Callable[[Any, Any], Bool], view: Running, step: actions.Step) -> Bool:
    """A formula over one cell before and after a step, in every unit."""
    after = view.after(step.effect)
    return all_of(*[formula(view.at("actor", u), after.at("actor", u)) for u in view.units])


def dispatch(view: Running) -> actions.Step:
    return actions.dispatch(view, "actor")


def dispatch_guard(view: Running) -> Node:
    return dispatch(view).guard


def holds_guard(view: Running) -> Node:
    return actions.holds(view, "actor")


def yields_guard(view: Running) -> Node:
    return actions.yields(view, "actor", "other")


def cross_guard(view: Running) -> Node:
    return actions.preempt_cross(view, "actor", "victim").guard


def in_share_guard(view: Running) -> Node:
    return actions.preempt_in_share(view, "actor").guard


def claim_guard(view: Running) -> Node:
    return actions.claim(view, "actor").guard


def release_guard(view: Running) -> Node:
    return actions.release(view, "actor").guard


def suffices(view: Running) -> Node:
    """Settled, the job lacks nothing."""
    return all_of(*[~actions.lacks(c) for c in view.cells("actor")])


def never(view: Running) -> Node:
    return any_of(*[actions.never(c) for c in view.cells("actor")])


def g1(view: Running) -> Node:
    return per_unit(guarantees.g1, view, dispatch(view))


def g2(view: Running) -> Node:
    return per_unit(guarantees.g2, view, dispatch(view))


def g3(view: Running) -> Node:
    return per_unit(guarantees.g3, view, dispatch(view))


def g4(view: Running) -> Node:
    return per_unit(guarantees.g4, view, dispatch(view))


def g5x(view: Running) -> Node:
    return guarantees.g5x(view, "actor", "victim")


def g5x_but_entitled(view: Running) -> Node:
    return guarantees.g5x_but_entitled(view, "actor", "victim")


def g5s(view: Running) -> Node:
    return guarantees.g5s(view, "actor")


def g6(view: Running) -> Node:
    return guarantees.g6(view, "actor", "victim")


def g6_in_share(view: Running) -> Node:
    return guarantees.g6_in_share(view, "actor")


def g7_dispatch(view: Running) -> Node:
    return per_unit(guarantees.g7_dispatch, view, dispatch(view))


def g7_open(view: Running) -> Node:
    after = view.after(actions.claim(view, "actor").effect)
    cells = [after.at("actor", u) for u in view.units]
    return all_of(*[(c.asks > 0).implies(guarantees.settled_funded(c)) for c in cells])


def g7_promises(view: Running) -> Node:
    """The claim may keep what it asks: its job is an entitled head that then fits, and nobody's due is missing."""
    after = view.after(actions.claim(view, "actor").effect)
    cells = [after.at("actor", u) for u in view.units]
    there = [(c.asks > 0).implies(c.total(SETTLED.protected) <= shared_capacity(c)) for c in cells]
    return all_of(actions.claim(view, "actor").guard, *there)


def funded(view: Running) -> Node:
    """What the watched claim and those before it lack is nothing."""
    return all_of(*[guarantees.unfunded(c) <= 0 for c in view.cells("actor")])


def claim_over(view: Running) -> Node:
    return actions.over(view, "actor")


def g7_release(view: Running) -> Node:
    return guarantees.g7_release(view, "actor")


def g8(view: Running) -> Node:
    return guarantees.g8(view, view.after(dispatch(view).effect), "actor", "other")


def g9(view: Running) -> Node:
    return guarantees.overtakes_nobody(view, "actor")


def is_head(view: Running) -> Node:
    return guarantees.is_head(view, "actor")


def g13_dispatch(view: Running) -> Node:
    return guarantees.g13_dispatch(view, "actor")


def g13_submit(view: Running) -> Node:
    return guarantees.g13_submit(view, "actor")


def entitled(view: Running) -> Node:
    return all_of(*[actions.within_limit(c) for c in view.cells("actor")])


def entitled_head(view: Running) -> Node:
    return all_of(*[actions.entitled_in(c) for c in view.cells("actor")])


def borrows_now(view: Running) -> Node:
    """The dispatch ends above its share's limit in some unit."""
    after = view.after(dispatch(view).effect)
    return any_of(*[premises.lends(view.at("actor", u), after.at("actor", u)) for u in view.units])


def came_up(premise: premises.DispatchPremise) -> Callable[[Running], Node]:
    """A premise at a dispatch, in any unit."""

    def build(view: Running) -> Node:
        after = view.after(dispatch(view).effect)
        return any_of(*[premise(view.at("actor", u), after.at("actor", u)) for u in view.units])

    return build


DISPATCH_PREMISES = {code: came_up(premise) for code, premise in premises.DISPATCH.items()}


def g8_premise(view: Running) -> Node:
    return premises.g8(view, view.after(dispatch(view).effect), "actor", "other")


def owed(view: Running) -> Node:
    return premises.owed(view, "actor")


def owed_by(view: Running) -> Node:
    return premises.owed_by(view, "actor", "other")


def let_in(view: Running) -> Node:
    return premises.let_in(view, "actor")


def overdrawn(view: Running) -> Node:
    """The victim's share uses more than it may ever of something that the victim holds."""
    return any_of(*[all_of(c.takes > 0, premises.overdrawn(c)) for c in view.cells("victim")])


@cache
def borrows_in(unit: int) -> Callable[[Running], Node]:
    """The victim counts as borrowing in that unit of the step (A13)."""
    return lambda view: actions.borrows(view.at("victim", view.units[unit]))


def above_environment(view: Running) -> Node:
    """What is used of a unit that the job asks for is more than the environment has."""
    return any_of(*[all_of(c.asks > 0, c.total(NOW.used) > c.capacity) for c in view.cells("actor")])


def short_of_loans(view: Running) -> Node:
    """In some unit the job lacks more than the other shares borrow."""
    cells = view.cells("actor")
    return any_of(*[actions.short(c) > c.total(SETTLED.borrowed) - SETTLED.borrowed(c) for c in cells])
