"""Findings: what they say, that their stories can be played, and that their fixes mend what they complain about."""

from __future__ import annotations

import random

import pytest
from quotaproof.checker.findings.borrowing import smallest_percent
from quotaproof.checker.findings.catalogue import CHECKS
from quotaproof.checker.findings.check import listed, short_units
from quotaproof.checker.findings.sums import losers, reduction, story
from quotaproof.checker.findings.table import Lot, lots
from quotaproof.checker.results import Severity
from quotaproof.spec.model import Grant, State
from quotaproof.spec.readings import Readings

from ...support.findings import found
from ...support.queues import queue, share
from .queues import UNIT, one_unit
from .search import Queue

ERRORS = ("QP101", "QP104", "QP105", "QP106", "QP107", "QP108")
BROKEN = {
    "foundation": (8, "LEND_AND_BORROW"),
    "speech": (3, "LEND_AND_BORROW", 25),
    "vision": (2, "LEND_AND_BORROW", 0),
    "retrain": (6, "RESERVE"),
}


def codes(config, **readings: str) -> list[str]:
    return [f.code for f in found(config, *ERRORS, readings=Readings.of(**readings))]


def test_too_much_given_is_told_as_a_sequence_of_jobs() -> None:
    (got,) = found(one_unit(16, **BROKEN), "QP101", "QP104", "QP105", "QP106")
    assert (got.code, got.severity, got.title) == ("QP101", Severity.ERROR, "19 p5 given, 16 exist")
    assert got.body == (
        "1. foundation starts a job of 8     2. speech submits a job of 3, within its limit",
        "Nobody is borrowing, so nobody can be stopped. speech waits as long as foundation runs, "
        "while 8 machines are idle (6 of them kept for retrain).",
        "No reading of AWS's text saves it: if AWS stopped foundation instead, foundation would lose a job within "
        "its limit; if AWS refuses the sum, the rollout fails.",
    )
    assert got.fix == "give 3 less, for example foundation 8 -> 5; or raise the environment to 19"
    assert (got.share, got.unit, got.witness) == ("speech", UNIT, "QP101-speech.json")


def test_more_given_than_there_is_hurts_nobody_while_only_reserves_are_full() -> None:
    assert codes(one_unit(16, **BROKEN)) == ["QP101"]
    assert codes(one_unit(19, **BROKEN)) == []


def test_reserves_alone_beyond_the_environment_are_told_too() -> None:
    (got,) = found(one_unit(4, a=(3, "RESERVE"), b=(3, "RESERVE")), "QP101", "QP104", "QP105", "QP106")
    assert got.body[0] == "1. b starts a job of 3     2. a submits a job of 2, within its limit"
    assert "b runs, while 1 machine is idle." in got.body[1]
    assert got.fix == "give 2 less, for example a 3 -> 2 and b 3 -> 2; or raise the environment to 6"


def test_a_job_that_never_starts_in_an_empty_queue_needs_no_other_job() -> None:
    (got,) = found(one_unit(4, a=(4, "RESERVE"), b=(2, "LEND")), "QP101", "QP104", "QP105", "QP106")
    assert got.body == (
        "1. b submits a job of 1, within its limit",
        "It can never start, even in an empty queue: 4 of 4 are kept for a.",
    )


def test_an_environment_smaller_than_the_number_of_shares_can_only_grow() -> None:
    (got,) = found(one_unit(1, a=(1, "LEND"), b=(1, "LEND")), "QP101", "QP104", "QP105", "QP106")
    assert got.fix == "raise the environment to 2"


@pytest.mark.parametrize("unallotted", ["owners", "void"])
def test_the_story_of_a_random_queue_can_be_played_and_its_fix_helps(unallotted: str) -> None:
    choose = random.Random(3)
    played = fixed = 0
    for _ in range(400):
        grants = [(n := choose.randint(1, 6), choose.choice([0, n]), choose.choice([0, 2, None])) for _ in range(4)]
        grants = [(limit, lent, borrow if lent else 0) for limit, lent, borrow in grants]
        lot = Lot("u", choose.randint(1, 16), tuple(Grant(*g) for g in grants), unallotted)
        if lot.given <= lot.capacity or not losers(lot):
            continue
        queue = Queue(lot.capacity, tuple(grants), unallotted)
        told = story(lot)
        usage = [0] * 4
        for i, size in told.blockers:
            assert queue.fits(tuple(usage), i, size)
            usage[i] += size
            assert usage[i] <= grants[i][0]
        assert not queue.fits(tuple(usage), told.victim, told.size)
        assert told.size <= grants[told.victim][0]
        assert told.idle == lot.capacity - sum(usage)
        played += 1
        new = reduction(lot)
        if new:
            changed = [Grant(new.get(i, n), min(lent, new.get(i, n)), b) for i, (n, lent, b) in enumerate(grants)]
            after = Lot("u", lot.capacity, tuple(changed), unallotted)
            assert min(g.limit for g in changed) >= 1
            assert after.given == lot.capacity
            assert losers(after) == ()
            fixed += 1
    assert (played > 200, fixed > 100) == (True, True)


