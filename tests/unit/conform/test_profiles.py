"""Profiles are data: every name in them exists, and what they ask for follows what a backend declared."""

from __future__ import annotations

import pytest
from quotaproof.checker.conform.backend import Declaration
from quotaproof.checker.conform.features import FEATURES
from quotaproof.checker.conform.profiles import AWS_BATCH, PROFILES, profile
from quotaproof.checker.conform.reference import Reference
from quotaproof.checker.conform.sometimes import GOALS, Sometimes
from quotaproof.checker.conform.verdict import judged
from quotaproof.spec import events as ev
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.scenario import Scenario, Settle
from quotaproof.spec.readings import READINGS
from quotaproof.spec.rules.guarantees import GUARANTEES

from ...support.queues import queue, share

ALL = Reference().declare()
every_profile = pytest.mark.parametrize("it", PROFILES.values(), ids=PROFILES)


@every_profile
def test_every_name_in_a_profile_exists_and_every_feature_is_core_or_extended(it):
    assert sorted((*it.core, *it.extended)) == sorted(FEATURES)
    assert set(it.guarantees) <= set(GUARANTEES)
    assert set(it.goals) <= set(GOALS)
    for required in it.guarantees.values():
        assert required.features <= set(FEATURES)
    for code, choices in it.readings.items():
        assert set(choices) <= set(READINGS[code].choices)
        assert READINGS[code].default in choices


def test_all_guarantees_but_one_must_come_up_for_a_backend_that_does_everything():
    assert set(AWS_BATCH.required(ALL)) == set(GUARANTEES) - {"G8"}
    assert AWS_BATCH.guarantees["G8"].unless


def test_what_cannot_come_up_is_not_required():
    weak = Declaration("weak", claims=False)
    assert set(AWS_BATCH.required(ALL)) - set(AWS_BATCH.required(weak)) == {"G6+", "G7", "G14", "G17"}
    plain = Declaration("plain", claims=True, features=frozenset())
    assert "G3" not in AWS_BATCH.required(plain)
    assert "reclaimed" not in AWS_BATCH.asked_for(plain)


def test_a_required_guarantee_that_never_came_up_is_named():
    exercised = dict.fromkeys(GUARANTEES, 1) | {"G7": 0}
    assert AWS_BATCH.never_came_up(ALL, exercised) == ("G7",)


def test_an_unknown_profile_feature_reading_or_choice_is_an_error_with_the_fix():
    with pytest.raises(InputError, match="did you mean aws-batch"):
        profile("aws_batch")
    for declared, hint in [
        (Declaration("b", features=frozenset({"gang"})), "gangs"),
        (Declaration("b", choices={"A5x": "void"}), "A5"),
        (Declaration("b", choices={"A24": "b"}), "declare A24=a"),
        (Declaration("b", choices={"A12": "pooled"}), "leave it out"),
    ]:
        with pytest.raises(InputError, match=hint):
            AWS_BATCH.check(declared, where="backend")
    AWS_BATCH.check(
        Declaration("b", features=frozenset({"gangs"}), choices={"A5": "void", "A24": "a"}), where="backend"
    )


def test_core_features_that_are_not_declared_are_named():
    assert AWS_BATCH.lacks(None) == ()
    assert AWS_BATCH.lacks(frozenset(AWS_BATCH.core) - {"retries"}) == ("retries",)


def test_goals_are_reached_where_they_happen_and_by_no_run_that_is_no_evidence():
    config = queue(2, share("a", 1), share("b", 1, "LEND_AND_BORROW"))
    steps = (ev.Submit("b1", "b", {"u": 2}), Settle(), ev.Submit("a1", "a", {"u": 1}), Settle())
    scenario = Scenario("reclaim", "", config, steps)
    (answer,) = Reference().run([scenario])
    run = Sometimes(ALL, list(GOALS))
    run.take(judged(scenario, answer, ALL))
    assert run.reached_in == dict.fromkeys(["borrowed", "gang", "reclaimed", "owner-first"], "reclaim")
    nothing = Sometimes(ALL, list(GOALS))
    wrong = judged(Scenario("other", "", config, steps[2:]), answer, ALL)
    nothing.take(wrong)
    assert (wrong.failure, nothing.reached_in) == ("not-the-scenario", {})


def test_going_round_comes_up_where_a_scheduler_stops_after_a_preemption():
    config = queue(2, share("a", 1), share("b", 1, "LEND_AND_BORROW"))
    steps = (ev.Submit("b1", "b", {"u": 2}), Settle(), ev.Submit("a1", "a", {"u": 1}), Settle(), Settle())
    scenario = Scenario("reclaim", "", config, steps)
    (answer,) = Reference().run([scenario])
    assert judged(scenario, answer, ALL).exercised["G18"] == 1
