"""A queue followed through its history is in the state in which it was."""

from __future__ import annotations

import random

import pytest
from quotaproof.checker.why.follow import follow, groups
from quotaproof.checker.why.rebuilt import queue_of
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import HOLDING
from quotaproof.reference.run import GoesRound, settle
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import Preempted, Preempting, Reached, Seen, observed
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share, walkthrough
from ...support.runs import Run
from ...support.stories import START, by_minutes, history_of, runs, stopped, submitted

TWO = queue(4, share("a", 2, "LEND_AND_BORROW"), share("b", 2))


def at_end(*steps, config=TWO, **more):
    return follow(by_minutes(config, *steps, **more), Readings())


def followed(seed: int):
    """A random run in which every claim is seen, and the state at its end."""
    run = Run(random.Random(seed))
    seen: list[Seen] = []
    last: ev.Event | None = None
    for number, event in enumerate(run.steps(40)):
        if last is not None:
            seen += observed(START + number, last, run.book.jobs)
        last = event
    if last is not None:
        seen += observed(START + 1000, last, run.book.jobs)
    state = follow(history_of(run.config, seen, ordered=True, claims=True), run.readings)
    return run, state


def steps_of(made) -> list[ev.Event]:
    """What the reference does from here, but for reasons that it has named before."""
    try:
        return [s for s in settle(made, Policy.of(made.readings)) if not isinstance(s, ev.Misconfigured)]
    except GoesRound:
        return []


@pytest.mark.parametrize("seed", range(60))
def test_the_rebuilt_queue_goes_on_as_the_queue_itself(seed):
    run, state = followed(seed)
    assert not state.unexplained
    rebuilt = queue_of(state, run.config)
    for name, job in rebuilt.jobs.items():
        real = run.queue.jobs[name]
        assert (job.stage, job.priority, job.preemptions, job.borrowed) == (
            real.stage, real.priority, real.preemptions, real.borrowed
        ), name  # fmt: skip
    assert {k: n for k, n in rebuilt.usage.items() if n} == {k: n for k, n in run.queue.usage.items() if n}
    assert steps_of(rebuilt) == steps_of(run.queue.copy())


def test_a_dispatch_that_nobody_saw_follows_from_what_came_of_it():
    state = at_end((0, submitted("a-1", n=2)), (1, Reached("a-1", Stage.RUNNING)))
    assert (state.book.job("a-1").stage, state.book.usage("a", "u")) == (Stage.RUNNING, 2)
    state = at_end((0, submitted("a-1", n=2)), (1, Preempting("a-1")))
    assert (state.book.job("a-1").stage, state.book.usage("a", "u")) == (Stage.DRAINING, 2)
    state = at_end((0, submitted("a-1", n=2)), (1, stopped("a-1", 1)))
    assert (state.book.job("a-1").stage, state.book.job("a-1").preemptions) == (Stage.RUNNABLE, 1)


def test_what_was_reported_of_a_stop_counts_not_what_the_rules_make_of_it():
    for stage in (Stage.RUNNABLE, Stage.FAILED):
        steps = [(0, submitted("a-1", retries=0)), *((1, x) for x in runs("a-1"))]
        state = at_end(*steps, (2, Preempting("a-1")), (3, Preempted("a-1", stage, 7)))
        assert (state.book.job("a-1").stage, state.book.job("a-1").preemptions) == (stage, 7)


def test_what_cannot_have_happened_is_left_out_and_kept_apart():
    state = at_end((0, submitted("a-1")), (1, ev.Dispatch("nobody")), (2, ev.SetLimits("nobody", {"u": 1})))
    assert [why for _, why in state.unexplained] == ["there is no job 'nobody'", "there is no share 'nobody'"]
    assert state.book.job("a-1").stage is Stage.RUNNABLE


def test_the_front_of_a_share_is_known_with_the_time_since_when():
    steps = [(0, submitted("a-1")), (5, submitted("a-2", 3)), (7, submitted("a-3", 1))]
    state = at_end(*steps)
    assert (state.front["a"].job, state.front["a"].since) == ("a-2", START + 5 * 60_000)
    state = at_end(*steps, (9, ev.Dispatch("a-2")))
    assert (state.front["a"].job, state.front["a"].since) == ("a-3", START + 9 * 60_000)
    state = at_end(*steps, (9, ev.SetPriority("a-1", 9)))
    assert (state.front["a"].job, state.front["a"].since) == ("a-1", START + 9 * 60_000)
    assert [j.name for j in state.waiting("a")] == ["a-1", "a-2", "a-3"]


def test_a_trial_is_taken_back():
    state = at_end((0, submitted("a-1")), (1, submitted("b-1")))
    before = (state.clock, dict(state.since), dict(state.front), state.book.usage("a", "u"))
    with state.trial():
        state.record(ev.Dispatch("a-1"))
        state.record(ev.Terminate("b-1"))
        assert state.book.usage("a", "u") == 1
    assert (state.clock, dict(state.since), dict(state.front), state.book.usage("a", "u")) == before
    assert state.book.job("b-1").stage is Stage.RUNNABLE


def test_observations_of_one_time_are_a_group_unless_they_are_ordered():
    told = [Seen(0, 999, submitted("a-1")), Seen(500, 1499, submitted("a-2")), Seen(1500, 1500, submitted("a-3"))]
    assert [len(g) for g in groups(history_of(walkthrough(), told))] == [2, 1]
    assert [len(g) for g in groups(history_of(walkthrough(), told, ordered=True))] == [1, 1, 1]
    assert [len(g) for g in groups(history_of(walkthrough(), told), until=499)] == [1]


def test_machines_are_held_until_a_victim_has_stopped():
    state = at_end((0, submitted("a-1", n=3)), *((1, x) for x in runs("a-1")), (2, Preempting("a-1")))
    assert state.book.job("a-1").stage in HOLDING
    assert state.book.usage("a", "u") == 3
