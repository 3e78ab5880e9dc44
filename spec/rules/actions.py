"""What may happen to a queue: guard and effect of every action, each written once.

A guard speaks of the state before the step, in AWS's terms, per unit and only where the job wants that unit; each of
its comparisons is a clause with a code and a sentence. Two parts of the guard of a dispatch are pairwise and the caller
says for whom: `holds` for each live claim (the watched one), `yields` for each other share's head.

`room` is the one statement of "it fits"; it is read at the moment a question is about: now for a dispatch, settled for
what a claimant lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..expr.nodes import Bool, Int, all_of, any_of, clause, const, ite, positive
from ..model import Stage
from .lifecycle import DISPATCHED, LIVE, after_preemption, code, is_in
from .quantities import HELD, NOW, SETTLED, Moment, beyond_kept, drains_due, lendable, limit, shared_capacity
from .view import Cell, Effect, Share, View


@dataclass(frozen=True)
class Step:
    """When an action may happen and what it changes."""

    guard: Bool
    effect: Effect


def room(c: Cell, moment: Moment, prefix: str) -> Bool:
    """The job that the share asks for fits in this unit at the moment (rules 12, 14, 19-24; A5)."""
    more = beyond_kept(c, moment, c.asks)
    over = moment.used(c) + c.asks - c.limit
    words = {"share": c.share, "unit": c.unit}
    return (c.asks > 0).implies(
        all_of(
            clause(f"{prefix}.limit", any_of(c.may_borrow, over <= 0),
                   "{share} would exceed its limit by {left} {unit} and may not borrow", **words),
            clause(f"{prefix}.borrow-limit", any_of(~c.may_borrow, c.unlimited, over <= c.borrowable),
                   "{share} would borrow {left} {unit}; its borrow limit allows {right}", **words),
            clause(f"{prefix}.environment", c.total(moment.used) + c.asks <= c.capacity,
                   "{left} {unit} would be in use; the environment has {right}", **words),
            clause(f"{prefix}.reserved", any_of(more <= 0, c.total(moment.used) + c.total(moment.reserved_idle) + more
                                                <= shared_capacity(c)),
                   "{left} {unit} would be in use or kept idle for their owners; there are {right}", **words),
            clause(f"{prefix}.pool", any_of(over <= 0, more <= 0, c.reading("A5", "borrowable"),
                                            more <= c.total(moment.lendable_idle) - c.total(moment.borrowed)),
                   "the job takes {left} {unit} that lenders leave idle; {right} are free", **words),
        )
    )  # fmt: skip


def head(view: View, share: Share, prefix: str) -> Bool:
    """No waiting job of the share has a higher priority (rule 27; A52 says which jobs count)."""
    return _outranked_by_none(view, share, "best_waiting", f"{prefix}.head")


def _outranked_by_none(view: View, share: Share, field: str, code: str) -> Bool:
    return clause(code, view.number(field, share) <= view.number("priority", "job"),
                  "a job of {share} with priority {left} waits before this one ({right})", share=share)  # fmt: skip


def within_limit(c: Cell) -> Bool:
    """Settled, the share has room for the job within its own limit (A24 a)."""
    return (c.asks > 0).implies(SETTLED.used(c) + c.asks <= c.limit)


def entitled_in(c: Cell) -> Bool:
    """The share may take its own back for this job in this unit (rules 36, 37; A24)."""
    over = SETTLED.used(c) + c.asks - c.limit
    offered = c.total(SETTLED.lendable_idle) - SETTLED.lendable_idle(c)
    allowed = all_of(c.may_borrow, any_of(c.unlimited, over <= c.borrowable))
    partly = all_of(SETTLED.used(c) < c.limit, allowed, over <= offered)
    return any_of(within_limit(c), all_of(c.reading("A24", "b"), partly))


def borrows(c: Cell) -> Bool:
    """The step's victim counts as borrowing in this unit: its share is above its limit, settled (A13)."""
    above = SETTLED.used(c) > c.limit
    return any_of(
        all_of(c.reading("A13", "b"), above),
        all_of(c.reading("A13", "a"), c.view.number("labelled", c.share, c.unit) > 0),
        all_of(c.reading("A13", "c"), above, c.view.fact("in_overage", c.share, c.unit)),
    )


def never(c: Cell) -> Bool:
    """The job can never run for what it asks of this unit (rule 33)."""
    surplus = ite(c.reading("A5", "borrowable"), positive(c.capacity - c.total(limit)), 0)
    offered = c.total(lendable) - c.lendable + surplus
    over = c.asks - c.limit
    beyond = any_of(~c.may_borrow, all_of(~c.unlimited, over > c.borrowable), over > offered)
    return all_of(c.asks > 0, any_of(c.asks > c.capacity, all_of(over > 0, beyond)))


