"""What a history recorded of jobs, told as a run is. Nobody decides in it, so that nothing rests. Trusted: nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ....spec import events as ev
from ....spec.observations import Preempting, Retried
from ....spec.workload import Attempt, Work

Told: TypeAlias = ev.Event | Preempting | Retried
_ENDS, _COMES, _STARTS, _ENDS_AT_ONCE = range(4)
"""At one instant machines are freed first, and a job comes before it starts; but it ends after whatever it did itself."""


def moments(work: Iterable[Work], until: int | None = None) -> Iterator[tuple[int, Told]]:
    """Jobs of which nothing is recorded only come."""
    found: list[tuple[int, int, int, Told]] = []
    for job in work:
        found.append((job.at, _COMES, len(found), job.submit))
        for attempt in job.was or ():
            found += [(at, rank, len(found) + n, e) for n, (at, rank, e) in enumerate(_told(job.submit.job, attempt))]
    for at, _, _, event in sorted(found, key=lambda f: f[:3]):
        if until is not None and at > until:
            return
        yield at, event


def _told(job: str, attempt: Attempt) -> Iterator[tuple[int, int, Told]]:
    yield attempt.at, _STARTS, ev.Dispatch(job)
    if attempt.running is not None:
        yield attempt.running, _STARTS, ev.Advance(job)
        yield attempt.running, _STARTS, ev.Advance(job)
    if attempt.stopping is not None:
        yield attempt.stopping, _STARTS, Preempting(job)
    if attempt.until is not None:
        ends: dict[str, Told] = {"stopped": ev.Stopped(job), "retried": Retried(job)}
        own = (attempt.at, attempt.running or attempt.at, attempt.stopping or attempt.at)
        rank = _ENDS if attempt.until > max(own) else _ENDS_AT_ONCE
        yield attempt.until, rank, ends.get(attempt.how) or ev.Finish(job, attempt.how == "failed")
