"""What a scenario says against what is: its expectations, and the scheduler's choices that it gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...reference.decide import decide, refuses
from ...reference.policy import Policy
from ...reference.queue import Queue
from ...spec import events as ev
from ...spec.formats.scenario import Expect
from ...spec.model import Stage
from ..judge.book import Book
from .words import words

_STAGES = {"dispatched": (Stage.SCHEDULED, Stage.STARTING, Stage.RUNNING), "runnable": (Stage.RUNNABLE,),
           "draining": (Stage.DRAINING,), "succeeded": (Stage.SUCCEEDED,), "failed": (Stage.FAILED,)}  # fmt: skip


def otherwise(book: Book, queue: Queue, policy: Policy, event: ev.Event) -> str:
    """What the reference would do at this choice point, where it would not do `event`. Raises Impossible."""
    if not isinstance(event, ev.Dispatch | ev.Claim | ev.Release | ev.Misconfigured):
        return ""
    book.job(event.job)
    chosen = decide(queue, policy)
    if chosen == event:
        return ""
    if isinstance(event, ev.Dispatch) and refuses(queue, policy, queue.jobs[event.job]):
        return "the reference refuses this"
    return f"the reference would choose: {words(chosen) if chosen else 'nothing'}"


def unmet(book: Book, queue: Queue, expect: Expect, preempted: Sequence[str]) -> Iterator[str]:
    """What is not as expected; `preempted` are the jobs told to stop since the last expectation. Raises Impossible."""
    for name, wanted in _STAGES.items():
        asked = getattr(expect, name)
        found = sorted(j.name for j in book.jobs.values() if j.stage in wanted)
        if asked is not None and sorted(asked) != found:
            yield f"{name} should be {', '.join(sorted(asked)) or 'nobody'}, is {', '.join(found) or 'nobody'}"
    if expect.preempted is not None and sorted(expect.preempted) != sorted(preempted):
        wanted, found = (", ".join(names) or "nobody" for names in (expect.preempted, preempted))
        yield f"preempted should be {wanted}, is {found}"
    for share, units in (expect.usage or {}).items():
        book.share(share)
        for unit, n in units.items():
            if unit not in book.units():
                yield f"there is no {unit} in this queue"
            elif (found := book.usage(share, unit)) != n:
                yield f"{share} should use {n} {unit}, uses {found}"
    for job, n in (expect.preemptions or {}).items():
        if (found := book.job(job).preemptions) != n:
            yield f"{job} should have been preempted {n} time{'s' * (n != 1)}, was {found}"
    for job, text in (expect.reasons or {}).items():
        book.job(job)
        if text not in queue.jobs[job].reason or (not text) != (not queue.jobs[job].reason):
            yield f"{job} should say {text!r}, says {queue.jobs[job].reason!r}"
