"""One-point mutants of a formula: what somebody may write who gets one place of a rule wrong.

A `Point` says where and how; `swap` gives the part of a formula that it changes and what stands there instead, `exchange`
puts it there. Points are found and named in one formula and put into every formula with the same part, so that one
mutant is the same mistake in any view. What is exchanged for what is alike in the eyes of a reader (`Alike`) is the
caller's knowledge. Trusted: that clauses of one formula with one code are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from .nodes import Bool, Int, Node, clause, const, ite, maximum, minimum, subtract
from .walk import children, rebuild, topological

Alike: TypeAlias = Callable[[Node], Iterable[tuple[str, Node]]]
"""What a variable or a named number may be taken for: (name of the operator, what stands there instead)."""
DROPPED = "clause-dropped"
OUTSIDE = ""
"""Stands for the code of a clause where a part is in none."""


@dataclass(frozen=True, order=True)
class Point:
    """A place in a formula and what is wrong there."""

    code: str
    """Of the innermost clause, '' outside every clause."""
    position: int
    """Number of the part within the clause, arguments first; 0 for the whole clause."""
    operator: str

    def __str__(self) -> str:
        return f"{self.code or 'outside'}/{self.position}/{self.operator}"


def points(root: Bool, alike: Alike) -> Iterator[Point]:
    """Every one-point mutant of a formula. Those that fold to the formula itself are left out."""
    for code, body in bodies(root).items():
        if code:
            yield Point(code, 0, DROPPED)
        for number, node in enumerate(_own(body), 1):
            for operator, target, new in _changes(node, alike):
                if target is not new and _within(body, {id(target): new}) is not body:
                    yield Point(code, number, operator)


def swap(root: Bool, point: Point, alike: Alike) -> tuple[Node, Node]:
    """The part of the formula that is wrong, and what stands there instead."""
    body = bodies(root)[point.code]
    if point.operator == DROPPED:
        return body, const(True)
    node = next(n for number, n in enumerate(_own(body), 1) if number == point.position)
    return next((old, new) for operator, old, new in _changes(node, alike) if operator == point.operator)


def exchange(root: Bool, code: str, pairs: Mapping[int, Node]) -> Bool:
    """The formula with parts exchanged, by their id, within the clauses `code` and not within the clauses in those."""

    def inside(node: Node) -> Node | None:
        if node.op != "clause" or node.args[0] != code:
            return None
        _, body, fails, words = node.args
        return clause(code, _within(body, pairs), fails, **dict(words))

    return rebuild(root, inside) if code else _within(root, pairs)


def _within(body: Bool, pairs: Mapping[int, Node]) -> Bool:
    """The parts exchanged, clauses within the body left as they are."""
    return rebuild(body, lambda node: node if node.op == "clause" else pairs.get(id(node)))


def bodies(root: Bool) -> dict[str, Bool]:
    """Code -> body of every clause, and what is outside clauses under ''."""
    found: dict[str, Bool] = {OUTSIDE: root}
    for node in topological(root):
        if node.op == "clause":
            found.setdefault(node.args[0], node.args[1])
    return found


def _own(body: Node) -> Iterator[Node]:
    """The parts of a clause that are in no clause within it."""
    deeper: set[int] = set()
    stack = [body]
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if node.op == "clause":
            deeper.add(id(node))
        else:
            stack.extend(children(node))
    return (n for n in topological(body) if id(n) in seen and id(n) not in deeper)


def _changes(node: Node, alike: Alike) -> Iterator[tuple[str, Node, Node]]:
    """(operator, part, what stands there instead) of what can be wrong at a node. A clause is dropped as a whole."""
    args = node.args
    match node.op:
        case "and":
            for number, part in enumerate(args):
                if part.op != "clause":
                    yield f"conjunct-dropped-{number}", part, const(True)
        case "or":
            for number, part in enumerate(args):
                if part.op != "clause":
                    yield f"disjunct-dropped-{number}", part, const(False)
        case "implies":
            yield "premise-dropped", args[0], const(True)
        case "not":
            yield "negation-dropped", node, args[0]
        case "le":
            yield "le-to-lt", node, args[0] < args[1]
            yield "one-too-many", node, args[0] <= args[1] + 1
        case "lt":
            yield "lt-to-le", node, args[0] <= args[1]
            yield "one-too-few", node, args[0] + 1 < args[1]
        case "eq" if isinstance(args[0], Int):
            yield "eq-to-le", node, args[0] <= args[1]
            yield "eq-to-ge", node, args[0] >= args[1]
        case "sub":
            yield "operands-swapped", node, subtract(args[1], args[0])
        case "max":
            yield "max-to-min", node, minimum(*args)
        case "min":
            yield "min-to-max", node, maximum(*args)
        case "ite":
            yield "branches-exchanged", node, ite(args[0], args[2], args[1])
        case "const" if isinstance(node, Int):
            yield "constant-plus-1", node, const(args[0] + 1)
            yield "constant-minus-1", node, const(args[0] - 1)
        case _:
            pass
    for operator, new in alike(node):
        yield operator, node, new
