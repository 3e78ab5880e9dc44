"""Histories of random reference runs under one choice of one question, complete or as AWS shows them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from quotaproof.checker.explore.recorded import recorded
from quotaproof.checker.judge.book import Book
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Queue
from quotaproof.reference.run import GoesRound, settle
from quotaproof.spec import events as ev
from quotaproof.spec.observations import History
from quotaproof.spec.readings import Readings

from .runs import Run

COMPLETE = {"claims": True}
AS_AWS_SHOWS_IT = {"claims": False, "coarse": 1000, "step": 400, "apart": 400}


def random_history(seed: int, readings: Readings, rounds: int = 25, **shown: object) -> History:
    """What a reference with these readings did in a random queue with random users and administrators."""
    rng = random.Random(seed)
    run = Run(rng, busy=rng.random() < 0.3)
    run.readings, run.policy = readings, Policy.of(readings)
    run.queue, run.book = Queue(run.config, readings), Book(run.config, readings)
    return recorded(run.config, readings, list(_events(run, rounds)), **shown)  # type: ignore[arg-type]


def _events(run: Run, rounds: int) -> Iterator[tuple[int, ev.Event | None]]:
    for number in range(rounds):
        event = run.outside()
        if event is not None:
            yield number, event
            run.apply(event)
        if run.rng.random() < 0.6:
            try:
                for step in settle(run.queue, run.policy, drains=run.rng.random() < 0.35):
                    yield number, step
                    run.book.record(step)
            except GoesRound:
                return
            yield number, None
