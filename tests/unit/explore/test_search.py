"""All states of hand-made models, against a plain breadth-first search; errors of a model are told."""

from __future__ import annotations

import random

import pytest
from quotaproof.checker.explore.model import Model, Transition, Variable
from quotaproof.checker.explore.packed import Digits
from quotaproof.checker.explore.search import OutOfBounds, search
from quotaproof.spec.expr.nodes import all_of, const, ite
from quotaproof.spec.expr.python import evaluate


def plain(model):
    """State -> (distance, successors) by the plain meaning of the expressions."""
    start = tuple(v.start for v in model.variables)
    names = [v.name for v in model.variables]
    found, level, distance = {start: (0, set())}, [start], 0
    while level:
        distance, after = distance + 1, []
        for values in level:
            state = dict(zip(names, values, strict=True))
            for number, t in enumerate(model.transitions):
                if evaluate(t.guard, state):
                    new = {**state, **{n: evaluate(u, state) for n, u in t.updates.items()}}
                    target = tuple(new[n] for n in names)
                    found[values][1].add((number, target))
                    if target not in found:
                        found[target] = distance, set()
                        after.append(target)
        level = after
    return found


def robots(places=7, robots=3):
    """Robots on a line that push each other."""
    at = [Variable(f"at{i}", places, i) for i in range(robots)]
    flag = Variable("flag", 1)
    steps = []
    for i, v in enumerate(at):
        steps.append(Transition(f"right{i}", "scheduler", v.now < places, {v.name: v.now + 1}))
        left = at[(i + 1) % robots]
        steps.append(
            Transition(
                f"push{i}",
                "environment",
                all_of(v.now == left.now, v.now > 0),
                {left.name: left.now - 1, "flag": ite(flag.now == 0, 1, 0), v.name: v.now},
            )
        )
    return Model("robots", (*at, flag), tuple(steps), {"ahead": at[0].now > at[1].now})


def wide(count):
    """A model whose states take several words."""
    big = [Variable(f"big{i}", 2**40) for i in range(count)]
    tick = [Transition(f"tick{i}", "scheduler", v.now < 4, {v.name: v.now + 1}) for i, v in enumerate(big)]
    return Model("wide", tuple(big), tuple(tick))


@pytest.mark.parametrize("model", [robots(), robots(4, 2), wide(2), wide(3)], ids=["three", "two", "wide2", "wide3"])
def test_states_distances_and_steps_are_those_of_a_plain_search(model):
    space, expected = search(model), plain(model)
    assert space.complete
    states = list(zip(*[c.tolist() for c in space.columns()], strict=True))
    assert len(states) == len(set(states))
    assert set(states) == expected.keys()
    ends = [*space.levels[1:], len(states)]
    distances = [d for d, (a, b) in enumerate(zip(space.levels, ends, strict=True)) for _ in range(a, b)]
    assert distances == [expected[s][0] for s in states]
    edges = space.edges
    found = set(zip(edges.source.tolist(), edges.transition.tolist(), edges.target.tolist(), strict=True))
    number = {s: i for i, s in enumerate(states)}
    assert found == {(number[s], t, number[to]) for s, (_, after) in expected.items() for t, to in after}


def test_a_path_is_a_shortest_run():
    model = robots()
    space, expected = search(model), plain(model)
    for target in random.Random(1).sample(range(1, len(space)), 20):
        path = space.path(target)
        state = {v.name: v.start for v in model.variables}
        for number, after in path:
            t = model.transitions[number]
            assert evaluate(t.guard, state)
            state = {**state, **{n: evaluate(u, state) for n, u in t.updates.items()}}
            assert state == space.state(after)
        assert len(path) == expected[tuple(state.values())][0]


def test_a_fact_is_evaluated_in_every_state():
    model = robots()
    space = search(model)
    ahead, always = space.values(model.facts["ahead"], const(True))
    assert ahead.tolist() == [space.state(i)["at0"] > space.state(i)["at1"] for i in range(len(space))]
    assert always.tolist() == [True] * len(space)


def test_a_search_that_is_cut_short_says_so():
    space = search(robots(), most=50)
    assert not space.complete
    assert 50 < len(space) < len(search(robots()))


@pytest.mark.parametrize(("update", "told"), [(1, "sets n to 3"), (-1, "sets n to -1")])
def test_an_update_beyond_its_bounds_is_an_error(update, told):
    n = Variable("n", 2)
    model = Model("m", (n,), (Transition("go", "scheduler", const(True), {"n": n.now + update}),))
    with pytest.raises(OutOfBounds, match=told):
        search(model)


def test_a_constant_beyond_its_bounds_is_an_error():
    n = Variable("n", 2)
    with pytest.raises(OutOfBounds, match="sets n to 5"):
        search(Model("m", (n,), (Transition("go", "scheduler", const(True), {"n": const(5)}),)))


def test_a_model_that_speaks_of_something_else_is_an_error():
    n, other = Variable("n", 2), Variable("other", 2)
    with pytest.raises(KeyError, match="other"):
        search(Model("m", (n,), (Transition("go", "scheduler", other.now < 1, {"n": n.now}),)))


def test_digits_are_read_back():
    rng = random.Random(2)
    import numpy as np

    bases = [rng.randrange(1, 2 ** rng.randrange(1, 40)) + 1 for _ in range(9)]
    digits = Digits(bases)
    assert digits.words > 1
    values = [[rng.randrange(b) for b in bases] for _ in range(50)]
    packed = np.array([digits.pack(v) for v in values], dtype=np.int64).T
    columns = digits.columns(packed)
    assert [list(row) for row in zip(*[c.tolist() for c in columns], strict=True)] == values
