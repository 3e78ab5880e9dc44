"""Workloads and traces of the reference for tests: a published week made tight, and random weeks of any number of jobs."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.rest import at_rest
from quotaproof.checker.judge.stepwise import Violation, judge
from quotaproof.reference.clock import Moment, run
from quotaproof.spec import events as ev
from quotaproof.spec.formats.workloads import load_workload
from quotaproof.spec.model import QueueConfig, Strategy
from quotaproof.spec.observations import History, Rejected, Seen, Settled, observed
from quotaproof.spec.readings import Readings
from quotaproof.spec.workload import Work, Workload

from .published import trace
from .queues import queue, share

DAY = 86_400_000
TIMES = {"drain": 120_000, "scheduled": 5_000, "starting": 60_000}
"""Milliseconds: what a job's stages and a victim's end take in these weeks."""


def philly_week(scale: float = 0.7, *, reserve: bool = True, in_share: bool = True) -> Workload:
    """The Philly week of 2017-09-25 on `scale` of its machines, so that shares borrow, reclaim and wait.

    The trace has no priorities: each job gets one of its own. `reserve`: one share keeps what is its own. `in_share`:
    in-share preemption is on in every other share, or in none.
    """
    found = load_workload([trace("philly_week_20170925.csv")])
    smallest = min(found.config.shares, key=lambda s: s.limits["gpu"]).name
    shares = []
    for number, s in enumerate(found.config.shares):
        strategy = Strategy.RESERVE if reserve and s.name == smallest else s.strategy
        borrow = s.borrow_limit if strategy is Strategy.LEND_AND_BORROW else None
        limit = {"gpu": max(2, round(s.limits["gpu"] * scale))}
        shares.append(share(s.name, limit, strategy, borrow, in_share=in_share and number % 2 == 0))
    config = queue({"gpu": sum(s.limits["gpu"] for s in shares)}, *shares)
    jobs = (replace(w, submit=replace(w.submit, priority=int(w.submit.job[1:]) * 7919 % 9973)) for w in found.work)
    return Workload(config, tuple(jobs))


def busy_week(jobs: int, seed: int = 0, *, reserve: bool = True) -> Workload:
    """Random jobs of four shares on twelve machines, who borrow and reclaim all the time."""
    rng = random.Random(seed)
    config = queue(
        12,
        share("a", 4, "LEND_AND_BORROW", 100, in_share=True),
        share("b", 4, "LEND_AND_BORROW"),
        share("c", 3, "LEND"),
        share("d", 1, "RESERVE" if reserve else "LEND"),
    )
    at, work = 0, []
    for number in range(jobs):
        at += round(rng.expovariate(1 / 200_000))
        of = rng.choice("aaabbbccd")
        size = 1 if of == "d" else rng.choice((1, 1, 2, 3))
        submit = ev.Submit(f"j{number}", of, {"u": size}, rng.randint(0, 2), rng.choice((None, None, 2)))
        work.append(Work(at, round(rng.expovariate(1 / 900_000)), submit))
    return Workload(config, tuple(work))


def reference_trace(jobs: int, seed: int = 0) -> tuple[QueueConfig, list[Moment]]:
    """What the reference makes of a busy week of so many jobs, with its points of rest, and the queue."""
    week = busy_week(jobs, seed)
    return week.config, list(run(week.config, Readings(), week.work, **TIMES))


def first(work: Iterable[Work], jobs: int) -> Iterator[Work]:
    """The first so many jobs to arrive."""
    return (w for _, w in zip(range(jobs), work, strict=False))


def first_fault(config: QueueConfig, moments: Iterable[Moment], readings: Readings) -> Violation | None:
    """What is broken first, judged step by step as it happens, at points of rest too; None when nothing is."""
    book = Book(config, readings)
    for _, step in moments:
        if isinstance(step, Rejected):
            continue
        fault = at_rest(book) if isinstance(step, Settled) else judge(book, step)
        if fault is not None:
            return fault
        if not isinstance(step, Settled):
            book.record(step)
    return None


def history(
    config: QueueConfig, moments: Iterable[Moment], readings: Readings, *, claims: bool = True, coarse: int = 1,
    **view: bool,
) -> History:  # fmt: skip
    """What is seen of it all: by default every claim, every point of rest and the order of what happened.

    `claims`, `claimants`, `coarse` as in `observed`; without `claims` no point of rest is seen either, and times that are
    `coarse` give no order.
    """
    book, found = Book(config, readings), list[Seen]()
    for at, step in moments:
        if isinstance(step, Rejected | Settled):
            found += [Seen(at, at, step)] if claims or isinstance(step, Rejected) else []
        else:
            book.record(step)
            found.extend(observed(at, step, book.jobs, claims=claims, coarse=coarse, **view))
    return History(config, lambda: iter(found), ordered=coarse == 1, claims=claims, start=found[0].at, end=found[-1].at)
