"""Who gains and who loses by a change: each verdict equals what a search through all states finds."""

from __future__ import annotations

import random

import pytest
from quotaproof.checker.planned import NUMBERS, Direction
from quotaproof.checker.rollout.plan.compare import compare, standings
from quotaproof.spec.readings import Readings

from tests.support.queues import queue, share

from .search import Reachable

STRATEGIES = (("RESERVE", None), ("LEND", None), *(("LEND_AND_BORROW", p) for p in (None, 0, 50, 100, 200)))


def drawn(choose: random.Random, names: str):
    """A small queue of some of these shares."""
    shares = [share(n, choose.randint(1, 3), *choose.choice(STRATEGIES)) for n in names]
    return queue(choose.randint(1, 6), *shares)


def expected(old, new, readings):
    """Share -> direction, from the states alone."""
    before, after = Reachable(old, readings), Reachable(new, readings)
    found = {}
    for name in dict.fromkeys([*before.names, *after.names]):
        if name not in before.names:
            found[name] = "new"
        elif name not in after.names:
            found[name] = "gone"
        else:
            was, become = before.numbers(name), after.numbers(name)
            more = any(become[k] > was[k] for k in was)
            less = any(become[k] < was[k] for k in was)
            found[name] = "incomparable" if more and less else "stronger" if more else "weaker" if less else "same"
    return found


def disagreements(old, new, readings):
    told = {c.share: str(c.direction) for c in compare(old, new, readings)}
    searched = expected(old, new, readings)
    for config in (old, new):
        states = Reachable(config, readings)
        for name, units in standings(config, readings).items():
            numbers = {k: getattr(units["u"], k) for k in NUMBERS}
            assert numbers == states.numbers(name), (config, name)
    return [] if told == searched else [f"{old} -> {new}: {told}, search {searched}"]


@pytest.mark.parametrize("unallotted", ["owners", "void", "borrowable"])
def test_verdicts_of_fifty_random_pairs_equal_a_search_through_all_states(unallotted):
    choose, readings = random.Random(50), Readings.of(A5=unallotted)
    pairs = [
        (drawn(choose, "abc"[: choose.randint(1, 3)]), drawn(choose, "abc"[choose.randint(0, 1) :])) for _ in range(50)
    ]
    assert [d for old, new in pairs for d in disagreements(old, new, readings)] == []
    every = {c.direction for old, new in pairs for c in compare(old, new, readings)}
    assert every == set(Direction), "each verdict comes up"
