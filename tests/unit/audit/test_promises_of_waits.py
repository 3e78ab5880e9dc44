"""Promises about machines for a head, measured: how long it waited, whether it fitted, and who may have been late."""

from __future__ import annotations

from datetime import date

import pytest
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage, State
from quotaproof.spec.observations import Doubt, History, Preempted, Preempting
from quotaproof.spec.promises import Exemption, Fits, Gets, IdleWhileWaiting, Measure, Measured, Span

from ...support.measured import coarse, measured, promise, said
from ...support.queues import queue, share
from ...support.small_histories import MINUTE, history, submitted

CONFIG = queue(4, share("a", 2, "LEND"), share("b", 2, "LEND_AND_BORROW"))


def reclaimed(stops: float, starts: float) -> History:
    """b borrows all of a's; a submits j at minute 10; b's job is told at once, and stops and j starts when it is said."""
    return history(
        CONFIG,
        (0, submitted("x", "b", 2)), (0, ev.Dispatch("x")), (1, submitted("y", "b", 2)), (1, ev.Dispatch("y")),
        (10, submitted("j", "a", 2)), (10, Preempting("y", "j", "cross-share")), (stops, Preempted("y", Stage.RUNNABLE, 1)),
        (starts, ev.Dispatch("j")), (starts + 30, ev.Finish("j")), end=90,
    )  # fmt: skip


def gets(n: int, minutes: float):
    return promise(Gets({"u": n}, int(minutes * MINUTE)))


@pytest.mark.parametrize(
    ("minutes", "verdict"), [(12, "KEPT"), (11, "KEPT"), (10.9, "BROKEN_HERE"), (0, "BROKEN_HERE")]
)
def test_a_head_within_what_is_promised_is_waited_for_as_long_as_that(minutes, verdict) -> None:
    (told,) = measured(reclaimed(20, 21), gets(2, minutes))
    assert (told.result.verdict.name, told.result.count, told.how) == (verdict, 1, "measured")
    if verdict == "BROKEN_HERE":
        assert "j waited 11m00" in told.result.because if minutes else "j did not fit for 10m00" in told.result.because
        assert told.result.place == "trace.ndjson:8"


def test_a_job_that_asks_for_more_than_is_promised_is_no_case_of_it() -> None:
    assert said(reclaimed(20, 21), gets(1, 0)) == [("NEVER_CAME_UP", "a")]


def test_what_the_share_holds_counts_with_what_its_head_asks() -> None:
    of = history(
        CONFIG, (0, submitted("i", "a", 1)), (0, ev.Dispatch("i")), (0, submitted("x", "b", 3)), (0, ev.Dispatch("x")),
        (5, submitted("j", "a", 1)), (20, ev.Finish("i")), (20, ev.Dispatch("j")),
    )  # fmt: skip
    assert said(of, gets(1, 0)) == [("KEPT", "a")]
    assert said(of, gets(2, 0)) == [("BROKEN_HERE", "a")]


def test_at_once_asks_whether_it_fits_and_not_when_it_is_started() -> None:
    of = history(CONFIG, (0, submitted("j", "a", 2)), (3, ev.Dispatch("j")))
    assert said(of, gets(2, 0)) == [("KEPT", "a")]
    assert said(of, gets(2, 2)) == [("BROKEN_HERE", "a")]


def test_a_head_that_waits_still_is_broken_when_it_is_late_and_pending_before() -> None:
    of = history(CONFIG, (0, submitted("x", "b", 4)), (0, ev.Dispatch("x")), (1, submitted("j", "a", 2)), end=31)
    assert said(of, gets(2, 30)) == [("PENDING", "a")]
    assert said(of, gets(2, 29)) == [("BROKEN_HERE", "a")]
    assert said(of, promise(Fits({"u": 2}))) == [("PENDING", "a")]


def test_a_job_that_fits_only_has_to_start() -> None:
    assert said(reclaimed(20, 89), promise(Fits({"u": 2}))) == [("KEPT", "a")]
    assert said(reclaimed(20, 21), promise(Fits({"u": 2}), shares=["b"])) == [("KEPT", "b")]


