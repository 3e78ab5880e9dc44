"""Immutable, hash-consed expression nodes: `Int` and `Bool`, some twenty operators, constants folded as they are built.

Equal expressions are the same object, so identity is equality; the table of nodes holds them weakly and does not leak.
`==` builds a node (as in z3 and SQLAlchemy) and the truth value of a node raises, so that a rule written with `and`
or `if` fails at once instead of meaning something else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias, TypeVar, cast, overload
from weakref import WeakValueDictionary

N = TypeVar("N", bound="Node")

_table: WeakValueDictionary[tuple[Any, ...], Node] = WeakValueDictionary()


class Node:
    """One operator applied to nodes or, for `const`, `var`, `named` and `clause`, also to plain data."""

    __slots__ = ("__weakref__", "args", "op")
    op: str
    args: tuple[Any, ...]
    __hash__ = object.__hash__

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a node is immutable, {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a node is immutable, {name} cannot be deleted")

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"a rule is data, it has no truth value: {self!r}. Write all_of, any_of, ~ and ite for "
            "`and`, `or`, `not` and `if`; write a <= b <= c as all_of(a <= b, b <= c)"
        )

    def __repr__(self) -> str:
        from .english import short

        return short(self)


class Bool(Node):
    """A statement about a state."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __invert__(self) -> Bool:
        if self.op == "const":
            return const(not self.args[0])
        return cast("Bool", self.args[0]) if self.op == "not" else make(Bool, "not", self)

    def __eq__(self, other: object) -> Bool:  # type: ignore[override]
        other = lift(cast("BoolLike", other))
        if self.op == "const":
            return other if self.args[0] else ~other
        if other.op == "const":
            return self if other.args[0] else ~self
        return make(Bool, "eq", self, other)

    def implies(self, other: BoolLike) -> Bool:
        """`other` holds wherever this does."""
        other = lift(other)
        if self.op == "const":
            return other if self.args[0] else const(True)
        if other.op == "const":
            return other if other.args[0] else ~self
        return make(Bool, "implies", self, other)


