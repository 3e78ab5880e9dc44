"""Who could stop a job: the smallest and the largest arrival that the judge would let stop it."""

from __future__ import annotations

from quotaproof.checker.judge.start import situation
from quotaproof.checker.judge.stepwise import victim_faults
from quotaproof.checker.why.claimants import CROSS, IN_SHARE
from quotaproof.checker.why.follow import Following, follow
from quotaproof.checker.why.threats import threats
from quotaproof.spec import events as ev
from quotaproof.spec.model import MAX_PRIORITY, State
from quotaproof.spec.readings import Readings
from quotaproof.spec.rules.lifecycle import DISPATCHED

from ...support.queues import queue, share
from ...support.stories import by_minutes, history_of, random_run, runs, submitted

CODES = {"G5x", "G5s", "G6"}


def may_stop(state: Following, victim: str, arrives: ev.Submit) -> bool:
    """Whether the judge lets a job that arrives now have the victim stopped."""
    with state.book.trial():
        state.book.record(arrives)
        at = situation(state.book, state.book.job(arrives.job), victim=state.book.job(victim))
        return not {v.code for v in victim_faults(at, ev.Claim(arrives.job, (victim,)))} & CODES


def told(*steps, config, job="a-1"):
    state = follow(by_minutes(config, *steps), Readings())
    return state, threats(state.book, state.book.job(job))


def test_a_borrowing_job_can_be_stopped_by_those_whose_machines_it_has():
    config = queue(4, share("a", 1, "LEND_AND_BORROW"), share("b", 2), share("c", 1))
    steps = [(0, submitted("a-1", 5, 3)), *((1, x) for x in runs("a-1"))]
    _, found = told(*steps, config=config)
    assert [(t.share, t.kind, t.least, t.most, t.waits) for t in found] == [("b", CROSS, 2, 2, False)]
    _, found = told(*steps, (2, submitted("b-1", n=2)), config=config)
    assert [(t.share, t.waits) for t in found] == [("b", True)]


def test_a_job_within_its_limit_can_be_stopped_by_nobody():
    config = queue(3, share("a", 1, "LEND_AND_BORROW"), share("b", 2))
    assert told((0, submitted("a-1")), *((1, x) for x in runs("a-1")), config=config)[1] == ()


def test_its_own_share_needs_a_higher_priority():
    config = queue(2, share("a", 1, "LEND_AND_BORROW", in_share=True), share("b", 1, "RESERVE"))
    steps = [(0, submitted("a-1", 5)), *((1, x) for x in runs("a-1"))]
    _, (only,) = told(*steps, config=config)
    assert (only.share, only.kind, only.least, only.priority) == ("a", IN_SHARE, 1, 6)
    assert told((0, submitted("a-1", MAX_PRIORITY)), *steps[1:], config=config)[1] == ()


def test_a_share_that_takes_no_jobs_threatens_nobody():
    config = queue(2, share("a", 1, "LEND_AND_BORROW"), share("b", 1))
    steps = [(0, submitted("a-1", 5, 2)), *((1, x) for x in runs("a-1"))]
    assert told(*steps, config=config)[1]
    assert told(*steps, (2, ev.SetShareState("b", State.DISABLED)), config=config)[1] == ()


def test_every_size_between_least_and_most_and_no_smaller_one_may_stop_it():
    asked = 0
    for seed in range(60):
        run, _, shown = random_run(seed, busy=seed % 2 == 0)
        state = follow(history_of(run.config, [s for one in shown for s in one], ordered=True), run.readings)
        for job in [j for j in state.book.jobs.values() if j.stage in DISPATCHED]:
            found = threats(state.book, job)
            for t in found:
                for n in range(1, t.most + 1):
                    arrives = ev.Submit("new", t.share, {t.unit: n}, t.priority)
                    assert may_stop(state, job.name, arrives) is (n >= t.least), (seed, job.name, t, n)
                asked += 1
            seen = {(t.share, t.unit) for t in found}
            for name, s in state.book.now.shares.items():
                off = s.state is State.DISABLED or name in state.book.now.deleting or not state.book.now.queue_enabled
                for unit in () if off or not state.book.now.environment_enabled else job.size:
                    own, best = name == job.share, max(0, state.book.waiting(name).best)
                    priority = max(best, (job.priority or 0) + 1) if own else best
                    arrivals = (ev.Submit("new", name, {unit: n}, priority) for n in (1, 2, 3, 4))
                    if (name, unit) not in seen and priority <= MAX_PRIORITY:
                        within = [a for a in arrivals if own or _within(state, a)]
                        assert not any(may_stop(state, job.name, a) for a in within), (seed, job.name, name)
    assert asked > 30


def _within(state: Following, arrives: ev.Submit) -> bool:
    """Its share would be within its own limit."""
    ((unit, n),) = arrives.size.items()
    return state.book.usage(arrives.share, unit) + n <= state.book.grant(arrives.share, unit).limit
