"""The promises G1-G21: one short definition each, with its sentence, its mathematics, its source.

Step guarantees are formulas over the state before and after a step. G1-G4 and G7 are *excesses*: numbers that are 0
while the promise is kept; no dispatch ends with one, no step but an administrator's makes one larger. Response
guarantees (G14 and G16-G21) speak of runs; what a single step owes to them is in the prover's theorems.

Attribution is disjoint: `FIRST_CAUSE` is the order in which a step is charged, and each formula takes the earlier ones
as given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..expr.nodes import Bool, Int, all_of, any_of, ite, maximum, positive
from ..model import Stage
from .actions import borrows, closed, entitled_in, room, within_limit
from .lifecycle import counts, is_in, legal_move
from .quantities import DUE, HELD, NOW, SETTLED, drains_due, lent_capacity, shared_capacity
from .view import Cell, Share, View


@dataclass(frozen=True)
class Guarantee:
    """One promise, as people read it. `kind` is step, state, response or history; `over` what it is quantified over."""

    code: str
    name: str
    kind: str
    over: str
    sentence: str
    mathematics: str
    readings: tuple[str, ...]
    source: str


def beyond_environment(c: Cell) -> Int:
    """G1: usage above the environment."""
    return positive(c.total(NOW.used) - c.capacity)


def beyond_protected(c: Cell) -> Int:
    """G2: usage and reserved idle capacity above the environment."""
    return positive(c.total(NOW.protected) - c.capacity)


def beyond_borrow_limit(c: Cell) -> Int:
    """G3, G4, G17: usage above limit plus borrow limit."""
    return ite(c.unlimited, 0, positive(c.usage - c.limit - c.borrowable))


def unfunded(c: Cell) -> Int:
    """G7: how much the watched claim and those before it lack once the drains they wait for have ended."""
    return positive(c.total(DUE.protected) - shared_capacity(c))


def g7_dispatch(before: Cell, after: Cell) -> Bool:
    """A dispatch takes nothing that the watched claim and those before it hold: all they ask, once the drains they wait for
    have ended, which is `unfunded`; with A58 freed what their victims have freed and nothing that was free already."""

    def missing(c: Cell) -> Int:
        return positive(c.total(HELD.used) + c.total(HELD.reserved_idle) - shared_capacity(c))

    return missing(after) <= missing(before)


def need(c: Cell) -> Int:
    """Machines of the unit that must be taken from others before the share's job, settled, has all it asks."""
    used = SETTLED.used(c) + c.asks
    over = positive(used - (c.limit - c.lendable)) - positive(SETTLED.used(c) - (c.limit - c.lendable))
    bound = ite(used <= c.limit, shared_capacity(c), lent_capacity(c))
    return ite(c.asks > 0, positive(c.total(SETTLED.protected) + over - bound), 0)


def unserved(c: Cell) -> Bool:
    """The share's job, settled, would be above what the share, the lenders or the environment can give in this unit."""
    used = SETTLED.used(c) + c.asks
    floor = c.limit - c.lendable
    was = c.total(SETTLED.protected)
    now = was + maximum(used, floor) - maximum(SETTLED.used(c), floor)
    bound = ite(used <= c.limit, shared_capacity(c), lent_capacity(c))
    beyond_limits = all_of(~c.unlimited, used > c.limit + c.borrowable)
    physical = c.total(SETTLED.used) + c.asks > c.capacity
    return all_of(c.asks > 0, any_of(beyond_limits, physical, all_of(now > was, now > bound)))


def settled_funded(c: Cell) -> Bool:
    """Settled, all shares have what they use and what is kept for them, or this one stays inside what is kept for it."""
    inside = all_of(SETTLED.used(c) <= c.limit - c.lendable, c.total(SETTLED.used) <= c.capacity)
    return any_of(c.total(SETTLED.protected) <= shared_capacity(c), inside)


def g1(before: Cell, after: Cell) -> Bool:
    """A dispatch ends within the environment."""
    return (before.asks > 0).implies(after.total(NOW.used) <= after.capacity)


def g2(before: Cell, after: Cell) -> Bool:
    """A dispatch takes no reserved idle capacity, and a loan fits what lenders leave idle."""
    was, now = before.total(NOW.protected), after.total(NOW.protected)
    bound = ite(after.usage <= after.limit, shared_capacity(after), lent_capacity(after))
    return all_of(before.asks > 0, after.total(NOW.used) <= after.capacity).implies(any_of(now == was, now <= bound))