def entitled(view: View, share: Share, prefix: str) -> Bool:
    """The share may take its own back for this job in every unit that the job wants."""
    parts = [
        clause(f"{prefix}.entitled", entitled_in(c),
               "{share} would have {left} {unit} of its limit {right}", share=share, unit=c.unit)
        for c in view.cells(share)
    ]  # fmt: skip
    return all_of(*parts)


def lacks(c: Cell) -> Bool:
    """The job still does not fit in this unit when every drain has ended and every claim is served."""
    return all_of(c.asks > 0, ~room(c, SETTLED, "settled"))


def short(c: Cell) -> Int:
    """How many machines an entitled job still lacks in this unit, settled."""
    more = beyond_kept(c, SETTLED, c.asks)
    filled = c.total(SETTLED.used) + c.total(SETTLED.reserved_idle) + more - shared_capacity(c)
    physical = c.total(SETTLED.used) + c.asks - c.capacity
    return ite(c.asks > 0, positive(ite(more > 0, filled, physical)), 0)


def served_by_loans(view: View, share: Share) -> Bool:
    """What the share's job lacks is not more than the other shares borrow (G8's "can be served")."""
    return all_of(*[short(c) <= c.total(SETTLED.borrowed) - SETTLED.borrowed(c) for c in view.cells(share)])


def closed(view: View, share: Share) -> Bool:
    """The share starts nothing any more: it is being deleted, or DISABLED with A46 no."""
    return any_of(view.fact("deleting", share), all_of(view.reading("A46", "no"), ~view.fact("enabled", share)))


# scheduler


def dispatch(view: View, share: Share) -> Step:
    """The share's job starts: RUNNABLE becomes SCHEDULED and holds its machines (rules 16, 26).

    `best_ready` is the highest priority that it may not overtake: of all waiting jobs, with A18 backfill of those that fit.
    """
    guard = all_of(
        clause("dispatch.runnable", is_in(view, "job", Stage.RUNNABLE), "the job is not RUNNABLE"),
        clause("dispatch.environment-enabled", view.fact("environment_enabled"), "the environment is DISABLED"),
        clause("dispatch.share-kept", ~view.fact("deleting", share), "{share} is being deleted", share=share),
        clause("dispatch.share-enabled", any_of(view.reading("A46", "yes"), view.fact("enabled", share)),
               "{share} is DISABLED", share=share),
        _outranked_by_none(view, share, "best_ready", "dispatch.head"),
        *[room(c, NOW, "dispatch") for c in view.cells(share)],
    )  # fmt: skip
    effect: dict[tuple[str, ...], Int] = {("stage", "job"): const(code(Stage.SCHEDULED))}
    for c in view.cells(share):
        effect["usage", share, c.unit] = c.usage + c.asks
        effect["claims_due", share, c.unit] = c.claims_due - view.number("own_due", share, c.unit)
        effect["claims_later", share, c.unit] = c.claims_later - view.number("own_later", share, c.unit)
    return Step(guard, effect)


def holds(view: View, share: Share) -> Bool:
    """The dispatch leaves the watched claim what was promised to it (A23, A58)."""
    parts: list[Bool] = []
    for c in view.cells(share):
        more = positive(c.asks - view.number("own_due", share, c.unit) - HELD.reserved_idle(c))
        filled = c.total(HELD.used) + c.total(HELD.reserved_idle) + more
        parts.append(
            clause("dispatch.hold", any_of(c.reading("A23", "no"), more <= 0, filled <= shared_capacity(c)),
                   "a claim holds what the job needs: {left} {unit} would be promised or kept; there are {right}",
                   unit=c.unit)
        )  # fmt: skip
    return all_of(*parts)


def yields(view: View, share: Share, other: Share) -> Bool:
    """A borrower leaves the entitled head of another share what it needs, where loans can serve it (A15, A11)."""
    waits = all_of(
        any_of(*[c.asks > 0 for c in view.cells(other)]),
        ~view.fact("has_claim", other),
        ~closed(view, other),
        *[within_limit(c) for c in view.cells(other)],
        served_by_loans(view, other),
    )
    parts: list[Bool] = []
    for mine, theirs in zip(view.cells(share), view.cells(other), strict=True):
        borrows = all_of(mine.asks > 0, theirs.asks > 0, mine.usage + mine.asks > mine.limit)
        both = beyond_kept(mine, SETTLED, mine.asks) + beyond_kept(theirs, SETTLED, theirs.asks)
        filled = mine.total(SETTLED.used) + mine.total(SETTLED.reserved_idle) + both
        parts.append(
            clause("dispatch.yields", any_of(view.reading("A15", "no"), ~borrows, ~waits,
                                             filled <= shared_capacity(mine)),
                   "the head of {other} is entitled to what the job would borrow: {left} {unit}; there are {right}",
                   other=other, unit=mine.unit)
        )  # fmt: skip
    return all_of(*parts)


