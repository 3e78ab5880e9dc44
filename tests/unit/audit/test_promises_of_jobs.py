"""Promises about stops, amounts, checkpoints, priorities and changes, measured on small histories."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.audit.promises.jobs import is_named
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import History, JobFacts, Preempted, Preempting, Reached
from quotaproof.spec.promises import (
    BorrowsAtMost,
    By,
    Changes,
    HoldsAtMost,
    Measure,
    Measured,
    Notice,
    PriorityBand,
    Recovery,
    Scope,
    StopsPerJob,
    Undisturbed,
)

from ...support.measured import coarse, measured, promise, said
from ...support.queues import queue, share
from ...support.small_histories import MINUTE, history, submitted

CONFIG = queue(4, share("a", 2, "LEND", in_share=True), share("b", 2, "LEND_AND_BORROW"))
RELEASE = "arn:aws:sts::123456789012:assumed-role/ReleaseManager/alice"


def stopped(
    size: int, *, claimant: str | None = "j", kind=None, after=Stage.RUNNABLE, count: int | None = 1
) -> History:
    """b runs two jobs of this size; y, the second, is told to stop at minute 10 and has stopped at 19."""
    return history(
        CONFIG, (0, submitted("x", "b", size)), (0, ev.Dispatch("x")), (1, submitted("y", "b", size)), (1, ev.Dispatch("y")),
        (1, Reached("y", Stage.RUNNING)), (10, submitted("j", "a", 2)), (10, Preempting("y", claimant, kind)),
        (19, Preempted("y", after, count)), (19, ev.Dispatch("j")), end=60,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("of", "term", "verdict"),
    [
        (stopped(2), Undisturbed(By.OTHER_SHARES), "KEPT"),
        (stopped(2), Undisturbed(By.ANYONE), "KEPT"),
        (stopped(2), Undisturbed(By.OTHER_SHARES, always=True), "BROKEN_HERE"),
        (stopped(1), Undisturbed(By.OTHER_SHARES), "BROKEN_HERE"),
        (stopped(1, claimant=None), Undisturbed(By.OTHER_SHARES), "BROKEN_HERE"),
        (stopped(1, claimant=None, kind="in-share"), Undisturbed(By.OTHER_SHARES), "KEPT"),
        (stopped(1, claimant=None, kind="in-share"), Undisturbed(By.ANYONE), "BROKEN_HERE"),
        (stopped(1, claimant="x"), Undisturbed(By.OTHER_SHARES), "KEPT"),
    ],
)
def test_a_share_is_disturbed_by_stops_within_its_limit(of, term, verdict) -> None:
    assert said(of, promise(term, shares=["b"])) == [(verdict, "b")]


def test_whom_a_job_was_stopped_for_is_undecided_where_it_may_be_its_own_share() -> None:
    of = history(
        CONFIG,
        (0, submitted("x", "a", 1)),
        (0, ev.Dispatch("x")),
        (10, Preempting("x")),
        (11, Preempted("x", Stage.RUNNABLE)),
    )
    assert said(of, promise(Undisturbed(By.OTHER_SHARES))) == [("UNKNOWN", "a")]
    assert said(of, promise(Undisturbed(By.ANYONE))) == [("BROKEN_HERE", "a")]
    assert said(history(CONFIG, end=9), promise(Undisturbed(By.ANYONE))) == [("NEVER_CAME_UP", "a")]


def test_a_stop_is_no_disturbance_if_the_share_may_have_been_above_its_limit_then() -> None:
    of = history(
        CONFIG, (0, submitted("x", "b", 2)), (0, ev.Dispatch("x")), (9, submitted("y", "b", 2)),
        (10.1, Preempting("x", "j")), (10.5, ev.Dispatch("y")), (19, Preempted("x", Stage.RUNNABLE)), end=60,
    )  # fmt: skip
    term = promise(Undisturbed(By.OTHER_SHARES), shares=["b"])
    assert said(of, term) == [("BROKEN_HERE", "b")]
    assert said(coarse(of, MINUTE), term) == [("KEPT", "b")]
    assert said(coarse(stopped(1), MINUTE), term) == [("BROKEN_HERE", "b")]


@pytest.mark.parametrize(
    ("of", "most", "verdict"),
    [
        (stopped(2), 1, "KEPT"), (stopped(2), 0, "BROKEN_HERE"), (stopped(2, count=4), 3, "BROKEN_HERE"),
        (stopped(2, after=Stage.FAILED), 0, "KEPT"), (history(CONFIG, end=9), 0, "NEVER_CAME_UP"),
    ],
)  # fmt: skip
def test_stops_after_which_a_job_comes_back_are_counted(of, most, verdict) -> None:
    assert said(of, promise(StopsPerJob(most), shares=["b"])) == [(verdict, "b")]


def test_the_job_with_most_stops_is_named() -> None:
    (told,) = measured(stopped(2, count=9), promise(StopsPerJob(3), shares=["b"]))
    assert told.result.because == "1 job was stopped more than 3 times and came back; worst: y, 9 times"
    assert told.result.place == "trace.ndjson:8"


@pytest.mark.parametrize(("minutes", "verdict"), [(9, "KEPT"), (8, "BROKEN_HERE")])
def test_how_long_stops_took_is_compared_with_what_is_assumed(minutes, verdict) -> None:
    (told,) = measured(stopped(2), stop_takes={"u": minutes * MINUTE})
    assert (told.code, told.result.verdict.name) == ("STOPS", verdict)
    assert told.result.because == f"1 stops took 9m00 (p50), 9m00 (worst); {minutes}m00 is assumed"
    assert [p.result.verdict.name for p in measured(history(CONFIG, end=9), stop_takes={"u": MINUTE})] == [
        "NEVER_CAME_UP"
    ]


@pytest.mark.parametrize(
    ("shares", "amounts", "verdict"),
    [
        (["b"], {"u": 4}, "KEPT"), (["b"], {"u": 3}, "BROKEN_HERE"), (["a", "b"], {"u": 4}, "KEPT"),
        (["a", "b"], {"GPU": 32}, "KEPT"), (["a", "b"], {"GPU": 31}, "BROKEN_HERE"), (["c"], {"u": 0}, "NEVER_CAME_UP"),
    ],
)  # fmt: skip
def test_what_shares_hold_together_is_weighed(shares, amounts, verdict) -> None:
    config = queue(5, *CONFIG.shares, share("c", 1, "LEND"))
    of = replace(stopped(2), config=config)
    (found,) = said(of, promise(HoldsAtMost(amounts), shares=shares), weights={"GPU": {"u": 8}})
    assert found == (verdict, ", ".join(shares))


@pytest.mark.parametrize(("most", "verdict"), [(2, "KEPT"), (1, "BROKEN_HERE")])
def test_the_most_that_a_share_borrowed_is_told_with_its_time(most, verdict) -> None:
    (told,) = measured(stopped(2), promise(BorrowsAtMost({"u": most}), shares=["b"]))
    assert told.result.verdict.name == verdict
    assert "day 1 00:01:00" in told.result.because
    assert said(stopped(1), promise(BorrowsAtMost({"u": 0}), shares=["b"])) == [("NEVER_CAME_UP", "b")]


def test_what_may_have_been_given_back_in_time_was_not_too_much() -> None:
    of = history(
        CONFIG, (0, submitted("x", "b", 2)), (0, ev.Dispatch("x")), (5, submitted("y", "b", 1)), (5.2, ev.Dispatch("y")),
        (5.6, ev.Finish("x")), end=9,
    )  # fmt: skip
    term = promise(HoldsAtMost({"u": 2}), shares=["b"])
    assert said(of, term) == [("BROKEN_HERE", "b")]
    assert said(coarse(of, MINUTE), term) == [("KEPT", "b")]


@pytest.mark.parametrize(("checkpoint", "verdict"), [("s3://c", "KEPT"), ("", "BROKEN_HERE"), (None, "NOT_SEEN")])
def test_jobs_on_loans_need_a_checkpoint_setting(checkpoint, verdict) -> None:
    facts = JobFacts(checkpoint=checkpoint)
    of = history(
        CONFIG, (0, submitted("x", "b", 1, facts=facts)), (0, ev.Dispatch("x")), (1, submitted("y", "b", 2, facts=facts)),
        (1, ev.Dispatch("y")), end=9,
    )  # fmt: skip
    assert said(of, promise(Recovery(checkpoint=True), shares=["a", "b"])) == [("NEVER_CAME_UP", "a"), (verdict, "b")]


def test_evidence_is_not_measured() -> None:
    (told,) = measured(stopped(2), promise(Recovery(checkpoint=False, evidence="drills/*")))
    assert (told.how, told.result.verdict.name) == ("recorded", "NOT_APPLICABLE")


def urgent(*owners: str) -> History:
    jobs = [(0, submitted(f"u{n}", "a", 1, priority=9000, facts=JobFacts(owner=who))) for n, who in enumerate(owners)]
    return history(CONFIG, (0, submitted("plain", "a", 1, priority=1)), *jobs, end=9)


BAND = PriorityBand(9000, 9999, set_by=("role/ReleaseManager",), at_most_jobs=2)


@pytest.mark.parametrize(
    ("of", "verdicts"),
    [
        (urgent(RELEASE, RELEASE), ("KEPT", "KEPT")),
        (urgent(RELEASE, RELEASE, RELEASE), ("BROKEN_HERE", "KEPT")),
        (urgent(RELEASE, "arn:aws:iam::123456789012:user/bob"), ("KEPT", "BROKEN_HERE")),
        (urgent(RELEASE, ""), ("KEPT", "NOT_SEEN")),
        (urgent(), ("NEVER_CAME_UP", "NEVER_CAME_UP")),
    ],
)
def test_bands_of_priority_are_counted_and_who_sets_them_is_looked_at(of, verdicts) -> None:
    band = promise(BAND, scope=Scope())
    assert said(of, band) == list(zip(verdicts, ("priority 9000 to 9999", "who sets 9000 to 9999"), strict=True))


def test_a_priority_that_is_raised_later_counts_from_then_on() -> None:
    of = history(
        CONFIG, (0, submitted("x", "a", 1, priority=1)), (1, ev.SetPriority("x", 9500)),
        (2, submitted("y", "a", 1, priority=9500)), (3, ev.SetPriority("x", 1)),
        (4, submitted("z", "a", 1, priority=9500)), end=9,
    )  # fmt: skip
    crowd, who = measured(of, promise(BAND, scope=Scope()))
    assert crowd.result.because == "at most 2 at once (day 1 00:02:00)"
    assert who.result.verdict.name == "NOT_SEEN"
    by = [replace(one, by=RELEASE if isinstance(one.what, ev.SetPriority) else "") for one in of.seen()]
    _, who = measured(replace(of, seen=lambda: iter(by)), promise(BAND, scope=Scope()))
    assert who.result.because == "of 2 of 3 nobody recorded who set it"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("role/ReleaseManager", True), ("role/ReleaseManager/alice", True), (RELEASE, True), ("role/Release", False),
        ("user/alice", False), ("ReleaseManager", False), ("", False),
    ],
)  # fmt: skip
def test_a_principal_is_named_by_its_role_and_by_its_arn(name, found) -> None:
    assert is_named(RELEASE, name) is found
    assert is_named("arn:aws:iam::123456789012:user/alice", name) is (name == "user/alice")


def test_what_shrank_is_told_and_notice_of_it_is_in_no_record() -> None:
    term = promise(Changes(Notice(5, working=True)), shares=["a", "b"])
    of = history(CONFIG, (3, ev.SetLimits("b", {"u": 3})), (5, ev.SetLimits("b", {"u": 1})), end=9)
    assert said(of, term) == [("NEVER_CAME_UP", "a"), ("NOT_SEEN", "b")]
    assert "u 3 -> 1 at day 1 00:05:00" in measured(of, term)[1].result.because
    gone = history(CONFIG, (3, ev.DeleteShare("b")), end=9)
    assert said(gone, term) == [("NEVER_CAME_UP", "a"), ("NOT_SEEN", "b")]


@pytest.mark.parametrize(("percent", "verdict"), [(30, "KEPT"), (15, "UNKNOWN"), (5, "BROKEN_HERE")])
def test_lost_work_is_kept_only_if_none_saves_and_broken_only_if_all_do(percent, verdict) -> None:
    """y ran 40 minutes and lost 10 to 40 of 160 in which one of the jobs ran."""
    of = history(
        CONFIG, (0, submitted("x", "b", 1)), (0, ev.Dispatch("x")), (0, submitted("y", "b", 1)), (0, ev.Dispatch("y")),
        (0, Reached("y", Stage.RUNNING)), (40, Preempting("y")), (40, Preempted("y", Stage.RUNNABLE)), end=120,
    )  # fmt: skip
    term = Measured(Measure.LOST_SHARE, percent)
    (told,) = measured(of, promise(term, shares=["b"]))
    assert told.result.verdict.name == verdict
    assert told.result.because.startswith("6.2 to 25.0 % lost")
    assert said(of, promise(term, shares=["a"])) == [("NEVER_CAME_UP", "")]
