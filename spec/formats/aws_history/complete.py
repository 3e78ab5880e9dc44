"""How complete a history is: moves that must have happened against those that were logged, gaps, and missing sources.

Trusted: nothing; a gap is only called so where jobs prove that something happened in it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from ...observations import Completeness, Gap, Preempted
from .join import Joined
from .known import SECOND
from .records import Records

_SHORTEST = 10 * 60 * SECOND
"""A silence below this is no gap."""
_UNUSUAL = 20
"""A gap is this many times longer than the usual distance between records."""


def completeness(joined: Sequence[Joined], records: Records) -> Completeness:
    """Of the jobs that are judged."""
    missing = sorted(window for one in joined for window in one.life.missing)
    return Completeness(
        expected=sum(one.life.expected for one in joined),
        seen=sum(one.life.logged for one in joined),
        gaps=tuple(_gaps(sorted(records.logged), missing)),
        notes=tuple(_notes(joined, records)),
    )


def _gaps(logged: Sequence[int], missing: Sequence[tuple[int, int]]) -> Iterator[Gap]:
    """Silences in which a missing move can lie."""
    if len(logged) < 2 or not missing:
        return
    steps = [b - a for a, b in pairwise(logged)]
    least = max(_SHORTEST, _UNUSUAL * median(steps))
    starts = [low for low, _ in missing]
    for start, end in pairwise(logged):
        if end - start < least:
            continue
        inside = sum(high >= start for _, high in missing[: bisect_left(starts, end)])
        if inside:
            what = "a move of a job that must have happened is" if inside == 1 else f"{inside} moves of jobs are"
            yield Gap(start, end, f"no record, and {what} missing that can lie in it")


def _notes(joined: Sequence[Joined], records: Records) -> Iterator[str]:
    jobs = [one.known for one in joined]
    if not records.logged:
        yield (
            "no EventBridge events: only the latest attempt of each job is known, with its times; "
            "a rule that keeps the events of AWS Batch gives the rest (`quotaproof pull --setup`)"
        )
    elif not records.preemptions_logged and any(isinstance(s.what, Preempted) for one in joined for s in one.seen):
        yield "no preemption events: that a job was told to stop, and when, is known from its states at best"
    if not records.calls:
        yield (
            "no CloudTrail records: priorities and limit changes are not known; "
            "`aws cloudtrail lookup-events` gives those of the last 90 days"
        )
    unknown = sum(one.submitted.priority is None for one in joined)
    if records.calls and unknown:
        yield f"the first priority of {unknown} of {len(jobs)} jobs is not known: CloudTrail does not reach back so far"
    for lacking, what, gives in (
        (sum(not k.retries_known for k in jobs), "preemption limit", "describe-service-job or CloudTrail"),
        (sum(k.checkpoint is None for k in jobs), "checkpoint setting", "the payload that describe-service-job shows"),
    ):
        if lacking:
            yield f"the {what} of {lacking} of {len(jobs)} jobs is not known; {gives} gives it"
