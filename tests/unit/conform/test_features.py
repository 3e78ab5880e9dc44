"""What a scenario needs is read off the scenario; what a backend lacks is told by name."""

from __future__ import annotations

import pytest
from quotaproof.checker.conform.features import FEATURES, checked, lacking, needs
from quotaproof.spec import events as ev
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.scenario import Scenario, Settle
from quotaproof.spec.model import State, Strategy
from quotaproof.spec.readings import READINGS
from quotaproof.spec.rules.sources import RULES

from ...support.queues import queue, share

PLAIN = queue(3, share("a", 1), share("b", 1, "RESERVE"))


def needed(*steps, config=PLAIN):
    return needs(Scenario("", "", config, steps))


def test_plain_jobs_need_nothing():
    steps = (ev.Submit("j", "a", {"u": 1}, priority=0), Settle(), ev.Finish("j"), Settle())
    assert needed(*steps) == frozenset()


NEEDS = {
    "gangs": ev.Submit("j", "a", {"u": 2}),
    "priorities": ev.Submit("j", "a", {"u": 1}, priority=1),
    "retries": ev.Submit("j", "a", {"u": 1}, retries=0),
    "priority-updates": ev.SetPriority("j", 1),
    "terminations": ev.Terminate("j"),
    "timed-stops": Settle(drains=False),
    "stages": ev.Advance("j"),
    "returns": ev.Return("j"),
    "limit-changes": ev.SetLimits("a", {"u": 2}),
    "sharing-changes": ev.SetSharing("a", Strategy.RESERVE),
    "in-share-changes": ev.SetInShare("a", False),
    "share-states": ev.SetShareState("a", State.DISABLED),
    "share-creation": ev.CreateShare(share("c", 1)),
    "share-deletion": ev.DeleteShare("a"),
    "environment-changes": ev.SetCapacity({"u": 2}),
    "environment-states": ev.SetEnvironmentState(State.DISABLED),
    "queue-states": ev.SetQueueState(State.DISABLED),
}


@pytest.mark.parametrize("feature", NEEDS)
def test_one_step_needs_one_feature(feature):
    assert needed(NEEDS[feature]) == {feature}


def test_a_queue_needs_what_its_shares_do():
    assert needed(config=queue(2, share("a", 1, "LEND_AND_BORROW"))) == {"borrowing"}
    assert needed(config=queue(2, share("a", 1, in_share=True))) == {"in-share-preemption"}
    assert needed(config=queue(2, share("a", 1, state="DISABLED"))) == {"share-states"}
    assert needed(config=queue({"u": 1, "w": 1}, share("a", 1))) == {"several-units"}


def test_types_without_a_limit_are_those_of_the_moment_of_submission():
    job = ev.Submit("j", "a", {"w": 1})
    assert needed(job) == {"several-units", "unlisted-units"}
    listed = (ev.SetLimits("a", {"w": 1}), ev.SetCapacity({"u": 1, "w": 1}))
    assert "unlisted-units" not in needed(*listed, job)
    assert "unlisted-units" in needed(job, *listed)


def test_limits_are_too_many_as_soon_as_they_ever_add_up_to_more_than_the_environment_has():
    assert needed(config=queue(1, share("a", 1), share("b", 1))) == {"overcommitment"}
    assert needed(config=queue({"w": 9}, share("a", 1))) >= {"overcommitment"}
    assert "overcommitment" in needed(ev.SetCapacity({"u": 1}))
    assert "overcommitment" in needed(ev.SetLimits("a", {"u": 3}))
    assert "overcommitment" not in needed(ev.SetCapacity({"u": 4}), ev.SetLimits("a", {"u": 3}))
    assert "overcommitment" in needed(ev.CreateShare(share("c", 2)))
    assert "overcommitment" not in needed(ev.DeleteShare("a"), ev.CreateShare(share("a", 2)))
    assert "overcommitment" in needed(ev.DeleteShare("a"), ev.CreateShare(share("c", 2)))


def test_ends_are_early_only_while_victims_may_drain():
    assert "early-ends" not in needed(ev.Finish("j"), Settle(drains=False), Settle(), ev.Finish("j"))
    assert "early-ends" in needed(Settle(drains=False), ev.Finish("j"))


def test_what_is_lacking_is_told_in_a_fixed_order_and_nothing_is_where_all_is_declared():
    scenario = Scenario("", "", PLAIN, (ev.Terminate("j"), ev.Submit("j", "a", {"u": 2})))
    assert lacking(scenario, None) == ()
    assert lacking(scenario, {"gangs"}) == ("terminations",)
    assert lacking(scenario, set()) == ("gangs", "terminations")


def test_an_unknown_feature_is_an_error_with_the_nearest():
    with pytest.raises(InputError, match="did you mean gangs"):
        checked(["gang"], where="declaration")
    assert checked(["gangs"], where="declaration") == {"gangs"}


def test_every_feature_is_a_sentence_and_rests_on_rules_that_exist():
    known = {*(f"rule {n}" for n in RULES), *READINGS}
    for feature in FEATURES.values():
        assert feature.sentence.endswith(".")
        assert set(feature.rests_on) <= known
