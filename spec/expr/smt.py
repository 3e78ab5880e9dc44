"""Expressions as Z3 terms in QF_LIA: no quantifiers, arrays or reals. Translation only; solving is the checker's."""

from __future__ import annotations

from typing import Any

from .nodes import Bool, Node, children, topological


class Terms:
    """Translates nodes into terms of Z3's main context, each node once."""

    def __init__(self) -> None:
        import z3

        self._z3 = z3
        self._memo: dict[int, tuple[Node, Any]] = {}

    def __call__(self, root: Node) -> Any:
        """The term of `root`."""
        if id(root) not in self._memo:
            for node in topological(root, known=self._memo):
                parts = [self._memo[id(c)][1] for c in children(node)]
                self._memo[id(node)] = (node, self._term(node, parts))
        return self._memo[id(root)][1]

    def _term(self, node: Node, a: list[Any]) -> Any:
        z3 = self._z3
        match node.op:
            case "const":
                return z3.BoolVal(node.args[0]) if isinstance(node, Bool) else z3.IntVal(node.args[0])
            case "var":
                return z3.Bool(node.args[0]) if isinstance(node, Bool) else z3.Int(node.args[0])
            case "named" | "clause":
                return a[0]
            case "add":
                return z3.Sum(a)
            case "sub":
                return a[0] - a[1]
            case "mul":
                return a[0] * a[1]
            case "le":
                return a[0] <= a[1]
            case "lt":
                return a[0] < a[1]
            case "eq":
                return a[0] == a[1]
            case "and":
                return z3.And(a)
            case "or":
                return z3.Or(a)
            case "implies":
                return z3.Implies(a[0], a[1])
            case "not":
                return z3.Not(a[0])
            case "ite":
                return z3.If(a[0], a[1], a[2])
            case "max":
                return z3.If(a[0] > a[1], a[0], a[1])
            case "min":
                return z3.If(a[0] < a[1], a[0], a[1])
            case _:
                raise KeyError(node.op)
