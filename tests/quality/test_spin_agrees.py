"""SPIN counts the same states, steps and stuck states as the explorer, and finds the same jobs waiting for ever."""

from __future__ import annotations

import random

import pytest
from quotaproof.checker.explore.explored import explore
from quotaproof.checker.explore.oracle import accepts, available, search
from quotaproof.checker.explore.promela import Export, Waits
from quotaproof.spec.readings import Readings

from ..support.explored import HOLD, SYSTEMS, arguments
from ..support.systems import drawn_system

pytestmark = pytest.mark.skipif(bool(available()), reason=available())

SHORT_OF_MACHINES = "gang, a machine short"
ROWS = [
    (name, hold, g8, order)
    for name in (*SYSTEMS, SHORT_OF_MACHINES)
    for hold in HOLD
    for g8 in ("", "G8")
    for order in ("", "share", "head")
    if not order or (hold == "none" and g8)
]
SHORT = [("unit", "freed", "", ""), ("S2", "none", "G8", "share")]
long = pytest.mark.campaign


def run(name, hold, g8, order):
    """A row of the table, explored."""
    system, environment = ("gang", 3) if name == SHORT_OF_MACHINES else (name, None)
    return explore(*arguments(system, hold, bool(g8), order, environment), ask=["k0"])


def compare(explored):
    """SPIN and the explorer on one system; the number of states."""
    space = explored.space
    found = search(Export.of(space.model).text())
    sources = set(space.edges.source.tolist())
    expected = (len(space), len(space.edges.source), len(space) - len(sources), 0)
    assert (found.states, found.transitions, found.stuck, found.violated) == expected
    return found.states


def compare_starvation(explored, kind, share):
    """Whether SPIN finds a fair run in which a job of the kind waits for ever, as the explorer does."""
    model = explored.space.model
    own = {t.name for t in model.transitions if t.about["event"] == "dispatch" and t.about["kind"].share == share}
    starves = accepts(Export.of(model).starvation(Waits(model.facts[f"waits.{kind}"], own)))
    assert starves is (explored.served[kind].kept is False)
    return starves


@pytest.mark.parametrize("row", SHORT, ids=" ".join)
def test_spin_counts_the_same_states_and_steps(row):
    assert compare(run(*row)) > 100


@long
@pytest.mark.parametrize("row", ROWS, ids=" ".join)
def test_spin_counts_the_same_in_every_row_of_the_table(row):
    assert compare(run(*row)) > 20


@pytest.mark.parametrize(
    ("row", "starves"),
    [
        pytest.param(("unit", "whole", "G8", ""), False, marks=long),
        (("unit", "freed", "", ""), True),
        pytest.param((SHORT_OF_MACHINES, "whole", "G8", ""), True, marks=long),
    ],
)
def test_spin_finds_the_job_that_waits_for_ever_or_that_there_is_none(row, starves):
    assert compare_starvation(run(*row), "k0", "s0") is starves


@long
def test_spin_gives_the_same_verdict_on_reclaim_in_every_row_of_the_table():
    verdicts = [compare_starvation(run(*row), "k0", "s0") for row in ROWS]
    assert 10 < sum(verdicts) < len(verdicts) - 10


def test_spin_counts_the_same_in_a_random_system():
    assert compare(explore(*drawn_system(random.Random(8)), ask=())) > 20


@long
@pytest.mark.parametrize("seed", range(6))
def test_spin_counts_the_same_in_many_random_systems(seed):
    rng = random.Random(seed)
    readings = [
        Readings(),
        Readings.of(A58="freed"),
        Readings.of(A23="no"),
        Readings.of(A24="b"),
        Readings.of(A28="minimal"),
    ]
    sizes = [compare(explore(*drawn_system(rng), readings[n % len(readings)], ask=())) for n in range(10)]
    assert max(sizes) > 50
