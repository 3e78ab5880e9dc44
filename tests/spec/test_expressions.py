"""Expressions: evaluation, compiled Python and Z3 agree, folding keeps the meaning, nodes are shared and immutable.

Random expressions are drawn as plain data (`Drawn`) with an evaluator of their own, so that what is built and folded is
compared with something that was never folded.
"""

from __future__ import annotations

import gc
import operator
from dataclasses import dataclass
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from quotaproof.spec.expr import nodes
from quotaproof.spec.expr.english import first_false
from quotaproof.spec.expr.nodes import (
    all_of,
    any_of,
    bool_var,
    clause,
    const,
    int_var,
    ite,
    maximum,
    minimum,
    named,
    positive,
    table_size,
)
from quotaproof.spec.expr.python import compile_state, evaluate
from quotaproof.spec.expr.smt import Terms
from quotaproof.spec.expr.walk import clauses, rebuild, topological, variables

INTS, BOOLS = ("i", "j", "k"), ("p", "q")
DEEP = 50_000


@dataclass(frozen=True)
class Drawn:
    """An operator and its operands, not folded."""

    op: str
    args: tuple[Any, ...]


BUILD = {
    "add": nodes.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "le": operator.le,
    "lt": operator.lt,
    "ge": operator.ge,
    "gt": operator.gt,
    "eq": operator.eq,
    "ne": operator.ne,
    "same": operator.eq,
    "and": all_of,
    "or": any_of,
    "not": operator.invert,
    "implies": lambda a, b: a.implies(b),
    "ite": ite,
    "pick": ite,
    "max": maximum,
    "min": minimum,
    "positive": positive,
    "named": lambda a: named("something", a),
    "clause": lambda a: clause("some.clause", a, "{left} and {right}"),
}
MEANING = {
    **{op: getattr(operator, op) for op in ("sub", "mul", "le", "lt", "ge", "gt", "eq", "ne")},
    "add": lambda *a: sum(a),
    "same": operator.eq,
    "and": lambda *a: all(a),
    "or": lambda *a: any(a),
    "not": operator.not_,
    "implies": lambda a, b: b if a else True,
    "ite": lambda c, a, b: a if c else b,
    "pick": lambda c, a, b: a if c else b,
    "max": max,
    "min": min,
    "positive": lambda a: max(a, 0),
    "named": lambda a: a,
    "clause": lambda a: a,
}


def built(drawn):
    """The expression, folded as it is built."""
    match drawn.op:
        case "const":
            return const(drawn.args[0])
        case "int":
            return int_var(drawn.args[0])
        case "bool":
            return bool_var(drawn.args[0])
        case "mul":
            return built(drawn.args[0]) * drawn.args[1]
        case _:
            return BUILD[drawn.op](*map(built, drawn.args))


def meant(drawn, state):
    """Its value, worked out without expressions."""
    match drawn.op:
        case "const":
            return drawn.args[0]
        case "int" | "bool":
            return state[drawn.args[0]]
        case "mul":
            return meant(drawn.args[0], state) * drawn.args[1]
        case _:
            return MEANING[drawn.op](*[meant(a, state) for a in drawn.args])


def _op(name, *parts):
    return st.tuples(*parts).map(lambda args: Drawn(name, args))


def _ints(depth):
    leaf = st.one_of(
        _op("const", st.integers(-4, 4)), _op("int", st.sampled_from(INTS)), _op("int", st.sampled_from(INTS))
    )
    if depth == 0:
        return leaf
    a, b = _ints(depth - 1), _bools(depth - 1)
    pairs = [_op(op, a, a) for op in ("add", "sub", "max", "min")]
    return st.one_of(leaf, *pairs, _op("add", a, a, a), _op("mul", a, st.integers(-3, 3)), _op("ite", b, a, a),
                     _op("positive", a), _op("named", a))  # fmt: skip


def _bools(depth):
    leaf = st.one_of(_op("const", st.booleans()), _op("bool", st.sampled_from(BOOLS)))
    if depth == 0:
        return leaf
    a, b = _ints(depth - 1), _bools(depth - 1)
    compared = [_op(op, a, a) for op in ("le", "lt", "ge", "gt", "eq", "ne")]
    joined = [_op(op, b, b) for op in ("and", "or", "implies", "same")]
    return st.one_of(*compared, *joined, _op("and", b, b, b), _op("or", b, b, b), _op("not", b), _op("pick", b, b, b),
                     _op("named", b), _op("clause", b))  # fmt: skip


anything = st.one_of(_ints(4), _bools(4))
states = st.fixed_dictionaries(
    {**{n: st.integers(-6, 6) for n in INTS}, **{n: st.booleans() for n in BOOLS}},
)
repeatable = settings(derandomize=True, deadline=None, max_examples=200, database=None)


def by_z3(root, state):
    """The value that Z3 gives."""
    values = [(z3.Int(n), z3.IntVal(state[n])) for n in INTS] + [(z3.Bool(n), z3.BoolVal(state[n])) for n in BOOLS]
    found = z3.simplify(z3.substitute(Terms()(root), *values))
    return found.as_long() if z3.is_int_value(found) else {"True": True, "False": False}[str(found)]


@repeatable
@given(anything, states)
def test_evaluation_compiled_python_and_z3_agree_with_the_meaning(drawn, state):
    root, expected = built(drawn), meant(drawn, state)
    names = [*INTS, *BOOLS]
    compiled = compile_state([root], names)(tuple(state[n] for n in names))[0]
    for value in (evaluate(root, state), compiled, by_z3(root, state)):
        assert (value, type(value)) == (expected, type(expected))