def g3(before: Cell, after: Cell) -> Bool:
    """A dispatch stays within limit and borrow limit."""
    within = any_of(after.unlimited, after.usage <= after.limit + after.borrowable)
    return all_of(before.asks > 0, before.may_borrow).implies(within)


def g4(before: Cell, after: Cell) -> Bool:
    """A dispatch of a share that may not borrow stays within its limit."""
    return all_of(before.asks > 0, ~before.may_borrow).implies(after.usage <= after.limit)


def g5x(view: View, share: Share, victim: Share) -> Bool:
    """The claimant is an entitled head that may start, and the victim's share is above its limit in a unit that it lacks."""
    whole = [entitled_in(c) for c in view.cells(share)]
    return g6(view, share, victim).implies(all_of(*whole, g5x_but_entitled(view, share, victim)))


def g5x_but_entitled(view: View, share: Share, victim: Share) -> Bool:
    """The claimant is a head that may start, and the victim's share is above its limit in a unit that it lacks."""
    units = [
        all_of(theirs.takes > 0, need(mine) > 0, borrows(theirs))
        for mine, theirs in zip(view.cells(share), view.cells(victim), strict=True)
    ]
    return all_of(is_head(view, share), ~closed(view, share), any_of(*units))


def g5s(view: View, share: Share) -> Bool:
    """In-share preemption is on, the head may start and its priority is strictly higher than the victim's."""
    upward = view.number("priority", "job") > view.number("priority", "victim")
    return all_of(view.fact("in_share", share), upward, is_head(view, share), ~closed(view, share))


def g6(view: View, share: Share, victim: Share) -> Bool:
    """The victim holds something that the claimant lacks, drains under way counted as gone."""
    units = [
        all_of(theirs.takes > 0, unserved(mine))
        for mine, theirs in zip(view.cells(share), view.cells(victim), strict=True)
    ]
    return any_of(*units)


def g6_in_share(view: View, share: Share) -> Bool:
    """The victim of its own share holds something that the claimant lacks, drains under way counted as gone."""
    return any_of(*[all_of(c.takes > 0, unserved(c)) for c in view.cells(share)])


def g7_release(view: View, share: Share) -> Bool:
    """A claim ends only when its job is gone, no longer the head, no longer entitled, or an administrator unfunded it,
    or its share starts nothing any more.

    With A58 freed, where a claim may turn out not to be enough, also when nothing drains for it any more.
    """
    spent = all_of(view.reading("A58", "freed"), *[c.total(drains_due) == 0 for c in view.cells(share)])
    lost = any_of(*[all_of(c.asks > 0, SETTLED.used(c) > c.limit) for c in view.cells(share)])
    short = [c.total(HELD.used) + c.total(HELD.reserved_idle) > shared_capacity(c) for c in view.cells(share)]
    return any_of(spent, closed(view, share), ~is_in(view, "job", Stage.RUNNABLE), ~is_head(view, share),
                  all_of(view.reading("A24", "a"), lost), *short)  # fmt: skip


def g8(before: View, after: View, share: Share, other: Share) -> Bool:
    """A borrower leaves an entitled head of another share what it needs, where loans can serve it."""
    waits = all_of(
        any_of(*[c.asks > 0 for c in before.cells(other)]),
        ~before.fact("has_claim", other),
        ~closed(before, other),
        *[within_limit(c) for c in before.cells(other)],
        *[need(c) <= c.total(SETTLED.borrowed) - SETTLED.borrowed(c) for c in before.cells(other)],
    )
    kept: list[Bool] = []
    for old, new, theirs in zip(before.cells(share), after.cells(share), after.cells(other), strict=True):
        borrows = all_of(old.asks > 0, theirs.asks > 0, new.usage > new.limit)
        kept.append(borrows.implies(need(theirs) <= 0))
    return waits.implies(all_of(*kept))


def overtakes_nobody(view: View, share: Share) -> Bool:
    """G9 at a dispatch: no waiting job of the share that counts (A18) has a higher priority."""
    return ~(view.number("best_ready", share) > view.number("priority", "job"))


