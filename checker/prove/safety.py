"""Theorem S (safety) for any number of shares: the step guarantees G1-G11, G13 and G15, with excess, for every reading.

For each step and each way its roles coincide, every guarantee is one condition: a dispatch ends without excess, and no
step but an administrator's makes an excess larger. Readings are free, so a refutation names the readings it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...spec.expr.nodes import Bool, Int, all_of
from ...spec.rules import actions, guarantees
from ...spec.rules.laws import LAWS, well_formed
from ...spec.rules.quantities import NOW
from ...spec.rules.view import Cell, Summarised
from .solver import Condition
from .steps import UNIT, Guard, Move, as_is, lawful, moves, own_claim


def law_conditions() -> Iterator[Condition]:
    """Each law holds of one share (and hence of any sum)."""
    view = Summarised(("one",), (UNIT,))
    cell = view.at("one", UNIT)
    for law in LAWS:
        yield Condition("laws", law.name, (well_formed(cell),), law.on(view, lambda q: q(cell)))


def step_conditions(change: Guard = as_is) -> Iterator[Condition]:
    """G1-G11 and G13 for every step; `change` plants a bug in every guard."""
    for move in moves(change):
        yield from _excess(move)
        if move.focus_acts:
            yield from _by_kind(move)
    yield from _pairwise(change)
    yield from _submit(change)


def _condition(move: Move, code: str, goal: Bool, what: str = "", *, about: str = "all") -> Condition:
    """`about` says what the promise speaks of: counts, or only the job and its share; it assumes no more than that."""
    assume = {"all": move.assume, "counts": move.counts, "job": (move.guard,)}[about]
    return Condition(code, f"{move.kind} ({move.pattern}){': ' + what if what else ''}", assume, goal)


def _excess(move: Move) -> Iterator[Condition]:
    """No excess grows. Sums do not depend on the focus: they are asked once for each way c and v coincide."""
    old, new = move.before.at(move.focus, UNIT), move.after.at(move.focus, UNIT)
    if move.focus_acts:
        yield _condition(
            move, "G1", _grows_not(guarantees.beyond_environment, old, new), "excess does not grow", about="counts"
        )
        goal = _grows_not(guarantees.beyond_protected, old, new)
        # What is charged to G1 is not charged to G2 as well.
        charged = new.total(NOW.used) <= new.capacity
        yield _condition(
            move, "G2", charged.implies(goal) if move.is_dispatch else goal, "excess does not grow", about="counts"
        )
    goal = _grows_not(guarantees.beyond_borrow_limit, old, new)
    yield _condition(move, "G3", old.may_borrow.implies(goal), "excess does not grow", about="counts")
    yield _condition(move, "G4", (~old.may_borrow).implies(goal), "excess does not grow", about="counts")


def _grows_not(excess: Callable[[Cell], Int], old: Cell, new: Cell) -> Bool:
    return excess(new) <= excess(old)


def _by_kind(move: Move) -> Iterator[Condition]:
    before, after, c, v = move.before, move.after, move.actor, move.victim
    shares = [well_formed(after.at(s, UNIT)) for s in after.shares]
    yield _condition(move, "G12", all_of(*shares), "counts stay counts", about="counts")
    moved = "job" if move.is_dispatch else "victim"
    if move.kind not in ("claim", "release"):
        alone = "job" if len(move.counts) < len(move.assume) else "all"
        yield _condition(move, "G10", guarantees.g10(before, after, moved), about=alone)
    if move.is_dispatch:
        old, new = move.since.at(c, UNIT), after.at(c, UNIT)
        for code, promise in (
            ("G1", guarantees.g1),
            ("G2", guarantees.g2),
            ("G3", guarantees.g3),
            ("G4", guarantees.g4),
        ):
            yield _condition(move, code, promise(old, new))
        yield _condition(move, "G9", guarantees.overtakes_nobody(before, c))
        yield _condition(move, "G13", guarantees.g13_dispatch(before, c))
    elif move.kind == "preempt cross-share":
        yield _condition(move, "G6", guarantees.g6(before, c, v))
        yield _condition(move, "G5x", guarantees.g5x(before, c, v))
    elif move.kind == "preempt in-share":
        yield _condition(move, "G6", guarantees.g6_in_share(before, c))
        yield _condition(move, "G5s", guarantees.g6_in_share(before, c).implies(guarantees.g5s(before, c)))
    elif move.kind == "claim":
        yield _condition(move, "G5x", actions.entitled_in(before.at(c, UNIT)))
        yield _condition(move, "G9", guarantees.is_head(before, c))
    elif move.kind == "release":
        yield _condition(move, "G7", guarantees.g7_release(before, c))
    elif move.kind == "stop":
        yield _condition(move, "G11", guarantees.g11(before, after, "victim"), about="job")


def _pairwise(change: Guard) -> Iterator[Condition]:
    """G8 for another share's head at a dispatch, and G7 when a claim is opened (that it stays is Theorem R's T3)."""
    view = Summarised(("c", "e"), (UNIT,))
    step = actions.dispatch(view, "c")
    after = view.after(step.effect)
    assume = (lawful(view), own_claim(view.at("c", UNIT)), change(step.guard))
    yields = change(actions.yields(view, "c", "e"))
    yield Condition(
        "G8", "dispatch yields to an entitled head", (*assume, yields), guarantees.g8(view, after, "c", "e")
    )
    claimed = actions.claim(view, "c")
    watched = view.after(claimed.effect).at("c", UNIT)
    fits = (watched.asks > 0).implies(guarantees.settled_funded(watched))
    yield Condition("G7", "a claim is funded when it is opened", (lawful(view), change(claimed.guard)), fits)


def _submit(change: Guard) -> Iterator[Condition]:
    view = Summarised(("c",), (UNIT,))
    yield Condition("G13", "submit", (change(actions.submit(view, "c").guard),), guarantees.g13_submit(view, "c"))
    ended = actions.cancel(view)
    moved = guarantees.g10(view, view.after(ended.effect), "victim")
    yield Condition("G10", "cancel", (change(ended.guard),), moved)


def reserve_conditions() -> Iterator[Condition]:
    """G15: a job within what is kept for its share, which physically fits, is never blocked by loans."""
    view = Summarised(("f", "c"), (UNIT,))
    yield Condition("G15", "own reserved part at once", (lawful(view),), guarantees.g15(view.at("f", UNIT)))
    cell = view.at("f", UNIT)
    debt_free = cell.total(NOW.protected) <= cell.capacity
    inside = all_of(cell.asks > 0, cell.usage + cell.asks <= cell.limit - cell.lendable)
    fits = cell.total(NOW.used) + cell.asks <= cell.capacity
    yield Condition("G15", "without reserve debt it physically fits", (lawful(view), debt_free, inside), fits)
