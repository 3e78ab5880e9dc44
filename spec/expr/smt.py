"""Expressions as Z3 terms in QF_LIA: no quantifiers, arrays or reals. Translation only; solving is the checker's.

Terms are made by Z3's C functions. Its Python operators check and convert every argument again, which costs more than
deciding most of our conditions; nodes are well-typed as they are built.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .nodes import Bool, Node
from .walk import children, topological


class Terms:
    """Translates nodes into terms of Z3's main context, each node once, and keeps them alive."""

    def __init__(self) -> None:
        import z3
        from z3 import z3core

        self._context = z3.main_ctx()
        self._core = z3core
        self._keep: dict[int, tuple[Node, Any]] = {}
        self._raw: dict[int, Any] = {}
        self._make: dict[str, Callable[..., Any]] = {
            "sub": self._many(z3core.Z3_mk_sub),
            "mul": self._many(z3core.Z3_mk_mul),
            "add": self._many(z3core.Z3_mk_add),
            "and": self._many(z3core.Z3_mk_and),
            "or": self._many(z3core.Z3_mk_or),
            "le": z3core.Z3_mk_le,
            "lt": z3core.Z3_mk_lt,
            "eq": z3core.Z3_mk_eq,
            "not": z3core.Z3_mk_not,
            "implies": z3core.Z3_mk_implies,
            "ite": z3core.Z3_mk_ite,
            "max": lambda c, a, b: z3core.Z3_mk_ite(c, z3core.Z3_mk_gt(c, a, b), a, b),
            "min": lambda c, a, b: z3core.Z3_mk_ite(c, z3core.Z3_mk_lt(c, a, b), a, b),
            "named": lambda _c, a: a,
            "clause": lambda _c, a: a,
        }

    def __call__(self, root: Node) -> Any:
        """The term of `root`."""
        if id(root) not in self._keep:
            for node in topological(root, known=self._keep):
                term = self._leaf(node) if node.op in ("const", "var") else self._apply(node)
                self._keep[id(node)] = node, term
                self._raw[id(node)] = term.as_ast()
        return self._keep[id(root)][1]

    def _many(self, make: Callable[..., Any]) -> Callable[..., Any]:
        array = self._core.Ast

        def of(context: Any, *parts: Any) -> Any:
            return make(context, len(parts), (array * len(parts))(*parts))

        return of

    def _apply(self, node: Node) -> Any:
        import z3

        raw = self._make[node.op](self._context.ref(), *[self._raw[id(c)] for c in children(node)])
        return (z3.BoolRef if isinstance(node, Bool) else z3.ArithRef)(raw, self._context)

    def _leaf(self, node: Node) -> Any:
        import z3

        if node.op == "const":
            return z3.BoolVal(node.args[0]) if isinstance(node, Bool) else z3.IntVal(node.args[0])
        return z3.Bool(node.args[0]) if isinstance(node, Bool) else z3.Int(node.args[0])
