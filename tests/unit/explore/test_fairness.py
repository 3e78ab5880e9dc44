"""Stuck states and fair cycles of hand-made models: what each kind of fairness excludes, and real shortest lassos."""

from __future__ import annotations

import numpy as np
import pytest
from quotaproof.checker.explore.fairness import Graph
from quotaproof.checker.explore.model import Model, Transition, Variable
from quotaproof.checker.explore.search import search
from quotaproof.spec.expr.nodes import all_of, any_of, const

AT = Variable("at", 9)


def automaton(*edges, high=9, facts=None):
    """A model with one variable: edges are (from, to, name) or (from, to, name, group) or with a wider group."""
    at = Variable("at", high)
    steps: dict[str, list] = {}
    for edge in edges:
        source, target, name, *groups = edge
        steps.setdefault(name, (*[*groups, "", ""][:2], []))[2].append((source, target))
    made = []
    for name, (group, wider, pairs) in steps.items():
        for n, (source, target) in enumerate(pairs):
            guard, update = at.now == source, {"at": const(target)}
            made.append(Transition(f"{name}{n}", "scheduler", guard, update, group, {}, wider))
    return Model("automaton", (at,), tuple(made), facts or {})


def loop(model, *, inside=None, strong=False, without=(), groups=None):
    """(states of the stem, states of the loop) of the lasso that is found, by value; None without one."""
    space = search(model)
    graph = Graph(space)
    where = np.ones(len(space), dtype=bool) if inside is None else space.values(inside)[0]
    names = {t.name: n for n, t in enumerate(model.transitions)}
    run = graph.cycle(where, [names[n] for n in without], strong=strong, groups=groups)
    if run is None:
        return None
    stem, around = ([space.state(to)["at"] for _, to in part] for part in (run.stem, run.loop))
    at = stem[-1] if stem else 0
    for (number, to), value in zip(run.loop, around, strict=True):
        t = model.transitions[number]
        assert (at, value) == (space_at(t), t.updates["at"].args[0])
        assert space.state(to)["at"] == value
        at = value
    assert around[-1] == (stem[-1] if stem else 0)
    return stem, around


def space_at(transition):
    return transition.guard.args[1].args[0]


def test_a_cycle_that_leaves_a_group_waiting_all_along_is_not_weakly_fair():
    serve = (0, 2, "serve", "scheduler"), (1, 2, "serve", "scheduler")
    assert loop(automaton((0, 1, "churn"), (1, 0, "churn"), *serve)) is None
    assert loop(automaton((0, 1, "churn"), (1, 0, "churn"), serve[0])) == ([], [1, 0])


def test_strong_fairness_asks_for_what_is_possible_again_and_again():
    model = automaton((0, 1, "churn"), (1, 0, "churn"), (0, 2, "serve", "scheduler"))
    assert loop(model, strong=True) is None
    never = automaton((0, 1, "churn"), (1, 0, "churn"), (0, 2, "other"))
    assert loop(never, strong=True) == ([], [1, 0])


def test_strong_fairness_finds_the_smaller_cycle_in_which_the_group_is_never_possible():
    model = automaton((0, 1, "a"), (1, 2, "a"), (2, 1, "a"), (2, 0, "a"), (0, 3, "serve", "scheduler"))
    assert loop(model, strong=True) == ([1], [2, 1])
    assert loop(model) == ([], [1, 2, 0])


def test_the_loop_is_a_walk_that_takes_what_is_owed_and_no_more():
    """Group one is possible at 0 and 1, taken from 1 to 2: the loop over 3 alone would not be fair."""
    model = automaton(
        (0, 3, "churn"), (3, 0, "churn"), (0, 4, "one", "g"), (3, 5, "one", "g"), (0, 1, "in"), (1, 0, "one", "g"),
    )  # fmt: skip
    assert loop(model, inside=AT.now <= 3) == ([], [1, 0])
    longer = automaton(
        (0, 1, "a"), (1, 0, "a"), (0, 2, "b"), (2, 0, "one", "g"), (1, 8, "one", "g"), (0, 9, "one", "g"),
        (0, 3, "c"), (3, 0, "two", "h"), (1, 8, "two", "h"), (0, 9, "two", "h"), (2, 7, "two", "h"), (3, 6, "one", "g"),
    )  # fmt: skip
    stem, around = loop(longer, inside=AT.now <= 3)
    assert (stem, sorted(around)) == ([], [0, 0, 2, 3])


def test_the_stem_is_shortest():
    model = automaton(
        (0, 1, "s"), (1, 2, "s"), (2, 3, "s"), (3, 2, "s"), (0, 4, "s"), (4, 5, "s"), (5, 6, "s"), (6, 5, "s")
    )
    stem, around = loop(model)
    assert (len(stem), len(around)) == (2, 2)