def test_a_share_that_waits_in_two_units_has_two_scenarios() -> None:
    config = queue({"x": 1, "y": 1}, share("a", {"x": 1, "y": 1}, "LEND"), share("b", {"x": 1, "y": 1}, "LEND"))
    assert [f.witness for f in found(config, "QP101")] == ["QP101-a.json", "QP101-a-2.json"]


def test_applying_the_fix_makes_the_finding_go() -> None:
    config = one_unit(16, **BROKEN)
    new = reduction(lots(config, Readings())[0])
    assert new == {0: 5}
    assert codes(one_unit(16, **{**BROKEN, "foundation": (5, "LEND_AND_BORROW")})) == []


def test_a_misspelt_unit_is_found_with_the_sum_it_would_make() -> None:
    config = queue(
        {"ml.p5.48xlarge": 16, "ml.g5.xlarge": 40},
        share("speech", {"ml.p5.48xlarge": 16}, "LEND"),
        share("robotics", {"ml.p5e.48xlarge": 2}, "LEND"),
    )
    places: list[tuple[str | None, str, str | None]] = []

    def place(name: str | None, field: str, unit: str | None = None) -> str:
        places.append((name, field, unit))
        return "shares.json:7"

    (got,) = found(config, "QP104", place=place)
    assert got.title == "robotics: ml.p5e.48xlarge is not in the environment"
    assert got.body == ("AWS accepts its jobs and lets them wait. Did you mean ml.p5.48xlarge? (then 18 given of 16)",)
    assert (got.place, places) == ("shares.json:7", [("robotics", "unit", "ml.p5e.48xlarge")] * 2)


def test_a_unit_like_no_other_gets_no_suggestion() -> None:
    (got,) = found(queue({"gpu": 4}, share("a", {"ml.trn1.2xlarge": 2}, "LEND")), "QP101", "QP104", "QP105", "QP106")
    assert got.fix == "add ml.trn1.2xlarge to the environment, or remove the limit"


def test_the_twenty_first_share_is_named() -> None:
    many = {f"s{i}": (1, "LEND") for i in range(21)}
    (got,) = found(one_unit(21, **many), "QP101", "QP104", "QP105", "QP106")
    assert (got.code, got.share, got.title) == ("QP105", "s20", "21 shares, AWS allows 20 on a queue")
    assert codes(one_unit(20, **{n: many[n] for n in list(many)[:20]})) == []


def test_six_limits_are_one_too_many_for_shares_and_environments() -> None:
    six = {f"u{k}": 2 for k in range(6)}
    got = found(queue(six, share("a", six, "LEND"), share("b", {"u0": 1}, "LEND")))
    assert [(f.code, f.share) for f in got if f.code == "QP106"] == [("QP106", ""), ("QP106", "a")]


def test_every_check_explains_itself_under_its_own_code() -> None:
    assert list(CHECKS) == sorted(CHECKS)
    assert all(code == check.code and len(check.explanation) > 80 for code, check in CHECKS.items())


def test_a_unit_is_abbreviated_only_where_that_is_clear() -> None:
    assert short_units(["ml.p5.48xlarge", "ml.g5.xlarge"])["ml.p5.48xlarge"] == "p5"
    assert short_units(["ml.g5.2xlarge", "ml.g5.xlarge"])["ml.g5.xlarge"] == "ml.g5.xlarge"
    assert short_units(["gpu"]) == {"gpu": "gpu"}


def test_long_lists_of_names_are_cut() -> None:
    assert [listed(list(names)) for names in ("a", "ab", "abc", "abcde")] == [
        "a",
        "a and b",
        "a, b and c",
        "a, b, c and 2 more",
    ]


def test_what_one_share_keeps_empty_is_told_once_with_the_largest_part_first() -> None:
    config = queue(
        {"x": 10, "y": 4},
        share("prod", {"x": 1, "y": 1}, "RESERVE"),
        share("a", {"x": 5, "y": 2}, "LEND"),
        share("b", {"x": 4, "y": 1}, "LEND_AND_BORROW", -1),
    )
    (got,) = found(config, "QP220")
    assert (got.title, got.unit) == ("prod: 1 of 4 y (25 %) stays empty when it has no work", "")
    assert got.body == ("Also while b has a queue: RESERVE means so. And 1 of 10 x (10 %).",)


