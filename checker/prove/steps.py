"""What may happen, for proofs over any number of shares: every step with its assumptions and the state after it.

Three shares are explicit, because a step touches two (a claimant c and a victim v) and a per-share promise has a third
(the focus f); the same share may play several roles, so every step is proved in the five ways in which roles coincide.
All other shares are known only by the sums of their quantities, which obey the laws.

One unit suffices: every guard here is a conjunction over units, and where it asks for *some* unit the proof gives the
promise in that same unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from ...spec.expr.nodes import Bool, all_of, any_of
from ...spec.rules import actions
from ...spec.rules.laws import LAWS, well_formed
from ...spec.rules.quantities import draining
from ...spec.rules.view import Cell, Share, Summarised

UNIT = "u"
ROLES: dict[str, tuple[Share, Share, Share]] = {
    "f, c, v differ": ("f", "c", "v"),
    "f is c": ("c", "c", "v"),
    "f is v": ("v", "c", "v"),
    "c is v": ("f", "c", "c"),
    "all one share": ("c", "c", "c"),
}
"""Focus, claimant and victim in the five ways in which they coincide."""

Guard = Callable[[Bool], Bool]


@dataclass(frozen=True)
class Move:
    """One step in one pattern of roles. `actor` is the share that acts or that the step concerns."""

    kind: str
    pattern: str
    focus: Share
    actor: Share
    victim: Share
    before: Summarised
    since: Summarised
    """The state in which a dispatch is judged: `before`, or after the victim left where one step does both."""
    after: Summarised
    guard: Bool
    assume: tuple[Bool, ...]
    """What holds of the state and of the step, the guard included."""
    counts: tuple[Bool, ...]
    """The same for promises about counts. The platform's guards ask only for the job's stage and are left out, so that
    steps which change the same counts are the same condition."""
    is_dispatch: bool = False

    @property
    def focus_acts(self) -> bool:
        """True in the two patterns that matter to rules without a focus share."""
        return self.focus == self.actor


def lawful(view: Summarised) -> Bool:
    """What every state satisfies: well-formed shares, laws of the rest, no negative capacity."""
    shares = [well_formed(view.at(s, UNIT)) for s in view.shares]
    rest = [law.on(view, lambda q: view.rest(q, UNIT)) for law in LAWS]
    return all_of(*shares, *rest, view.number("capacity", UNIT) >= 0)


def running(c: Cell) -> Bool:
    """The step's victim holds `takes` machines of the unit and is not draining."""
    return c.takes <= c.usage - draining(c)


def drains(c: Cell) -> Bool:
    """The step's victim holds `takes` machines of the unit and drains for a claim up to or after the watched one."""
    due, later = (c.view.number(f"takes_{when}", c.share, c.unit) for when in ("due", "later"))
    return all_of(any_of(all_of(due == c.takes, later == 0), all_of(due == 0, later == c.takes)),
                  due <= c.drains_due, later <= c.drains_later)  # fmt: skip


def not_draining(c: Cell) -> Bool:
    """The step's victim is not draining."""
    return all_of(*[c.view.number(f"takes_{when}", c.share, c.unit) == 0 for when in ("due", "later")])


def own_claim(c: Cell) -> Bool:
    """The step's job has no claim, or one up to the watched claim, or a later one."""
    due, later = (c.view.number(f"own_{when}", c.share, c.unit) for when in ("due", "later"))
    none, early, late = (all_of(due == a, later == b) for a, b in ((0, 0), (c.asks, 0), (0, c.asks)))
    return all_of(any_of(none, early, late), due <= c.claims_due, later <= c.claims_later)


def as_is(guard: Bool) -> Bool:
    """The guard unchanged; planted bugs put another function here."""
    return guard


@lru_cache(maxsize=2)
def moves(change: Guard = as_is) -> tuple[Move, ...]:
    """Every step but an administrator's, in every pattern of roles."""
    return tuple(_moves(change))


def _moves(change: Guard) -> Iterator[Move]:
    for pattern, (focus, c, v) in ROLES.items():
        view = Summarised(tuple(dict.fromkeys((focus, c, v))), (UNIT,))
        base = lawful(view)
        actor, victim = view.at(c, UNIT), view.at(v, UNIT)

        def move(
            kind: str, step: actions.Step, *assume: Bool, dispatch: bool = False, through: Summarised | None = None,
            platform: bool = False,
            view: Summarised = view, base: Bool = base, roles: tuple[str, Share, Share, Share] = (pattern, focus, c, v),
        ) -> Move:  # fmt: skip
            since, guard = through or view, change(step.guard)
            whole = (base, *assume, guard)
            counts = (base, *assume) if platform else whole
            return Move(kind, *roles, view, since, since.after(step.effect), guard, whole, counts, dispatch)

        yield move("dispatch", actions.dispatch(view, c), own_claim(actor), dispatch=True)
        if c == v:
            yield move("preempt in-share", actions.preempt_in_share(view, c), running(victim))
        else:
            yield move("preempt cross-share", actions.preempt_cross(view, c, v), running(victim))
        yield move("claim", actions.claim(view, c))
        yield move("release", actions.release(view, c), own_claim(actor))
        still = all_of(running(victim), not_draining(victim))
        yield move("stop", actions.stop(view, v), drains(victim), platform=True)
        yield move("finish", actions.finish(view, v), still, platform=True)
        yield move("finish while draining", actions.finish(view, v), drains(victim), platform=True)
        yield move("return for lack of machines", actions.back_to_runnable(view, v), still, platform=True)
        gone = view.after(actions.finish(view, v).effect)
        yield move("preempt and dispatch at once", actions.dispatch(gone, c), still,
                   own_claim(actor), dispatch=True, through=gone)  # fmt: skip
