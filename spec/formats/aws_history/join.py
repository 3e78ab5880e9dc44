"""What is known of one job to its submission, its priorities and its life; or why it cannot be judged.

A priority that an answer gives is the one of that moment. It counts from the start only where CloudTrail covers the
job's whole life and tells of no change. Trusted: `first_priority`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ... import events as ev
from ...model import Stage
from ...observations import Doubt, JobFacts, Observation, Preempted, Seen, Submitted
from .known import NEVER, SECOND, Known, Mark
from .life import Life, live, within
from .order import SLACK


@dataclass
class Joined:
    """A job that can be judged."""

    known: Known
    submitted: Submitted
    life: Life
    seen: list[Seen] = field(default_factory=list[Seen])
    """All its observations, in the order of its life."""
    doubts: list[Doubt] = field(default_factory=list[Doubt])


def lacks(known: Known) -> tuple[str, ...]:
    """The facts without which a job cannot be judged."""
    found: list[str] = []
    if known.created is None and known.submitted is None:
        found.append("submission")
    if not known.share:
        found.append("share")
    if not known.size:
        found.append("size")
    return tuple(found)


def join(known: Known, priorities_from: int | None) -> Joined:
    """A job that lacks nothing, with its observations."""
    life = live(known)
    submitted = Submitted(
        job=known.job,
        share=known.share,
        size=known.size,
        priority=first_priority(known, priorities_from),
        retries=known.retries,
        retries_known=known.retries_known,
        facts=JobFacts(
            name=known.name,
            arn=known.arn,
            checkpoint=known.checkpoint,
            training_plan=known.training_plan,
            timeout=known.timeout,
            owner=known.owner,
        ),
    )
    joined = Joined(known, submitted, life)
    joined.seen = list(_observations(joined))
    joined.doubts = [*_same_second(joined), *_lost(joined)]
    return joined


def first_priority(known: Known, priorities_from: int | None) -> int | None:
    """The priority it was submitted with, or None.

    `priorities_from`: since when every request would be known; None without CloudTrail.
    """
    if known.submitted is not None:
        return known.submitted.priority
    created = known.created
    covered = priorities_from is not None and created is not None and priorities_from <= created
    if covered and not known.updates and len(known.priorities) == 1:
        return next(iter(known.priorities))
    return None


def _observations(joined: Joined) -> Iterator[Seen]:
    known, life = joined.known, joined.life
    asked = known.submitted
    if known.created is not None:
        low = high = known.created
    else:
        assert asked is not None
        low, high = asked.at - SECOND, asked.at + SECOND
    if life.queued is not None:
        high = max(low, life.queued)
    if life.seen:
        high = max(low, min(high, life.seen[0].until))
    mark = asked.mark if asked is not None else _first_mark(known)
    yield Seen(low, high, joined.submitted, mark.file, mark.line)
    told = sorted(known.updates, key=lambda r: (r.at, r.priority or 0))
    updates = [
        Seen(max(low, r.at - SECOND), max(low, r.at + SECOND), ev.SetPriority(known.job, r.priority or 0), *_at(r.mark),
             by=r.by)
        for r in told
    ]  # fmt: skip
    again = [
        Seen(r.at - SECOND, r.at + SECOND, joined.submitted, *_at(r.mark))
        for r in known.submissions
        if asked is not None and r.at > asked.at + SLACK
    ]
    moves = [within(s, max(low, s.at), max(low, s.until)) for s in life.seen]
    if moves and _ends(moves[-1].what):
        moves[-1], updates = _before_end(moves[-1], updates)
    yield from sorted([*updates, *moves, *again], key=lambda s: s.at)


def _same_second(joined: Joined) -> Iterator[Doubt]:
    """Of two priorities asked for in one second nobody knows which was the last, until another one is asked for."""
    told = sorted(joined.known.updates, key=lambda r: r.at)
    for one, other in pairwise(told):
        if one.at == other.at and one.priority != other.priority:
            later = (r.at for r in told if r.at > one.at)
            end = next(later, max(s.until for s in joined.seen))
            why = f"job {joined.known.job} was given two priorities within one second"
            yield Doubt(one.at - SECOND, end + SECOND, "priority", why)


def _lost(joined: Joined) -> Iterator[Doubt]:
    """While a record of a job must be missing nobody knows what else is missing there, of other jobs too."""
    for low, high in joined.life.missing:
        yield Doubt(
            low - SLACK, high + SLACK, "moves", f"a record of job {joined.known.job} is missing then", joined.known.job
        )
    if joined.life.unended is not None:
        why = f"no record says when job {joined.known.job} gave its machines back or ended"
        yield Doubt(joined.life.unended - SLACK, NEVER, "moves", why)


def _ends(what: Observation) -> bool:
    return isinstance(what, ev.Finish | ev.Terminate) or (isinstance(what, Preempted) and what.stage is Stage.FAILED)


def _before_end(end: Seen, updates: Sequence[Seen]) -> tuple[Seen, list[Seen]]:
    """AWS accepts a change of a job that lives only: where the times allow it, it was before the job's end."""
    early = [u for u in updates if u.at <= end.until]
    end = within(end, max([end.at, *(u.at for u in early)]), end.until)
    return end, [within(u, u.at, min(u.until, end.until)) if u in early else u for u in updates]


def _first_mark(known: Known) -> Mark:
    moves = sorted(known.moves.values(), key=lambda m: (m.low, m.mark.file, m.mark.line))
    return next((m.mark for m in moves if m.logged), moves[0].mark if moves else known.mark)


def _at(mark: Mark) -> tuple[int, int]:
    return mark.file, mark.line
