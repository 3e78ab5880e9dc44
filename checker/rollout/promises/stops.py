"""`stops_per_job`: how often a job is stopped is bounded where nobody can stop it, or by what it was submitted with.

A job that sets preemptionRetriesBeforeTermination comes back after so many stops, and the next one ends it (rule 43; G11
keeps it). Trusted: `Lot.loses` for whose jobs others can stop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ....spec.formats import JobItem
from ....spec.promises import Promise, StopsPerJob
from ...findings.table import lots
from ...promised import How
from ...results import Result, Verdict
from .case import Case, Judgement
from .later import later

NAMED = 10
"""Jobs that are named."""


def stops_per_job(case: Case, promise: Promise, term: StopsPerJob) -> Iterator[Judgement]:
    """One judgement a share."""
    stoppable = can_be_stopped(case)
    for share in promise.scope.of(case.config):
        jobs = [job for job in case.jobs if job.share == share.name]
        if share.name not in stoppable:
            nobody = (
                "nobody can stop a job of it: it never borrows what others take back, and in-share preemption is off"
            )
            yield Judgement(How.PROVED, Result(promise.code, Verdict.HOLDS_HERE, nobody, share.name))
            continue
        without = [job for job in jobs if job.retries is None or job.retries > term.at_most]
        set_ = f"{term.set_at_submit} at {term.at_most} or less"
        if without:
            because = f"{of(without, jobs)} submitted without {set_}: {named(without, _retries)}"
            yield Judgement(
                How.PROVED,
                Result(promise.code, Verdict.BROKEN, because, share.name, place=without[0].place, count=len(without)),
            )
        else:
            so = f"each of the {len(jobs)} jobs among the files sets it; " if jobs else ""
            yield later(promise, How.RECORDED, f"{so}set {set_} at submit; audit measures it", share.name)


def can_be_stopped(case: Case) -> frozenset[str]:
    """Shares that have a job somebody may stop: what it borrowed, or for another job of the share."""
    loses = {i for lot in lots(case.config, case.readings) for i in range(len(lot.grants)) if lot.loses(i)}
    return frozenset(s.name for i, s in enumerate(case.config.shares) if i in loses or s.in_share)


def of(some: Sequence[JobItem], every: Sequence[JobItem]) -> str:
    """ "1 of 3 jobs is", "2 of 3 jobs are"."""
    return f"{len(some)} of {len(every)} job{'' if len(every) == 1 else 's'} {'is' if len(some) == 1 else 'are'}"


def named(jobs: Sequence[JobItem], about: Callable[[JobItem], str] = lambda _: "") -> str:
    """The jobs with what is said of each, and their places."""
    said = [f"{job.name}{about(job)} ({job.place})" for job in jobs[:NAMED]]
    return ", ".join(said) + (f" and {len(jobs) - NAMED} more" if len(jobs) > NAMED else "")


def _retries(job: JobItem) -> str:
    return " sets nothing" if job.retries is None else f" sets {job.retries}"
