"""No game takes what another share owns, nor more than may be borrowed: in random runs; planted schedulers are caught."""

from __future__ import annotations

import random

import pytest
from quotaproof.checker.rollout.games.laws import GAMES, broken
from quotaproof.reference.decide import decide as obey
from quotaproof.spec import events as ev
from quotaproof.spec.readings import Readings
from quotaproof.spec.workload import Work

from ...support.queues import queue, share

DRAIN = 10
KINDS = [
    ("LEND_AND_BORROW", None),
    ("LEND_AND_BORROW", 50),
    ("LEND_AND_BORROW", 100),
    ("LEND", None),
    ("RESERVE", None),
]


def random_queue(rng):
    limits = [rng.randint(1, 4) for _ in range(rng.randint(2, 4))]
    shares = [share(f"s{i}", n, *rng.choice(KINDS), in_share=rng.random() < 0.5) for i, n in enumerate(limits)]
    return queue(sum(limits) + rng.randint(0, 2), *shares)


def random_work(rng, config):
    jobs = []
    for number in range(rng.randint(6, 14)):
        one = rng.choice(config.shares)
        size = rng.randint(1, one.limits["u"] + (2 if one.borrow_limit or one.strategy == "LEND_AND_BORROW" else 0))
        submit = ev.Submit(f"j{number}", one.name, {"u": size}, rng.randint(0, 3))
        jobs.append(Work(rng.randint(0, 60), rng.randint(1, 50), submit))
    return sorted(jobs, key=lambda w: w.at)


def found(game, seeds, decide=obey):
    """Seeds of runs in which the game breaks a law, and the first of what it breaks."""
    wrong = {}
    for seed in seeds:
        rng = random.Random(seed)
        config = random_queue(rng)
        gamer = rng.choice(config.shares).name
        work = GAMES[game](random_work(rng, config), gamer)
        first = next(broken(config, Readings(), work, gamer, drain=DRAIN, decide=decide), None)
        if first is not None:
            wrong[seed] = first
    return wrong


@pytest.mark.parametrize("game", GAMES)
def test_no_game_takes_what_another_share_owns_nor_more_than_may_be_borrowed(game):
    assert found(game, range(40)) == {}


@pytest.mark.campaign
@pytest.mark.parametrize("game", GAMES)
def test_no_game_does_so_in_many_runs(game):
    assert found(game, range(1000, 4000)) == {}


def respects_priorities_of_other_shares(state, policy):
    """Planted: a job of high priority is never stopped, whoever owns its machines."""
    step = obey(state, policy)
    if isinstance(step, ev.Claim) and any(state.jobs[v].priority > 3 for v in step.victims):
        return None
    return step


def limits_each_job_by_itself(state, policy):
    """Planted: a job may borrow what its share may, however much the share's other jobs borrow already."""
    step = obey(state, policy)
    if step is None:
        for one in state.awaited():
            job = state.first(one.name)
            grant, idle = state.grant(one.name, "u"), state.capacity["u"] - sum(state.usage.values())
            if grant.borrowable and job.size["u"] <= min(idle, grant.borrowable):
                return ev.Dispatch(job.name)
    return step


def starts_small_jobs_anywhere(state, policy):
    """Planted: a job of one machine starts on any idle one, also one that is kept or promised."""
    if state.capacity["u"] > sum(state.usage.values()):
        for one in state.awaited():
            if state.first(one.name).size == {"u": 1}:
                return ev.Dispatch(state.first(one.name).name)
    return obey(state, policy)


def test_a_head_that_is_still_owed_its_own_when_nothing_happens_any_more_breaks_the_law():
    def never_serves_b(state, policy):
        step = obey(state, policy)
        return None if isinstance(step, ev.Dispatch | ev.Claim) and state.jobs[step.job].share == "b" else step

    config = queue(2, share("a", 1, "LEND_AND_BORROW"), share("b", 1, "LEND"))
    work = [Work(0, 10, ev.Submit("a-1", "a", {"u": 1}, 0)), Work(60, 10, ev.Submit("b-1", "b", {"u": 1}, 0))]
    wrong = list(broken(config, Readings(), work, "a", drain=DRAIN, decide=never_serves_b))
    assert [(one.law, one.at, one.share) for one in wrong] == [("own", 60, "b")]
    assert list(broken(config, Readings(), work, "a", drain=DRAIN)) == []


PLANTED = {
    "inflating": (respects_priorities_of_other_shares, "own"),
    "splitting": (limits_each_job_by_itself, "limit"),
    "padding": (starts_small_jobs_anywhere, "own"),
}


@pytest.mark.parametrize("game", PLANTED)
def test_a_scheduler_that_lets_the_game_win_is_caught_in_at_most_forty_runs(game):
    decide, law = PLANTED[game]
    assert law in {wrong.law for wrong in found(game, range(40), decide).values()}
