"""What verify proves of a configuration no history of the reference breaks, however its times are seen."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from quotaproof.reference.clock import run
from quotaproof.reference.decide import decide
from quotaproof.spec import events as ev
from quotaproof.spec.promises import (
    BorrowsAtMost,
    By,
    Fits,
    Gets,
    HoldsAtMost,
    IdleWhileWaiting,
    StopsPerJob,
    Undisturbed,
)
from quotaproof.spec.readings import Readings
from quotaproof.spec.workload import Work

from ...support.measured import measured, promise
from ...support.queues import queue, share
from ...support.weeks import history
from .judging import KEPT, MINUTE, judge
from .small import drawn

STOPS = 2 * MINUTE
LATE = {"stop_takes": {"u": STOPS}}


def terms(share):
    """Terms about one share."""
    limit = share.limits["u"]
    for n in {1, limit}:
        yield from (
            Gets({"u": n}, 0),
            Gets({"u": n}, STOPS),
            Fits({"u": n}),
            HoldsAtMost({"u": n}),
            BorrowsAtMost({"u": n}),
        )
    yield from (Undisturbed(by, always) for by in By for always in (False, True))
    yield from (IdleWhileWaiting("u", STOPS), StopsPerJob(0))


def week(config, rng, jobs=60):
    """Random jobs, short enough that shares are idle now and then."""
    at, work = 0, []
    for n in range(jobs):
        at += round(rng.expovariate(1 / (4 * MINUTE)))
        share = rng.choice(config.shares)
        size = {"u": rng.randint(1, max(1, share.limits["u"]))}
        submit = ev.Submit(f"j{n}", share.name, size, rng.randint(0, 2), None)
        work.append(Work(at, round(rng.expovariate(1 / (15 * MINUTE))) + 1, submit))
    return work


def seen(seed, count, jobs=60):
    """A queue, its readings, and its history told exactly and told by the minute."""
    rng = random.Random(seed)
    for config, readings in drawn(seed, count):
        moments = list(run(config, readings, week(config, rng, jobs), drain=STOPS, until=40 * 60 * MINUTE))
        exact = history(config, moments, readings)
        yield config, readings, exact, history(config, moments, readings, claims=False, coarse=MINUTE)


def broken_though_proved(proofs, seed, count, jobs=60):
    """What is proved and broken all the same; and for each kind of term how often which verdict came, proved or not."""
    came: Counter[tuple[str, bool, str]] = Counter()
    found = []
    for config, readings, *histories in seen(seed, count, jobs):
        asked = [(share.name, term) for share in config.shares for term in terms(share)]
        proved = [
            all(j.result.verdict in KEPT for j in judge(proofs, config, term, name, readings=readings, **LATE))
            for name, term in asked
        ]
        promises = [promise(term, shares=[name], code=f"P{n}") for n, (name, term) in enumerate(asked)]
        for of in histories:
            for told in measured(of, *promises, readings=readings):
                n, verdict = int(told.code[1:]), told.result.verdict.name
                came[type(asked[n][1]).__name__, proved[n], verdict] += 1
                if proved[n] and verdict == "BROKEN_HERE":
                    found.append((config, dict(readings.chosen), asked[n], told.result))
    return found, came


EVERY = {"Gets", "Fits", "HoldsAtMost", "BorrowsAtMost", "Undisturbed", "IdleWhileWaiting", "StopsPerJob"}


def test_no_history_breaks_what_is_proved(proofs) -> None:
    found, came = broken_though_proved(proofs, seed=20, count=3, jobs=25)
    assert found == []
    assert {kind for kind, proved, verdict in came if proved and verdict == "KEPT"} == EVERY
    assert {kind for kind, proved, verdict in came if not proved and verdict == "BROKEN_HERE"} == EVERY - {"Fits"}


def test_a_scheduler_that_takes_nothing_back_breaks_what_is_proved(proofs) -> None:
    def lazy(queue, policy):
        step = decide(queue, policy)
        return None if isinstance(step, ev.Claim) else step

    config = queue(4, share("a", 2, "LEND"), share("b", 2, "LEND_AND_BORROW"))
    term = Gets({"u": 2}, STOPS)
    assert all(j.result.verdict in KEPT for j in judge(proofs, config, term, "a", **LATE))
    work = week(config, random.Random(1))
    for scheduler, verdict in ((decide, "KEPT"), (lazy, "BROKEN_HERE")):
        moments = list(run(config, Readings(), work, drain=STOPS, decide=scheduler, until=40 * 60 * MINUTE))
        (told,) = measured(history(config, moments, Readings()), promise(term, shares=["a"]))
        assert told.result.verdict.name == verdict


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(2, 12))
def test_no_history_of_many_queues_breaks_what_is_proved(proofs, seed) -> None:
    found, came = broken_though_proved(proofs, seed, count=20)
    assert found == []
    print(seed, dict(came))
