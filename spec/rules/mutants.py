"""One-point mutants of the rules: every guard of the scheduler with one place wrong, and every definition in them.

A rule is written out once on a view whose sums are only named (`written`); a mutant is a change of that text, and
`planted` reads the changed text in whatever view a proof, a judge or an explorer works in. So one mutant is one mistake
everywhere. Trusted: that a rule asks its view for numbers, facts, readings and sums, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from ..expr.english import short as phrase
from ..expr.mutants import Alike, Point, exchange, points, swap
from ..expr.nodes import Bool, Node, bool_var, int_var
from ..expr.walk import rebuild, topological
from . import actions
from .quantities import DUE, NOW, SETTLED, Moment
from .view import QUANTITIES, Cell, Named, Quantity, Share, Unit, View

ACTOR, OTHER = "SHARE", "OTHER"
"""The shares of a rule as it is written: who acts, and the victim's or another head's."""

RULES: Mapping[str, Callable[[View], Bool]] = {
    "dispatch": lambda v: actions.dispatch(v, ACTOR).guard,
    "holds": lambda v: actions.holds(v, ACTOR),
    "yields": lambda v: actions.yields(v, ACTOR, OTHER),
    "preempt_cross": lambda v: actions.preempt_cross(v, ACTOR, OTHER).guard,
    "preempt_in_share": lambda v: actions.preempt_in_share(v, ACTOR).guard,
    "claim": lambda v: actions.claim(v, ACTOR).guard,
    "release": lambda v: actions.release(v, ACTOR).guard,
}
"""The guards of the scheduler's own steps."""

DEFINITIONS: Mapping[str, Callable[[Cell], Node]] = {
    "entitled_in": actions.entitled_in,
    "within_limit": actions.within_limit,
    "settled_room": lambda c: actions.room(c, SETTLED, "settled"),
    "short": actions.short,
}
"""What several guards are made of: a mutant of a definition is wrong in all of them at once."""


@dataclass(frozen=True, order=True)
class Mutant:
    """A rule or definition with one place wrong."""

    rule: str
    point: Point

    @property
    def id(self) -> str:
        return f"{self.rule}:{self.point}"

    @property
    def rules(self) -> tuple[str, ...]:
        """The guards that it changes."""
        return (self.rule,) if self.rule in RULES else tuple(r for r in RULES if altered(self, r))

    @property
    def sentence(self) -> str:
        """What is wrong, in words."""
        old, new = swapped(self, "u")
        where = self.point.code or self.rule
        if self.point.position == 0:
            return f"{self.rule} forgets the clause {where}"
        return f"{self.rule} reads, in {where}, '{phrase(old)}' as '{phrase(new)}'"


@cache
def mutants() -> tuple[Mutant, ...]:
    """All of them, in a fixed order."""
    found = [Mutant(rule, point) for rule in RULES for point in points(written(rule, ("u",)), _alike(rule))]
    for name in DEFINITIONS:
        whole = _definition(name, ACTOR, "u")
        found += [Mutant(name, point) for point in points(whole, _alike(name))]  # type: ignore[arg-type]
    return tuple(found)


@cache
def written(rule: str, units: tuple[Unit, ...]) -> Bool:
    """A guard as it is written, for these units."""
    return RULES[rule](Named((ACTOR, OTHER), units))


@cache
def changed(mutant: Mutant, rule: str, units: tuple[Unit, ...]) -> Bool:
    """The guard with the mutant in it; as it is written where the mutant is not about it."""
    root = written(rule, units)
    if mutant.rule in RULES:
        if mutant.rule != rule:
            return root
        pairs = [swapped(mutant, unit) for unit in units]
        return exchange(root, mutant.point.code, {id(old): new for old, new in pairs})
    pairs = [
        (_definition(mutant.rule, share, unit), _redefined(mutant, share, unit))
        for share in (ACTOR, OTHER)
        for unit in units
    ]
    new = {id(old): new for old, new in pairs}
    return rebuild(root, lambda node: new.get(id(node)))


def altered(mutant: Mutant, rule: str) -> bool:
    """Whether the mutant changes this guard."""
    return mutant.rule == rule if mutant.rule in RULES else rule in _resting(mutant.rule)


@cache
def _resting(name: str) -> tuple[str, ...]:
    """The guards that a definition is part of."""
    wholes = {id(_definition(name, share, "u")) for share in (ACTOR, OTHER)}
    return tuple(r for r in RULES if any(id(n) in wholes for n in topological(written(r, ("u",)))))


def planted(guard: Bool, view: View, actor: Share, other: Share = "") -> Bool:
    """A guard that is written, read in a view: `actor` and `other` play its shares."""
    roles = {ACTOR: actor, OTHER: other}

    def read(node: Node) -> Node | None:
        if node.op != "var":
            return None
        name: str = node.args[0]
        code, chosen, choice = name.partition("=")
        if chosen:
            return view.reading(code, choice)
        field, *rest = name.split(".")
        if field == "total":
            return view.total(QUANTITIES[rest[0]], rest[1])
        key = field, *(roles.get(part, part) for part in rest)
        return view.fact(*key) if isinstance(node, Bool) else view.number(*key)

    return rebuild(guard, read)


# what is alike


