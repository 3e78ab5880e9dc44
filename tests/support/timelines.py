"""Timelines made by hand, whose jobs, stops and times a test chooses, and the page that draws them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from quotaproof.checker.drawn import KINDS, NONE, WAITS, Happened, JobTable, Series, StopTable, Timeline, Track
from quotaproof.checker.report import pictures
from quotaproof.checker.report.hypertext import document

DAY = 86_400_000
DATED = 1_764_500_000_000
"""2025-11-30 10:53:20 UTC."""


@dataclass(frozen=True)
class Job:
    """One job. Times are milliseconds after the timeline's beginning, `NONE` where there is none."""

    name: str
    submitted: int = 0
    ended: int = NONE
    share: str = "a"
    size: dict[str, int] = field(default_factory=lambda: {"u": 1})
    started: int = NONE
    priority: int = NONE
    state: int = WAITS


@dataclass(frozen=True)
class Stop:
    """One stop of a job, by its place among the jobs."""

    at: int
    job: int
    kind: str = ""
    why: str = ""
    whom: str = "not known"
    instead: str = ""


def timeline(
    jobs: Sequence[Job], stops: Sequence[Stop] = (), *, lasts: int, start: int = 0, label: str = ""
) -> Timeline:
    """What happened is that jobs were submitted, in their order."""
    shares = tuple(dict.fromkeys(job.share for job in jobs))
    texts = tuple(dict.fromkeys(text for stop in stops for text in (stop.whom, stop.why, stop.instead)))
    sizes = tuple(job.size for job in jobs)

    def row(numbers: Iterable[int]) -> array[int]:
        return array("q", numbers)

    def at(times: Iterable[int]) -> array[int]:
        return row(t if t == NONE else start + t for t in times)

    def one(n: int) -> Series:
        return Series(row([start]), row([n]))

    table = JobTable(
        name=tuple(job.name for job in jobs),
        share=row(shares.index(job.share) for job in jobs),
        size=row(range(len(jobs))),
        sizes=sizes,
        priority=row(job.priority for job in jobs),
        submitted=at(job.submitted for job in jobs),
        started=at(job.started for job in jobs),
        ended=at(job.ended for job in jobs),
        ran=row(0 for _ in jobs),
        borrowed=array("d", [0.0 for _ in jobs]),
        stops=row(sum(stop.job == k for stop in stops) for k in range(len(jobs))),
        state=row(job.state for job in jobs),
    )
    told = StopTable(
        at=at(stop.at for stop in stops),
        job=row(stop.job for stop in stops),
        by=row(NONE for _ in stops),
        kind=row(KINDS.index(stop.kind) for stop in stops),
        drained=row(NONE for _ in stops),
        whom=row(texts.index(stop.whom) for stop in stops),
        why=row(texts.index(stop.why) for stop in stops),
        instead=row(texts.index(stop.instead) for stop in stops),
        texts=texts,
    )
    happened = Happened(
        at=at(job.submitted for job in jobs),
        kind=row(0 for _ in jobs),
        kinds=("submitted",),
        job=row(range(len(jobs))),
        text=row(0 for _ in jobs),
        texts=("",),
    )
    tracks = tuple(Track(share, "u", one(2), one(2), one(1), one(0), one(0)) for share in shares)
    return Timeline(label, start, start + lasts, shares, ("u",), tracks, (), table, told, happened)


def drawn_page(*timelines: Timeline) -> str:
    """A report of nothing but these."""
    body = [*pictures.history(timelines), *pictures.records(timelines)]
    return document("made by hand", body, pictures.page(timelines, ()))
