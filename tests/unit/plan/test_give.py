"""Where capacity can come from: the least ways, what they cost and break, and what stands in the way."""

from __future__ import annotations

from datetime import date

import pytest
from quotaproof.checker.prove.theorems import prove
from quotaproof.checker.rollout.plan.give import give
from quotaproof.checker.rollout.promises.case import Case
from quotaproof.spec.promises import Fits, Promise, Promises, Scope
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share

QUEUE = queue(12, share("a", 3, "LEND_AND_BORROW", 100), share("b", 4), share("c", 3), share("d", 1, "RESERVE"))


@pytest.fixture(scope="module")
def proofs():
    return prove()


def case_of(proofs, config, **fits):
    """Each share's owner was promised that a job of so many always fits."""
    promises = [Promise(f"P-{s}", "it fits", Scope((s,)), (Fits({"u": n}),), f"{s}-lead") for s, n in fits.items()]
    return Case(Promises(tuple(promises)), config, Readings(), proofs, date(2026, 11, 30))


def test_what_no_share_has_comes_first(proofs):
    found = give(case_of(proofs, QUEUE), "a", "u", 4)
    (way,) = found.ways
    assert (way.unallotted, way.givers, way.total) == (1, (), 1)
    assert way.changes == ("a u 3 -> 4",)


def test_three_ways_from_different_shares_each_with_what_it_costs(proofs):
    found = give(case_of(proofs, QUEUE), "d", "u", 3)
    assert [way.unallotted for way in found.ways] == [1, 1, 1]
    assert sorted(way.givers for way in found.ways) == [(("a", 1),), (("b", 1),), (("c", 1),)]
    assert all(way.total == 3 and way.breaks == () for way in found.ways)
    b = next(way for way in found.ways if way.givers == (("b", 1),))
    assert "b is sure of 3 u, not 4" in b.costs


def test_ways_that_break_no_promise_come_first(proofs):
    found = give(case_of(proofs, QUEUE, b=4, c=3), "d", "u", 3)
    assert found.ways[0].givers == (("a", 1),)
    assert all(way.breaks == () for way in found.ways)


def test_where_every_way_breaks_a_promise_they_are_named_with_their_owners(proofs):
    found = give(case_of(proofs, QUEUE, a=3, b=4, c=3), "d", "u", 3)
    assert {(s.code, s.owner) for s in found.in_the_way} == {("P-a", "a-lead"), ("P-b", "b-lead"), ("P-c", "c-lead")}
    assert len(found.ways) == 3
    assert all(len(way.breaks) == 1 for way in found.ways)
    assert {way.breaks[0].owner for way in found.ways} == {"a-lead", "b-lead", "c-lead"}


def test_only_promises_that_matter_stand_in_the_way(proofs):
    tight = queue(5, share("a", 2), share("b", 2), share("c", 1))
    found = give(case_of(proofs, tight, a=2, b=1, c=1), "c", "u", 3)
    assert [s.code for s in found.in_the_way] == ["P-a"]


def test_more_than_there_can_be_has_no_way_and_says_so(proofs):
    found = give(case_of(proofs, QUEUE), "d", "u", 12)
    assert found.ways == ()
    assert found.none.endswith("proved")


def test_what_it_has_already_is_said(proofs):
    assert give(case_of(proofs, QUEUE), "a", "u", 3).none == "a has 3 u already"