_LIKE: Mapping[str, tuple[str, ...]] = {
    "usage": ("limit",),
    "limit": ("lendable", "usage"),
    "lendable": ("limit",),
    "borrowable": ("limit",),
    "asks": ("takes",),
    "takes": ("asks",),
    "own_due": ("own_later",),
    "own_later": ("own_due",),
    "freed": ("claims_due",),
    "drains_due": ("drains_later",),
    "drains_later": ("drains_due",),
    "claims_due": ("claims_later",),
    "claims_later": ("claims_due",),
    "best_waiting": ("best_ready",),
    "best_ready": ("best_waiting",),
    "may_borrow": ("in_share",),
    "unlimited": ("may_borrow",),
    "in_share": ("may_borrow",),
    "has_claim": ("deleting",),
    "deleting": ("enabled",),
    "enabled": ("deleting",),
    "environment_enabled": ("queue_enabled",),
}
"""Field -> fields that may be taken for it."""
_SUMS: Mapping[str, tuple[str, ...]] = {
    "borrowed": ("lendable_idle",),
    "lendable_idle": ("borrowed", "reserved_idle"),
    "reserved_idle": ("lendable_idle",),
    "protected": ("usage",),
    "drains_due": ("draining",),
}
_MOMENTS = (NOW, DUE, SETTLED)
_PARTS = ("used", "borrowed", "lendable_idle", "reserved_idle", "protected")


def _alike(rule: str) -> Alike:
    """The same, and in a rule about two shares also the other's number."""
    return _of_two if rule in ("yields", "preempt_cross") else alike


def _of_two(node: Node) -> Iterator[tuple[str, Node]]:
    yield from alike(node)
    if node.op == "var" and "=" not in node.args[0]:
        field, *rest = node.args[0].split(".")
        if len(rest) == 2 and field != "total" and field not in ("asks", "takes", "labelled", "in_overage"):
            share = OTHER if rest[0] == ACTOR else ACTOR
            make = bool_var if isinstance(node, Bool) else int_var
            yield "of-other-share", make(".".join((field, share, rest[1])))


def alike(node: Node) -> Iterator[tuple[str, Node]]:
    """What a variable or a quantity may be taken for: a like number, or that of another moment."""
    if node.op == "named":
        yield from _moments(node)
    if node.op != "var" or "=" in node.args[0]:
        return
    make = bool_var if isinstance(node, Bool) else int_var
    field, *rest = node.args[0].split(".")
    if field == "total":
        yield from _sums(*rest)
        return
    if field == "capacity":
        yield "taken-for-limits", int_var(f"total.limit.{rest[0]}")
    for other in _LIKE.get(field, ()):
        of = rest[:1] if other == "may_borrow" else rest
        yield f"taken-for-{other}", make(".".join((other, *of)))
    if field == "priority":
        yield "taken-for-other", make(f"priority.{'victim' if rest[0] == 'job' else 'job'}")


def _sums(name: str, unit: str) -> Iterator[tuple[str, Node]]:
    """A sum of another quantity, or of the same at another moment."""
    prefix, plain = next(((p, name[len(p) :]) for p in ("settled_", "due_", "held_") if name.startswith(p)), ("", name))
    if name == "limit":
        yield "taken-for-capacity", int_var(f"capacity.{unit}")
    for other in _SUMS.get(plain, ()):
        made = prefix + other
        if made in QUANTITIES:
            yield f"taken-for-{other}", int_var(f"total.{made}.{unit}")
    for moment, attr, quantity in _timed():
        if quantity.name == name:
            for when in _MOMENTS:
                same: Quantity = getattr(when, attr)
                if when is not moment:
                    yield f"at-{_when(when)}", int_var(f"total.{same.name}.{unit}")


@cache
def _timed() -> tuple[tuple[Moment, str, Quantity], ...]:
    from .quantities import MOMENTS

    return tuple((moment, attr, getattr(moment, attr)) for moment in MOMENTS for attr in _PARTS)


def _moments(node: Node) -> Iterator[tuple[str, Node]]:
    """A quantity of one share at another moment."""
    label: str = node.args[0]
    for moment, attr, quantity in _timed():
        if not label.startswith(f"{quantity.title} of "):
            continue
        share, _, unit = label.removeprefix(f"{quantity.title} of ").partition(" in ")
        cell = Named((ACTOR, OTHER), (unit,)).at(share, unit)
        for when in _MOMENTS:
            if when is not moment:
                yield f"at-{_when(when)}", getattr(when, attr)(cell)


def _when(moment: Moment) -> str:
    return {id(NOW): "now", id(DUE): "due", id(SETTLED): "settled"}[id(moment)]


# definitions


@cache
def _definition(name: str, share: Share, unit: Unit) -> Node:
    return DEFINITIONS[name](Named((ACTOR, OTHER), (unit,)).at(share, unit))


def _redefined(mutant: Mutant, share: Share, unit: Unit) -> Node:
    """The definition of a share with the mutant in it."""
    root = _definition(mutant.rule, ACTOR, unit)
    old, new = swapped(mutant, unit)
    made = exchange(root, mutant.point.code, {id(old): new})  # type: ignore[arg-type]
    if share == ACTOR:
        return made
    return planted(made, Named((ACTOR, OTHER), (unit,)), OTHER, ACTOR)


@cache
def swapped(mutant: Mutant, unit: Unit) -> tuple[Node, Node]:
    """What the mutant changes in its rule or definition for one unit."""
    if mutant.rule in RULES:
        return swap(written(mutant.rule, (unit,)), mutant.point, _alike(mutant.rule))
    return swap(_definition(mutant.rule, ACTOR, unit), mutant.point, _alike(mutant.rule))  # type: ignore[arg-type]
