"""Rows of the share table: texts, lenders, the cost of many shares."""

from __future__ import annotations

import time

from quotaproof.checker.findings.surplus import Borrower, reaches
from quotaproof.checker.findings.table import table
from quotaproof.checker.results import Row
from quotaproof.spec.model import QueueConfig
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share
from .queues import UNIT, one_unit


def rows(config: QueueConfig, **readings: str) -> dict[str, Row]:
    return {r.share: r for r in table(config, Readings.of(**readings))[1]}


def test_a_reserve_share_is_served_at_once_and_lends_nothing() -> None:
    got = rows(one_unit(5, r=(2, "RESERVE"), b=(3, "LEND_AND_BORROW")))
    assert got["r"] == Row("r", UNIT, "RESERVE", 2, 2, 2, 0, (), 0, "at once: it is never lent")
    assert got["b"] == Row("b", UNIT, "LEND_AND_BORROW no max", 3, 3, 3, 0, (), 0, "at once: nobody can borrow it")


def test_a_borrow_limit_is_shown_where_it_is_what_stops_the_share() -> None:
    got = rows(
        one_unit(12, a=(8, "LEND_AND_BORROW", 25), b=(4, "LEND_AND_BORROW", 500), c=(0 + 1, "LEND_AND_BORROW", 0))
    )
    assert [got[s].rule for s in "abc"] == ["LEND_AND_BORROW 25 %", "LEND_AND_BORROW", "LEND_AND_BORROW  0 %"]


def test_borrow_limit_zero_read_as_unset_is_no_maximum() -> None:
    assert (
        rows(one_unit(4, a=(2, "LEND_AND_BORROW", 0), b=(2, "LEND")), A8="unset")["a"].rule == "LEND_AND_BORROW no max"
    )


def test_the_only_borrower_is_named_and_one_machine_is_one_job() -> None:
    one = rows(one_unit(3, a=(1, "LEND"), b=(2, "LEND_AND_BORROW")))
    assert (one["a"].own_back, one["b"].own_back) == (
        "by stopping a borrowed job of b",
        "at once: nobody can borrow it",
    )
    assert rows(one_unit(5, a=(3, "LEND"), b=(2, "LEND_AND_BORROW")))["a"].own_back == "by stopping borrowed jobs of b"


def test_unallotted_capacity_covers_loans_of_owners_but_not_under_void() -> None:
    config = one_unit(3, a=(1, "LEND"), b=(1, "LEND_AND_BORROW"))
    assert rows(config)["a"].own_back == "at once: spare capacity covers it"
    assert rows(config)["b"].loses == 0
    void = rows(config, A5="void")
    assert (void["a"].own_back, void["b"].loses) == ("by stopping a borrowed job of b", 2)


def test_one_spare_machine_does_not_cover_two_loans() -> None:
    got = rows(one_unit(4, a=(1, "LEND"), b=(1, "LEND_AND_BORROW"), c=(1, "LEND")))
    assert got["a"].own_back == "by stopping borrowed jobs of b"
    assert (got["b"].borrow, got["b"].lenders, got["b"].loses) == (2, ("a", "c"), 3)


def test_borrowable_surplus_is_lent_by_the_environment() -> None:
    got = rows(one_unit(5, a=(1, "LEND"), b=(1, "LEND_AND_BORROW")), A5="borrowable")["b"]
    assert (got.most, got.lenders, got.loses) == (5, ("a", "the environment"), 5)


def test_a_unit_the_environment_lacks_runs_nothing() -> None:
    totals, got = table(queue({"x": 3}, share("a", {"y": 2}, "LEND")), Readings())
    assert [(t.unit, t.capacity, t.given) for t in totals] == [("x", 3, 0), ("y", None, 2)]
    assert [(r.unit, r.sure, r.most, r.own_back) for r in got] == [("y", 0, 0, "NO: can run nothing")]


def test_a_share_without_a_limit_appears_only_where_it_may_borrow() -> None:
    config = queue({"x": 3, "y": 2}, share("a", {"x": 3}, "LEND"), share("b", {"y": 2}, "LEND_AND_BORROW"))
    assert ("b", "x") not in {(r.share, r.unit) for r in table(config, Readings())[1]}
    row = next(r for r in table(config, Readings.of(A4="unlimited"))[1] if (r.share, r.unit) == ("b", "x"))
    assert (row.given, row.sure, row.most, row.lenders, row.own_back) == (0, 0, 3, ("a",), "-")


def test_a_disabled_share_lends_unless_a47_says_no() -> None:
    config = queue({"x": 3}, share("a", {"x": 2}, "LEND", state="DISABLED"), share("b", {"x": 1}, "LEND_AND_BORROW"))
    assert rows(config)["b"].borrow == 2
    assert rows(config, A47="no")["b"].borrow == 0


def test_a_thousand_shares_with_five_units_take_under_two_seconds_of_computing() -> None:
    limits = {f"u{k}": 3 for k in range(5)}
    shares = [share(f"s{i}", limits, "LEND_AND_BORROW", 10 + i % 90) for i in range(1000)]
    start = time.process_time()
    got = table(queue(dict.fromkeys(limits, 3100), *shares), Readings())[1]
    assert len(got) == 5000
    assert time.process_time() - start < 2


def test_borrowers_that_cannot_fill_the_room_together_do_not_reach_the_target() -> None:
    three = [Borrower(0, 3, 3), Borrower(1, 3, 3), Borrower(2, 2, 3)]
    assert not reaches(three, 6, 5, without=9)
    assert reaches(three, 6, 6, without=9)
    assert not reaches(three, 6, 6, without=0)
    assert not reaches(three, 1, -1, without=9)
