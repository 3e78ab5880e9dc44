"""Guards of named clauses: which is false, in whose words, with which numbers; guards without one clause."""

from __future__ import annotations

import pytest
from quotaproof.spec.expr import nodes
from quotaproof.spec.expr.english import first_false, say
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
)
from quotaproof.spec.expr.python import evaluate
from quotaproof.spec.expr.walk import clauses, rebuild, variables, without
from quotaproof.spec.rules import actions
from quotaproof.spec.rules.view import Enumerated

INTS, BOOLS = ("i", "j", "k"), ("p", "q")


def guard():
    """Three clauses, one of them under a condition and one inside another."""
    small = clause("size.small", int_var("n") <= 4, "{job} wants {left}; at most {right}", job="j")
    on = clause("switch.on", bool_var("on"), "the switch of {share} is off", share="s0")
    inner = clause("inner.low", int_var("m") < 3, "m is {left}")
    outer = clause("outer.some", any_of(inner, bool_var("else")), "neither")
    return all_of(small, bool_var("special").implies(on), outer), (small, on, outer, inner)


def test_clauses_are_listed_in_order_with_their_bodies():
    whole, (small, on, outer, inner) = guard()
    assert list(clauses(whole)) == ["size.small", "switch.on", "inner.low", "outer.some"]
    found = clauses(whole)
    assert [found[c.args[0]] is c.args[1] for c in (small, on, outer, inner)] == [True] * 4


@pytest.mark.parametrize("code", ["size.small", "switch.on", "outer.some"])
def test_without_drops_exactly_the_named_clause(code):
    whole, (small, on, outer, _) = guard()
    parts = {"size.small": small, "switch.on": bool_var("special").implies(on), "outer.some": outer}
    assert without(whole, code) is all_of(*[p for c, p in parts.items() if c != code])


def test_without_an_inner_clause_makes_the_outer_one_true_and_leaves_the_rest():
    whole, (small, on, _, _) = guard()
    left = without(whole, "inner.low")
    assert list(clauses(left)) == ["size.small", "switch.on", "outer.some"]
    true = clause("outer.some", const(True), "neither")
    assert left is all_of(small, bool_var("special").implies(on), true)


def test_without_an_unknown_clause_is_the_same_guard():
    whole, _ = guard()
    assert without(whole, "size.large") is whole


GOOD = {"n": 4, "on": True, "special": True, "m": 2, "else": False}


@pytest.mark.parametrize(
    ("change", "code", "sentence", "left", "right"),
    [
        ({"n": 7}, "size.small", "j wants 7; at most 4", 7, 4),
        ({"on": False}, "switch.on", "the switch of s0 is off", None, None),
        ({"m": 5}, "outer.some", "neither", None, None),
        ({"n": 9, "on": False, "m": 5}, "size.small", "j wants 9; at most 4", 9, 4),
        ({"on": False, "m": 5}, "switch.on", "the switch of s0 is off", None, None),
    ],
)
def test_the_first_false_clause_is_named_with_its_numbers(change, code, sentence, left, right):
    whole, _ = guard()
    false = first_false(whole, {**GOOD, **change})
    assert (false.code, false.sentence, false.left, false.right) == (code, sentence, left, right)


def test_no_clause_is_false_where_the_guard_holds():
    whole, _ = guard()
    assert first_false(whole, GOOD) is None
    assert first_false(whole, {**GOOD, "special": False, "on": False}) is None


def test_the_reader_s_names_stand_in_the_sentence():
    whole, _ = guard()
    assert first_false(whole, {**GOOD, "n": 7}, {"j": "train-7"}).sentence == "train-7 wants 7; at most 4"


def test_the_numbers_of_a_condition_or_an_alternative_are_those_of_its_comparison():
    body = any_of(bool_var("free"), int_var("used") + 1 <= int_var("limit"))
    false = first_false(clause("c", body, "{left} of {right}"), {"free": False, "used": 4, "limit": 3})
    assert (false.sentence, false.left, false.right) == ("5 of 3", 5, 3)


def test_a_false_part_that_is_no_clause_is_said_in_words():
    false = first_false(all_of(bool_var("p"), int_var("n") <= 2), {"p": True, "n": 3})
    assert (false.code, false.sentence) == ("", "n (3) is at most 2")


def test_variables_are_listed_once_with_their_kind():
    root = all_of(int_var("n") <= int_var("m"), bool_var("p").implies(int_var("n") == 3))
    assert variables(root) == {"n": nodes.Int, "m": nodes.Int, "p": nodes.Bool}
    assert list(variables(root)) == ["n", "m", "p"]


def test_rebuild_exchanges_a_part_everywhere_and_folds_what_becomes_known():
    n, p = int_var("n"), bool_var("p")
    root = all_of(p.implies(n <= 3), maximum(n, 2) == minimum(n + 1, 7))
    assert rebuild(root, lambda x: const(2) if x is n else None).args == (False,)
    other = rebuild(root, lambda x: int_var("m") if x is n else None)
    assert variables(other) == {"p": nodes.Bool, "m": nodes.Int}
    assert rebuild(root, lambda x: const(True) if x is p else None) is all_of(
        n <= 3, maximum(n, 2) == minimum(n + 1, 7)
    )


def test_an_unknown_variable_is_named():
    with pytest.raises(KeyError, match="missing"):
        evaluate(int_var("missing") + 1, {"n": 3})


def test_phrases_carry_the_values_of_a_state():
    used = named("usage of s0 in u", int_var("r") + int_var("d"))
    assert say(used <= 3) == "usage of s0 in u is at most 3"
    assert say(used <= int_var("limit"), {"r": 2, "d": 3, "limit": 4}) == "usage of s0 in u (5) is at most limit (4)"
    assert say(ite(bool_var("p"), positive(int_var("n")), 0)) == "((n, at least 0) where p, else 0)"


def test_the_sentence_of_an_entitlement_has_its_numbers_where_the_readings_are_open():
    view = Enumerated(("a", "b"), ("u",))
    guard = actions.entitled(view, "a", "preempt")
    state = dict.fromkeys(variables(guard), 0)
    state |= {"asks.a.u": 3, "limit.a.u": 2, "A24=a": True, "A24=b": False}
    false = first_false(guard, state)
    assert false is not None and false.sentence == "a would have 3 u of its limit 2"
