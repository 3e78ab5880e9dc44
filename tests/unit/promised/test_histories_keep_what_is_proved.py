"""What verify proves of a configuration no history of the reference breaks, however its times are seen."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from quotaproof.checker.audit.promises import heads
from quotaproof.reference.clock import run
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
from quotaproof.spec.workload import Work

from ...support.measured import measured, promise
from ...support.weeks import history
from .judging import KEPT, MINUTE, judge
from .small import drawn

BROKEN, STOPS = "BROKEN_HERE", 2 * MINUTE
LATE = {"stop_takes": {"u": STOPS}}


def terms(config, share):
    """Terms about one share."""
    limit = share.limits["u"]
    for n in {1, limit}:
        yield from (
            Gets({"u": n}, 0),
            Gets({"u": n}, STOPS),
            Fits({"u": n}),
            HoldsAtMost({"u": n}),
            BorrowsAtMost({"u": n - 1}),
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


def seen(seed, count):
    """A queue, its readings, and its history told exactly and told by the minute."""
    rng = random.Random(seed)
    for config, readings in drawn(seed, count):
        moments = list(run(config, readings, week(config, rng), drain=STOPS, until=40 * 60 * MINUTE))
        exact = history(config, moments, readings)
        yield config, readings, exact, history(config, moments, readings, claims=False, coarse=MINUTE)


def broken_though_proved(proofs, seed, count):
    came = Counter()
    found = []
    for config, readings, *histories in seen(seed, count):
        for share in config.shares:
            for term in terms(config, share):
                proved = all(
                    j.result.verdict in KEPT for j in judge(proofs, config, term, share.name, readings=readings, **LATE)
                )
                for of in histories:
                    told = measured(of, promise(term, shares=[share.name]), readings=readings)
                    came.update((type(term).__name__, proved, p.result.verdict.name) for p in told)
                    found += [(config, term, p.result) for p in told if proved and p.result.verdict.name == BROKEN]
    return found, came


def test_no_history_breaks_what_is_proved(proofs) -> None:
    found, came = broken_though_proved(proofs, seed=1, count=8)
    assert found == []
    assert {kind for kind, proved, verdict in came if proved and verdict == "KEPT"} >= {
        "Gets", "Fits", "HoldsAtMost", "BorrowsAtMost", "Undisturbed", "IdleWhileWaiting", "StopsPerJob",
    }  # fmt: skip
    assert {kind for kind, proved, verdict in came if not proved and verdict == BROKEN} >= {
        "Gets", "HoldsAtMost", "BorrowsAtMost", "Undisturbed", "StopsPerJob",
    }  # fmt: skip