@repeatable
@given(anything, states)
def test_folding_everything_gives_the_value(drawn, state):
    folded = rebuild(built(drawn), lambda n: const(state[n.args[0]]) if n.op == "var" else None)
    while folded.op == "clause":
        folded = folded.args[1]
    plain = rebuild(folded, lambda n: n.args[1] if n.op == "clause" else None)
    assert evaluate(folded, {}) == evaluate(plain, {}) == meant(drawn, state)
    if not any(n.op == "clause" for n in topological(built(drawn))):
        assert folded.op == "const", "without clauses nothing is left to work out"


@repeatable
@given(anything)
def test_the_same_expression_built_twice_is_one_object(drawn):
    first = built(drawn)
    assert built(drawn) is first
    assert rebuild(first, lambda _: None) is first


@repeatable
@given(anything, states)
def test_several_roots_compiled_together_share_their_parts_and_keep_their_values(drawn, state):
    root = built(drawn)
    roots = [*topological(root)]
    names = [*INTS, *BOOLS]
    together = compile_state(roots, names)(tuple(state[n] for n in names))
    assert list(together) == [evaluate(n, state) for n in roots]


def test_constants_and_trivial_comparisons_are_folded():
    x, p = int_var("x"), bool_var("p")
    assert (const(2) + 3).args == (5,)
    assert (x + 1 + 2) is (x + 3)
    assert (x - x).args == (0,)
    assert (x * 0).args == (0,) and x * 1 is x
    assert (x <= x).args == (True,) and (x < x).args == (False,)
    assert all_of(p, True) is p and all_of(p, False).args == (False,) and all_of().args == (True,)
    assert any_of(p, False) is p and any_of(p, True).args == (True,) and any_of().args == (False,)
    assert all_of(p, p) is p and ~~p is p
    assert ite(True, x, 1) is x and ite(p, x, x) is x and maximum(x, x) is x
    assert p.implies(False) is ~p and p.implies(True).args == (True,)
    assert named("five", const(5)) is const(5)


def test_numbers_and_truth_values_are_not_confused():
    assert const(True) is not const(1)
    assert int_var("x") is not bool_var("x")


@pytest.mark.parametrize("node", [int_var("x"), bool_var("p"), int_var("x") <= 3, const(True)], ids=repr)
def test_the_truth_value_of_a_node_raises_with_a_hint(node):
    with pytest.raises(TypeError, match="Write all_of, any_of, ~ and ite for `and`, `or`, `not` and `if`"):
        bool(node)


def test_a_chained_comparison_raises_and_its_hint_says_what_to_write():
    with pytest.raises(TypeError, match=r"write a <= b <= c as all_of\(a <= b, b <= c\)"):
        assert 0 <= int_var("x") <= 3


def test_a_node_cannot_be_changed():
    x = int_var("x") + 1
    with pytest.raises(AttributeError, match="immutable"):
        x.op = "sub"
    with pytest.raises(AttributeError, match="immutable"):
        del x.args
    with pytest.raises(AttributeError):
        x.more = 1
    assert evaluate(x, {"x": 2}) == 3


def test_the_table_of_nodes_shrinks_when_expressions_are_gone():
    gc.collect()
    before = table_size()
    x = int_var("only here")
    for i in range(1000):
        x = maximum(x + i, int_var(f"only here {i}"))
    assert table_size() > before + 2000
    del x
    gc.collect()
    assert table_size() == before


def test_an_expression_made_again_after_it_was_gone_is_as_good_as_new():
    first = evaluate(maximum(int_var("once") + 1, 5), {"once": 9})
    gc.collect()
    assert evaluate(maximum(int_var("once") + 1, 5), {"once": 9}) == first == 10


def line():
    """A chain of 50,000 operators, each used once."""
    chain = int_var("x")
    for _ in range(DEEP):
        chain = int_var("y") - chain
    return chain, 1


def ladder():
    """A chain of three different operators, 5,000 of each, with parts that are used twice in the code."""
    chain = int_var("x")
    for _ in range(DEEP // 10):
        chain = positive(chain - int_var("y")) + 2
    return chain, 2


@pytest.mark.parametrize("deep", [line, ladder])
def test_depth_is_no_limit(deep):
    chain, value = deep()
    assert evaluate(chain, {"x": 1, "y": 2}) == value
    assert compile_state([chain], ["x", "y"])((1, 2)) == (value,)
    assert list(variables(chain)) in (["x", "y"], ["y", "x"])
    assert rebuild(chain, lambda _: None) is chain
    assert rebuild(chain, lambda n: const({"x": 1, "y": 2}[n.args[0]]) if n.op == "var" else None).args == (value,)
    assert clauses(chain == value) == {}
    assert first_false(clause("deep", chain < value, "{left} is not below {right}"), {"x": 1, "y": 2}).left == value
    assert len(repr(chain)) <= 120
    with pytest.raises(TypeError, match="truth value"):
        bool(chain == 0)


def test_depth_is_no_limit_for_z3():
    chain, value = line()
    solver = z3.SolverFor("QF_LIA")
    solver.add(Terms()(chain) != value, z3.Int("x") == 1, z3.Int("y") == 2)
    assert solver.check() == z3.unsat


def test_a_name_for_a_huge_shared_expression_is_short():
    x = int_var("x")
    for _ in range(60):
        x = maximum(x, x + 1)
    assert len(repr(x)) <= 120
