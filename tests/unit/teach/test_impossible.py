"""A job that can never run is said to at once, with numbers, wherever a scheduler has not said so yet; and no other is."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from quotaproof.checker.teach.game import Game
from quotaproof.checker.teach.impossible import never
from quotaproof.checker.teach.run import Play
from quotaproof.reference.impossible import reason
from quotaproof.spec import events as ev

from ...support.queues import queue, share
from ...support.runs import Run

SHARES = (
    share("a", 4),
    share("b", 1, "LEND_AND_BORROW", 100),
    share("c", 1, "LEND_AND_BORROW"),
    share("r", 2, "RESERVE"),
)
QUEUE = queue(8, *SHARES)


@pytest.mark.parametrize(
    ("share", "n", "why"),
    [
        ("a", 5, "it asks for 5 u, and a may use 4 and borrow nothing"),
        ("b", 3, "it asks for 3 u, and b may use 2 with what it may borrow"),
        ("c", 8, "it asks for 8 u, and c has 1 and others lend 5 at most"),
        ("c", 9, "it asks for 9 u, and the environment has 8"),
        ("a", 4, ""),
        ("b", 2, ""),
        ("c", 6, ""),
    ],
)
def test_the_first_frame_says_it_with_the_numbers(share, n, why):
    play = Play(Game("never", QUEUE, (ev.Submit("huge", share, {"u": n}),)))
    job = next(job for job in play.frame(1).jobs if job.name == "huge")
    said = job.waits.sentence if job.waits is not None else ""
    assert said == (f"huge can never run: {why}." if why else "huge may start now.")


def test_it_is_said_of_the_same_jobs_of_which_the_reference_says_it():
    seen: Counter[bool] = Counter()
    for seed in range(40):
        run = Run(random.Random(seed))
        for _ in run.steps(25):
            for name, job in run.queue.jobs.items():
                mine = bool(never(run.book, run.book.jobs[name]))
                assert mine == bool(reason(run.queue, run.policy, job)), (seed, name)
                seen[mine] += 1
    assert min(seen[True], seen[False]) > 100
