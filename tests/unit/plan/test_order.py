"""An order in which every configuration in between is safe; or why there is none."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from quotaproof.checker.rollout.plan.order import Lost, order
from quotaproof.checker.rollout.plan.requests import parts
from quotaproof.spec.changes import Edit, Verb, after
from quotaproof.spec.readings import Readings

from tests.support.queues import queue, share

from . import edits as ask
from .search import Reachable

READINGS = Readings()


def named(found):
    return [f"{e.verb} {e.subject}" for e in found.edits]


def test_what_gives_back_comes_before_what_takes_and_a_share_is_disabled_before_it_is_deleted():
    old = queue(8, share("foundation", 4), share("legacy", 2), share("speech", 2))
    asked = [
        ask.create(share("robotics", 4)),
        ask.limits("foundation", 2),
        ask.disable("legacy"),
        ask.delete("legacy"),
    ]
    found = order(old, asked, READINGS)
    assert found.found
    assert named(found) == [
        "update-quota-share legacy",
        "delete-quota-share legacy",
        "update-quota-share foundation",
        "create-quota-share robotics",
    ]
    assert found.why == ("4 before 3 would give 10 of 8 u: robotics or foundation could wait for ever (QP101).",)
    assert [sum(s.limits["u"] for s in c.shares) for c in found.between] == [8, 6, 4, 8]


def test_an_environment_that_exchanges_units_stands_between_the_halves_of_an_update():
    old = queue({"u": 2, "v": 2}, share("a", {"u": 2, "v": 2}))
    asked = [ask.environment({"u": 1, "v": 3}), ask.limits("a", {"u": 1, "v": 3})]
    found = order(old, asked, READINGS)
    assert found.found
    assert found.split == ("a",)
    assert [c.share("a").limits for c in found.between] == [{"u": 1, "v": 2}, {"u": 1, "v": 2}, {"u": 1, "v": 3}]
    assert [c.environment.capacity["v"] for c in found.between] == [2, 3, 3]


def test_an_environment_grows_before_and_shrinks_after_the_limits():
    old = queue({"u": 2, "v": 2}, share("a", 2), share("b", {"v": 2}))
    grows = order(old, [ask.limits("a", 3), ask.environment({"u": 3, "v": 2})], READINGS)
    assert [e.subject for e in grows.edits] == ["env", "a"]
    shrinks = order(old, [ask.environment({"u": 1, "v": 2}), ask.limits("a", 1)], READINGS)
    assert [e.subject for e in shrinks.edits] == ["a", "env"]


def test_two_shares_that_exchange_units_need_their_updates_in_two_requests():
    old = queue({"u": 6, "v": 6}, share("a", {"u": 4, "v": 2}), share("b", {"u": 2, "v": 4}))
    asked = [ask.limits("a", {"u": 2, "v": 4}), ask.limits("b", {"u": 4, "v": 2})]
    found = order(old, asked, READINGS)
    assert found.found
    assert len(found.split) == 1, "one of the two is enough"
    assert len(found.edits) == 3
    first = found.edits[0]
    assert first.request["capacityLimits"] == [
        {"capacityUnit": "u", "maxCapacity": 2},
        {"capacityUnit": "v", "maxCapacity": 2},
    ]
    for config in found.between:
        assert all(sum(s.limits[u] for s in config.shares) <= 6 for u in "uv")


def both(share, n, strategy):
    one, two = ask.limits(share, n), ask.sharing(share, strategy)
    return Edit(Verb.UPDATE, share, (*one.events, *two.events), {**one.request})


def test_a_limit_and_a_right_change_in_requests_of_their_own_where_they_have_to():
    old = queue(10, share("a", 4, "LEND_AND_BORROW", -1), share("x", 2, "LEND"), share("y", 4, "RESERVE"))

    def lends_at_most_2(config):
        lent = sum(s.limits["u"] for s in config.shares if s.strategy == "LEND")
        return Lost(("P1",)) if lent > 2 else Lost()

    found = order(old, [both("x", 4, "RESERVE"), both("y", 2, "LEND")], READINGS, loses=lends_at_most_2)
    assert (found.found, found.split) == (True, ("y",))
    assert [e.subject for e in found.edits] == ["y", "x", "y"]
    assert found.edits[0].request == {
        "quotaShareArn": ask.arn("y"),
        "capacityLimits": [{"maxCapacity": 2, "capacityUnit": "u"}],
    }
    assert found.between[-1] == after(old, [both("x", 4, "RESERVE"), both("y", 2, "LEND")], READINGS)


@pytest.mark.parametrize(
    ("strategy", "borrow", "gives"),
    [("LEND", None, False), ("LEND_AND_BORROW", 20, False), ("LEND_AND_BORROW", -1, True)],
)
def test_rights_are_taken_first_and_given_last(strategy, borrow, *, gives):
    old = queue({"u": 9, "v": 9}, share("a", {"u": 4, "v": 2}, "LEND_AND_BORROW", 50))
    limits, sharing = ask.limits("a", {"u": 2, "v": 4}), ask.sharing("a", strategy, borrow)
    edit = Edit(Verb.UPDATE, "a", (*sharing.events, *limits.events), limits.request)
    steps = parts(old, edit)
    reached = [after(old, steps[: k + 1], READINGS).share("a") for k in range(len(steps))]
    limited = [{"u": 2, "v": 2}, {"u": 2, "v": 4}]
    assert [s.limits for s in reached] == ([old.share("a").limits, *limited] if not gives else [*limited, limited[-1]])
    asked = after(old, [edit], READINGS).share("a")
    changed = [(s.strategy, s.borrow_limit) == (asked.strategy, asked.borrow_limit) for s in reached]
    assert changed == ([True] * 3 if not gives else [False, False, True])


def test_without_a_safe_order_it_says_which_requests_block_each_other():
    old = queue(10, share("a", 5), share("b", 5))

    def all_given(config):
        return Lost() if sum(s.limits["u"] for s in config.shares) >= 10 else Lost(("P1",))

    found = order(old, [ask.limits("a", 3), ask.limits("b", 7)], READINGS, loses=all_given)
    assert not found.found
    assert found.exhausted
    assert found.why == (
        "None of them is safe as the first:",
        "updating a would break P1, which is kept before and after.",
        "updating b would give 12 of 10 u: b or a could wait for ever (QP101).",
    )
    assert [e.subject for e in found.edits] == ["a", "b"], "as they were asked for"


def test_a_queue_with_twenty_shares_deletes_one_before_it_creates_one():
    old = queue(20, *(share(f"s{k}", 1) for k in range(20)))
    asked = [ask.create(share("new", 1)), ask.disable("s3"), ask.delete("s3")]
    found = order(old, asked, READINGS)
    assert [e.verb for e in found.edits] == ["update-quota-share", "delete-quota-share", "create-quota-share"]
    assert max(len(c.shares) for c in found.between) == 20
    assert found.why == ("3 before 2 would make 21 shares of at most 20 (rule 3).",)


def test_with_notice_what_shrinks_nothing_comes_first():
    old = queue(9, share("a", 4), share("b", 4))
    asked = [ask.limits("a", 3), ask.limits("b", 5)]
    assert [e.subject for e in order(old, asked, READINGS).edits] == ["a", "b"]
    assert [e.subject for e in order(old, asked, READINGS, notice=True).edits] == ["b", "a"]


def test_more_than_twelve_requests_are_ordered_too():
    old = queue(40, *(share(f"s{k:02}", 2) for k in range(20)))
    asked = [ask.limits(f"s{k:02}", 3 if k % 2 else 1) for k in reversed(range(20))]
    found = order(old, asked, READINGS)
    assert found.found
    assert all(sum(s.limits["u"] for s in c.shares) <= 40 for c in found.between)


def test_of_many_requests_none_found_is_not_said_to_be_none():
    old = queue(26, *(share(f"s{k:02}", 2) for k in range(13)))
    asked = [ask.limits(f"s{k:02}", 1) for k in range(13)]
    ends = {13, 26}

    def at_the_ends(config):
        return Lost() if sum(s.limits["u"] for s in config.shares) in ends | {20} else Lost(("P1",))

    found = order(old, asked, READINGS, loses=at_the_ends)
    assert not found.found
    assert "None of them is safe as the first:" in found.why

    def nearly(config):
        return Lost(("P1",)) if sum(s.limits["u"] for s in config.shares) == 14 else Lost()

    found = order(old, asked, READINGS, loses=nearly)
    assert not found.found
    assert not found.exhausted


def safe(config, old, new):
    """The definition, from the states of the ends, with one promise: no fewer machines are given than at both ends."""

    def sure(c):
        states = Reachable(c, READINGS)
        return {name: states.sure(i) for i, name in enumerate(states.names)}

    def given(c):
        return sum(s.limits.get("u", 0) for s in c.shares)

    def excess(c):
        return max(0, given(c) - c.environment.capacity["u"])

    before, now, here = sure(old), sure(new), sure(config)
    enough = all(here[n] >= min(before[n], now[n]) for n in before.keys() & now.keys())
    return enough and excess(config) <= max(excess(old), excess(new)) and given(config) >= min(given(old), given(new))


def test_an_order_is_found_exactly_where_some_permutation_is_safe():
    choose = random.Random(12)
    outcomes = []
    for _ in range(15):
        old = queue(
            choose.randint(4, 6), *(share(n, choose.randint(1, 3), choose.choice(("LEND", "RESERVE"))) for n in "abc")
        )
        asked = [ask.limits("a", choose.randint(1, 3)), ask.limits("b", choose.randint(1, 3))]
        asked += choose.choice(([ask.environment(choose.randint(3, 6))], [ask.create(share("d", 2))], []))
        new = after(old, asked, READINGS)
        least = min(sum(s.limits["u"] for s in c.shares) for c in (old, new))

        def enough(config, least=least):
            return Lost() if sum(s.limits["u"] for s in config.shares) >= least else Lost(("P1",))

        def every_step(steps, old=old, new=new):
            reached = [after(old, steps[: k + 1], READINGS) for k in range(len(steps) - 1)]
            return all(safe(c, old, new) for c in reached)

        possible = any(every_step(list(p)) for p in permutations(asked))
        found = order(old, asked, READINGS, loses=enough)
        assert found.found == possible, (old, asked)
        assert not found.found or every_step(list(found.edits))
        outcomes.append(possible)
    assert 2 <= outcomes.count(False) <= 13


def test_what_is_not_decided_in_between_is_not_said_to_be_broken_and_is_gone_round_where_it_can_be():
    old = queue(10, share("a", 5), share("b", 3))
    asked = [ask.limits("a", 4), ask.limits("b", 4)]

    def unsure_of(*wanted):
        return lambda config: Lost((), ("P1",)) if config.share("a").limits["u"] in wanted else Lost()

    found = order(old, asked, READINGS, loses=unsure_of(4))
    assert ([e.subject for e in found.edits], found.found, found.undecided) == (["b", "a"], True, ())
    found = order(old, asked, READINGS, loses=unsure_of(4, 5))
    assert (found.found, found.exhausted, found.undecided) == (False, False, ("P1",))
    assert "updating a would leave P1 not decided." in found.why
