"""Expressions as statements of Promela, the language of SPIN: the same straight-line code as in `python`.

Promela computes with C's `int`, which holds every number of a small configuration; a truth value is 0 or 1. Translation
only; SPIN is run by the checker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .nodes import Node
from .python import straight_line

# to SPIN a name just before a colon is a label, and !! is an operator: hence the parentheses
TEXT = {
    "sub": "({0} - {1})",
    "mul": "({0} * {1})",
    "le": "({0} <= {1})",
    "lt": "({0} < {1})",
    "eq": "({0} == {1})",
    "not": "(!{0})",
    "implies": "(!{0} || {1})",
    "ite": "({0} -> ({1}) : ({2}))",
    "max": "({0} > {1} -> ({0}) : ({1}))",
    "min": "({0} < {1} -> ({0}) : ({1}))",
}
JOIN = {"add": " + ", "and": " && ", "or": " || "}


def promela(roots: Sequence[Node], names: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Assignments to t0, t1, ..., and an expression for each of `roots` after them; `names`: variable -> its name."""
    return straight_line(roots, names, TEXT, JOIN, _constant)


def _constant(value: int | bool) -> str:
    return f"({value})" if value < 0 else str(int(value))
