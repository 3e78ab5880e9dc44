"""The reference on a clock: when what happens, what a victim loses, and what others may ask meanwhile."""

from __future__ import annotations

from itertools import islice, pairwise

import pytest
from quotaproof.reference.clock import run
from quotaproof.reference.decide import decide
from quotaproof.reference.run import GoesRound
from quotaproof.spec import events as ev
from quotaproof.spec.model import State, Strategy
from quotaproof.spec.observations import Rejected, Settled
from quotaproof.spec.readings import Readings
from quotaproof.spec.workload import Checkpoints, Work

from ..support.queues import queue, share
from ..support.reference import job
from ..support.weeks import first_fault

TWO = queue(2, share("a", 1, "LEND_AND_BORROW"), share("b", 1, "LEND"))
READINGS = Readings()


def work(at, runs, name, **more):
    return Work(at, runs, job(name, **more))


def happens(*jobs, config=TWO, drain=100, **options):
    """What happens, without the points of rest."""
    return [(at, e) for at, e in run(config, READINGS, jobs, drain=drain, **options) if not isinstance(e, Settled)]


def times(moments, kind):
    return [(at, e.job) for at, e in moments if isinstance(e, kind)]


def test_a_job_is_scheduled_starts_runs_for_its_time_and_ends():
    assert happens(work(10, 500, "a-1"), scheduled=3, starting=40) == [
        (10, ev.Submit("a-1", "a", {"u": 1}, 0)),
        (10, ev.Dispatch("a-1")),
        (13, ev.Advance("a-1")),
        (53, ev.Advance("a-1")),
        (553, ev.Finish("a-1")),
    ]


@pytest.mark.parametrize(("saves_every", "ends"), [(None, 1600), (150, 1300), (300, 1300), (400, 1600), (1, 1250)])
def test_a_victim_runs_again_in_full_or_from_its_last_checkpoint(saves_every, ends):
    # a-2 borrows at 0 and is stopped at 350 for b-1, which runs from 450 to 600; a-2 then runs what is left.
    jobs = work(0, 5000, "a-1"), work(0, 1000, "a-2"), work(350, 150, "b-1")
    found = happens(*jobs, checkpoints=Checkpoints(saves_every))
    assert [(at, e.victims) for at, e in found if isinstance(e, ev.Claim)] == [(350, ("a-2",))]
    assert times(found, ev.Stopped) == [(450, "a-2")]
    assert (ends, "a-2") in times(found, ev.Finish)
    assert (600, "b-1") in times(found, ev.Finish)


def test_a_job_stopped_for_the_last_time_is_not_run_again():
    jobs = work(0, 5000, "a-1"), work(0, 1000, "a-2", retries=0), work(350, 150, "b-1")
    assert times(happens(*jobs), ev.Finish) == [(600, "b-1"), (5000, "a-1")]


def test_a_point_of_rest_follows_all_that_happens_at_an_instant():
    moments = list(run(TWO, READINGS, [work(0, 10, "a-1"), work(0, 10, "b-1")], drain=5))
    rests = [at for at, e in moments if isinstance(e, Settled)]
    assert rests == sorted(rests)
    assert isinstance(moments[-1][1], Settled)
    for (at, _), (later, e) in pairwise(moments):
        assert at <= later
        assert at == later or not isinstance(e, Settled)


def test_a_step_is_given_before_it_is_applied_and_every_step_is_allowed():
    jobs = [work(40 * i, 90, f"{'aaab'[i % 4]}-{i}") for i in range(30)]
    assert sum(isinstance(e, ev.Dispatch) for _, e in happens(*jobs, drain=7)) > 30
    assert first_fault(TWO, run(TWO, READINGS, jobs, drain=7), READINGS) is None


def test_nothing_later_than_asked_for_happens():
    assert max(at for at, _ in happens(work(0, 10, "a-1"), work(50, 10, "a-2"), until=50)) == 50


def test_what_users_and_administrators_do_besides_happens_at_its_time():
    also = (
        (20, ev.Terminate("a-1")),
        (30, ev.Terminate("a-1")),
        (40, ev.SetSharing("b", Strategy.RESERVE)),
        (60, ev.DeleteShare("b")),
    )
    found = happens(work(0, 500, "a-1"), work(50, 500, "b-1"), also=also)
    assert [(at, e) for at, e in found if not isinstance(e, ev.Submit | ev.Dispatch | ev.Advance)] == [
        (20, ev.Terminate("a-1")),
        (40, ev.SetSharing("b", Strategy.RESERVE)),
        (60, ev.DeleteShare("b")),
        (60, ev.Terminate("b-1")),
        (60, ev.ShareGone("b")),
    ]


def test_a_job_that_no_share_takes_is_rejected_and_nothing_asked_of_it_happens():
    also = (
        (10, ev.SetShareState("b", State.DISABLED)),
        (20, ev.DeleteShare("b")),
        (40, ev.SetQueueState(State.DISABLED)),
        (60, ev.Terminate("b-1")),
    )
    jobs = work(15, 5, "b-1"), work(30, 5, "b-2"), work(50, 5, "a-1")
    assert [(at, e) for at, e in happens(*jobs, also=also) if not isinstance(e, ev.AdministratorEvent)] == [
        (15, Rejected("b-1", "b", "the share is DISABLED")),
        (20, ev.ShareGone("b")),
        (30, Rejected("b-2", "b", "there is no share b")),
        (50, Rejected("a-1", "a", "the queue is DISABLED")),
    ]


def test_a_returned_job_starts_anew():
    found = happens(work(0, 500, "a-1"), scheduled=30, also=[(10, ev.Return("a-1"))])
    assert times(found, ev.Dispatch) == [(0, "a-1"), (10, "a-1")]
    assert times(found, ev.Finish) == [(540, "a-1")]


def test_a_victim_that_is_terminated_while_it_drains_does_not_stop_as_well():
    jobs = work(0, 5000, "a-1"), work(0, 1000, "a-2"), work(350, 150, "b-1")
    found = happens(*jobs, also=[(360, ev.Terminate("a-2"))])
    assert times(found, ev.Stopped) == []
    assert (360, "b-1") in times(found, ev.Dispatch)


def test_another_scheduler_decides_otherwise():
    def waits(queue, policy):
        return decide(queue, policy) if queue.clock > 2 else None

    found = happens(work(0, 5, "a-1"), work(10, 5, "b-1"), work(20, 5, "a-2"), decide=waits)
    assert min(times(found, ev.Dispatch)) == (20, "a-1")


def test_a_scheduler_that_goes_round_at_one_instant_is_found_out():
    def claims_and_lets_go(queue, _):
        name = next((j.name for j in queue.waiting("a")), None)
        if name is None:
            return None
        return ev.Release(name) if queue.claims else ev.Claim(name)

    with pytest.raises(GoesRound):
        happens(work(0, 5, "a-1"), decide=claims_and_lets_go)


def test_a_workload_without_end_is_given_as_it_happens():
    endless = run(TWO, READINGS, [work(i, 3, f"a-{i}") for i in range(1000)], drain=7)
    assert len(list(islice(endless, 20))) == 20
