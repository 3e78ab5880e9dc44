"""Random runs of the reference with times, and what an AWS history of them shows at best."""

from __future__ import annotations

import random
from dataclasses import replace

from quotaproof.checker.judge.book import Book
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Queue
from quotaproof.spec import events as ev
from quotaproof.spec.observations import Observation, Preempting, Reached, Submitted, observed
from quotaproof.spec.readings import Readings

from .runs import Run

START = 1_793_631_600_000


class _Plain(Run):
    """A run under default readings, so that what AWS shows has one meaning."""

    def __post_init__(self):
        super().__post_init__()
        self.readings = Readings()
        self.queue, self.policy = Queue(self.config, self.readings), Policy.of(self.readings)
        self.book = Book(self.config, self.readings)


def timed_run(seed: int, rounds: int = 60, steps=(1000, 1700, 2300, 20_000)):
    """The run, its events with times, and what can be seen of them; changes before the first job are configuration."""
    rng = random.Random(seed)
    run = _Plain(rng, busy=rng.random() < 0.5)
    at, timed, seen = START, [], []
    jobs = run.queue.jobs
    pending: tuple[int, ev.Event] | None = None

    def look():
        if pending is not None:
            seen.extend((pending[0], shown(s.what)) for s in observed(*pending, jobs, claims=False, claimants=False))

    for event in run.steps(rounds):
        look()
        at += rng.choice(steps)
        pending = (at, event)
        timed.append(pending)
    if pending is not None and timed:
        look()
    first = next((t for t, e in timed if isinstance(e, ev.Submit)), at)
    before_jobs = [t for t, e in timed if isinstance(e, ev.ADMINISTRATOR) and t - t % 1000 + 1000 < first]
    return run, timed, [(t, what) for t, what in seen if what is not None and t not in before_jobs]


def shown(what: Observation) -> Observation | None:
    """An observation as an AWS history gives it; None for what AWS has no record of."""
    if isinstance(what, ev.Release | ev.ShareGone):
        return None
    if isinstance(what, Preempting):
        return replace(what, kind="cross-share" if what.kind == "cross-share" else None, reason="")
    if isinstance(what, Submitted):
        return replace(what, size=dict(what.size), facts=Submitted("", "", {}).facts)
    if isinstance(what, Reached):
        return replace(what, attempt="")
    return what
