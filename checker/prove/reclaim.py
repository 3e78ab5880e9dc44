"""Theorem R (reclaim) for any number of shares: an entitled head gets its share's own back.

Claimant f, victim v, and any number of other shares. The parts: T1 what the head lacks is never more than the others
borrow; T2 a share that borrows has a victim, and each victim lowers what is lacking; T3 a funded claim stays funded
whatever anybody does (G7); T4 when the drains it waits for have ended its job fits, earlier claims kept; T5 no step
raises the number of drains it waits for, each stop lowers it; T6 an entitled head can always act. Together: one claim,
at most as many victims as machines are lacking, one wait.

Assumed (`ASSUMES`) and shown satisfiable together: R1 the sum of the other limits and the share's settled usage with the
job fits the environment and no administrator acts; R2 claims hold the whole job, also without victims (A23, A58), and
one that is over (its job no longer the entitled head of its share) ends before the scheduler's next step (A56); R3 plans
suffice, net of drains (A28); R4 A24 a, shares above their limit are eligible; R5 each share is looked at again and
again; R6 every drain ends; R7 the job stays the head of its share.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...spec.expr.nodes import Bool, Int, all_of, int_var, maximum, positive
from ...spec.rules import actions, guarantees
from ...spec.rules.actions import short, within_limit
from ...spec.rules.laws import well_formed
from ...spec.rules.quantities import DUE, NOW, SETTLED, draining, drains_due, kept, limit, shared_capacity
from ...spec.rules.view import Cell, Summarised
from .solver import Condition
from .steps import UNIT, Guard, as_is, drains, lawful, moves, running

NEEDS = {"A23": ("yes",), "A58": ("whole",), "A24": ("a",), "A28": ("all-or-nothing", "minimal")}
"""The readings that Theorem R assumes, with the choices it allows."""
ASSUMES = (
    "no administrator step", "a claim that is over ends at once (A56)", "every drain ends",
    "each share is looked at again and again", "A23 yes", "A58 whole", "A28 all-or-nothing or minimal", "A24 a",
    "the job stays the head of its share",
)  # fmt: skip


def claims_are_entitled(c: Cell) -> Bool:
    """A share with a live claim is within its limit when settled: a claim that is over has ended (A56, R2)."""
    return (c.claims_due + c.claims_later > 0).implies(SETTLED.used(c) <= c.limit)


def affordable(c: Cell) -> Bool:
    """R1 in one unit: the other limits and this share's settled usage with the job fit the environment."""
    return c.total(limit) - c.limit + SETTLED.used(c) + c.asks <= c.capacity


def _two() -> tuple[Summarised, Cell, Cell, tuple[Bool, ...]]:
    view = Summarised(("f", "v"), (UNIT,))
    f, v = view.at("f", UNIT), view.at("v", UNIT)
    return view, f, v, (all_of(lawful(view), claims_are_entitled(f), claims_are_entitled(v)),)


def loans_of_others(c: Cell) -> Int:
    """What the other shares borrow, settled."""
    return c.total(SETTLED.borrowed) - SETTLED.borrowed(c)


def fundable() -> Iterator[Condition]:
    """T1 and T2."""
    view, f, v, base = _two()
    entitled = all_of(f.asks >= 1, within_limit(f), affordable(f))
    yield Condition("G14", "T1 what an entitled head lacks, the others borrow", (*base, entitled),
                    short(f) <= loans_of_others(f))  # fmt: skip
    yield Condition("G14", "T2 a share that borrows runs a job that may be stopped", (*base, SETTLED.borrowed(v) > 0),
                    v.usage - draining(v) >= 1)  # fmt: skip
    taken = view.after(actions.preempt_cross(view, "f", "v").effect)
    after, then = taken.at("f", UNIT), taken.at("v", UNIT)
    victim = all_of(v.takes >= 1, running(v), SETTLED.used(v) > v.limit)
    yield Condition(
        "G14", "T2 each victim lowers what is lacking", (*base, victim), short(after) <= positive(short(f) - 1)
    )
    anyone = all_of(v.takes >= 0, running(v))
    yield Condition("G14", "T2 no victim raises what is lacking in any unit", (*base, anyone), short(after) <= short(f))
    yield Condition(
        "G17", "each victim lowers its share", (*base, anyone), SETTLED.used(then) == SETTLED.used(v) - v.takes
    )
    yield Condition("G14", "T2 no share with a claim loses a job to another",
                    (*base, SETTLED.used(v) > v.limit), v.claims_due + v.claims_later == 0)  # fmt: skip


