"""What there is to cover in the guards: each open, each closed by one clause alone, each comparison at its edge.

A part of a guard is decisive in a state when the guard would be otherwise if the part were. Goals are formulas over the
roles of a step, as the judge asks them; `goals` looks for them, `impossible` says which are not to be found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...spec.expr.nodes import Bool, Node, all_of, const
from ...spec.expr.walk import rebuild, topological, variables
from ...spec.readings import Readings
from ...spec.rules import actions
from ...spec.rules.view import Running
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
    "submit": lambda view: actions.submit(view, "actor").guard,
    "stop": lambda view: actions.stop(view, "victim").guard,
    "finish": lambda view: actions.finish(view, "victim").guard,
    "return": lambda view: actions.back_to_runnable(view, "victim").guard,
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
    return goals_of(name, guard(name, readings))


def goals_of(name: str, whole: Bool) -> dict[Goal, Bool]:
    """The same, where the guard is this formula."""
    found = {Goal(name): whole}
    for code, clause in _clauses(whole):
        if clause.args[1].op == "const":
            continue
        found[Goal(name, code, holds=False)] = all_of(~clause, _decisive(whole, clause))
        for number, compared in enumerate(_comparisons(clause), 1):
            left, right = compared.args
            for holds, distance in zip((True, False), _EDGES[compared.op], strict=True):
                found[Goal(name, code, number, holds)] = all_of(
                    left - right == distance, _decisive(whole, clause, compared)
                )
    return found


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


def _decisive(whole: Bool, clause: Bool, part: Bool | None = None) -> Bool:
    """The guard depends on the clause, or on this part of it; the same comparison may stand in other clauses too."""
    return ~(_supposed(whole, clause, part, True) == _supposed(whole, clause, part, False))


def _supposed(whole: Bool, clause: Bool, part: Bool | None, value: bool) -> Bool:
    return _instead(whole, clause, const(value) if part is None else _instead(clause, part, const(value)))


def _instead(whole: Bool, part: Bool, value: Bool) -> Bool:
    def replaced(node: Node) -> Node | None:
        return value if node is part else None

    return rebuild(whole, replaced)
