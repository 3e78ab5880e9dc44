"""Two ways to run an expression in Python: plain evaluation (the meaning) and generated straight-line code (fast).

A state is a mapping from variable names to numbers and truth values; the generated function takes a tuple in the order
of the names it was compiled for. The two are tested equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from .nodes import Node
from .walk import children, topological

_MEANING: dict[str, Callable[..., Any]] = {
    "add": lambda *a: sum(a),
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "le": lambda a, b: a <= b,
    "lt": lambda a, b: a < b,
    "eq": lambda a, b: a == b,
    "and": lambda *a: all(a),
    "or": lambda *a: any(a),
    "not": lambda a: not a,
    "implies": lambda a, b: (not a) or b,
    "ite": lambda c, a, b: a if c else b,
    "max": max,
    "min": min,
}

_TEXT = {
    "sub": "({0} - {1})",
    "mul": "({0} * {1})",
    "le": "({0} <= {1})",
    "lt": "({0} < {1})",
    "eq": "({0} == {1})",
    "not": "(not {0})",
    "implies": "((not {0}) or {1})",
    "ite": "({1} if {0} else {2})",
    "max": "({0} if {0} > {1} else {1})",
    "min": "({0} if {0} < {1} else {1})",
}
_JOIN = {"add": " + ", "and": " and ", "or": " or "}
_TRANSPARENT = {"named", "clause"}
_NESTING = 50
"""Levels of parentheses in one generated line; Python's parser takes 200."""


def evaluate(root: Node, state: Mapping[str, Any]) -> Any:
    """The value of `root` in `state`. KeyError names a variable that the state lacks."""
    value: dict[int, Any] = {}
    for node in _order(root):
        if node.op == "const":
            value[id(node)] = node.args[0]
        elif node.op == "var":
            value[id(node)] = state[node.args[0]]
        elif node.op in _TRANSPARENT:
            value[id(node)] = value[id(node.args[1])]
        else:
            value[id(node)] = _MEANING[node.op](*[value[id(c)] for c in children(node)])
    return value[id(root)]


@lru_cache(maxsize=2048)
def _order(root: Node) -> tuple[Node, ...]:
    """Looked up by identity: a node is evaluated in many states."""
    return tuple(topological(root))


def compile_state(roots: Sequence[Node], names: Sequence[str]) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    """A function from a state tuple in the order of `names` to the values of `roots`."""
    return compile_over(roots, {name: f"s[{position}]" for position, name in enumerate(names)})


def compile_over(
    roots: Sequence[Node],
    sources: Mapping[str, str],
    first: Sequence[str] = (),
    scope: Mapping[str, Any] | None = None,
    operators: Mapping[str, str] = _TEXT,
    joins: Mapping[str, str] = _JOIN,
) -> Callable[[Any], tuple[Any, ...]]:
    """The same over any state `s`: `sources` are Python expressions for variables, `first` the statements before.

    `scope`: global names that these use; `operators` and `joins`: how each operator is written.
    """
    body, results = straight_line(roots, sources, operators, joins)
    text = "\n ".join(["def rules(s):", *first, *body, f"return ({', '.join(results)},)"])
    names: dict[str, Any] = dict(scope or {})
    exec(compile(text, "<rules>", "exec"), names)
    return names["rules"]


def straight_line(
    roots: Sequence[Node],
    sources: Mapping[str, str],
    operators: Mapping[str, str],
    joins: Mapping[str, str],
    constant: Callable[[int | bool], str] = repr,
) -> tuple[list[str], list[str]]:
    """Assignments to t0, t1, ... of what is used several times, and an expression for each of `roots` after them."""
    order = list(topological(*roots))
    uses: Counter[int] = Counter(id(c) for n in order for c in children(n))
    for node in order:
        if node.op in ("max", "min"):
            uses.update(id(c) for c in node.args)
    code: dict[int, str] = {}
    levels: dict[int, int] = {}
    body: list[str] = []
    for node in order:
        parts = [code[id(c)] for c in children(node)]
        level = 1 + max((levels[id(c)] for c in children(node)), default=0)
        if node.op == "const":
            text = constant(node.args[0])
        elif node.op == "var":
            text = sources[node.args[0]]
        elif node.op in _TRANSPARENT:
            text = parts[0]
        elif node.op in joins:
            text = "(" + joins[node.op].join(parts) + ")"
        else:
            text = operators[node.op].format(*parts)
        if (uses[id(node)] > 1 or level > _NESTING) and node.op not in ("const", *_TRANSPARENT):
            body.append(f"t{len(body)} = {text}")
            text, level = f"t{len(body) - 1}", 0
        code[id(node)], levels[id(node)] = text, level
    return body, [code[id(r)] for r in roots]
