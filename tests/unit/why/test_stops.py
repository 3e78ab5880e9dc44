"""For whom a job was stopped, and whether it could have been another: one history for each sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from quotaproof.checker.audit.drawing import drawn
from quotaproof.checker.audit.timeline import Columns
from quotaproof.checker.why.claimants import CROSS, IN_SHARE
from quotaproof.checker.why.stops import every_stop, stops
from quotaproof.spec import events as ev
from quotaproof.spec.formats.history import load_history
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import Preempted, Preempting, Seen
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share
from ...support.stories import START, by_minutes, history_of, runs, stopped, submitted

HISTORY = Path(__file__).resolve().parents[3] / "examples" / "history"
THREE = queue(4, share("a", 1, "LEND_AND_BORROW", in_share=True), share("b", 2), share("c", 1))
BORROWING = [(0, submitted("a-1", 5, 4)), *((1, x) for x in runs("a-1"))]
"""a's job holds everything, 3 machines of it borrowed."""


def found(*steps, config=THREE, job="a-1", at=None, **more):
    return stops(by_minutes(config, *steps, **more), Readings(), job, at)[1]


def claimants(stop):
    return [(c.job, c.kind) for c in stop.claimants]


def test_it_is_certain_where_only_one_job_could_ask():
    (stop,) = found(*BORROWING, (2, submitted("b-1", n=2)), (3, Preempting("a-1")), (5, stopped("a-1", 1)))
    assert claimants(stop) == [("b-1", CROSS)]
    assert (stop.began, stop.ended, stop.then) == (START + 180_000, START + 300_000, Stage.RUNNABLE)
    assert [(h.used, h.limit, h.allowed) for h in stop.holdings] == [(4, 1, None)]
    assert stop.others == ()


def test_a_report_draws_each_stop_at_the_times_that_are_told_here():
    history = load_history([str(HISTORY)], queue=None, readings=Readings())
    assert any(seen.until - seen.at > 3_000 for seen in history.seen() if isinstance(seen.what, Preempted))
    every = list(history.seen())
    columns = Columns.of(every[0].at, every[-1].until)
    told = drawn(history, Readings(), columns, lambda _: {}, 1, watch=lambda seen, _: seen, hidden=False).stops
    found = sorted((s.began, s.ended) for stops in every_stop(history, Readings(), bool)[1].values() for s in stops)
    assert [(at, at + lasted) for at, lasted in zip(told.at, told.drained, strict=True)] == found
    assert len(found) == 2


def test_it_is_one_of_two_where_two_shares_wait():
    waiting = [(2, submitted("b-1")), (2, submitted("c-1"))]
    (stop,) = found(*BORROWING, *waiting, (3, Preempting("a-1")))
    assert claimants(stop) == [("b-1", CROSS), ("c-1", CROSS)]
    assert (stop.ended, stop.then) == (None, Stage.DRAINING)


def test_it_is_not_known_where_nobody_could_ask():
    (stop,) = found(*BORROWING, (3, Preempting("a-1")))
    assert (claimants(stop), stop.others) == ([], ())


def test_a_named_claimant_is_the_claimant():
    waiting = [(2, submitted("b-1")), (2, submitted("c-1"))]
    (stop,) = found(*BORROWING, *waiting, (3, Preempting("a-1", "c-1")))
    assert (stop.named, claimants(stop)) == (True, [("c-1", CROSS)])


def test_a_claim_that_was_seen_names_its_job():
    steps = [*BORROWING, (2, submitted("b-1", n=2)), (3, ev.Claim("b-1", ("a-1",)))]
    (stop,) = found(*steps, claims=True)
    assert (stop.named, claimants(stop)) == (True, [("b-1", CROSS)])


def test_who_waits_beyond_its_limit_could_not_ask():
    waiting = [(2, submitted("b-1")), (2, submitted("c-1", n=2))]
    (stop,) = found(*BORROWING, *waiting, (3, Preempting("a-1")))
    assert claimants(stop) == [("b-1", CROSS)]


def test_who_is_not_the_head_of_its_share_could_not_ask():
    waiting = [(2, submitted("b-1", 1)), (2, submitted("b-2", 4, 3))]
    (stop,) = found(*BORROWING, *waiting, (3, Preempting("a-1")))
    assert claimants(stop) == []


def test_a_job_whose_priority_is_not_known_may_be_the_head():
    waiting = [(2, submitted("b-1", None)), (2, submitted("b-2", 4))]
    (stop,) = found(*BORROWING, *waiting, (3, Preempting("a-1")))
    assert claimants(stop) == [("b-1", CROSS), ("b-2", CROSS)]


def test_the_other_borrowed_jobs_could_have_been_stopped():
    two = [(0, submitted("a-1", 5, 2)), (0, submitted("a-2", 9, 2)), *((1, x) for n in "12" for x in runs(f"a-{n}"))]
    (stop,) = found(*two, (2, submitted("b-1")), (3, Preempting("a-1")))
    assert stop.others == ("a-2",)


def test_jobs_of_a_share_within_its_limit_could_not_have_been_stopped():
    both = [(0, submitted("a-1", 5, 2)), (0, submitted("b-1", 0, 2))]
    both += [(1, x) for name in ("a-1", "b-1") for x in runs(name)]
    (stop,) = found(*both, (2, submitted("c-1")), (3, Preempting("a-1")))
    assert (claimants(stop), stop.others) == ([("c-1", CROSS)], ())