def test_nothing_waits_while_nothing_of_the_share_may_start() -> None:
    off = (
        (0, ev.SetEnvironmentState(State.DISABLED)), (1, submitted("j", "a", 2)),
        (40, ev.SetEnvironmentState(State.ENABLED)), (41, ev.Dispatch("j")),
    )  # fmt: skip
    assert said(history(CONFIG, *off), gets(2, 5)) == [("KEPT", "a")]


def test_a_wait_is_undecided_where_its_interval_leaves_both_open() -> None:
    of = coarse(reclaimed(20, 21), MINUTE)
    assert said(of, gets(2, 13)) == [("KEPT", "a")]
    assert said(of, gets(2, 11)) == [("UNKNOWN", "a")]
    assert said(of, gets(2, 9)) == [("BROKEN_HERE", "a")]
    assert said(of, gets(2, 0)) == [("BROKEN_HERE", "a")]


def test_a_machine_that_may_have_been_free_in_time_breaks_nothing() -> None:
    """In one minute x ends, j comes and starts: in some order j always fitted."""
    of = history(
        CONFIG, (0, submitted("x", "b", 4)), (0, ev.Dispatch("x")), (10, submitted("j", "a", 2)), (10.5, ev.Finish("x")),
        (10.6, ev.Dispatch("j")),
    )  # fmt: skip
    assert said(of, gets(2, 0)) == [("BROKEN_HERE", "a")]
    assert said(coarse(of, MINUTE), gets(2, 0)) == [("KEPT", "a")]


def test_nothing_that_rests_on_a_doubt_is_called_broken() -> None:
    of = reclaimed(20, 21)
    doubt = Doubt(15 * MINUTE, 16 * MINUTE, "capacity", "the environment of that time is not known")
    found = measured(History(**{**vars(of), "doubts": (doubt,)}), gets(2, 5))
    assert [(p.result.verdict.name, p.result.because) for p in found] == [
        ("UNKNOWN", "not decided once: the environment of that time is not known")
    ]


def test_a_promise_counts_on_its_days_alone() -> None:
    of, day = reclaimed(20, 21), date(1970, 1, 1)
    before, on = Span(last=date(1969, 12, 31)), Span(day, day)
    (told,) = measured(of, promise(Gets({"u": 2}, 0), valid=before))
    assert (told.result.verdict.name, told.in_force) == ("NEVER_CAME_UP", False)
    (told,) = measured(of, promise(Gets({"u": 2}, 0), valid=on))
    assert (told.result.verdict.name, told.in_force) == ("BROKEN_HERE", True)


@pytest.mark.parametrize(
    ("share_", "until", "waived"),
    [("", date(1970, 1, 1), True), ("a", date(1970, 1, 1), True), ("b", date(1970, 1, 1), False),
     ("", date(1969, 12, 31), False)],
)  # fmt: skip
def test_an_exception_accepts_what_is_broken_up_to_its_day(share_, until, waived) -> None:
    exemption = Exemption("E1", "P1", "for a while", "o", until, "why", share_, "p.yaml:9")
    (told,) = measured(reclaimed(20, 21), gets(2, 5), exemptions=(exemption,))
    assert told.result.verdict.name == "BROKEN_HERE"
    assert (told.result.waiver is not None) is waived


def test_what_is_broken_after_an_exception_counts() -> None:
    day = 24 * 60
    of = history(
        CONFIG, (0, submitted("x", "b", 4)), (0, ev.Dispatch("x")), (1, submitted("j", "a", 2)), (60, ev.Finish("x")),
        (60, ev.Dispatch("j")), (61, ev.Finish("j")), (day, submitted("y", "b", 4)), (day, ev.Dispatch("y")),
        (day + 1, submitted("k", "a", 2)), (day + 60, ev.Finish("y")), (day + 60, ev.Dispatch("k")),
    )  # fmt: skip
    exemption = Exemption("E1", "P1", "for a while", "o", date(1970, 1, 1), "why")
    found = measured(of, gets(2, 5), exemptions=(exemption,))
    assert [(p.result.verdict.name, p.result.waiver is not None, p.result.count) for p in found] == [
        ("BROKEN_HERE", True, 1),
        ("BROKEN_HERE", False, 1),
    ]