class Int(Node):
    """A whole number of a state."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __add__(self, other: IntLike) -> Int:
        return add(self, other)

    def __radd__(self, other: IntLike) -> Int:
        return add(other, self)

    def __sub__(self, other: IntLike) -> Int:
        return subtract(self, other)

    def __rsub__(self, other: IntLike) -> Int:
        return subtract(other, self)

    def __mul__(self, factor: int) -> Int:
        return scale(self, factor)

    __rmul__ = __mul__

    def __le__(self, other: IntLike) -> Bool:
        return _compare("le", self, other)

    def __lt__(self, other: IntLike) -> Bool:
        return _compare("lt", self, other)

    def __ge__(self, other: IntLike) -> Bool:
        return _compare("le", other, self)

    def __gt__(self, other: IntLike) -> Bool:
        return _compare("lt", other, self)

    def __eq__(self, other: object) -> Bool:  # type: ignore[override]
        return _compare("eq", self, cast("IntLike", other))

    def __ne__(self, other: object) -> Bool:  # type: ignore[override]
        return ~_compare("eq", self, cast("IntLike", other))


IntLike: TypeAlias = "Int | int"
BoolLike: TypeAlias = "Bool | bool"


def make(kind: type[N], op: str, *args: Any) -> N:
    """The one node of this kind, operator and arguments. Folds nothing: use the functions below."""
    key = (kind, op, *[id(a) if isinstance(a, Node) else (type(a), a) for a in args])
    node = _table.get(key)
    if node is None:
        node = object.__new__(kind)
        object.__setattr__(node, "op", op)
        object.__setattr__(node, "args", args)
        _table[key] = node
    return cast("N", node)


def table_size() -> int:
    """How many nodes are alive."""
    return len(_table)


@overload
def const(value: bool) -> Bool: ...  # pyright: ignore[reportOverlappingOverload]  # a bool is an int
@overload
def const(value: int) -> Int: ...
def const(value: int | bool) -> Int | Bool:
    """A constant."""
    return make(Bool, "const", value) if isinstance(value, bool) else make(Int, "const", value)


@overload
def lift(value: BoolLike) -> Bool: ...
@overload
def lift(value: IntLike) -> Int: ...
def lift(value: Any) -> Any:
    """`value` as a node."""
    return value if isinstance(value, Node) else const(value)


def int_var(name: str) -> Int:
    """A number that a state gives."""
    return make(Int, "var", name)


def bool_var(name: str) -> Bool:
    """A truth value that a state gives."""
    return make(Bool, "var", name)


def add(*terms: IntLike) -> Int:
    """Sum: flattened, constants folded, order kept."""
    constant = 0
    rest: list[Int] = []
    for term in map(lift, terms):
        for part in term.args if term.op == "add" else (term,):
            if part.op == "const":
                constant += part.args[0]
            else:
                rest.append(part)
    if constant or not rest:
        rest.append(const(constant))
    return rest[0] if len(rest) == 1 else make(Int, "add", *rest)


def subtract(left: IntLike, right: IntLike) -> Int:
    """Difference."""
    left, right = lift(left), lift(right)
    if right.op == "const":
        return add(left, -right.args[0])
    return const(0) if left is right else make(Int, "sub", left, right)


def scale(value: IntLike, factor: int) -> Int:
    """Product with a plain number: expressions stay linear."""
    value = lift(value)
    if value.op == "const":
        return const(value.args[0] * factor)
    if factor in (0, 1):
        return value if factor else const(0)
    return make(Int, "mul", value, const(factor))


def _compare(op: str, left: IntLike, right: IntLike) -> Bool:
    left, right = lift(left), lift(right)
    if left.op == "const" and right.op == "const":
        a, b = left.args[0], right.args[0]
        return const(bool(a <= b if op == "le" else a < b if op == "lt" else a == b))
    if left is right:
        return const(op != "lt")
    return make(Bool, op, left, right)


def all_of(*parts: BoolLike) -> Bool:
    """True when every part is."""
    return _junction("and", True, parts)


def any_of(*parts: BoolLike) -> Bool:
    """True when some part is."""
    return _junction("or", False, parts)


def _junction(op: str, unit: bool, parts: tuple[BoolLike, ...]) -> Bool:
    out: dict[int, Bool] = {}
    for part in map(lift, parts):
        if part.op == "const":
            if part.args[0] is not unit:
                return const(not unit)
            continue
        out.update((id(p), p) for p in (part.args if part.op == op else (part,)))
    kept = tuple(out.values())
    return const(unit) if not kept else kept[0] if len(kept) == 1 else make(Bool, op, *kept)


@overload
def ite(condition: BoolLike, then: Bool, otherwise: Bool) -> Bool: ...
@overload
def ite(condition: BoolLike, then: IntLike, otherwise: IntLike) -> Int: ...
def ite(condition: BoolLike, then: Any, otherwise: Any) -> Any:
    """`then` where `condition` holds, else `otherwise`."""
    condition, then, otherwise = lift(condition), lift(then), lift(otherwise)
    if condition.op == "const":
        return then if condition.args[0] else otherwise
    return then if then is otherwise else make(type(then), "ite", condition, then, otherwise)


def maximum(left: IntLike, right: IntLike) -> Int:
    """The larger."""
    return _extreme("max", max, left, right)


def minimum(left: IntLike, right: IntLike) -> Int:
    """The smaller."""
    return _extreme("min", min, left, right)


def _extreme(op: str, fold: Callable[[int, int], int], left: IntLike, right: IntLike) -> Int:
    left, right = lift(left), lift(right)
    if left.op == "const" and right.op == "const":
        return const(fold(left.args[0], right.args[0]))
    return left if left is right else make(Int, op, left, right)


def positive(value: IntLike) -> Int:
    """`value`, or 0 where it is negative."""
    return maximum(value, 0)


def named(label: str, body: N) -> N:
    """`body`, called `label` in English; transparent to every other interpretation."""
    return body if body.op == "const" else make(type(body), "named", label, body)


def clause(code: str, body: Bool, fails: str, **words: str) -> Bool:
    """A part of a guard that can be named, dropped and explained.

    `fails` is the sentence for a state in which it is false: {left} and {right} are the sides of the comparison,
    other fields come from `words`.
    """
    return make(Bool, "clause", code, body, fails, tuple(sorted(words.items())))