def preempt_cross(view: View, share: Share, victim: Share) -> Step:
    """A job of `victim` is told to stop for the entitled head of `share` (rules 36, 37, 48)."""
    needed = [
        all_of(
            theirs.takes > 0,
            clause("preempt.lacks", lacks(mine), "{share} lacks no {unit}", share=share, unit=mine.unit),
            clause("preempt.above-limit", borrows(theirs),
                   "{victim} borrows no {unit}", victim=victim, unit=mine.unit),
        )
        for mine, theirs in zip(view.cells(share), view.cells(victim), strict=True)
    ]  # fmt: skip
    guard = all_of(
        _stoppable(view),
        _starts(view, share, "preempt"),
        head(view, share, "preempt"),
        entitled(view, share, "preempt"),
        clause("preempt.needed", any_of(*needed),
               "{victim} holds nothing above its limit that {share} lacks", share=share, victim=victim),
    )  # fmt: skip
    return Step(guard, _drain(view, victim))


def preempt_in_share(view: View, share: Share) -> Step:
    """A lower-priority job of the share is told to stop for its head (rules 39, 40)."""
    needed = [
        all_of(c.takes > 0, clause("in-share.lacks", lacks(c), "{share} lacks no {unit}", share=share, unit=c.unit))
        for c in view.cells(share)
    ]
    guard = all_of(
        _stoppable(view),
        clause("in-share.enabled", view.fact("in_share", share), "in-share preemption of {share} is off", share=share),
        _starts(view, share, "in-share"),
        head(view, share, "in-share"),
        clause("in-share.higher", view.number("priority", "victim") < view.number("priority", "job"),
               "the victim's priority {left} is not below {right}"),
        clause("in-share.needed", any_of(*needed), "the victim holds nothing that {share} lacks", share=share),
    )  # fmt: skip
    return Step(guard, _drain(view, share))


def _starts(view: View, share: Share, prefix: str) -> Bool:
    return clause(f"{prefix}.share-kept", ~closed(view, share), "{share} starts nothing any more", share=share)


def _stoppable(view: View) -> Bool:
    return clause("preempt.dispatched", is_in(view, "victim", *DISPATCHED),
                  "the victim is not SCHEDULED, STARTING or RUNNING")  # fmt: skip


def _drain(view: View, share: Share) -> Effect:
    drains: dict[tuple[str, ...], Int] = {
        ("drains_later", share, c.unit): c.drains_later + c.takes for c in view.cells(share)
    }
    return {**drains, ("stage", "victim"): const(code(Stage.DRAINING))}


def claim(view: View, share: Share) -> Step:
    """The share's head claims capacity: all it asks is promised to it, once its victims, if any, are told (A28, A58)."""
    parts = [
        clause("claim.suffices", ~lacks(c), "{share} would still lack {unit}", share=share, unit=c.unit)
        for c in view.cells(share)
    ]
    guard = all_of(head(view, share, "claim"), entitled(view, share, "claim"), *parts)
    return Step(guard, {("claims_later", share, c.unit): c.claims_later + c.asks for c in view.cells(share)})


def over(view: View, share: Share) -> Bool:
    """A claim of the share's job has lost its reason and ends before the scheduler's next step (A56)."""
    lost = [all_of(c.asks > 0, SETTLED.used(c) > c.limit) for c in view.cells(share)]
    return any_of(
        ~is_in(view, "job", Stage.RUNNABLE),
        closed(view, share),
        view.number("priority", "job") < view.number("best_waiting", share),
        all_of(view.reading("A24", "a"), any_of(*lost)),
        *[c.total(HELD.used) + c.total(HELD.reserved_idle) > shared_capacity(c) for c in view.cells(share)],
    )


def release(view: View, share: Share) -> Step:
    """A claim of the share's job ends without its dispatch (A56; with A58 freed also when its victims were not enough)."""
    spent = all_of(view.reading("A58", "freed"), *[c.total(drains_due) == 0 for c in view.cells(share)])
    guard = clause("release.over", any_of(spent, over(view, share)),
                   "the claim's job still waits at the head of {share}, entitled and funded", share=share)  # fmt: skip
    effect: dict[tuple[str, ...], Int] = {}
    for c in view.cells(share):
        effect["claims_due", share, c.unit] = c.claims_due - view.number("own_due", share, c.unit)
        effect["claims_later", share, c.unit] = c.claims_later - view.number("own_later", share, c.unit)
    return Step(guard, effect)


