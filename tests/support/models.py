"""Transition systems drawn at random, and the plain count of their states that the explorer and SPIN are compared with."""

from __future__ import annotations

from dataclasses import dataclass

from quotaproof.checker.explore.model import Model, Transition, Variable
from quotaproof.spec.expr.nodes import Bool, Int, all_of, any_of, const, ite, maximum, minimum
from quotaproof.spec.expr.python import evaluate


@dataclass(frozen=True)
class Counted:
    """Distinct states, steps from them, and states from which no step is possible."""

    states: int
    transitions: int
    stuck: int


def counted(model):
    """The model searched one state at a time, expressions evaluated as they stand."""
    start = tuple(v.start for v in model.variables)
    names = [v.name for v in model.variables]
    met, left, steps, stuck = {start}, [start], 0, 0
    while left:
        values = dict(zip(names, left.pop(), strict=True))
        able = [t for t in model.transitions if evaluate(t.guard, values)]
        steps += len(able)
        stuck += not able
        for t in able:
            new = {**values, **{name: evaluate(update, values) for name, update in t.updates.items()}}
            after = tuple(new[name] for name in names)
            assert all(0 <= new[v.name] <= v.high for v in model.variables), f"{t.name} leaves the bounds"
            if after not in met:
                met.add(after)
                left.append(after)
    return Counted(len(met), steps, stuck)


def drawn_number(rng, variables, depth=3):
    """A number over the variables, of every operator that there is."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(variables).now if rng.random() < 0.7 else const(rng.randint(-2, 4))
    left, right = (drawn_number(rng, variables, depth - 1) for _ in range(2))
    made = rng.choice(("add", "sub", "mul", "max", "min", "ite"))
    return {
        "add": left + right,
        "sub": left - right,
        "mul": left * rng.choice((-2, 2, 3)),
        "max": maximum(left, right),
        "min": minimum(left, right),
        "ite": ite(drawn_truth(rng, variables, depth - 1), left, right),
    }[made]


def drawn_truth(rng, variables, depth=3) -> Bool:
    """A formula over the variables, of every operator that there is."""
    if depth == 0 or rng.random() < 0.3:
        left, right = (drawn_number(rng, variables, min(depth, 1)) for _ in range(2))
        return rng.choice((left <= right, left < right, left == right))
    left, right = (drawn_truth(rng, variables, depth - 1) for _ in range(2))
    return rng.choice((all_of(left, right), any_of(left, right), ~left, left.implies(right), left == right))


def drawn_model(rng, most=4) -> Model:
    """A model of two to `most` variables; every update is brought within its bounds."""
    highs = (1, 2, 3, 300)
    variables = []
    for n in range(rng.randint(2, most)):
        high = rng.choice(highs[:3] if n else highs)
        variables.append(Variable(f"x.{n}", high, rng.randint(0, min(high, 3))))

    def within(v: Variable) -> Int:
        return minimum(maximum(drawn_number(rng, variables, 2), 0), v.high)

    transitions = []
    for n in range(rng.randint(2, 5)):
        changed = rng.sample(variables, rng.randint(1, len(variables)))
        guard = drawn_truth(rng, variables, 2)
        transitions.append(Transition(f"step{n}", "environment", guard, {v.name: within(v) for v in changed}))
    return Model("drawn", tuple(variables), tuple(transitions))
