"""A scheduler that does not tell its claims: what is judged all the same, and what some claims may explain."""

from __future__ import annotations

import pytest
from quotaproof.checker.conform.backend import Declaration, Report
from quotaproof.checker.conform.in_process import MOST
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.checker.judge.start import most
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario, Settle
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import Preempted, Settled, Submitted

from ...support.hiding import TELLS, hidden
from ...support.queues import queue, share

HIDES = Declaration("hides")
SCHEDULER = Settle(drains=False)


def told(step):
    return Submitted(step.job, step.share, step.size, step.priority or 0, step.retries)


def verdict(config, first, then, claims, *, tells="claimants", after=()):
    """`first` start, `then` wait; the claims are told as stops."""
    scenario = Scenario("told-in-part", "", config, (*first, SCHEDULER, *then, SCHEDULER, *(s for s, _ in after)))
    seen = [*map(told, first), *(ev.Dispatch(s.job) for s in first), Settled(), *map(told, then), *claims, Settled()]
    seen += [what for _, what in after]
    return judged(scenario, Report(tuple(hidden(seen, tells))), HIDES)


def reclaims(limit):
    """b borrows two machines of three; c has two heads of equal priority, and each has one victim."""
    config = queue(3, share("b", 1, "LEND_AND_BORROW"), share("c", limit), share("d", 1))
    first = (ev.Submit("b3", "b", {"u": 2}), ev.Submit("b5", "b", {"u": 1}))
    then = (ev.Submit("c5", "c", {"u": 1}), ev.Submit("c6", "c", {"u": 1}))
    return config, first, then, (ev.Claim("c5", ("b5",)), ev.Claim("c6", ("b3",)))


@pytest.mark.parametrize("tells", TELLS)
def test_of_equal_heads_of_one_share_each_may_have_a_claim(tells):
    assert verdict(*reclaims(2), tells=tells).status is Status.PASSED


@pytest.mark.parametrize("tells", TELLS)
def test_but_not_beyond_their_limit(tells):
    tested = verdict(*reclaims(1), tells=tells)
    assert [(b.code, b.number) for b in tested.broken] == [("G6", 8)]


@pytest.mark.parametrize("tells", TELLS)
@pytest.mark.parametrize("equal", [True, False])
def test_within_a_share_equal_heads_have_victims_each_and_a_lower_one_has_none(tells, equal):
    config = queue(3, share("a", 3, in_share=True))
    first = [ev.Submit(f"a{n}", "a", {"u": 1}) for n in range(3)]
    then = [ev.Submit("a8", "a", {"u": 1}, 5), ev.Submit("a9", "a", {"u": 1}, 5 if equal else 4)]
    tested = verdict(config, first, then, (ev.Claim("a8", ("a1",)), ev.Claim("a9", ("a2",))), tells=tells)
    assert (tested.status is Status.PASSED) is equal, tested.broken


def stopped(*, count=1, told=True):
    config, first, then, claims = reclaims(1)
    after = [(ev.Stopped("b5"), Preempted("b5", Stage.RUNNABLE, count))]
    return verdict(config, first, then[:1], claims[:1] if told else (), after=after)


def test_a_stop_is_counted_as_one_also_where_no_claims_are_told():
    assert stopped().status is Status.PASSED
    assert [b.code for b in stopped(count=2).broken] == ["G11"]


def test_a_victim_that_nobody_told_to_stop_has_not_been_missed():
    assert "G10" in [b.code for b in stopped(told=False).broken]


def test_a_settle_counts_as_one_after_a_stop_until_somebody_else_acts():
    config, first, then, claims = reclaims(1)
    twice = [(ev.SetPriority("b3", 1), ev.SetPriority("b3", 1)), (SCHEDULER, Settled())]
    assert verdict(config, first, then[:1], claims[:1]).exercised["G18"] == 1
    assert verdict(config, first, then[:1], claims[:1], after=[(SCHEDULER, Settled())]).exercised["G18"] == 1
    assert verdict(config, first, then[:1], claims[:1], after=twice).exercised["G18"] == 1


def test_a_trace_without_end_is_one_that_never_settles():
    scenario = Scenario("endless", "", queue(1, share("a", 1)), (SCHEDULER,))
    tested = judged(scenario, Report([Settled()] * 1_000_000), HIDES)
    assert (tested.status, tested.failure) == (Status.ERRORED, "never-settles")
    assert len(tested.seen) <= MOST + 1


def test_the_largest_sum_within_a_room():
    assert most([(2, 3)], 5) == 4
    assert most([(2, 1), (3, 1), (7, 9)], 6) == 5
    assert most([(4, 1_000_000), (7, 1)], 10_001) == 10_000
    assert most([(3, 1)], -1) == most([(3, 1)], 2) == most([], 9) == 0