# platform and users


def stop(view: View, share: Share) -> Step:
    """A draining victim has stopped and frees its machines (rules 43, 46)."""
    guard = clause("stop.draining", is_in(view, "victim", Stage.DRAINING), "the job is not draining")
    count, then = after_preemption(view, "victim")
    return Step(guard, {**_free(view, share), ("preemptions", "victim"): count, ("stage", "victim"): then})


def finish(view: View, share: Share) -> Step:
    """A job ends by itself or is terminated (rules 29, 53; A34, A35); `ends_failed` says how."""
    guard = clause("finish.holds", is_in(view, "victim", *DISPATCHED, Stage.DRAINING), "the job holds no machines")
    then = ite(view.fact("ends_failed"), code(Stage.FAILED), code(Stage.SUCCEEDED))
    return Step(guard, {**_free(view, share), ("stage", "victim"): then})


def back_to_runnable(view: View, share: Share) -> Step:
    """A SCHEDULED job returns to RUNNABLE for lack of machines (rule 18; A54)."""
    guard = clause("return.scheduled", is_in(view, "victim", Stage.SCHEDULED), "the job is not SCHEDULED")
    return Step(guard, {**_free(view, share), ("stage", "victim"): const(code(Stage.RUNNABLE))})


def cancel(view: View) -> Step:
    """A job that holds no machines is terminated (rule 53)."""
    guard = clause("cancel.live", is_in(view, "victim", *LIVE), "the job has ended")
    return Step(guard, {("stage", "victim"): const(code(Stage.FAILED))})


def submit(view: View, share: Share) -> Step:
    """A job is accepted (rules 30, 50)."""
    guard = all_of(
        clause("submit.share-enabled", view.fact("enabled", share), "{share} is DISABLED", share=share),
        clause("submit.queue-enabled", view.fact("queue_enabled"), "the queue is DISABLED"),
    )
    return Step(guard, {})


def _free(view: View, share: Share) -> Effect:
    """`takes` machines leave, of which `takes_due` and `takes_later` were draining."""
    effect: dict[tuple[str, ...], Int] = {}
    for c in view.cells(share):
        effect["usage", share, c.unit] = c.usage - c.takes
        effect["drains_due", share, c.unit] = c.drains_due - view.number("takes_due", share, c.unit)
        effect["drains_later", share, c.unit] = c.drains_later - view.number("takes_later", share, c.unit)
    return effect


# administrator


def reconfigure(view: View, share: Share) -> Effect:
    """A share gets other numbers (rules 7, 48; A44, A45, A47, A48), and the environment too (rule 49)."""
    effect: dict[tuple[str, ...], Int] = {}
    for c in view.cells(share):
        for name in ("limit", "lendable", "borrowable"):
            effect[name, share, c.unit] = view.number(f"new_{name}", share, c.unit)
        effect["capacity", c.unit] = view.number("new_capacity", c.unit)
    return effect


def _changes(old: Cell, new: Cell, *names: str) -> Bool:
    """Nothing but the named numbers changes."""
    fixed = {"limit": old.limit == new.limit, "lendable": old.lendable == new.lendable,
             "borrowable": old.borrowable == new.borrowable, "capacity": old.capacity == new.capacity}  # fmt: skip
    return all_of(*[same for name, same in fixed.items() if name not in names])


EXCESS_MAKERS: Mapping[str, Callable[[Cell, Cell], Bool]] = {
    "lower a limit": lambda old, new: all_of(
        new.limit < old.limit, new.lendable <= old.lendable, _changes(old, new, "limit", "lendable")),
    "raise a limit or create a share": lambda old, new: all_of(
        new.limit > old.limit, new.lendable >= old.lendable, _changes(old, new, "limit", "lendable")),
    "stop lending (LEND or LEND_AND_BORROW becomes RESERVE)": lambda old, new: all_of(
        old.lendable > 0, new.lendable == 0, _changes(old, new, "lendable")),
    "cut a borrow limit or the right to borrow": lambda old, new: all_of(
        new.borrowable < old.borrowable, _changes(old, new, "borrowable")),
    "lower the environment": lambda old, new: all_of(new.capacity < old.capacity, _changes(old, new, "capacity")),
    "delete a lender, its capacity void at once (A48 void)": lambda old, new: all_of(
        old.lendable > 0, new.limit == 0, new.lendable == 0, new.borrowable == 0,
        _changes(old, new, "limit", "lendable", "borrowable")),
    "disable a lender that then lends no longer (A47 no)": lambda old, new: all_of(
        old.lendable > 0, new.lendable == 0, _changes(old, new, "lendable")),
}  # fmt: skip
"""The seven kinds of step that may make a promise false: what each does to one cell."""
