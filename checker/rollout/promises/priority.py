"""`priority`: what a band of priorities means, who may set them, how many jobs may have them at once.

A priority in the bands of two promises means two things, which is broken whatever jobs there are. Who sets one is told by
CloudTrail alone, so audit measures it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....spec.formats import JobItem
from ....spec.promises import PriorityBand, Promise
from ...promised import How
from ...results import Result, Verdict
from .case import Case, Judgement
from .later import later
from .stops import named


def priority(case: Case, promise: Promise, term: PriorityBand) -> Iterator[Judgement]:
    """What is wrong with the band, or that nothing is; the jobs among the files that are in it."""
    subject = f"{term.low} to {term.high}"
    for other, low, high in _overlaps(case, promise, term):
        same = f"{low}" if low == high else f"{low} to {high}"
        because = f"priority {same} is also in the band of {other.code} ({other.place}), so it means two things"
        yield Judgement(How.RECORDED, Result(promise.code, Verdict.BROKEN, because, subject, place=promise.place))
    if term.at_most_jobs is not None:
        yield _jobs(case, promise, term, term.at_most_jobs, subject)
    if term.set_by:
        who = f"{', '.join(term.set_by)} may set it; audit looks at who did"
        yield later(promise, How.MEASURED, who, subject)
    if term.at_most_jobs is None and not term.set_by:
        yield later(promise, How.RECORDED, f"it means {term.meaning}" if term.meaning else "people keep it", subject)


def _overlaps(case: Case, promise: Promise, term: PriorityBand) -> Iterator[tuple[Promise, int, int]]:
    """Promises before this one whose bands share priorities, for a share that both are about."""
    mine = {s.name for s in promise.scope.of(case.config)}
    for other in case.promises.promises:
        if other is promise:
            return
        for band in other.terms:
            if isinstance(band, PriorityBand) and mine & {s.name for s in other.scope.of(case.config)}:
                low, high = max(term.low, band.low), min(term.high, band.high)
                if low <= high:
                    yield other, low, high


def _jobs(case: Case, promise: Promise, term: PriorityBand, most: int, subject: str) -> Judgement:
    shares = {s.name for s in promise.scope.of(case.config)}
    inside = [j for j in case.jobs if j.share in shares and term.low <= j.priority <= term.high]
    if len(inside) > most:
        because = f"{len(inside)} jobs among the files are in it, at most {most} may be: {named(inside, _priority)}"
        return Judgement(
            How.PROVED,
            Result(promise.code, Verdict.BROKEN, because, subject, place=inside[0].place, count=len(inside)),
        )
    return later(promise, How.MEASURED, f"{len(inside)} jobs among the files are in it, at most {most} may be; "
                 "audit counts those at once", subject)  # fmt: skip


def _priority(job: JobItem) -> str:
    return f" has {job.priority}"
