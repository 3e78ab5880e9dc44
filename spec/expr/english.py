"""Expressions in English: a phrase for a rule, and for a state the first clause that is false with its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .nodes import Bool, Node
from .python import evaluate

_INFIX = {"le": "is at most", "lt": "is below", "eq": "equals", "sub": "minus", "and": "and", "or": "or"}


@dataclass(frozen=True)
class FalseClause:
    """A clause that does not hold in a state. `left` and `right` are the sides of its comparison, if it is one."""

    code: str
    sentence: str
    left: int | None
    right: int | None
    unit: str = ""
    """What it is about; '' where it speaks of no unit."""


def say(node: Node, state: Mapping[str, Any] | None = None, levels: int | None = None) -> str:
    """A phrase; with `state`, named quantities and variables carry their values; parts below `levels` are "..."."""
    if levels == 0:
        return "..."
    a = node.args

    def part(inner: Node) -> str:
        return say(inner, state, levels and levels - 1)

    match node.op:
        case "const":
            return str(a[0]).lower() if isinstance(a[0], bool) else str(a[0])
        case "var":
            return a[0] + (f" ({state[a[0]]})" if state else "")
        case "named":
            return a[0] + (f" ({evaluate(node, state)})" if state and not isinstance(node, Bool) else "")
        case "clause":
            return part(a[1])
        case "not":
            return f"not ({part(a[0])})"
        case "add":
            return " plus ".join(part(x) for x in a)
        case "mul":
            return f"{a[1].args[0]} times {part(a[0])}"
        case "implies":
            return f"where {part(a[0])}: {part(a[1])}"
        case "ite":
            return f"({part(a[1])} where {part(a[0])}, else {part(a[2])})"
        case "max" if a[1].op == "const" and a[1].args[0] == 0:
            return f"({part(a[0])}, at least 0)"
        case "max" | "min":
            which = "larger" if node.op == "max" else "smaller"
            return f"the {which} of {part(a[0])} and {part(a[1])}"
        case _:
            return f" {_INFIX[node.op]} ".join(f"({part(x)})" if x.op == "or" else part(x) for x in a)


def first_false(root: Bool, state: Mapping[str, Any], names: Mapping[str, str] | None = None) -> FalseClause | None:
    """The first clause of a guard that is false in `state`; None when the guard holds.

    `names` replaces the view's names of shares and units (s0, u1) by the reader's.
    """
    return next(false_clauses(root, state, names), None)


def false_clauses(
    root: Node, state: Mapping[str, Any], names: Mapping[str, str] | None = None
) -> Iterator[FalseClause]:
    """Every clause of a guard that is false in `state`, in order."""
    if root.op == "and":
        for part in root.args:
            yield from false_clauses(part, state, names)
        return
    if evaluate(root, state):
        return
    match root.op:
        case "implies" | "named":
            yield from false_clauses(root.args[1], state, names)
        case "clause":
            yield _false(root, state, names)
        case _:
            yield FalseClause("", say(root, state), None, None)


def _false(node: Node, state: Mapping[str, Any], names: Mapping[str, str] | None) -> FalseClause:
    code, body, fails, words = node.args
    compared = _comparison(body)
    left, right = (evaluate(side, state) for side in compared.args) if compared is not None else (None, None)
    given = {key: (names or {}).get(word, word) for key, word in words}
    return FalseClause(code, fails.format(left=left, right=right, **given), left, right, given.get("unit") or "")


def _comparison(body: Node) -> Node | None:
    """The comparison that a clause is about: of several ways to satisfy it the last that is one."""
    if body.op in ("le", "lt", "eq"):
        return body
    if body.op in ("implies", "named"):
        return _comparison(body.args[-1])
    if body.op == "or":
        return next((found for part in reversed(body.args) if (found := _comparison(part)) is not None), None)
    return None


def short(node: Node) -> str:
    """At most 120 characters of the phrase, whatever the size of the expression."""
    text = say(node, levels=8)
    return text if len(text) <= 120 else text[:117] + "..."