def is_head(view: View, share: Share) -> Bool:
    """No waiting job of the share has a higher priority."""
    return ~(view.number("best_waiting", share) > view.number("priority", "job"))


def g10(before: View, after: View, job: str) -> Bool:
    """The job moves as its life cycle allows."""
    return legal_move(before, after, job)


def g11(before: View, after: View, job: str) -> Bool:
    """A stop counts once, and fails the job exactly at preemption N+1."""
    count, old = after.number("preemptions", job), before.number("preemptions", job)
    spent = all_of(~before.fact("retries_unset", job), count > before.number("retries", job))
    return all_of(
        count == old + ite(counts(before, job), 1, 0),
        spent == is_in(after, job, Stage.FAILED),
        (~spent) == is_in(after, job, Stage.RUNNABLE),
    )


def g13_dispatch(view: View, share: Share) -> Bool:
    """The environment is ENABLED and the share is not being deleted (A46 no: and ENABLED)."""
    enabled = any_of(view.reading("A46", "yes"), view.fact("enabled", share))
    return all_of(view.fact("environment_enabled"), ~view.fact("deleting", share), enabled)


def g13_submit(view: View, share: Share) -> Bool:
    """Share and queue are ENABLED."""
    return all_of(view.fact("enabled", share), view.fact("queue_enabled"))


def g15(c: Cell) -> Bool:
    """Within what is kept for its share, a job that physically fits is not blocked by anybody's loans."""
    inside = all_of(c.usage + c.asks <= c.limit - c.lendable, c.total(NOW.used) + c.asks <= c.capacity)
    return inside.implies(room(c, NOW, "dispatch"))


FIRST_CAUSE = ("G12", "G10", "G13", "G9", "G4", "G3", "G1", "G2", "G7", "G8", "G6", "G5s", "G5x", "G6+", "G11")
"""A step is charged with the first of these that it breaks."""


def _g(
    code: str, name: str, kind: str, over: str, sentence: str, mathematics: str, source: str, *readings: str
) -> Guarantee:
    return Guarantee(code, name, kind, over, sentence, mathematics, readings, source)


