"""Waits, stops, lost work, recovery and stability: what the ledger says of small histories written by hand."""

from __future__ import annotations

import pytest
from quotaproof.checker.audit.ledger import Ledger, Settings
from quotaproof.checker.audit.timeline import Columns
from quotaproof.checker.measured import Month, Range, Recovery, ShareHours, ShareJobs, UnitHours, Waits
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage, Strategy
from quotaproof.spec.observations import History, JobFacts, Preempted, Preempting, Reached, Retried, Seen
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share
from ...support.small_histories import MINUTE, history, submitted

TWO = queue(4, share("owner", 2, in_share=True), share("guest", 2, "LEND_AND_BORROW"))


def told(of: History, columns: Columns | None = None, saves_every: int = 30) -> list:
    made = Ledger(of.config, Settings(columns or Columns.of(0, of.end), Readings(), saves_every), 0)
    made.read(of.seen(), ordered=of.ordered)
    return [*made.told(), *made.notes()]


def jobs(of: History, name: str, **more) -> ShareJobs:
    (row,) = [r for r in told(of, **more) if isinstance(r, ShareJobs) and r.share == name]
    return row


def lent_and_taken_back() -> History:
    """A guest borrows two machines of an owner at 10, is told to stop at 70 and has stopped at 75."""
    return history(
        TWO,
        (0, submitted("g", "guest", 4, retries=3, facts=JobFacts(name="guest job", checkpoint=""))),
        (10, ev.Dispatch("g")),
        (15, Reached("g", Stage.RUNNING)),
        (60, submitted("o", "owner", 2)),
        (70, Preempting("g")),
        (75, Preempted("g", Stage.RUNNABLE, 1)),
        (76, ev.Dispatch("o")),
        (96, ev.Finish("o")),
        (100, ev.Dispatch("g")),
        (160, ev.Finish("g")),
        end=160,
    )


def test_an_owner_waits_for_its_own_from_when_it_is_due_until_it_starts() -> None:
    assert jobs(lent_and_taken_back(), "owner").own_back == Waits(1, *[16 * 60.0] * 5)
    assert jobs(lent_and_taken_back(), "guest").own_back == Waits(0)


def test_an_owner_whose_job_fits_when_it_comes_did_not_wait_for_its_own() -> None:
    of = history(TWO, (0, submitted("o", "owner", 2)), (5, ev.Dispatch("o")), end=9)
    assert jobs(of, "owner").own_back == Waits(0)
    assert jobs(of, "owner").waits.worst == 300


def test_a_job_behind_a_higher_priority_is_not_due() -> None:
    of = history(
        TWO,
        (0, submitted("g", "guest", 4)), (0, ev.Dispatch("g")),
        (1, submitted("low", "owner", 2, priority=1)), (2, submitted("high", "owner", 2, priority=2)),
        (10, ev.SetPriority("low", 3)), (20, Preempting("g")), (21, Preempted("g", Stage.RUNNABLE)),
        (21, ev.Dispatch("low")), (30, ev.Finish("low")), (33, ev.Dispatch("high")), end=40,
    )  # fmt: skip
    assert jobs(of, "owner").own_back.worst == (1 + 11) * 60
    assert jobs(of, "owner").own_back.times == 2


def test_stopped_work_is_lost_from_what_was_not_saved_up_to_all() -> None:
    guest = jobs(lent_and_taken_back(), "guest")
    assert (guest.stops, guest.most_stops) == (1, 1)
    assert guest.lost.high == pytest.approx(4 * 65 / 60)
    assert guest.lost.low == pytest.approx(4 * (65 - 30) / 60)
    assert jobs(lent_and_taken_back(), "guest", saves_every=50).lost.low == pytest.approx(4 * (65 - 50) / 60)
    assert jobs(lent_and_taken_back(), "guest", saves_every=60).lost.low == guest.lost.high
    (unit,) = [r for r in told(lent_and_taken_back()) if isinstance(r, UnitHours)]
    assert unit.lost == guest.lost


def test_success_after_a_stop_and_work_on_loans_are_told() -> None:
    guest = jobs(lent_and_taken_back(), "guest")
    assert (guest.ended_after_stop, guest.succeeded_after_stop) == (1, 1)
    assert (guest.finished, guest.finished_on_loan, guest.on_loan) == (4.0, 2.0, 0.5)
    assert jobs(lent_and_taken_back(), "owner").on_loan == 0
    every = jobs(lent_and_taken_back(), "")
    assert (every.submitted, every.stops, every.waits.times, every.finished) == (2, 1, 2, 4 + 2 * 20 / 60)


