"""Capacity in parts: whole machines, as the limits are, and nothing lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from quotaproof.checker.rollout.simulate.splits import by_limits, described, largest_remainder, reserved

from ...support.queues import queue, share
from ...support.scenarios import fuzz

WEIGHTS = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 50), min_size=1)


@fuzz
@given(total=st.integers(0, 500), weights=WEIGHTS)
def test_largest_remainder_gives_everything_and_each_its_part_but_for_less_than_one_machine(total, weights):
    parts = largest_remainder(total, weights)
    whole = sum(weights.values())
    assert sum(parts.values()) == (total if whole else 0)
    for name, part in parts.items():
        assert abs(part * whole - total * weights[name]) < max(1, whole)


def test_equal_remainders_go_by_the_order_of_shares():
    assert largest_remainder(5, {"b": 1, "a": 1, "c": 1}) == {"b": 2, "a": 2, "c": 1}


def test_what_no_limit_covers_is_split_as_the_limits_are():
    config = queue({"u": 10, "w": 3}, share("a", {"u": 4, "w": 1}), share("b", {"u": 2}))
    assert by_limits(config) == {("a", "u"): 7, ("b", "u"): 3, ("a", "w"): 3, ("b", "w"): 0}


def test_limits_of_more_than_there_is_are_cut_as_they_are():
    config = queue({"u": 3}, share("a", 4), share("b", 2), share("c", 1, "RESERVE"))
    split = by_limits(config)
    assert split == {("a", "u"): 2, ("b", "u"): 1, ("c", "u"): 0}
    assert [s.limits for s in reserved(config, split).shares] == [{"u": 2}, {"u": 1}, {}]
    assert described(config, split) == "u: a 2, b 1, c 0"
