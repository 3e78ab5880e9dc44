"""Expressions as text of Promela, the language of SPIN. Translation only; SPIN is run by the checker.

Promela computes with C's `int`, which holds every number of a small configuration. A node that is used several times
is written out each time: a guard must be one expression.
"""

from __future__ import annotations

from collections.abc import Mapping

from .nodes import Node
from .walk import children, topological

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
LONGEST = 200_000
"""Characters of one expression up to which it is written; SPIN and the C compiler take far more time for more."""


class TooLong(ValueError):
    """An expression that would be written out with more than `LONGEST` characters."""


def promela(root: Node, names: Mapping[str, str]) -> str:
    """`root` as an expression; `names`: variable -> its name in Promela."""
    text: dict[int, str] = {}
    for node in topological(root):
        parts = [text[id(c)] for c in children(node)]
        if node.op == "const":
            made = str(int(node.args[0]))
            made = f"({made})" if made.startswith("-") else made
        elif node.op == "var":
            made = names[node.args[0]]
        elif node.op in ("named", "clause"):
            made = parts[0]
        elif node.op in JOIN:
            made = "(" + JOIN[node.op].join(parts) + ")"
        else:
            made = TEXT[node.op].format(*parts)
        if len(made) > LONGEST:
            raise TooLong(f"an expression of {len(made):,} characters; SPIN is given at most {LONGEST:,}")
        text[id(node)] = made
    return text[id(root)]
