"""QP230 to QP233: whose jobs are stopped, and submitted jobs that are stopped whole, can never run or are refused.

Which borrower is stopped is open (A26), so QP230 speaks only where there is no choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...spec.model import State
from ..results import Finding, Severity
from .check import Check, Subject, listed

if TYPE_CHECKING:
    from ...spec.formats import JobItem


def always_the_same(subject: Subject) -> Iterable[Finding]:
    names = [s.name for s in subject.config.shares]
    for lot in subject.lots:
        owners = [i for i in lot.lenders if i not in lot.closed and lot.must_take_back(i)]
        if len(lot.borrowers) != 1 or lot.given > lot.capacity or not owners:
            continue
        only = lot.borrowers[0].index
        name, limit, most = names[only], lot.grants[only].limit, lot.most(only)
        job = "Its borrowed job" if lot.borrow(only) == 1 else "Its borrowed jobs"
        whole = (
            f"A job above its own limit of {limit} is stopped whole, for one machine too; it then heads {name}'s queue "
            f"and blocks it until it can borrow again (A18)."
        )
        yield Finding(
            code="QP230",
            severity=Severity.NOTE,
            title=f"{name}: {job.lower()} can be stopped at any time by {listed([names[i] for i in owners])}, "
            "whatever the priorities",
            place=subject.place(name, "strategy"),
            body=(f"It is the only borrower of {subject.short(lot.unit)}, so there is no other choice.", whole),
            share=name,
            unit=lot.unit,
            fix=f"write LEND if its jobs must not be stopped for others; it then holds at most {limit} and not {most}",
        )


def _jobs(subject: Subject) -> Iterator[tuple[JobItem, int]]:
    """The jobs that their shares take, with the places of these in the configuration."""
    names = {s.name: i for i, s in enumerate(subject.config.shares) if s.state is State.ENABLED}
    return ((job, names[job.share]) for job in subject.jobs if job.share in names)


def refused(subject: Subject) -> Iterable[Finding]:
    from difflib import get_close_matches

    known = {s.name: s for s in subject.config.shares}
    for job in subject.jobs:
        share = known.get(job.share)
        if share is not None and share.state is State.ENABLED:
            continue
        near = "" if share else next(iter(get_close_matches(job.share, known, 1)), "")
        yield Finding(
            code="QP233",
            severity=Severity.WARNING,
            title=f"{job.name}: {subject.config.job_queue_name} has no share {job.share}"
            if share is None
            else f"{job.name}: {job.share} is DISABLED and takes no new jobs",
            place=job.spot.place(("quotaShareName",)),
            body=(f"Did you mean {near}?",) if near else (),
            share=job.share if share else "",
            fix=f"write {near}"
            if near
            else "submit it to another share"
            if share is None
            else "enable the share, or wait",
        )


def above_its_limit(subject: Subject) -> Iterable[Finding]:
    for job, i in _jobs(subject):
        asked = [(lot, job.size[lot.unit]) for lot in subject.lots if lot.unit in job.size]
        over = [(lot, n) for lot, n in asked if n > lot.grants[i].limit and lot.loses(i)]
        if not over or _too_large(subject, job, i):
            continue
        lot, n = over[0]
        unit, limit = subject.short(lot.unit), lot.grants[i].limit
        yield Finding(
            code="QP231",
            severity=Severity.WARNING,
            title=f"{job.name}: {n} {unit} in {job.share}, whose own limit is {limit}",
            place=job.spot.place(("jobName",)),
            body=(
                f"One machine that an owner takes back stops all {n}. The job then heads {job.share}'s queue and blocks "
                f"it until {n - limit} can be borrowed again (A18).",
            ),
            share=job.share,
            unit=lot.unit,
            fix=(f"ask for {limit} at most, or give {job.share} {n}" if limit else f"give {job.share} {n}")
            + (f" and the others {short} less" if (short := lot.given + n - limit - lot.capacity) > 0 else ""),
        )


def never_runs(subject: Subject) -> Iterable[Finding]:
    for job, i in _jobs(subject):
        for unit, n, most in _too_large(subject, job, i)[:1]:
            yield Finding(
                code="QP232",
                severity=Severity.WARNING,
                title=f"{job.name}: {n} {subject.short(unit)}, and {job.share} can never hold more than {most}",
                place=job.spot.place(("jobName",)),
                body=(
                    f"It waits for ever, and once it heads {job.share}'s queue everything behind it waits too (A52).",
                ),
                share=job.share,
                unit=unit,
                fix=f"ask for {most} at most" if most else f"submit it to a share that has {subject.short(unit)}",
            )


def _too_large(subject: Subject, job: JobItem, i: int) -> list[tuple[str, int, int]]:
    """(unit, asked, most the share can ever hold) wherever the job asks for more."""
    most = {lot.unit: lot.most(i) for lot in subject.lots}
    return [(unit, n, most.get(unit, 0)) for unit, n in job.size.items() if n > most.get(unit, 0)]


QP230 = Check(
    "QP230",
    Severity.NOTE,
    "the borrowed jobs that are always the ones stopped",
    "Where one share alone borrows, every owner that needs its own back stops a job of that share, at any time and "
    "whatever the priorities: priority counts within a share only (rule 27). A job is stopped whole.",
    always_the_same,
)
QP231 = Check(
    "QP231",
    Severity.WARNING,
    "a submitted job is above its share's own limit",
    "Such a job runs partly on borrowed machines. When an owner needs one of them the whole job is stopped, and it cannot "
    "take anything back, since it is not within its share's own limit (A24). At the head of its share it blocks the jobs "
    "behind it (A18). Found for submit-service-job requests among the files.",
    above_its_limit,
)
QP233 = Check(
    "QP233",
    Severity.WARNING,
    "a submitted job that its queue would refuse",
    "The job names a share that the queue does not have, or one that is DISABLED (rule 50). Found for submit-service-job "
    "requests among the files.",
    refused,
)
QP232 = Check(
    "QP232",
    Severity.WARNING,
    "a submitted job that can never run",
    "The job asks for more of a unit than its share can ever hold, own and borrowed. AWS accepts it and reports a "
    "misconfiguration while it waits. Found for submit-service-job requests among the files.",
    never_runs,
)
