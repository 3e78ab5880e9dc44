"""Groups of equal time: the order that is tried decides what all orders together decide."""

from __future__ import annotations

import random
from time import perf_counter

import pytest
from quotaproof.checker.judge.sums import Sums
from quotaproof.checker.judge.ties import End, Order, Start, arrange
from quotaproof.spec import events as ev
from quotaproof.spec.administered import Administered
from quotaproof.spec.model import Strategy
from quotaproof.spec.readings import Readings

from ..support.queues import queue, share
from ..support.sums import Oracle, random_group, some_order_keeps


def of(config, readings, usage):
    sums, oracle = Sums(Administered.of(config), readings), Oracle(config, readings)
    for (name, unit), n in usage.items():
        sums.move(name, {unit: n}, 1)
        oracle.move(name, {unit: n}, 1)
    return sums, oracle


def owner(move):
    """Whose moves keep their order: a job's, a share's, the environment's."""
    if isinstance(move, Start | End):
        return "job", move.job
    return "share", getattr(move, "share", None)


def compared(seed, changes):
    """One random group: what is decided, and whether it agrees with all orders."""
    config, readings, usage, moves = random_group(random.Random(seed), changes)
    sums, oracle = of(config, readings, usage)
    found = arrange(moves, sums)
    assert sorted(found.positions) == list(range(len(moves)))
    for of_one in ([i for i, m in enumerate(moves) if owner(m) == name] for name in set(map(owner, moves))):
        assert [i for i in found.positions if i in of_one] == of_one, (seed, moves, found)
    possible = some_order_keeps(moves, oracle)
    assert found.kept is possible, (seed, config, readings, usage, moves, found)
    if possible:
        for position in found.positions:
            move = moves[position]
            assert not isinstance(move, Start) or not oracle.asked(move.share, move.size)[0]
            oracle.apply(move)
    return possible


def agree(seeds):
    decided = [compared(seed, changes=seed % 3 == 0) for seed in seeds]
    assert 0.2 < sum(decided) / len(decided) < 0.9, "both verdicts are common"


def test_one_order_decides_what_all_orders_decide():
    agree(range(1500))


@pytest.mark.campaign
def test_one_order_decides_what_all_orders_decide_in_20000_groups():
    agree(range(10_000, 30_000))


def test_two_shares_that_each_borrow_what_the_other_owns_are_put_in_the_order_that_fits():
    """Surplus capacity is for owners only: whoever borrows in a unit has to come before the owner of it there."""
    a = share("a", {"u": 1, "w": 3}, "LEND_AND_BORROW")
    b = share("b", {"u": 3, "w": 1}, "LEND_AND_BORROW")
    config = queue({"u": 6, "w": 4}, a, b)
    sums, _ = of(config, Readings(), {})
    first, second = Start("1", "a", {"u": 3, "w": 1}), Start("2", "b", {"u": 3, "w": 2})
    assert arrange([first, second], sums) == Order((0, 1), True)
    assert arrange([second, first], sums) == Order((1, 0), True)


def test_a_raised_limit_counts_before_a_start_and_a_cut_one_after():
    config = queue(4, share("a", 2), share("b", 2))
    sums, _ = of(config, Readings(), {("a", "u"): 2})
    more, less = ev.SetLimits("a", {"u": 3}), ev.SetLimits("b", {"u": 1})
    assert arrange([Start("1", "a", {"u": 1}), more], sums).positions == (1, 0)
    assert arrange([less, Start("2", "b", {"u": 2})], sums).positions == (1, 0)
    assert arrange([Start("1", "a", {"u": 1}), less], sums).kept is False


def test_changes_of_one_subject_keep_their_order_whatever_each_does():
    """A capacity is cut and then raised a little: the raise helps and the cut hurts, and the cut was first."""
    sums, _ = of(queue(8, share("a", 8)), Readings(), {})
    cut, raised = ev.SetCapacity({"u": 4}), ev.SetCapacity({"u": 5})
    assert arrange([Start("1", "a", {"u": 8}), cut, raised], sums) == Order((0, 1, 2), True)
    assert arrange([cut, Start("1", "a", {"u": 9}), raised], sums) == Order((0, 1, 2), False)


def test_a_change_that_helps_one_share_and_hurts_another_stands_between_their_starts():
    """A RESERVE limit is raised: its owner starts after it, everybody else before it."""
    config = queue(3, share("a", 1, "RESERVE"), share("b", 1, "LEND_AND_BORROW", 100))
    sums, _ = of(config, Readings.of(A5="borrowable"), {})
    moves = [Start("1", "a", {"u": 1}), ev.SetSharing("a", Strategy.RESERVE), ev.SetLimits("a", {"u": 2}),
             Start("2", "a", {"u": 1}), Start("3", "b", {"u": 1})]  # fmt: skip
    found = arrange(moves, sums)
    assert found.kept is True
    assert found.positions.index(2) < max(found.positions.index(0), found.positions.index(3))


@pytest.mark.parametrize("limit", [96, 95])
def test_192_events_of_one_minute_are_decided_in_under_a_second(limit):
    units = {"u": limit}
    config = queue(units, *[share(f"s{i}", {"u": max(1, limit // 6)}, "LEND_AND_BORROW") for i in range(6)])
    sums, _ = of(config, Readings(), {("s0", "u"): 96})
    moves = []
    for i in range(96):
        moves += [Start(f"new{i}", f"s{i % 6}", {"u": 1}), End(f"old{i}", "s0", {"u": 1})]
    begun = perf_counter()
    assert arrange(moves, sums).kept is (limit == 96)
    assert perf_counter() - begun < 1
