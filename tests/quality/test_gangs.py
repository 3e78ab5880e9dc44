"""No preemption goes round in random closed systems of gangs (G18); where jobs may take part-own capacity, some does."""

from __future__ import annotations

import random
from itertools import count

import pytest
from quotaproof.checker.explore.closed import Kind, circle
from quotaproof.checker.explore.gangs import circles, drawn
from quotaproof.checker.generate.choices import Seeded
from quotaproof.checker.witness.play import play
from quotaproof.spec.events import Claim
from quotaproof.spec.readings import Readings

from ..support.queues import queue, share

EXCHANGE = Readings.of(A24="b")
MINIMAL = Readings.of(A28="minimal")
UNMIXED = Readings.of(A59="no")


def test_no_circle_in_one_thousand_random_systems_where_plans_are_minimal():
    assert [c for c in circles(MINIMAL, systems=1_000, seed=18) if c] == []


@pytest.mark.campaign
@pytest.mark.parametrize("readings", [MINIMAL, UNMIXED, Readings.of(A28="minimal", A13="c")])
def test_no_circle_in_ten_thousand_random_systems_where_plans_are_minimal_or_of_one_kind(readings):
    assert [c for c in circles(readings, systems=10_000, seed=19) if c] == []


@pytest.mark.campaign
def test_plans_that_mix_and_are_not_minimal_go_round_in_one_of_ten_thousand_systems():
    found = [c for c in circles(Readings(), systems=10_000, seed=30) if c]
    assert len(found) == 1
    assert all(play(c).shows for c in found)


def test_a_head_that_stops_its_own_and_others_jobs_and_one_that_stops_it_go_round():
    """A (4) and B (1): a1 is entitled once a2 has gone, and stops b1 needlessly; then b1 stops a1."""
    config = queue(5, share("A", 4, "LEND_AND_BORROW", in_share=True), share("B", 1, "LEND_AND_BORROW"))
    jobs = [Kind("A", {"u": 1}), Kind("A", {"u": 4}, 1), Kind("B", {"u": 1}), Kind("B", {"u": 2})]
    found = circle(config, Readings(), jobs)
    assert found is not None
    assert play(found).shows
    assert circle(config, MINIMAL, jobs) is None
    assert circle(config, UNMIXED, jobs) is None


@pytest.mark.parametrize("seed", range(3))
def test_the_exchange_of_part_own_jobs_is_found_within_a_hundred_systems_and_plays(seed):
    tried = zip(count(1), circles(EXCHANGE, systems=100, seed=seed), strict=False)
    number, found = next((n, c) for n, c in tried if c and play(c).shows)
    assert number <= 100
    assert found.breaks.guarantee == "G18"
    repeated = found.steps[found.repeats_from - 1 :]
    assert sum(isinstance(step, Claim) for step in repeated) >= 2


def test_the_systems_are_such_that_the_exchange_is_common():
    found = [c for c in circles(EXCHANGE, systems=1_000, seed=3) if c]
    assert len(found) >= 50


def test_a_victim_of_a_share_within_its_limit_goes_round_and_is_found(monkeypatch):
    # the planted fault: whoever holds what the job lacks is a victim
    monkeypatch.setattr("quotaproof.checker.explore.closed.eligible", lambda *_: True)
    tried = zip(count(1), circles(Readings(), systems=100, seed=1), strict=False)
    assert next(n for n, c in tried if c) <= 50


def test_a_drawn_system_is_the_same_again():
    assert drawn(Seeded(random.Random(4))) == drawn(Seeded(random.Random(4)))
    system = drawn(Seeded(random.Random(4)))
    assert circle(system.config, Readings(), system.jobs) is None
