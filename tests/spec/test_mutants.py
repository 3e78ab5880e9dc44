"""Mutants of the rules: they are many, each is one mistake, and it is the same mistake in every view."""

from __future__ import annotations

import pytest
from quotaproof.spec.expr.mutants import DROPPED, points
from quotaproof.spec.expr.nodes import any_of, clause, int_var
from quotaproof.spec.expr.python import evaluate
from quotaproof.spec.expr.walk import bare, clauses
from quotaproof.spec.rules import actions
from quotaproof.spec.rules.mutants import ACTOR, OTHER, RULES, altered, changed, mutants, planted, written
from quotaproof.spec.rules.view import Enumerated, Running, Summarised

from ..support.killing.theorem import equivalent, refutes

VIEWS = {
    "enumerated": Enumerated(("c", "v", "w"), ("u", "t")),
    "summarised": Summarised(("c", "v"), ("u",)),
    "running": Running(("c", "v"), ("u", "t")),
}
GUARDS = {
    "dispatch": lambda view: actions.dispatch(view, "c").guard,
    "holds": lambda view: actions.holds(view, "c"),
    "yields": lambda view: actions.yields(view, "c", "v"),
    "preempt_cross": lambda view: actions.preempt_cross(view, "c", "v").guard,
    "preempt_in_share": lambda view: actions.preempt_in_share(view, "c").guard,
    "claim": lambda view: actions.claim(view, "c").guard,
    "release": lambda view: actions.release(view, "c").guard,
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_that_is_written_and_read_in_a_view_is_that_rule_in_the_view(rule, view):
    read = planted(written(rule, VIEWS[view].units), VIEWS[view], "c", "v")
    assert bare(read) is bare(GUARDS[rule](VIEWS[view]))


def test_there_are_more_than_a_thousand_and_each_has_an_id_and_a_sentence_of_its_own():
    every = mutants()
    assert len(every) > 1000
    assert len({m.id for m in every}) == len(every)
    assert all(m.rule in m.sentence for m in every[::20])


def test_every_clause_of_every_guard_is_dropped_once():
    dropped = {(m.rule, m.point.code) for m in mutants() if m.point.operator == DROPPED and m.rule in RULES}
    assert dropped == {(rule, code) for rule in RULES for code in clauses(written(rule, ("u",)))}


def test_each_changes_a_guard_and_a_mutant_of_a_definition_changes_all_that_rest_on_it():
    assert all(m.rules for m in mutants())
    entitled = [m for m in mutants() if m.rule == "entitled_in"]
    assert {m.rules for m in entitled} == {("preempt_cross", "claim")}
    assert {m.rules for m in mutants() if m.rule == "short"} == {("yields",)}


def test_a_mistake_about_one_type_of_machines_is_made_about_each():
    (mutant,) = [
        m for m in mutants() if m.rule == "dispatch" and m.point.code == "dispatch.environment"
        and m.point.operator == "one-too-many"
    ]  # fmt: skip
    view = Running((ACTOR, OTHER), ("u", "t"))
    true, wrong = (
        clauses(f(("u", "t"))) for f in (lambda u: written("dispatch", u), lambda u: changed(mutant, "dispatch", u))
    )
    assert true.keys() == wrong.keys()
    wholes = [bare(written("dispatch", view.units)), bare(changed(mutant, "dispatch", view.units))]
    state = {"total.usage.u": 1, "total.usage.t": 1, "capacity.u": 9, "capacity.t": 9}
    base = dict.fromkeys(_names(*wholes), 0) | {"stage.job": 1, "asks.SHARE.u": 1, "asks.SHARE.t": 1} | state
    base |= {"environment_enabled": True, "limit.SHARE.u": 9, "limit.SHARE.t": 9, "A46=yes": True}
    assert [bool(evaluate(g, base)) for g in wholes] == [True, True]
    for unit in ("u", "t"):
        full = {**base, f"capacity.{unit}": 1}
        assert [bool(evaluate(g, full)) for g in wholes] == [False, True]


def _names(*roots):
    from quotaproof.spec.expr.walk import variables

    return variables(*roots)


def test_points_are_within_the_innermost_clause():
    a, b = int_var("a"), int_var("b")
    inner = clause("inner", a <= b, "no")
    root = clause("outer", any_of(inner, a < 3), "no")
    found = {(p.code, p.operator) for p in points(root, lambda _node: ())}
    assert ("inner", "le-to-lt") in found
    assert ("outer", "lt-to-le") in found
    assert ("outer", "le-to-lt") not in found


def test_mutants_that_say_the_same_are_told_from_those_that_do_not():
    by_id = {m.id: m for m in mutants()}
    some = list(by_id.values())[::11]
    same = [m for m in some if equivalent(m)]
    assert 0 < len(same) < len(some) / 4
    assert not any(refutes(m) for m in same), "what says the same is proved like the rule"
    assert all(altered(m, m.rules[0]) for m in same)
