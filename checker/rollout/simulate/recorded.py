"""What a history recorded of jobs, told as a run is. Nobody decides in it, so that nothing rests. Trusted: nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ....spec import events as ev
from ....spec.observations import Preempting, Retried
from ....spec.workload import Attempt, Work

Told: TypeAlias = ev.Event | Preempting | Retried
_ENDS, _COMES, _STARTS = range(3)
"""At one instant machines are freed first, and jobs come before others start; a job's own moments keep their order."""


def moments(work: Iterable[Work], until: int | None = None) -> Iterator[tuple[int, Told]]:
    """Jobs of which nothing is recorded only come."""
    found: list[tuple[int, int, int, Told]] = []
    for job in work:
        before = job.at, _ENDS
        for at, rank, event in _life(job):
            before = at, max(rank, before[1]) if at == before[0] else rank
            found.append((*before, len(found), event))
    for at, _, _, event in sorted(found, key=lambda f: f[:3]):
        if until is not None and at > until:
            return
        yield at, event


def _life(job: Work) -> Iterator[tuple[int, int, Told]]:
    yield job.at, _COMES, job.submit
    for attempt in job.was or ():
        yield from _told(job.submit.job, attempt)


def _told(job: str, attempt: Attempt) -> Iterator[tuple[int, int, Told]]:
    yield attempt.at, _STARTS, ev.Dispatch(job)
    if attempt.running is not None:
        yield attempt.running, _STARTS, ev.Advance(job)
        yield attempt.running, _STARTS, ev.Advance(job)
    if attempt.stopping is not None:
        yield attempt.stopping, _STARTS, Preempting(job)
    if attempt.until is not None:
        ends: dict[str, Told] = {"stopped": ev.Stopped(job), "retried": Retried(job)}
        yield attempt.until, _ENDS, ends.get(attempt.how) or ev.Finish(job, attempt.how == "failed")