def test_stutter_is_no_cycle_and_takes_nothing():
    assert loop(automaton((0, 0, "idle"), (0, 1, "go"))) is None
    model = automaton((0, 1, "churn"), (1, 0, "churn"), (0, 0, "serve", "g"), (1, 1, "serve", "g"))
    assert loop(model) is None


def test_a_wider_group_is_owed_something_where_each_narrow_one_is_excused():
    both = (0, 2, "stop", "here", "stops"), (1, 2, "stop2", "there", "stops")
    assert loop(automaton((0, 1, "churn"), (1, 0, "churn"), *both)) is None
    alone = [(a, b, name, group) for a, b, name, group, _ in both]
    assert loop(automaton((0, 1, "churn"), (1, 0, "churn"), *alone)) == ([], [1, 0])


def test_a_state_that_lasts_no_time_excuses_nobody():
    edges = (0, 1, "churn"), (1, 0, "churn"), (0, 2, "serve", "g")
    assert loop(automaton(*edges)) == ([], [1, 0])
    assert loop(automaton(*edges, facts={"urgent": AT.now == 1})) is None


def test_states_and_steps_may_be_left_out_and_groups_chosen():
    model = automaton((0, 1, "churn"), (1, 0, "back"), (0, 2, "serve", "g"), (1, 2, "serve", "g"))
    assert loop(model, groups=()) == ([], [1, 0])
    assert loop(model, groups=(), without=("back0",)) is None
    assert loop(model, groups=(), inside=AT.now == 0) is None


def test_nobody_has_to_act_where_only_steps_without_a_group_are_possible():
    space = search(automaton((0, 1, "user"), (1, 2, "serve", "g"), (2, 3, "user")))
    idle = Graph(space).idle()
    assert {space.state(int(n))["at"] for n in idle.nonzero()[0]} == {0, 2, 3}


@pytest.mark.parametrize("strong", [False, True])
def test_in_random_models_a_lasso_is_found_where_there_is_one_and_it_is_fair(strong):
    """Against all subsets of states: a fair cycle exists if some strongly connected set of states satisfies the groups."""
    from itertools import combinations
    from random import Random

    rng, found, none = Random(3 + strong), 0, 0
    for _ in range(150):
        count = 5
        edges = [
            (rng.randrange(count), rng.randrange(count), f"t{i}", *([f"g{i % 2}"] if i % 3 else [])) for i in range(8)
        ]
        model = automaton(*edges, high=count)
        space = search(model)
        reached = {space.state(n)["at"] for n in range(len(space))}
        real = [(a, b, *g) for a, b, _, *g in edges if a in reached]
        sets = [set(c) for n in range(2, count + 1) for c in combinations(sorted(reached), n)]
        expected = any(_fair(s, real, strong) for s in sets)
        run = loop(model, strong=strong)
        assert (run is not None) == expected
        found, none = found + expected, none + (not expected)
        if run is not None:
            assert _fair(set(run[1]), real, strong, walk=run[1])
    assert found > 20
    assert none > 20


def _fair(states, edges, strong, walk=None):
    """Whether the cycle through all of these states may satisfy both groups; a walk: whether its states allow it."""
    inner = [e for e in edges if e[0] in states and e[1] in states and e[0] != e[1]]
    if walk is None and not _connected(states, inner):
        return False
    for group in ("g0", "g1"):
        possible = {e[0] for e in edges if group in e[2:]}
        taken = any(group in e[2:] for e in inner)
        owed = bool(possible & states) if strong else states <= possible
        if owed and not taken:
            return False
    return True


def _connected(states, edges):
    def reach(start, pairs):
        seen, todo = {start}, [start]
        while todo:
            at = todo.pop()
            for a, b in pairs:
                if a == at and b not in seen:
                    seen.add(b)
                    todo.append(b)
        return seen

    first = min(states)
    there, back = [(a, b) for a, b, *_ in edges], [(b, a) for a, b, *_ in edges]
    return reach(first, there) >= states and reach(first, back) >= states


def test_a_formula_of_several_variables_may_say_where_a_run_stays():
    x, y = Variable("x", 2), Variable("y", 2)
    steps = (
        Transition("up", "scheduler", all_of(x.now < 2, y.now == 0), {"x": x.now + 1}),
        Transition("down", "scheduler", all_of(x.now > 0, any_of(y.now == 0, y.now == 1)), {"x": x.now - 1}),
        Transition("other", "scheduler", y.now < 2, {"y": y.now + 1}),
    )
    space = search(Model("two", (x, y), steps))
    graph = Graph(space)
    (inside,) = space.values(y.now == 0)
    run = graph.cycle(inside)
    assert run is not None
    assert len(run.loop) == 2
    (never,) = space.values(y.now == 1)
    assert graph.cycle(never) is None