def test_within_a_share_the_higher_priority_asks():
    steps = [
        (0, submitted("a-1", 5)),
        *((1, x) for x in runs("a-1")),
        (2, submitted("a-2", 6)),
        (2, submitted("a-3", 5)),
    ]
    full = [(1, submitted("b-1", 0, 2)), (1, submitted("c-1")), *((1, x) for n in "bc" for x in runs(f"{n}-1"))]
    (stop,) = found(*steps, *full, (3, Preempting("a-1")))
    assert claimants(stop) == [("a-2", IN_SHARE)]


@pytest.mark.parametrize(("kind", "job"), [(CROSS, "b-1"), (IN_SHARE, "a-2")])
def test_the_kind_that_was_seen_rules_others_out(kind, job):
    waiting = [(2, submitted("b-1")), (2, submitted("a-2", 9))]
    (stop,) = found(*BORROWING, *waiting, (3, Preempting("a-1", kind=kind)))
    assert claimants(stop) == [(job, kind)]


def test_a_share_whose_limit_was_cut_gives_back():
    steps = [(0, submitted("b-1", n=2)), *((1, x) for x in runs("b-1")), (2, ev.SetLimits("b", {"u": 1}))]
    steps += [(2, ev.SetLimits("c", {"u": 3})), (3, submitted("c-1", n=3)), (4, Preempting("b-1"))]
    (stop,) = found(*steps, job="b-1")
    assert claimants(stop) == [("c-1", CROSS)]
    assert [(h.used, h.limit, h.allowed) for h in stop.holdings] == [(2, 1, 1)]


def test_where_only_the_end_was_seen_the_beginning_is_not_known():
    (stop,) = found(*BORROWING, (2, submitted("b-1")), (5, stopped("a-1", 1)))
    assert (stop.began, stop.ended, stop.claimants) == (None, START + 300_000, ())


def test_stops_after_the_time_asked_for_are_not_told():
    steps = [*BORROWING, (2, submitted("b-1", n=2)), (3, Preempting("a-1")), (5, stopped("a-1", 1))]
    assert found(*steps, at=START + 120_000) == []
    assert [s.ended for s in found(*steps, at=START + 200_000)] == [None]


def test_in_one_second_the_claimant_may_have_come_after_in_the_list():
    def second(n, what):
        return Seen(START + 1000 * n, START + 1000 * n + 999, what)

    told = [second(0, submitted("a-1", 5, 4)), second(1, ev.Dispatch("a-1"))]
    told += [second(9, Preempting("a-1")), second(9, submitted("b-1"))]
    (stop,) = stops(history_of(THREE, told), Readings(), "a-1")[1]
    assert claimants(stop) == [("b-1", CROSS)]


def vague():
    """What an answer tells of an attempt: when it ran and why it stopped, but not when it was told to."""
    at = START + 60_000
    told = [Seen(START, START, submitted("a-1", 5, 4)), Seen(START, at, ev.Dispatch("a-1"), inferred=True)]
    told += [Seen(at, at, runs("a-1")[1])]
    why = "Cross-share preemption triggered to reclaim borrowed capacity"
    told += [Seen(at, at + 480_000, Preempting("a-1", kind="cross-share", reason=why), inferred=True)]
    told += [Seen(at + 300_000, at + 300_000, submitted("b-1", n=2)), Seen(at + 480_000, at + 480_000, stopped("a-1"))]
    return told


def test_where_no_record_says_when_it_was_told_the_attempt_s_own_times_are_kept():
    (stop,) = stops(history_of(THREE, vague()), Readings(), "a-1")[1]
    assert (stop.began, stop.began_by, stop.ended) == (START + 60_000, START + 540_000, START + 540_000)
    assert stop.started == START + 60_000
    assert (stop.kind, stop.reason[:22]) == (CROSS, "Cross-share preemption")
    assert (claimants(stop), stop.complete) == ([("b-1", CROSS)], True)


def test_who_came_after_the_last_time_of_the_order_did_not_ask():
    late = [s for s in vague() if s.what != submitted("b-1", n=2)]
    late.append(Seen(START + 540_001, START + 540_001, submitted("b-1", n=2)))
    (stop,) = stops(history_of(THREE, late), Readings(), "a-1")[1]
    assert (claimants(stop), stop.kind) == ([], CROSS)


def test_of_too_many_orders_those_by_the_latest_times_are_looked_at_too():
    many = [Seen(START + 59_000, START + 540_000, submitted(f"c-{n}", n=2)) for n in range(9)]
    (stop,) = stops(history_of(THREE, sorted([*vague(), *many], key=lambda s: s.at)), Readings(), "a-1")[1]
    assert (claimants(stop), stop.complete) == ([("b-1", CROSS)], False)


def test_every_stop_of_a_job_is_told_in_order():
    steps = [*BORROWING, (2, submitted("b-1", n=2)), (3, Preempting("a-1")), (5, stopped("a-1", 1))]
    steps += [*((6, x) for x in runs("a-1")), (7, Preempting("a-1")), (8, stopped("a-1", 2, Stage.FAILED))]
    assert [(s.began, s.then) for s in found(*steps)] == [
        (START + 180_000, Stage.RUNNABLE),
        (START + 420_000, Stage.FAILED),
    ]


def test_a_victim_that_ends_by_itself_ends_its_stop():
    (stop,) = found(*BORROWING, (2, submitted("b-1", n=2)), (3, Preempting("a-1")), (4, ev.Finish("a-1")))
    assert (stop.ended, stop.then) == (START + 240_000, Stage.SUCCEEDED)
