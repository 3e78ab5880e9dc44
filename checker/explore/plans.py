"""Which running jobs may be told to stop for a head: every multiset of victims that the rules allow in some order.

A victim is judged at its turn, those before it counted as draining, as the judge does. Trusted: the guards of
`spec.rules.actions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...spec.expr.nodes import Bool, all_of, any_of, const
from ...spec.model import Stage
from ...spec.rules import actions
from ...spec.rules.lifecycle import code
from ...spec.rules.view import Enumerated
from .counters import Counters
from .kinds import Kind

Victims = tuple[int, ...]
"""How many of each kind, in the order of the kinds."""


@dataclass
class Plan:
    """Victims of one claim."""

    victims: Mapping[str, int]
    """Kind -> how many; only those that have any."""
    allowed: Bool
    """The victims run, and in some order each may be told to stop at its turn."""
    suffices: Bool
    """With them gone the job lacks nothing."""
    claims: Bool
    """The guard of the claim, the victims counted as draining."""
    turns: dict[str, tuple[Victims, Bool]] = field(default_factory=dict[str, tuple[Victims, Bool]])
    """The kind that is told last -> the victims before it, and its guard then."""


def plans(counters: Counters, kind: Kind, *, again: bool = False) -> dict[Victims, Plan]:
    """Every plan for a head of the kind, the one without victims first; `again`: as if the claim it has were released."""
    kinds = counters.kinds
    nobody: Victims = tuple(0 for _ in kinds)
    views = {nobody: counters.view({kind.share: kind})}
    if again:
        views[nobody] = views[nobody].after(actions.release(views[nobody], kind.share).effect)
    for s in counters.shares:
        best = counters.best_waiting(s)
        views[nobody] = views[nobody].after({("best_waiting", s): best, ("priority", "job"): const(kind.priority)})
    found = {nobody: _plan(counters, kind, nobody, const(True), views[nobody], {})}
    grown = [nobody]
    for _ in range(sum(kind.size.values())):
        candidates = dict.fromkeys(_more(v, at) for v in grown for at in range(len(kinds)) if v[at] < kinds[at].jobs)
        grown = []
        for victims in candidates:
            turns: dict[str, tuple[Victims, Bool]] = {}
            for at, last in enumerate(kinds):
                before = _more(victims, at, -1)
                if before not in found:
                    continue
                step = _told(views[before], kind, last)
                views.setdefault(victims, views[before].after(step.effect))
                guard = counters.closed(step.guard)
                if guard.op != "const" or guard.args[0]:
                    turns[last.name] = before, guard
            some = any_of(*[all_of(found[before].allowed, guard) for before, guard in turns.values()])
            if some.op != "const" or some.args[0]:
                found[victims] = _plan(counters, kind, victims, some, views[victims], turns)
                grown.append(victims)
    return found


def _plan(
    counters: Counters,
    kind: Kind,
    victims: Victims,
    some: Bool,
    view: Enumerated,
    turns: dict[str, tuple[Victims, Bool]],
) -> Plan:
    named = {k.name: n for k, n in zip(counters.kinds, victims, strict=True) if n}
    run = [counters.running(k) >= named[k.name] for k in counters.kinds if k.name in named]
    suffices = all_of(*[~actions.lacks(c) for c in view.cells(kind.share)])
    claims = actions.claim(view, kind.share).guard
    return Plan(named, all_of(some, *run), counters.closed(suffices), counters.closed(claims), turns)


def _told(view: Enumerated, kind: Kind, victim: Kind) -> actions.Step:
    """A job of `victim` is told to stop."""
    takes = {("takes", victim.share, u): const(victim.size.get(u, 0)) for u in view.units}
    at = view.after(
        {
            **{("takes", s, u): const(0) for s in view.shares for u in view.units},
            **takes,
            ("stage", "victim"): const(code(Stage.RUNNING)),
            ("priority", "victim"): const(victim.priority),
        }
    )
    if victim.share == kind.share:
        return actions.preempt_in_share(at, kind.share)
    return actions.preempt_cross(at, kind.share, victim.share)


def _more(victims: Victims, at: int, n: int = 1) -> Victims:
    return (*victims[:at], victims[at] + n, *victims[at + 1 :])
