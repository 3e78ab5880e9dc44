"""Expressions over columns: every row is what plain evaluation gives for it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from quotaproof.spec.expr.columns import compile_columns
from quotaproof.spec.expr.nodes import const, int_var, maximum
from quotaproof.spec.expr.python import evaluate
from quotaproof.spec.expr.walk import topological

from .test_expressions import BOOLS, INTS, anything, built, repeatable, states

NAMES = [*INTS, *BOOLS]


@repeatable
@given(anything, st.lists(states, min_size=1, max_size=8))
def test_every_row_of_every_part_is_what_evaluation_gives(drawn, rows):
    roots = [*topological(built(drawn))]
    columns = [np.array([row[n] for row in rows]) for n in NAMES]
    found = compile_columns(roots, NAMES)(columns)
    for root, column in zip(roots, found, strict=True):
        every = np.broadcast_to(column, len(rows))
        assert every.tolist() == [evaluate(root, row) for row in rows]


def test_one_number_stands_for_every_row():
    rule = maximum(int_var("x"), int_var("most")) + const(1)
    (found,) = compile_columns([rule], ["x", "most"])([np.arange(5), 2])
    assert found.tolist() == [3, 3, 3, 4, 5]


def test_numbers_beyond_32_bits_are_exact():
    (found,) = compile_columns([int_var("x") * 100 - int_var("y")], ["x", "y"])(
        [np.array([10**12, 10**9]), np.array([1, 10**12])]
    )
    assert found.tolist() == [10**14 - 1, 10**11 - 10**12]
