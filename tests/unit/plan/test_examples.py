"""Each number that falls has a scenario in the new configuration that shows it, and the scenario plays."""

from __future__ import annotations

import random

import pytest
from quotaproof.checker.planned import Direction
from quotaproof.checker.rollout.plan.compare import compare
from quotaproof.checker.rollout.plan.examples import Examples
from quotaproof.checker.witness.play import play
from quotaproof.spec.formats.scenario import Expect
from quotaproof.spec.readings import Readings

from tests.support.queues import queue, share

from .test_compare import drawn

READINGS = Readings()


def example(old, new, name, unit="u", readings=READINGS):
    changed = next(c for c in compare(old, new, readings) if c.share == name)
    return Examples(new, readings).of(changed, next(u for u in changed.units if u.unit == unit))


@pytest.mark.parametrize(
    ("old", "new", "shows"),
    [
        (
            queue(8, share("a", 4), share("b", 4)),
            queue(8, share("a", 2), share("b", 4)),
            "a: a job of 4 u was sure to run; now it can wait for ever",
        ),
        (
            queue(8, share("a", 4), share("b", 4)),
            queue(8, share("a", 4), share("b", 6)),
            "a: a job of 4 u was sure to run; now it can wait for ever (beside b 5)",
        ),
        (
            queue(8, share("a", 4, "RESERVE"), share("b", 4, "LEND_AND_BORROW")),
            queue(8, share("a", 4), share("b", 4, "LEND_AND_BORROW")),
            "a: up to 4 u started at once; now a job can wait for stops (beside b 5)",
        ),
        (
            queue(8, share("a", 4), share("b", 4, "LEND_AND_BORROW")),
            queue(8, share("a", 4), share("b", 4, "LEND_AND_BORROW", 50)),
            "b: a job of 8 u could run; now it never can, at most 6",
        ),
    ],
)
def test_what_falls_is_shown_by_a_scenario_that_plays(old, new, shows):
    found = example(old, new, shows.partition(":")[0])
    assert found.shows == shows
    assert found.scenario is not None
    assert found.scenario.config == new
    played = play(found.scenario)
    assert (played.wrong, played.violations) == ([], [])
    end = found.scenario.steps[-1]
    assert isinstance(end, Expect)
    assert not end.why.endswith(".")


def test_a_loan_that_was_sure_and_is_not_waits_although_it_may_take_nothing_back():
    readings = Readings.of(A5="borrowable")
    shares = share("a", 3, "LEND_AND_BORROW", 34), share("b", 3, "LEND_AND_BORROW", 34)
    found = example(queue(8, *shares), queue(7, *shares), "a", readings=readings)
    assert found.shows == "a: a job of 4 u was sure to run; now it can wait for ever (beside b 4)"
    assert found.scenario.steps[-1].why == "plan: It waits, and what borrows takes nothing back"


def test_a_loan_that_nobody_could_take_back_and_an_owner_can_is_shown_stopped():
    readings = Readings.of(A5="borrowable")
    old = queue(2, share("a", 1, "LEND_AND_BORROW", 200), share("b", 2, "LEND_AND_BORROW", 200))
    new = queue(2, share("a", 1), share("b", 1, "LEND_AND_BORROW", 200))
    found = example(old, new, "b", readings=readings)
    assert found.shows == "b: holding 2 u it lost no job; now one can be stopped for a"
    assert found.scenario.steps[-1].preempted == ("b-loan",)
    assert play(found.scenario).wrong == []


def test_every_weaker_unit_of_random_pairs_has_its_scenario():
    choose = random.Random(3)
    shown = 0
    for _ in range(60):
        old, new = drawn(choose, "abc"), drawn(choose, "abc")
        for changed in compare(old, new, READINGS):
            for unit in changed.units:
                found = Examples(new, READINGS).of(changed, unit)
                if Direction.WEAKER in unit.quantities.values():
                    assert found.scenario is not None, (old, new, found.shows)
                    shown += 1
                else:
                    assert found is None
    assert shown > 40