def test_a_victim_that_ends_by_itself_was_not_stopped() -> None:
    of = history(
        TWO, (0, submitted("g", "guest", 4)), (0, ev.Dispatch("g")), (9, Preempting("g")), (10, ev.Finish("g")), end=11
    )
    guest = jobs(of, "guest")
    assert (guest.stops, guest.lost, guest.ended_after_stop) == (0, Range(0, 0), 0)
    assert guest.finished == pytest.approx(4 * 10 / 60)


def test_a_return_or_a_failed_attempt_is_no_stop_and_the_job_waits_again() -> None:
    of = history(
        TWO, (0, submitted("g", "guest", 1)), (0, ev.Dispatch("g")), (6, ev.Return("g")),
        (7, ev.Dispatch("g")), (8, Retried("g")), end=60,
    )  # fmt: skip
    guest = jobs(of, "guest")
    assert (guest.stops, guest.waiting, guest.waits.times, guest.finished) == (0, 1, 1, 0)
    (own,) = [r.own for r in told(of) if isinstance(r, ShareHours) and r.share == "guest"]
    assert own == pytest.approx(7 / 60)


def test_a_victim_of_which_nothing_more_was_seen_neither_waits_nor_holds() -> None:
    of = history(TWO, (0, submitted("g", "guest", 4)), (0, ev.Dispatch("g")), (30, Preempted("g")), end=60)
    assert jobs(of, "guest").waiting == 0
    (unit,) = [r for r in told(of) if isinstance(r, UnitHours)]
    assert unit.busy == pytest.approx(2.0)


def test_a_start_that_was_not_seen_counts_from_the_first_stage_that_was() -> None:
    of = history(TWO, (0, submitted("g", "guest", 4)), (30, Reached("g", Stage.RUNNING)), end=60)
    (unit,) = [r for r in told(of) if isinstance(r, UnitHours)]
    assert unit.busy == pytest.approx(2.0)


def test_an_observation_counts_at_the_middle_of_its_interval_and_the_doubt_is_told() -> None:
    seen = [
        Seen(0, 0, submitted("g", "guest", 2)),
        Seen(0, 20 * MINUTE, ev.Dispatch("g")),
        Seen(5 * MINUTE, 5 * MINUTE, submitted("h", "guest", 1)),
        Seen(12 * MINUTE, 12 * MINUTE, Reached("g", Stage.RUNNING)),
    ]
    of = History(TWO, lambda: iter(seen), end=60 * MINUTE)
    (unit,) = [r for r in told(of) if isinstance(r, UnitHours)]
    assert unit.busy == pytest.approx(2 * 50 / 60)
    (doubt,) = [r for r in told(of) if isinstance(r, str) and "middle" in r]
    assert "at most 0.3 machine-hours" in doubt


def test_a_job_keeps_its_own_order_where_intervals_cross() -> None:
    seen = [
        Seen(0, 0, submitted("g", "guest", 2)),
        Seen(0, 20 * MINUTE, ev.Dispatch("g")),
        Seen(2 * MINUTE, 2 * MINUTE, ev.Finish("g")),
    ]
    of = History(TWO, lambda: iter(seen), end=60 * MINUTE)
    (unit,) = [r for r in told(of) if isinstance(r, UnitHours)]
    assert unit.busy == 0
    assert jobs(of, "guest").waits.times == 1
    assert not [r for r in told(of) if isinstance(r, str) and "do not count" in r]


def test_jobs_that_borrow_are_counted_with_what_they_lack() -> None:
    def guest(name: str, checkpoint: str | None, *, known: bool = True, retries: int | None = None):
        facts = JobFacts(name=f"{name} job", checkpoint=checkpoint)
        return submitted(name, "guest", 4, retries=retries, retries_known=known, facts=facts)

    def runs(at: float, name: str):
        return [(at, ev.Dispatch(name)), (at + 1, ev.Finish(name))]

    of = history(
        TWO, (0, guest("a", "")), (0, guest("b", None, known=False)), (0, guest("c", "s3://x", retries=2)),
        (0, submitted("own", "owner", 2)), *runs(1, "a"), *runs(2, "b"), *runs(3, "c"), *runs(4, "own"),
        (5, guest("d", "")), (5, ev.Dispatch("d")), end=6,
    )  # fmt: skip
    (found,) = [r for r in told(of) if isinstance(r, Recovery)]
    assert found == Recovery(4, 2, 1, 2, 1, ("a job", "d job"))


