"""Going through expressions: every node once, the variables and clauses in a rule, a rule with a part exchanged."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Any, TypeVar, cast

from .nodes import (
    Bool,
    Node,
    add,
    all_of,
    any_of,
    const,
    ite,
    make,
    maximum,
    minimum,
    named,
    scale,
    subtract,
)

N = TypeVar("N", bound=Node)


def children(node: Node) -> tuple[Node, ...]:
    """The nodes a node is made of."""
    return tuple(a for a in node.args if isinstance(a, Node))


def topological(*roots: Node, known: Container[int] = ()) -> Iterator[Node]:
    """Every node once, arguments first, without those whose id is `known`. Iterative: depth is no limit."""
    seen: set[int] = set()
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        node, done = stack.pop()
        if done:
            yield node
        elif id(node) not in seen and id(node) not in known:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(children(node)) if id(child) not in seen)


def variables(*roots: Node) -> dict[str, type[Node]]:
    """Name -> Int or Bool of every variable, in order of appearance."""
    return {n.args[0]: type(n) for n in topological(*roots) if n.op == "var"}


def clauses(root: Node) -> dict[str, Bool]:
    """Code -> body of every clause in a guard, in order; the first where a code stands several times."""
    found: dict[str, Bool] = {}
    for node in topological(root):
        if node.op == "clause":
            found.setdefault(node.args[0], node.args[1])
    return found


def rebuild(root: N, replace: Callable[[Node], Node | None]) -> N:
    """`root` with every node for which `replace` returns one exchanged, the rest built anew and folded."""
    done: dict[int, Node] = {}
    for node in topological(root):
        new = replace(node)
        if new is None:
            parts = [done[id(a)] if isinstance(a, Node) else a for a in node.args]
            same = all(a is b for a, b in zip(parts, node.args, strict=True))
            new = node if same else _build(node, parts)
        done[id(node)] = new
    return cast("N", done[id(root)])


def bare(root: N) -> N:
    """`root` without labels and clauses: equal meanings under different names become one node."""
    done: dict[int, Node] = {}
    for node in topological(root):
        parts = [done[id(a)] if isinstance(a, Node) else a for a in node.args]
        leaf = node.op in ("const", "var")
        done[id(node)] = node if leaf else parts[1] if node.op in ("named", "clause") else _build(node, parts)
    return cast("N", done[id(root)])


def without(root: Bool, code: str) -> Bool:
    """The guard with the clause `code` dropped: the planted bug that forgets exactly it."""
    return rebuild(root, lambda n: const(True) if n.op == "clause" and n.args[0] == code else None)


_BUILD: dict[str, Callable[..., Any]] = {
    "add": add,
    "sub": subtract,
    "mul": lambda a, k: scale(a, k.args[0]),
    "le": lambda a, b: a <= b,
    "lt": lambda a, b: a < b,
    "eq": lambda a, b: a == b,
    "and": all_of,
    "or": any_of,
    "not": lambda a: ~a,
    "implies": lambda a, b: a.implies(b),
    "ite": ite,
    "max": maximum,
    "min": minimum,
    "named": named,
}


def _build(node: Node, parts: list[Any]) -> Node:
    if node.op == "clause":
        return make(Bool, "clause", *parts)
    return _BUILD[node.op](*parts)
