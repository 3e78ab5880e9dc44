"""A trial as a history: what would have been seen of it on a clock, completely or as AWS shows it."""

from __future__ import annotations

from collections.abc import Iterable

from ...reference.apply import apply
from ...reference.queue import Queue
from ...spec import events as ev
from ...spec.model import QueueConfig, Stage
from ...spec.observations import History, Observation, Preempted, Seen, Settled, Submitted, observed
from ...spec.readings import Readings

START = 1_767_225_600_000
"""The first move: 2026-01-01, 00:00 UTC."""
STEP = 1_500
"""Milliseconds between two events."""
MOVE = 600_000
"""Between two moves, at least."""


def recorded(config: QueueConfig, readings: Readings, events: Iterable[tuple[int, ev.Event | None]], *, claims: bool = True,
             coarse: int = 1, step: int = STEP, apart: int = MOVE) -> History:  # fmt: skip
    """Events, each with the number of its move (None: nothing was left to do), as a history.

    Without `claims` it is as AWS shows it: who was told to stop, not for whom. Times are known up to `coarse`
    milliseconds; events are `step` apart, moves at least `apart`.
    """
    queue = Queue(config, readings)
    seen: list[Seen] = []
    at, last = START, 0
    for number, event in events:
        at, last = (at + step if number == last else max(at + step, START + number * apart)), number
        if event is None:
            start = at - at % coarse
            seen.append(Seen(start, start + coarse - 1, Settled()))
            continue
        apply(queue, event)
        for one in observed(at, event, queue.jobs, claims=claims, claimants=claims, kinds=claims, coarse=coarse):
            seen.append(Seen(one.at, one.until, _ended(one.what, queue)))
    jobs = {s.what.job: s.what for s in seen if isinstance(s.what, Submitted)}
    return History(
        config, lambda: iter(seen), ordered=coarse == 1 and claims, claims=claims, start=START, end=at, jobs=jobs
    )


def _ended(what: Observation, queue: Queue) -> Observation:
    """How a job that ended by itself shows: as it is then, which A34 decides for one that was told to stop."""
    if not isinstance(what, ev.Finish):
        return what
    job = queue.jobs[what.job]
    if job.stage is Stage.RUNNABLE:
        return Preempted(job.name, job.stage, job.preemptions)
    return ev.Finish(job.name, failed=job.stage is Stage.FAILED)
