"""What there is to cover in the scheduler's guards: each open, each closed by one clause alone, each comparison at its edge.

A part of a guard is decisive in a state when the guard would be otherwise if the part were. Goals are formulas over the
roles of a step, as the judge asks them; `goals` makes the places where they are looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from ...spec.expr.nodes import Bool, Node, all_of, const
from ...spec.expr.walk import rebuild, topological, variables
from ...spec.readings import Readings
from ...spec.rules.laws import well_formed
from ...spec.rules.view import Enumerated, Running
from ..judge import rules
from ..judge.state import ROLES, Build

GUARDS: Mapping[str, Build] = {
    "dispatch": rules.dispatch_guard,
    "hold": rules.holds_guard,
    "yield": rules.yields_guard,
    "preempt across": rules.cross_guard,
    "preempt in share": rules.in_share_guard,
    "claim": rules.claim_guard,
    "release": rules.release_guard,
}
UNIT = "u0"
_EDGES = {"le": (0, 1), "lt": (-1, 0)}
"""Left less right where a comparison only just holds, and where it only just does not."""


@dataclass(frozen=True)
class Goal:
    """A kind of state to be reached: who asks, who is the victim and who else is there is left open."""

    guard: str
    clause: str = ""
    """Code of the clause; '' for the guard as a whole."""
    comparison: int = 0
    """Number of the comparison in the clause, from 1; 0 for the clause as a whole."""
    holds: bool = True
    """Whether the guard, the clause or the comparison is to be true."""

    @property
    def name(self) -> str:
        """Its name in words: it tells a scenario apart."""
        if not self.clause:
            return f"{self.guard} is open"
        if not self.comparison:
            return f"{self.guard}: {self.clause} alone is false"
        edge = "only just holds" if self.holds else "only just fails"
        return f"{self.guard}: {self.clause}, comparison {self.comparison} {edge}"


def guard(name: str, readings: Readings) -> Bool:
    """A guard over the roles of a step, in one unit."""
    made = GUARDS[name](Running(ROLES, (UNIT,), readings))
    assert isinstance(made, Bool)
    return made


def formulas(name: str, readings: Readings) -> dict[Goal, Bool]:
    """The goals of a guard, each with the formula of the states that reach it."""
    return _of(name, guard(name, readings))


def _of(name: str, whole: Bool) -> dict[Goal, Bool]:
    found = {Goal(name): whole}
    for code, clause in _clauses(whole):
        if clause.args[1].op == "const":
            continue
        found[Goal(name, code, holds=False)] = all_of(~clause, _decisive(whole, clause))
        for number, compared in enumerate(_comparisons(clause), 1):
            left, right = compared.args
            for holds, distance in zip((True, False), _EDGES[compared.op], strict=True):
                found[Goal(name, code, number, holds)] = all_of(left - right == distance, _decisive(whole, compared))
    return found


def possible(goal: Goal, readings: Readings) -> bool:
    """Whether any state of any three shares reaches the goal; False is proved, by Z3.

    A job of the actor asks for its unit, and waits unless the goal is about that; a victim holds the unit.
    """
    import z3

    from ...spec.expr.smt import Terms

    shares = ROLES[:1] if goal.guard == "preempt in share" else ROLES
    view = Enumerated(ROLES, (UNIT,), readings)
    whole = GUARDS[goal.guard](cast("Running", view))
    assert isinstance(whole, Bool)
    cells = [view.at(share, UNIT) for share in ROLES]
    known: list[Bool] = [well_formed(c) for c in cells]
    for c in cells:
        own = view.number("own_due", c.share, UNIT), view.number("own_later", c.share, UNIT)
        known += [all_of(own[0] >= 0, own[1] >= 0, own[0] <= c.claims_due, own[1] <= c.claims_later)]
        known += [own[0] + own[1] <= c.asks, c.asks >= 1]
    known += [view.number("takes", share, UNIT) >= 1 for share in shares]
    known += [view.number("capacity", UNIT) >= 0, view.number("priority", "victim") >= 0]
    known += [view.number(best, "actor") >= view.number("priority", "job") for best in ("best_waiting", "best_ready")]
    solver, terms = z3.Solver(), Terms()
    solver.set("timeout", 10_000)
    solver.add(*[terms(formula) for formula in (*known, _of(goal.guard, whole)[goal])])
    return solver.check() != z3.unsat


def _clauses(whole: Bool) -> Iterator[tuple[str, Bool]]:
    for node in topological(whole):
        if node.op == "clause" and isinstance(node, Bool):
            yield node.args[0], node


def _comparisons(clause: Bool) -> Iterator[Bool]:
    """Those of the clause itself, not of clauses in it, and none of a size with nothing: every job asks for its unit."""
    inner = {id(n) for c in topological(clause) if c.op == "clause" and c is not clause for n in topological(c)}
    for node in topological(clause):
        if node.op in _EDGES and isinstance(node, Bool) and id(node) not in inner and not _of_size(node):
            yield node


def _of_size(compared: Bool) -> bool:
    return all(name.partition(".")[0] in ("asks", "takes") for name in variables(compared))


def _decisive(whole: Bool, part: Bool) -> Bool:
    """The guard depends on the part."""
    return ~(_instead(whole, part, const(True)) == _instead(whole, part, const(False)))


def _instead(whole: Bool, part: Bool, value: Bool) -> Bool:
    def replaced(node: Node) -> Node | None:
        return value if node is part else None

    return rebuild(whole, replaced)