def test_no_machine_is_kept_empty_that_nobody_could_use() -> None:
    for borrower in ((3, "LEND"), (3, "LEND_AND_BORROW", 33), (3, "LEND_AND_BORROW", 0)):
        assert found(one_unit(6, prod=(1, "RESERVE"), a=(2, "LEND"), b=borrower), "QP220") == []
    assert len(found(one_unit(6, prod=(1, "RESERVE"), a=(2, "LEND"), b=(3, "LEND_AND_BORROW", 100)), "QP220")) == 1


@pytest.mark.parametrize("rounding", ["floor", "ceil", "round"])
def test_the_smallest_percentage_is_the_smallest_under_every_way_of_rounding(rounding: str) -> None:
    readings = Readings.of(A6=rounding)
    for limit in range(1, 40):
        for wanted in range(1, 12):
            smallest = smallest_percent(limit, wanted, readings)
            got = [
                share("s", limit, "LEND_AND_BORROW", p).grant("u", readings).borrowable
                for p in (smallest - 1, smallest)
            ]
            assert (got[0] or 0) < wanted <= (got[1] or 0)


def test_a_borrow_right_is_unserved_only_when_no_unit_of_it_is_lent() -> None:
    lender = share("a", {"x": 1}, "LEND")
    both = share("b", {"x": 1, "y": 1}, "LEND_AND_BORROW", 100)
    assert found(queue({"x": 2, "y": 1}, lender, both), "QP114") == []
    apart = queue({"x": 1, "y": 1}, lender, share("b", {"y": 1}, "LEND_AND_BORROW", 100))
    assert [f.share for f in found(apart, "QP114")] == ["b"]
    (alone,) = found(queue(2, share("b", 2, "LEND_AND_BORROW", 50)), "QP114")
    assert alone.body == ("It is alone.",)


def test_a_borrower_is_always_the_one_stopped_only_where_it_is_alone() -> None:
    two = {"a": (2, "LEND"), "b": (1, "LEND_AND_BORROW", 100), "c": (1, "LEND_AND_BORROW", 100)}
    assert found(one_unit(4, **two), "QP230") == []
    (got,) = found(one_unit(4, **{**two, "c": (1, "LEND")}), "QP230")
    assert got.title == "b: its borrowed job can be stopped at any time by a and c, whatever the priorities"


def test_a_disabled_environment_is_told_once() -> None:
    config = one_unit(4, a=(2, "LEND"), b=(2, "LEND"))
    off = config.model_copy(update={"environment": config.environment.model_copy(update={"state": State.DISABLED})})
    (got,) = found(off, "QP108")
    assert (got.share, got.title) == ("", "environment env is DISABLED: no share can run anything")


def test_a_disabled_share_can_run_nothing_only_where_its_jobs_are_read_to_stay() -> None:
    config = queue(4, share("a", 2), share("b", 2, state="DISABLED"))
    assert found(config, "QP108") == []
    (got,) = found(config, "QP108", readings=Readings.of(A46="no"))
    assert got.title == "b: can run nothing, it is DISABLED (A46)"


def test_a_borrow_limit_that_stops_the_share_itself_is_not_called_too_large() -> None:
    """50 % of 3 is 1 because machines cannot be split, not because nobody lends more."""
    assert found(one_unit(6, a=(3, "LEND"), b=(3, "LEND_AND_BORROW", 50)), "QP207") == []
    (got,) = found(one_unit(4, a=(1, "LEND"), b=(3, "LEND_AND_BORROW", 100)), "QP207")
    assert (got.title, got.body) == ("b: a borrow limit of 100 % buys nothing over 34 %", ("Only a's 1 can be lent.",))


def test_the_story_of_too_much_given_leaves_out_shares_that_take_no_jobs() -> None:
    closed = share("x", 3, state="DISABLED")
    (got,) = found(queue(5, closed, share("b", 3), share("c", 1)), "QP101")
    assert (got.share, got.witness) == ("c", "")
    assert got.body == (
        "Shares that are DISABLED take no new jobs, so it shows only with jobs that they have already.",
    )
    (got,) = found(queue(3, share("x", 1, state="DISABLED"), share("b", 3), share("c", 3)), "QP101")
    assert (got.share, got.witness) == ("b", "QP101-b.json")
    assert "x" not in got.body[0].split()


def test_a_unit_of_another_family_is_no_misspelling() -> None:
    known = {"ml.p5.48xlarge": 4, "ml.g5.2xlarge": 4}
    for unit, meant in (
        ("ml.p5e.48xlarge", "ml.p5.48xlarge"),
        ("ml.p5.48xlrage", "ml.p5.48xlarge"),
        ("ml.trn1.2xlarge", ""),
    ):
        (got,) = found(queue(known, share("a", {unit: 1}), share("b", {"ml.p5.48xlarge": 1})), "QP104")
        assert (meant in got.fix and "write" in got.fix) == bool(meant), got.fix