_ALL = (
    _g("G1", "environment respected", "step", "unit", "No job is dispatched beyond the environment.",
       "dispatch implies R' <= E; (R-E)+ grows only by an administrator", "rules 12, 49"),
    _g("G2", "reserve untouched, loans covered", "step", "unit",
       "Nobody but its owner takes reserved idle capacity, and loans fit what lenders leave idle.",
       "R' <= E and dispatch imply dP = 0 or P' <= K; (P-E)+ grows only by an administrator", "rules 19, 22, 24",
       "A5", "A13", "A47", "A48"),
    _g("G3", "borrow limit", "step", "share that may borrow, unit", "Borrowing stays within the borrow limit in force.",
       "dispatch implies r' <= L+b; (r-L-b)+ grows only by an administrator", "rules 20, 21", "A4", "A6", "A8", "A9"),
    _g("G4", "limit", "step", "share that may not borrow, unit",
       "A share that may not borrow starts nothing beyond its limit.", "dispatch implies r' <= L", "rules 14, 19"),
    _g("G5x", "cross-share preemption justified", "step", "victim, claim of another share",
       "A job is taken from another share only for an entitled head, in a unit it lacks, from a share above its limit there.",
       "some u: v_u > 0, need_u(c) > 0, r*_k > L_k; c entitled; v in SCHEDULED, STARTING, RUNNING", "rules 35-38, 48",
       "A13", "A24", "A29", "A44", "A50", "A59"),
    _g("G5s", "in-share preemption justified", "step", "victim, claim of the same share",
       "In-share preemption is switched on, strictly upward, and only when the head does not fit.",
       "inShare, prio(c) > prio(v), c is head, not fits(c), some u: v_u > 0 and c lacks u", "rules 39, 40",
       "A30", "A31", "A32", "A33"),
    _g("G6", "no preemption for what is covered", "step", "victim, claim",
       "Nothing is preempted for a claim that is already covered.",
       "at preempt-begin some u: v_u > 0 and c lacks u, drains under way counted as gone", "rule 35", "A32", "A37"),
    _g("G6+", "nobody stopped in vain", "step", "plan (A28)", "A plan suffices (A28 minimal: and no smaller part of it would).",
       "V valid and no W in V valid", "A28", "A28", "A59"),
    _g("G7", "claim kept", "state", "claim, unit",
       "What a claim was promised, freed or free already, is there when its victims have stopped.",
       "while c lives: P(r - D<=c + k<=c) <= K", "A23", "A23", "A56", "A58"),
    _g("G8", "borrowers yield", "step", "unit, borrower, head of another share",
       "A borrower never takes what an entitled head that can be served needs.",
       "dispatch j with r' > L, entitled(e), need(e) <= sum of others' b* imply P(r* + n_j + n_e) <= K", "A15", "A15", "A11"),
    _g("G9", "order in a share", "step", "two jobs of a share", "No job overtakes a higher priority of its own share.",
       "dispatch j implies no RUNNABLE k with prio k > prio j", "rules 27, 32", "A18", "A19", "A20", "A21", "A22", "A56"),
    _g("G10", "life cycle", "history", "job", "A job moves only as its life cycle allows.",
       "moves in the table of rule 29 and preemption", "rule 29", "A34", "A35", "A36", "A54"),
    _g("G11", "retries", "step", "job", "A job fails exactly at preemption N+1; attempts are not consumed.",
       "preempt-end by stop: p' = p+1; N unset or p' <= N: RUNNABLE; p' = N+1: FAILED", "rules 43, 44",
       "A34", "A35", "A38", "A39"),
    _g("G12", "usage is the sum of the jobs", "history", "job", "No job is duplicated and usage is the sum of its jobs.",
       "r_i = sum of n over dispatched and draining jobs of i", "rule 16", "A37"),
    _g("G13", "disabled and deleted", "step", "job",
       "A disabled share takes nothing new; its waiting jobs still run. A disabled environment starts nothing.",
       "submit implies share and queue ENABLED; dispatch implies environment ENABLED, share not DELETING", "rules 50-52",
       "A46", "A48", "A49"),
    _g("G14", "lenders always reclaim", "response", "share",
       "A share always gets its own back for its head job, which needs limits within the environment.",
       "sum of other limits + r*_i + n <= E per unit and no administrator step: an entitled head is dispatched", "rules 36, 37",
       "A2", "A13", "A15", "A18", "A23", "A24", "A28", "A44", "A46", "A47", "A56", "A58"),
    _g("G15", "reserve at once", "state", "share, unit",
       "Its own reserved part never waits for anybody's loans, where the environment has the machines free.",
       "r+n <= L-l and R+n <= E: not blocked", "rules 19, 56", "A45", "A47"),
    _g("G16", "no idle while a head fits", "state at settled points", "share",
       "When nothing moves, no head that fits is left waiting; of borrowers in a strict order (A16b), the first.",
       "settled: no head that dispatch allows", "rule 26",
       "A16b", "A18", "A19", "A52"),
    _g("G17", "over-limit shares shrink", "step and response", "share",
       "An over-limit share never grows and never stands in a claim's way; it shrinks when it is the one that is needed.",
       "(r-L-b)+ grows only by an administrator; r* > L is eligible in G5x; each victim lowers it", "rule 48", "A42", "A43"),
    _g("G18", "preemption comes to an end", "response", "system", "Preemption never goes round in circles.",
       "no infinite run of scheduler and drain steps alone", "rule 36", "A18", "A24", "A25", "A31"),
    _g("G19", "deletion ends its jobs", "response", "share", "A share that is deleted has no live job in the end.",
       "DELETING leads to no live job of the share", "rule 51", "A48"),
    _g("G20", "every drain ends", "response", "job", "A job that was told to stop stops.",
       "preempt-begin leads to preempt-end, finish or terminate", "rule 46", "A34"),
    _g("G21", "in-share priority served", "state at settled points", "share",
       "Where in-share preemption is on and nothing moves, no head waits that would fit if lower priorities of its share had "
       "stopped for it.",
       "settled, nothing drains, inShare: no head c and jobs V of its share such that G5s and G6 allow c to stop each v in V, "
       "those before it gone, and dispatch allows c with all of V gone (A31 = own: with r' <= L)", "rules 39, 40",
       "A15", "A16b", "A18", "A30", "A31", "A32", "A33", "A46", "A50", "A52"),
)  # fmt: skip

GUARANTEES: Mapping[str, Guarantee] = {g.code: g for g in _ALL}
