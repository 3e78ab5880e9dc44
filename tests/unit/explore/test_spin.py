"""SPIN counts the states and steps of exported models as a plain search does, and notices a wrong exporter."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from quotaproof.checker.explore.model import Model, Transition, Variable
from quotaproof.checker.explore.oracle import SpinFailed, accepts, available, search
from quotaproof.checker.explore.promela import Export, Waits
from quotaproof.spec.expr import promela as expressions
from quotaproof.spec.expr.nodes import all_of, const, maximum
from quotaproof.spec.expr.promela import promela
from quotaproof.spec.expr.python import evaluate
from quotaproof.spec.formats.errors import InputError

from ...support.models import Counted, counted, drawn_model, drawn_truth

needs_spin = pytest.mark.skipif(bool(available()), reason=available())
X, Y = Variable("x", 3), Variable("y", 3, start=1)
SWAP = Transition("swap", "environment", X.now < 3, {"x": Y.now, "y": X.now + 1})
DOWN = Transition("down", "environment", all_of(X.now == 1, Y.now < 3), {"x": const(0)})
SMALL = Model("small", (X, Y), (SWAP, DOWN))


def spun(export):
    """What SPIN counts; None where the program is not even valid to it."""
    try:
        found = search(export.text())
    except SpinFailed:
        return None
    return None if found.violated else Counted(found.states, found.transitions, found.stuck)


@needs_spin
def test_spin_stores_exactly_the_states_of_a_model_and_counts_exactly_its_steps():
    assert spun(Export.of(SMALL)) == counted(SMALL)
    assert counted(SMALL).stuck > 0


@needs_spin
def test_spin_agrees_on_models_drawn_at_random():
    rng = random.Random(5)
    for _ in range(4):
        model = drawn_model(rng)
        assert spun(Export.of(model)) == counted(model), model


@pytest.mark.campaign
@needs_spin
def test_spin_agrees_on_many_models_drawn_at_random():
    rng = random.Random(6)
    sizes = []
    for _ in range(150):
        model = drawn_model(rng, most=5)
        expected = counted(model)
        sizes.append(expected.states)
        assert spun(Export.of(model)) == expected, model
    assert sum(size > 10 for size in sizes) > 20


@needs_spin
def test_expressions_mean_the_same_to_spin_as_to_python():
    rng = random.Random(7)
    cube = [Variable(f"x.{n}", 3) for n in range(3)]
    grow = [Transition(f"grow{n}", "environment", v.now < v.high, {v.name: v.now + 1}) for n, v in enumerate(cube)]
    asked = [drawn_truth(rng, cube, 4) for _ in range(80)]
    looks = [Transition(f"look{n}", "environment", formula, {}) for n, formula in enumerate(asked)]
    states = [{"x.0": a, "x.1": b, "x.2": c} for a in range(4) for b in range(4) for c in range(4)]
    found = search(Export.of(Model("cube", tuple(cube), (*grow, *looks))).text())
    assert found.states == len(states)
    assert found.transitions == 3 * 48 + sum(evaluate(formula, state) for formula in asked for state in states)
    assert sum(0 < sum(evaluate(f, s) for s in states) < 64 for f in asked) > 30


@needs_spin
def test_a_step_that_leaves_the_bounds_is_an_error():
    wild = Model("wild", (X,), (Transition("up", "environment", X.now <= 3, {"x": X.now + 1}),))
    assert search(Export.of(wild).text()).violated == 1


@needs_spin
def test_states_that_are_looked_for_are_counted_and_are_no_new_states():
    look = all_of(Y.now == 3)
    found = search(Export.of(SMALL).text(never=look))
    looking = counted(Model("small", (X, Y), (SWAP, DOWN, Transition("look", "environment", look, {}))))
    assert found.violated == looking.transitions - counted(SMALL).transitions > 0
    assert found.states == counted(SMALL).states


UP = Transition("up", "environment", X.now < 3, {"x": X.now + 1})
BACK = Transition("back", "environment", X.now > 0, {"x": X.now - 1})
SERVE = Transition("serve", "scheduler", X.now == 2, {"y": const(0)}, fair="serve")


@needs_spin
@pytest.mark.parametrize(
    ("transitions", "starves", "why"),
    [
        ((UP, SERVE), True, "the run may stand still where nothing is ready to serve"),
        ((replace(UP, fair="up"), SERVE), True, "x passes 2 and stays 3"),
        ((replace(UP, fair="up", guard=X.now < 2), SERVE), False, "x stops at 2, where serving is always possible"),
        ((replace(UP, fair="up", guard=X.now < 2), BACK, SERVE), True, "serving is possible again and again only"),
        ((replace(UP, fair="up", guard=X.now < 2), BACK, replace(SERVE, guard=X.now > 0)), True, "x is 0 at times"),
        ((replace(UP, fair="up", guard=X.now < 2), BACK, replace(SERVE, guard=X.now >= 0)), False, "it always is"),
    ],
)
def test_a_run_that_is_fair_and_never_serves_is_accepted(transitions, starves, why):
    model = Model("service", (X, Y), transitions)
    assert accepts(Export.of(model).starvation(Waits(Y.now == 1, {"serve"}))) is starves, why


# faults of an exporter


class OneByOne(Export):
    """Writes each variable before it computes the next."""

    def step(self, t):
        lines = []
        for name, update in t.updates.items():
            body, (value,) = promela([update], self.names)
            lines += [*body, f"{self.names[name]} = {value}"]
        return "".join(f"{line}; " for line in lines)


class Forgets(Export):
    """Writes the first part of a guard alone."""

    def guards(self):
        return [g.args[0] if g.op == "and" else g for g in super().guards()]


class Stale(Export):
    """Does not work out the last guard again."""

    def derived(self, asked):
        return super().derived(asked)[:-1]


class NoStart(Export):
    """Lets every variable start at 0."""

    def text(self, *, never=None):
        return super().text(never=never).replace("= 1; /* y", "= 0; /* y")


class Divisible(Export):
    """Counts what lies between a step and the next."""

    def text(self, *, never=None):
        return super().text(never=never).replace("atomic {", "{")


@needs_spin
@pytest.mark.parametrize("fault", [OneByOne, Forgets, Stale, NoStart, Divisible])
def test_a_faulty_exporter_is_noticed(fault):
    assert spun(fault.of(SMALL)) != counted(SMALL)


@needs_spin
@pytest.mark.parametrize(
    ("operator", "wrong"),
    [("le", "({0} < {1})"), ("sub", "({0} + {1})"), ("max", "({0} < {1} -> ({0}) : ({1}))"), ("implies", "({0} || {1})")],
)  # fmt: skip
def test_a_wrong_operator_is_noticed(operator, wrong, monkeypatch):
    a, b = X.now, Y.now
    formula = {"le": a <= b, "sub": a - b == 1, "max": maximum(a, b) == 3, "implies": (a < b).implies(b < 2)}[operator]
    model = Model("one", (X, Y), (SWAP, DOWN, Transition("look", "environment", formula, {"x": const(0)})))
    monkeypatch.setitem(expressions.TEXT, operator, wrong)
    assert spun(Export.of(model)) != counted(model)


# what goes wrong


@needs_spin
def test_a_program_that_is_none_is_a_clear_error():
    with pytest.raises(SpinFailed, match="spin ended with"):
        search("active proctype model( {")


@needs_spin
def test_a_search_that_takes_too_long_is_stopped():
    wide = tuple(Variable(f"x{n}", 255) for n in range(6))
    grow = tuple(Transition(v.name, "environment", v.now < 255, {v.name: v.now + 1}) for v in wide)
    with pytest.raises(SpinFailed, match=r"did not end in 1.5 s|not completed"):
        search(Export.of(Model("wide", wide, grow)).text(), seconds=1.5)


def test_without_spin_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="apt install spin gcc"):
        search(Export.of(SMALL).text())


@needs_spin
def test_what_an_expression_shares_is_written_once():
    deep = X.now
    for _ in range(60):
        deep = maximum(deep + 1, deep) - 1
    model = Model("deep", (X, Y), (replace(SWAP, guard=deep < 3),))
    assert len(Export.of(model).text()) < 10_000
    assert spun(Export.of(model)) == counted(model)