def test_what_a_borrower_holds_is_not_said_to_end_where_spare_machines_serve_the_owner() -> None:
    (got,) = found(one_unit(10, s=(3, "LEND_AND_BORROW"), t=(3, "LEND")), "QP112")
    assert got.body == ("It can hold 6 of 10 p5.",)


def test_a_percentage_is_not_blamed_where_nobody_lends() -> None:
    config = one_unit(4, a=(2, "LEND_AND_BORROW", 25), b=(2, "RESERVE"))
    assert [f.code for f in found(config, "QP110", "QP114")] == ["QP114"]


def test_the_fix_of_too_much_given_names_every_cut() -> None:
    (got,) = found(one_unit(5, **dict.fromkeys("abcde", (2, "LEND"))), "QP101")
    assert got.fix == (
        "give 5 less, for example a 2 -> 1, b 2 -> 1, c 2 -> 1, d 2 -> 1 and e 2 -> 1; or raise the environment to 10"
    )
    (got,) = found(one_unit(25, **dict.fromkeys("abcdef", (10, "LEND"))), "QP101")
    assert got.fix.startswith("give 35 less, for example a 10 -> 1, b 10 -> 1, c 10 -> 1 and d 10 -> 2; or")


def test_no_more_machines_are_said_to_be_kept_than_are_idle() -> None:
    config = one_unit(4, a=(2, "RESERVE"), b=(3, "RESERVE"), c=(2, "LEND_AND_BORROW", 0), d=(3, "RESERVE"))
    (got,) = found(config, "QP101")
    assert "while 1 machine is idle (kept for" in got.body[1]


def test_a_share_that_can_run_nothing_is_not_told_to_cut_what_cannot_be_cut() -> None:
    (got,) = found(one_unit(2, a=(1, "LEND"), b=(1, "RESERVE"), c=(1, "RESERVE")), "QP108")
    assert got.fix == "raise the environment"
    (got,) = found(one_unit(2, a=(1, "LEND"), b=(2, "RESERVE")), "QP108")
    assert got.fix == "lower the limit of b, or raise the environment"


def test_disabled_owners_stop_nobody_and_leave_nothing_stranded() -> None:
    config = queue(6, share("a", 3, "LEND_AND_BORROW", 100), share("b", 3, state="DISABLED"))
    assert found(config, "QP230") == []
    assert (
        found(queue(6, share("a", 3), share("b", 2, state="DISABLED")), "QP102", readings=Readings.of(A46="no")) == []
    )


def test_a_percentage_of_a_large_limit_is_not_compared_with_itself() -> None:
    config = one_unit(1005, a=(1000, "LEND_AND_BORROW", 1), b=(5, "LEND"))
    assert found(config, "QP207") == []
    (got,) = found(one_unit(1005, a=(1000, "LEND_AND_BORROW", 50), b=(5, "LEND")), "QP207")
    assert got.fix.startswith("write 1 ")


def test_what_the_environment_adds_to_loans_is_no_lender_s() -> None:
    (got,) = found(
        one_unit(7, a=(1, "LEND"), b=(3, "LEND_AND_BORROW", 400)), "QP207", readings=Readings.of(A5="borrowable")
    )
    assert got.body == ("Only 4 p5 can be lent.",)


def test_nothing_is_asked_of_shares_that_are_switched_off() -> None:
    off = share("a", 2, "LEND_AND_BORROW", 20, state="DISABLED")
    assert found(queue(4, off, share("b", 2)), "QP110", readings=Readings.of(A46="no")) == []
    closed = share("b", 3, "RESERVE", state="DISABLED")
    borrower = share("a", 1, "LEND_AND_BORROW", 400)
    assert found(queue(6, borrower, closed), "QP220", "QP221", readings=Readings.of(A47="no")) == []
    assert len(found(queue(6, borrower, closed), "QP220", "QP221")) == 1


def test_only_shares_that_could_lend_are_asked_to() -> None:
    (got,) = found(queue(2, share("a", 2, "LEND_AND_BORROW", 50)), "QP114")
    assert got.fix == "write LEND"
    (got,) = found(queue(4, share("a", 2, "LEND_AND_BORROW", 50), share("b", 2, "RESERVE")), "QP114")
    assert got.fix == "write LEND, or LEND for b, which then lends"


def test_only_limits_that_can_be_lowered_are_named() -> None:
    (got,) = found(one_unit(5, a=(5, "RESERVE"), b=(1, "RESERVE"), c=(3, "LEND")), "QP108")
    assert got.fix == "lower the limit of a, or raise the environment"