def idle(borrow: int) -> History:
    """b may borrow so many percent of its 2; from minute 5 to 25 two machines of a are idle and b waits for one."""
    config = queue(4, share("a", 2, "LEND"), share("b", 2, "LEND_AND_BORROW", borrow))
    return history(
        config, (0, submitted("x", "b", 2)), (0, ev.Dispatch("x")), (5, submitted("y", "b", 1)),
        (25, ev.Finish("x")), (25, ev.Dispatch("y")), end=60,
    )  # fmt: skip


@pytest.mark.parametrize(("minutes", "verdict"), [(20, "KEPT"), (19, "BROKEN_HERE")])
def test_idle_machines_that_may_be_lent_are_timed_while_a_borrower_waits(minutes, verdict) -> None:
    term = IdleWhileWaiting("u", minutes * MINUTE)
    assert said(idle(0), promise(term, shares=["b"])) == [(verdict, "b, u")]
    assert said(idle(0), promise(term)) == [("NEVER_CAME_UP", "a, u")]


def test_machines_kept_by_a_reserve_are_not_idle_for_others() -> None:
    config = queue(4, share("a", 2, "RESERVE"), share("b", 2, "LEND_AND_BORROW"))
    of = history(config, (0, submitted("x", "b", 2)), (0, ev.Dispatch("x")), (5, submitted("y", "b", 1)), end=60)
    assert said(of, promise(IdleWhileWaiting("u", 0), shares=["b"])) == [("KEPT", "b, u")]


def test_idle_times_that_an_interval_leaves_open_are_undecided() -> None:
    of = coarse(idle(0), MINUTE)
    assert said(of, promise(IdleWhileWaiting("u", 18 * MINUTE), shares=["b"])) == [("BROKEN_HERE", "b, u")]
    assert said(of, promise(IdleWhileWaiting("u", 20 * MINUTE), shares=["b"])) == [("UNKNOWN", "b, u")]
    assert said(of, promise(IdleWhileWaiting("u", 22 * MINUTE), shares=["b"])) == [("KEPT", "b, u")]


@pytest.mark.parametrize(
    ("measure", "minutes", "verdict"),
    [
        (Measure.OWN_BACK_WORST, 11, "KEPT"), (Measure.OWN_BACK_WORST, 10, "BROKEN_HERE"),
        (Measure.OWN_BACK_P95, 11, "KEPT"), (Measure.WAIT_WORST, 11, "KEPT"), (Measure.WAIT_WORST, 10, "BROKEN_HERE"),
        (Measure.WAIT_P50, 0, "KEPT"), (Measure.WAIT_P95, 10, "BROKEN_HERE"),
    ],
)  # fmt: skip
def test_bounds_on_waits_are_compared_with_what_was_measured(measure, minutes, verdict) -> None:
    term = Measured(measure, minutes * MINUTE)
    (found,) = said(reclaimed(20, 21), promise(term, shares=["a", "b"]))
    assert found == (verdict, "")


def test_a_wait_that_goes_on_is_as_bad_as_one_that_has_ended() -> None:
    of = history(CONFIG, (0, submitted("x", "b", 4)), (0, ev.Dispatch("x")), (1, submitted("j", "a", 2)), end=31)
    assert said(of, promise(Measured(Measure.WAIT_WORST, 29 * MINUTE))) == [("BROKEN_HERE", "")]
    assert said(of, promise(Measured(Measure.WAIT_WORST, 30 * MINUTE))) == [("PENDING", "")]
    assert said(of, promise(Measured(Measure.OWN_BACK_WORST, 29 * MINUTE))) == [("BROKEN_HERE", "")]
