"""What is measured of a run, in cases small enough to work out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.rollout.simulate import measure as module
from quotaproof.checker.rollout.simulate.measure import Window, measure
from quotaproof.checker.rollout.simulate.tallies import spread
from quotaproof.checker.simulated import EDGES, MachineTime
from quotaproof.reference.run import GoesRound
from quotaproof.spec import events as ev
from quotaproof.spec.readings import Readings
from quotaproof.spec.workload import Attempt, Checkpoints

from ...support.queues import queue, share
from ...support.simulations import RECLAIMED, TWO, measured, ms, work


def spent(run):
    w = run.work
    return tuple(ms(n) for n in (w.useful, w.lost, w.saving, w.restarting, w.starting, w.draining))


def test_what_a_stopped_job_waits_for_and_loses_is_told_apart_from_its_first_wait():
    # a-2 runs from 0, is told to stop at 350 and has stopped at 450; b-1 runs to 600; a-2 then runs for all of its 1000.
    got = measured(*RECLAIMED).of("a")
    assert (got.waits.times, got.waits.worst) == (2, 0)
    assert (got.again.times, got.again.mean) == (1, 0.15)
    assert (got.completion.mean, got.completion.p50, got.completion.worst) == (3.3, 1.6, 5.0)
    assert (got.stops, got.stopped, got.repeatedly, got.most_stops) == (1, 1, 0, 1)
    assert spent(got) == (6000, 350, 0, 0, 0, 100)


def test_the_owner_waits_from_when_its_head_does_not_fit_until_it_starts():
    got = measured(*RECLAIMED).of("b")
    assert (got.owner.times, got.owner.mean, got.waits.mean, got.completion.mean) == (1, 0.1, 0.1, 0.25)
    # The head alone is entitled: b-2 waits for b-1, which is no owner's wait.
    both = measured(*RECLAIMED, work(350, 150, "b-2")).of("b")
    assert (both.owner.times, both.owner.worst, both.waits.worst) == (1, 0.1, 0.25)


def test_saves_and_restarts_are_counted_apart_from_lost_work():
    # 350 are 150 + 10, 150 + 10 and 30 that are lost; then 20 to read, 700 to work and 4 times 10 to save.
    got = measured(*RECLAIMED, checkpoints=Checkpoints(150, 10, 20)).of("a")
    a_1 = 33 * 10  # a-1 works 5000 and saves as well
    assert spent(got) == (6000, 30, 20 + 40 + a_1, 20, 0, 100)
    assert got.completion.p50 == 1.36


def test_a_share_may_save_otherwise_than_the_rest():
    got = measured(*RECLAIMED, by_share={"a": Checkpoints(150)}).of("a")
    assert spent(got) == (6000, 50, 0, 0, 0, 100)


def test_stages_before_a_job_runs_are_no_work():
    got = measured(*RECLAIMED, scheduled=10, starting=40).of("a")
    # a-1 and both attempts of a-2 take 50 each; of the 350 only 300 were work.
    assert spent(got) == (6000, 300, 0, 0, 150, 100)


def test_machine_time_in_the_time_that_counts_is_own_borrowed_and_idle():
    found = measured(*RECLAIMED, window=(0, 2000))
    (unit,) = found.units
    assert (ms(unit.capacity), ms(unit.busy), ms(unit.idle)) == (4000, 2000 + 450 + 150 + 1000, 400)
    assert (ms(found.of("a").own), ms(found.of("a").borrowed)) == (2000, 450 + 1000)
    assert (ms(found.of("b").own), ms(found.of("b").borrowed)) == (150, 0)
    cut = measured(*RECLAIMED, window=(400, 500)).of("a")
    assert (ms(cut.own), ms(cut.borrowed), cut.jobs) == (100, 50, 0)


def test_usage_is_drawn_as_averages_of_equal_parts():
    found = measured(*RECLAIMED, window=(0, 1680))
    (a,) = [u for u in found.usages if u.share == "a"]
    assert len(a.own) == module.PARTS
    assert (a.own[0], a.borrowed[0], a.borrowed[-1]) == (1.0, 1.0, 0.0)
    assert a.borrowed[45] == 0.0  # from 450 to 600
    assert [c.waits for c in found.curves if c.share == "a"] == [(0.0, 0.0)]


def test_completions_on_loan_are_those_whose_last_attempt_began_beyond_the_limit():
    got = measured(*RECLAIMED)
    assert [(r.share, r.completed, r.on_loan) for r in got.runs] == [("", 3, 1), ("a", 2, 1), ("b", 1, 0)]


def test_machines_stopped_beyond_need_are_what_victims_hold_above_what_is_asked():
    config = queue(4, share("a", 1, "LEND_AND_BORROW"), share("b", 3, "LEND"))
    got = measured(work(0, 1000, "a-1", n=4), work(100, 100, "b-1"), config=config)
    assert (got.of("b").beyond_need, got.of("a").beyond_need, got.of("a").stops) == (3, 0, 1)


def test_a_job_whose_retries_run_out_has_lost_all_it_did():
    jobs = work(0, 5000, "a-1"), work(0, 1000, "a-2", retries=0), work(350, 150, "b-1")
    got = measured(*jobs, checkpoints=Checkpoints(150)).of("a")
    assert (got.completed, got.retries_out, got.failed, got.unended) == (1, 1, 0, 0)
    assert spent(got) == (5000, 350, 0, 0, 0, 100)


def test_a_job_stopped_twice_is_counted_as_stopped_again():
    # a-2: told to stop at 350 and, running again from 600, at 700.
    got = measured(*RECLAIMED, work(700, 100, "b-2")).of("a")
    assert (got.stops, got.stopped, got.repeatedly, got.most_stops) == (2, 1, 1, 2)
    assert (got.again.times, got.again.worst) == (2, 0.15)
    assert spent(got) == (6000, 350 + 100, 0, 0, 0, 200)


def test_a_deadline_is_missed_by_a_job_that_has_not_succeeded_by_then():
    jobs = (
        work(0, 5000, "a-1", deadline=5000),
        work(0, 1000, "a-2", deadline=1599),
        work(350, 150, "b-1", deadline=350),
    )
    got = measured(*jobs)
    assert [(r.share, r.missed) for r in got.runs] == [("", 2), ("a", 1), ("b", 1)]
    assert measured(*RECLAIMED).all.missed is None


def test_what_is_kept_idle_is_told_and_what_of_it_while_another_share_waited():
    config = queue(2, share("a", 1, "RESERVE"), share("b", 1, "LEND"))
    got = measured(work(0, 1000, "b-1"), work(0, 500, "b-2"), config=config)
    (unit,) = got.units
    assert (ms(unit.kept), ms(unit.kept_waiting)) == (2000, 1000)


def test_jobs_outside_the_time_that_counts_run_and_are_not_counted():
    got = measured(*RECLAIMED, window=(300, 2000))
    assert [(r.share, r.jobs, r.completed, r.stops) for r in got.runs] == [
        ("", 1, 1, 0),
        ("a", 0, 0, 0),
        ("b", 1, 1, 0),
    ]
    assert got.of("b").waits.mean == 0.1


def test_a_job_that_has_not_ended_when_it_is_cut_off_is_told():
    got = measured(*RECLAIMED, until=1500, checkpoints=Checkpoints(150)).of("a")
    assert (got.completed, got.unended, got.waits.times) == (1, 1, 2)  # a-2 ended at 1300
    assert spent(got)[:2] == (1000, 50 + 1300)  # a-1 holds its machine to the last moment


def test_what_was_is_measured_alike():
    was = {
        "a-1": (Attempt(0, 0, 400),),
        "a-2": (Attempt(100, 120, 300, "stopped", stopping=250), Attempt(500, 500, 900)),
        "b-1": (Attempt(450, 450, 480, "failed"),),
    }
    jobs = (
        work(0, 400, "a-1", was=was["a-1"]),
        work(0, 400, "a-2", was=was["a-2"]),
        work(350, 30, "b-1", was=was["b-1"]),
    )
    got = measured(*jobs, policy="as-it-was")
    assert (got.of("a").waits.worst, got.of("a").again.worst, got.of("a").stops) == (0.1, 0.2, 1)
    assert spent(got.of("a")) == (400 + 400, 130, 0, 0, 20, 50)
    assert (got.of("b").failed, got.of("b").completed, spent(got.of("b"))[1]) == (1, 0, 30)


def test_machines_beyond_need_are_those_of_claims_that_count_and_unknown_where_nobody_recorded_claims():
    config = queue(4, share("a", 1, "LEND_AND_BORROW"), share("b", 3, "LEND"))
    jobs = work(0, 1000, "a-1", n=4), work(100, 100, "b-1")
    assert measured(*jobs, config=config, window=(200, 2000)).all.beyond_need == 0
    assert measured(work(0, 400, "a-1", was=(Attempt(0, 0, 400),)), policy="as-it-was").all.beyond_need is None


@pytest.mark.parametrize("policy", ["as-it-was", "lend-borrow", "pool"])
def test_a_job_that_a_history_left_open_is_neither_completed_nor_lost_in_any_column(policy):
    jobs = (
        work(0, 400, "a-1", was=(Attempt(0, 0, 400),)),
        replace(work(0, 500, "b-1", was=(Attempt(0, 0, None),)), open=True),
        work(100, 400, "a-2", was=(Attempt(100, 100, 500),)),
    )
    got = measured(*jobs, policy=policy, config=queue(3, share("a", 2), share("b", 1)))
    assert (got.all.completed, got.all.unended, got.all.completion.times, got.all.waits.times) == (2, 1, 2, 3)
    assert spent(got.of("b")) == (500, 0, 0, 0, 0, 0)


def test_a_pool_is_measured_by_the_shares_of_the_workload():
    got = measured(*RECLAIMED, policy="pool")
    assert (got.of("b").waits.mean, got.of("a").stops, got.of("a").on_loan) == (0.65, 0, 1)


def test_a_scheduler_that_goes_round_in_time_is_stopped(monkeypatch):
    monkeypatch.setattr(module, "MOST_STOPS", 1)
    with pytest.raises(GoesRound, match="a-2 of a has been stopped 1 times"):
        measured(*RECLAIMED, work(700, 100, "b-2"))


def test_a_distribution_has_nearest_rank_percentiles_and_bins_that_hold_all():
    got = spread([60_000 * n for n in range(1, 101)])
    assert (got.times, got.mean, got.p50, got.p95, got.p99, got.worst) == (100, 3030, 3000, 5700, 5940, 6000)
    assert got.bins == (0, 1, 9, 50, 40, 0, 0, 0)
    assert len(got.bins) == len(EDGES) + 1
    assert spread([]) == spread(()) == type(got)(0)


def test_a_run_without_any_job_that_counts_says_so():
    moments = [(0, ev.Submit("a-1", "a", {"u": 1}, 0))]
    got = measure("x", moments, [work(0, 10, "a-1")], TWO, Readings(), Window(5, 10)).all
    assert (got.jobs, got.waits.times, got.waits.mean, got.work) == (0, 0, None, MachineTime())
