"""The guards' coverage goals are reached by short scenarios that any backend can run, and the reference comes through."""

from __future__ import annotations

import pytest
from quotaproof.checker.conform.corpus.goals import goals
from quotaproof.checker.conform.reference import Reference
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.checker.explore.goals import covered
from quotaproof.checker.explore.guards import GUARDS, Goal, formulas
from quotaproof.checker.explore.impossible import IMPOSSIBLE, possible
from quotaproof.checker.explore.passing import passed
from quotaproof.checker.explore.places import PLACES
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Settle
from quotaproof.spec.readings import Readings

DEFAULTS = Readings()
EVERY = {goal: formula for name in GUARDS for goal, formula in formulas(name, DEFAULTS).items()}


def check(found, wanted):
    """Every scenario passes through its goal and is conformant; what is impossible has no scenario."""
    for goal, scenario in found.scenarios.items():
        assert passed(scenario, {goal: wanted[goal]})
        assert not any(isinstance(step, ev.SCHEDULER) for step in scenario.steps)
        assert scenario.steps[-1] == Settle()
        assert len(scenario.steps) <= 14
        (answer,) = Reference().run([scenario])
        assert judged(scenario, answer, Reference().declare()).status is Status.PASSED, goal.name


def test_the_holds_and_the_dispatch_of_a_small_queue_are_covered():
    found = covered([PLACES["off"], PLACES["short"]], ["dispatch", "hold"])
    check(found, {**formulas("dispatch", DEFAULTS), **formulas("hold", DEFAULTS)})
    names = {goal.name for goal in found.scenarios}
    assert {"dispatch is open", "dispatch: dispatch.environment-enabled alone is false",
            "dispatch: dispatch.reserved alone is false", "dispatch: dispatch.head alone is false"} <= names  # fmt: skip
    assert len(found.scenarios) >= 12


def test_every_goal_is_covered_by_the_corpus_or_proved_impossible():
    """The corpus' own test asks its files for the goals that are not in the table."""
    assert IMPOSSIBLE.keys() <= EVERY.keys()
    assert [goal.name for goal in IMPOSSIBLE if possible(goal, DEFAULTS)] == []
    assert all(IMPOSSIBLE.values())
    assert goals() == {goal: formula for goal, formula in EVERY.items() if goal not in IMPOSSIBLE}
    assert (len(EVERY), len(IMPOSSIBLE)) == (160, 22)


@pytest.mark.campaign
def test_the_explorer_covers_every_goal_that_is_possible_and_no_other():
    found = covered(list(PLACES.values()))
    check(found, EVERY)
    assert found.scenarios.keys() == goals().keys()
    assert found.missing == dict.fromkeys(IMPOSSIBLE, 0)


def test_what_only_another_reading_asks_is_covered_under_it():
    """A46 no: jobs of a DISABLED share do not start."""
    readings = Readings.of(A46="no")
    goal = Goal("dispatch", "dispatch.share-enabled", holds=False)
    assert goal not in EVERY
    found = covered([PLACES["share off"]], ["dispatch"], readings)
    assert passed(found.scenarios[goal], {goal: formulas("dispatch", readings)[goal]}) == {goal}


def test_a_scenario_that_does_not_pass_through_its_goal_is_not_taken():
    found = covered([PLACES["off"]], ["dispatch"])
    off, limit = (Goal("dispatch", f"dispatch.{code}", holds=False) for code in ("environment-enabled", "limit"))
    assert limit not in found.scenarios
    assert passed(found.scenarios[off], {goal: EVERY[goal] for goal in (off, limit)}) == {off}


def test_a_head_that_is_entitled_lacks_nothing_for_its_own_limit():
    assert not possible(Goal("claim", "settled.limit", holds=False), DEFAULTS)
    assert possible(Goal("claim", "claim.suffices", holds=False), DEFAULTS)
