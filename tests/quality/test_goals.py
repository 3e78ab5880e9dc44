"""The guards' coverage goals are reached by short scenarios that any backend can run, and the reference comes through."""

from __future__ import annotations

import pytest
from quotaproof.checker.conform.reference import Reference
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.checker.explore.goals import covered
from quotaproof.checker.explore.guards import GUARDS, Goal, formulas, possible
from quotaproof.checker.explore.passing import passes
from quotaproof.checker.explore.places import PLACES
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Settle
from quotaproof.spec.readings import Readings

DEFAULTS = Readings()


def check(found, wanted):
    """Every scenario passes through its goal and is conformant; what is impossible has no scenario."""
    for goal, scenario in found.scenarios.items():
        assert passes(scenario, goal, wanted[goal])
        assert all(isinstance(s, ev.Submit | ev.Finish | ev.Stopped | Settle) for s in scenario.steps)
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


@pytest.mark.campaign
def test_the_goals_of_all_guards_are_covered_or_impossible_or_listed():
    found = covered(list(PLACES.values()))
    wanted = {goal: formula for name in GUARDS for goal, formula in formulas(name, DEFAULTS).items()}
    check(found, wanted)
    assert len(found.scenarios) >= 93
    assert found.scenarios.keys() | found.missing.keys() == wanted.keys()
    impossible = [goal for goal in wanted if not possible(goal, DEFAULTS)]
    assert len(impossible) >= 16
    assert not set(impossible) & found.scenarios.keys()
    opened = {goal.guard for goal in found.scenarios if not goal.clause}
    assert opened == set(GUARDS)


def test_a_scenario_that_does_not_pass_through_its_goal_is_not_taken():
    found = covered([PLACES["off"]], ["dispatch"])
    goal, other = Goal("dispatch"), Goal("dispatch", "dispatch.environment-enabled", holds=False)
    formula = formulas("dispatch", DEFAULTS)[goal]
    assert goal not in found.scenarios
    assert not passes(found.scenarios[other], goal, formula)


def test_a_head_that_is_entitled_lacks_nothing_for_its_own_limit():
    assert not possible(Goal("claim", "settled.limit", holds=False), DEFAULTS)
    assert possible(Goal("claim", "claim.suffices", holds=False), DEFAULTS)