def kept_funded(change: Guard = as_is) -> Iterator[Condition]:
    """T3 and T5 for every step but an administrator's."""
    for move in moves(change):
        if not move.focus_acts:
            continue
        old, new = move.before.at(move.actor, UNIT), move.after.at(move.actor, UNIT)
        assume = move.counts
        if move.is_dispatch:
            assume = (*assume, change(actions.holds(move.since, move.actor)))
        funded = guarantees.unfunded(new) <= guarantees.unfunded(old)
        yield Condition("G7", f"T3 a claim stays funded: {move.kind} ({move.pattern})", assume, funded)
        waits = new.total(drains_due) <= old.total(drains_due)
        yield Condition("G14", f"T5 drains to wait for do not grow: {move.kind} ({move.pattern})", assume, waits)
    view, _, v, base = _two()
    stopped = view.after(actions.stop(view, "v").effect).at("v", UNIT)
    due = all_of(v.takes >= 1, drains(v), view.number("takes_due", "v", UNIT) == v.takes)
    yield Condition("G14", "T5 each stop lowers the drains to wait for", (*base, due),
                    stopped.total(drains_due) < v.total(drains_due))  # fmt: skip


def served(change: Guard = as_is) -> Iterator[Condition]:
    """T4: when the drains that a claim waits for have ended, its job fits and earlier claims stay funded.

    Its share loses no job after the claim was opened: not to others (T2), nor to its own head, which is covered.
    """
    view, f, v, base = _two()
    own = view.number("own_due", "f", UNIT)
    ended = all_of(f.total(drains_due) == 0, f.drains_due == 0, v.drains_due == 0, f.drains_later == 0)
    live = all_of(f.asks >= 1, own == f.asks, f.claims_due == f.asks, f.claims_later == 0)
    funded = f.total(DUE.protected) <= shared_capacity(f)
    fits = all_of(change(actions.room(f, NOW, "dispatch")), change(actions.holds(view, "f")))
    yield Condition("G14", "T4 the job of a funded claim fits when its drains have ended",
                    (*base, ended, live, funded), fits)  # fmt: skip
    one = Summarised(("one",), (UNIT,)).at("one", UNIT)
    before = int_var("claims_before")
    earlier = maximum(one.usage + one.asks + before, kept(one))
    split = all_of(before >= 0, before + one.asks <= one.claims_due, one.drains_due == 0)
    yield Condition("G7", "T4 earlier claims stay funded", (well_formed(one), split), earlier <= DUE.protected(one))


def progress(change: Guard = as_is) -> Iterator[Condition]:
    """T6: an entitled head that does not fit can claim, or somebody borrows what it lacks."""
    view, f, _, base = _two()
    guard = change(actions.claim(view, "f").guard)
    head = guarantees.is_head(view, "f")
    ready = all_of(f.asks >= 1, within_limit(f), affordable(f), head)
    yield Condition("G14", "T6 nothing is lacking: the head can claim", (*base, ready, short(f) <= 0), guard)
    yield Condition("G14", "T6 something is lacking: another share borrows", (*base, ready, short(f) >= 1),
                    loans_of_others(f) >= 1)  # fmt: skip


def reclaim_conditions(change: Guard = as_is) -> Iterator[Condition]:
    """All of Theorem R."""
    yield from fundable()
    yield from kept_funded(change)
    yield from served(change)
    yield from progress(change)


def satisfiable() -> tuple[Bool, ...]:
    """The assumptions of Theorem R in one state: a gang of at least 2 lacks at least 2, another claim is live."""
    view, f, v, base = _two()
    rest_claims = view.rest(DUE.used, UNIT) >= 1
    kept_whole = all_of(view.reading("A23", "yes"), view.reading("A58", "whole"), view.reading("A24", "a"))
    return (*base, kept_whole, f.asks >= 2, within_limit(f), affordable(f), guarantees.is_head(view, "f"), short(f) >= 2,
            v.claims_due + v.claims_later >= 1, rest_claims, v.usage >= 1)  # fmt: skip


def unit_rank() -> Iterator[Condition]:
    """G18 for jobs of one machine: (own capacity its owner leaves idle, jobs waiting, -priorities running) falls."""
    view = Summarised(("f", "v"), (UNIT,))
    f, v = view.at("f", UNIT), view.at("v", UNIT)
    base = (lawful(view), f.asks == 1, v.takes == 1, v.usage >= 1)
    unused = positive(f.limit - f.usage), positive(v.limit - v.usage)
    started, left = positive(f.limit - f.usage - 1), positive(v.limit - v.usage + 1)
    yield Condition("G18", "an entitled start uses own capacity", (*base, f.usage < f.limit), started < unused[0])
    yield Condition("G18", "a reclaim uses own capacity", (*base, f.usage < f.limit, v.usage > v.limit),
                    started + left < unused[0] + unused[1])  # fmt: skip
    yield Condition("G18", "a borrowing start leaves own capacity as it is and one job fewer waits",
                    (*base, f.usage >= f.limit), started == unused[0])  # fmt: skip
    higher = view.number("priority", "job") > view.number("priority", "victim")
    total = int_var("running_priorities")
    swapped = total + view.number("priority", "job") - view.number("priority", "victim")
    guard = actions.preempt_in_share(view, "f").guard
    yield Condition(
        "G18", "an in-share swap raises the priorities that run", (*base, guard), all_of(higher, swapped > total)
    )