def test_months_tell_changes_of_limits_and_priorities() -> None:
    day = 24 * 60
    of = history(
        TWO,
        (1, submitted("a", "guest", priority=5)), (2, submitted("b", "guest", priority=9)), (3, submitted("c", "guest")),
        (4, ev.SetPriority("a", 7)), (5, ev.SetPriority("b", 1)), (6, ev.SetPriority("c", 8)),
        (7, ev.SetLimits("owner", {"u": 2})), (8, ev.SetLimits("owner", {"u": 1})),
        (31 * day + 1, ev.SetSharing("owner", Strategy.RESERVE)), (31 * day + 2, ev.SetSharing("guest", Strategy.LEND)),
        end=32 * day,
    )  # fmt: skip
    first, second = [r for r in told(of) if isinstance(r, Month)]
    assert first == Month("1970-01", {"owner": 1}, 3, 1, 1, 5)
    assert first.raises_per_100 == pytest.approx(100 / 3)
    assert second == Month("1970-02", {"owner": 1, "guest": 1}, 0, 0, 0, None)
    assert second.raises_per_100 is None


def test_what_cannot_be_followed_is_counted() -> None:
    of = history(
        TWO, (0, ev.Dispatch("ghost")), (0, submitted("a", "guest", priority=1)), (1, submitted("a", "guest", priority=1)),
        (2, ev.SetLimits("nowhere", {"u": 1})), (3, ev.SetPriority("ghost", 1)), end=5,
    )  # fmt: skip
    (note,) = [r for r in told(of) if isinstance(r, str)]
    assert note.startswith("4 observations do not count in the ledger")


def test_priorities_that_are_not_known_are_told() -> None:
    (note,) = [r for r in told(lent_and_taken_back()) if isinstance(r, str)]
    assert note.startswith("The priority of 2 jobs is not known: it counts as 0")


@pytest.mark.parametrize("claims", [True, False])
def test_the_victims_of_a_claim_are_told_to_stop_once(claims: bool) -> None:
    stops = [(9, ev.Claim("o", ("g",)))] if claims else [(9, Preempting("g", "o"))]
    both = [*stops, (9, Preempting("g", "o"))]
    of = history(
        TWO, (0, submitted("g", "guest", 4, priority=1)), (0, ev.Dispatch("g")), (5, submitted("o", "owner", 2, priority=1)),
        *both, (10, Preempted("g", Stage.FAILED)), end=11,
    )  # fmt: skip
    guest = jobs(of, "guest")
    assert (guest.stops, guest.ended_after_stop, guest.succeeded_after_stop, guest.waiting) == (1, 1, 0, 0)
    assert not [r for r in told(of) if isinstance(r, str)]


def test_what_was_before_the_time_that_counts_is_in_no_number() -> None:
    late = Columns.of(65 * MINUTE, 160 * MINUTE)
    guest, owner = (jobs(lent_and_taken_back(), name, columns=late) for name in ("guest", "owner"))
    assert (guest.stops, guest.lost) == (1, Range(pytest.approx(4 * 10 / 60), pytest.approx(4 * 10 / 60)))
    assert owner.own_back == Waits(1, *[11 * 60.0] * 5)
    assert (guest.waits, owner.waits) == (Waits(0), Waits(0))
    every = told(lent_and_taken_back(), late)
    (unit,) = [r for r in every if isinstance(r, UnitHours)]
    assert unit.lost.high <= unit.busy
    partly = jobs(lent_and_taken_back(), "guest", columns=Columns.of(30 * MINUTE, 160 * MINUTE))
    assert (partly.lost.low, partly.lost.high) == (pytest.approx(4 * (45 - 15) / 60), pytest.approx(4 * 45 / 60))
    late = Columns.of(120 * MINUTE, 160 * MINUTE)
    assert jobs(lent_and_taken_back(), "guest", columns=late).finished == pytest.approx(4 * 40 / 60)
    assert jobs(lent_and_taken_back(), "guest", columns=late).finished_on_loan == pytest.approx(2 * 40 / 60)
