"""Who could stop a job: the smallest and the largest arrival that the judge would let stop it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product

from quotaproof.checker.why.claimants import CROSS, IN_SHARE
from quotaproof.checker.why.follow import follow
from quotaproof.checker.why.threats import later, threats
from quotaproof.checker.why.told import Threat
from quotaproof.checker.why.trial import Trial
from quotaproof.reference.apply import apply
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import STOPPABLE, Job, Queue
from quotaproof.reference.run import GoesRound, settle
from quotaproof.spec import events as ev
from quotaproof.spec.model import MAX_PRIORITY, State
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share
from ...support.stories import by_minutes, random_run, runs, submitted


def told(*steps, config, job="a-1"):
    state = follow(by_minutes(config, *steps), Readings())
    trial = Trial(state, config)
    return state, threats(trial.queue, trial.policy, job)


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


def at_rest(seeds: int) -> Iterator[tuple[int, Queue, Policy, Job]]:
    """Jobs that can be stopped in small states in which nothing moves, two of a state; where the reference goes round, none."""
    for seed in range(seeds):
        run, _, _ = random_run(seed, rounds=25, busy=seed % 2 == 0)
        with suppress(GoesRound):
            for _ in settle(run.queue, run.policy):
                pass
            yield from ((seed, run.queue, run.policy, job) for job in run.queue.stoppable()[:2])


def plays(queue_: Queue, policy: Policy, victim: str, arrives: ev.Submit) -> bool:
    """Whether the reference, playing on, tells the victim to stop: in its own order, or taking it first, then others."""
    own = replace(policy, victim=lambda q, u, v: (v.name != victim, *policy.victim(q, u, v)))
    small = replace(policy, victim=lambda _q, _u, v: (v.name != victim, sum(v.size.values())))
    return any(_stops(queue_, order, victim, arrives) for order in (policy, own, small))


def _stops(queue_: Queue, policy: Policy, victim: str, arrives: ev.Submit) -> bool:
    then = queue_.copy()
    apply(then, arrives)
    try:
        steps = list(settle(then, policy, drains=False))
    except GoesRound:
        return False
    return any(isinstance(s, ev.Claim) and s.job == arrives.job and victim in s.victims for s in steps)


def says(found: Sequence[Threat], arrives: ev.Submit) -> bool:
    ((unit, n),) = arrives.size.items()
    return any(
        (t.share, t.unit) == (arrives.share, unit)
        and t.least <= n <= t.most
        and t.priority <= arrives.priority <= t.highest
        for t in found
    )


def arrivals(queue_: Queue, victim: Job) -> Iterator[ev.Submit]:
    """Every size and priority, from every share that takes jobs."""
    takes = [s for s in queue_.shares.values() if s.enabled and not s.deleting and queue_.queue_enabled]
    priorities = sorted({p + d for j in queue_.live() for p in (j.priority, j.guard_priority) for d in (0, 1)} | {0})
    for s, unit, priority in product(takes, victim.size, [p for p in priorities if p <= MAX_PRIORITY]):
        for n in range(1, queue_.capacity.get(unit, 0) + 2):
            yield ev.Submit("new", s.name, {unit: n}, priority)


def test_every_size_priority_and_owner_stops_a_job_in_play_exactly_when_that_is_said():
    stopped = spared = 0
    for seed, queue_, policy, job in at_rest(34):
        found = threats(queue_, policy, job.name)
        for arrives in arrivals(queue_, job):
            played = plays(queue_, policy, job.name, arrives)
            assert says(found, arrives) is played, (seed, job.name, arrives, found)
            stopped, spared = stopped + played, spared + (not played)
    assert (stopped > 60, spared > 2000) == (True, True), (stopped, spared)


def test_a_job_stopped_only_after_other_arrivals_is_stopped_so_in_play():
    asked = 0
    for seed, queue_, policy, job in at_rest(60):
        now = threats(queue_, policy, job.name)
        for t in later(queue_, policy, job.name, now):
            then = queue_.copy()
            for number, a in enumerate(t.after):
                apply(then, ev.Submit(f"before {number}", a.share, {a.unit: a.size}, MAX_PRIORITY))
                apply(then, next(s for s in settle(then.copy(), policy)))
                assert then.jobs[f"before {number}"].stage in STOPPABLE, (seed, t)
            assert t.share not in {n.share for n in now}
            for n in {t.least, t.most}:
                assert plays(then, policy, job.name, ev.Submit("new", t.share, {t.unit: n}, t.priority)), (seed, t)
            asked += 1
    assert asked > 10, asked


def test_an_owner_whose_machines_are_idle_stops_a_loan_once_another_has_taken_them():
    config = queue(16, share("a", 4, "LEND_AND_BORROW"), share("b", 8), share("c", 4))
    state = follow(by_minutes(config, (0, submitted("a-1", 0, 6)), *((1, x) for x in runs("a-1"))), Readings())
    trial = Trial(state, config)
    assert threats(trial.queue, trial.policy, "a-1") == ()
    found = later(trial.queue, trial.policy, "a-1", ())
    said = [(t.share, t.least, t.most, [(x.share, x.size) for x in t.after]) for t in found]
    assert said == [("b", 7, 8, [("c", 4)]), ("c", 3, 4, [("b", 8)])]
