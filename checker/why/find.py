"""Which job is meant: by its id or how that begins, its ARN, the name of one of its training jobs, or its own name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...spec.formats.errors import InputError, listed, nearest, shown
from ...spec.observations import History, Submitted

_LEAST_START = 4
"""Characters of an id that are enough to mean it."""


@dataclass(frozen=True)
class Meant:
    """A job, and others of its name, newest first."""

    job: str
    alike: tuple[str, ...] = ()


def submissions(history: History) -> Mapping[str, Submitted]:
    """Every job by id, in the order of submission."""
    return dict(_submissions(history))


def _submissions(history: History) -> Iterator[tuple[str, Submitted]]:
    for seen in history.seen():
        if isinstance(seen.what, Submitted):
            yield seen.what.job, history.jobs.get(seen.what.job, seen.what)


def find(history: History, jobs: Mapping[str, Submitted], asked: str, job_id: str | None = None) -> Meant:
    """The job called `asked`; of several the newest, or the one whose id begins with `job_id`. Raises InputError."""
    exact = asked if asked in jobs else history.attempts.get(asked.rsplit("/", 1)[-1]) or _by_arn(jobs, asked)
    found = [] if exact in jobs else _named(jobs, asked)
    if not found and exact not in jobs:
        exact = _beginning(jobs, asked)
    if exact is not None and exact in jobs:
        found = [exact, *(j for j in _named(jobs, jobs[exact].facts.name) if j != exact)]
    if not found:
        raise _unknown(history, jobs, asked)
    if job_id is None:
        return Meant(found[0], tuple(found[1:]))
    chosen = [j for j in found if j.startswith(job_id)]
    if len(chosen) != 1:
        raise InputError(
            f"{len(chosen)} jobs called {shown(asked)} have an id that begins with {shown(job_id)}",
            where="--job-id",
            why=f"The jobs of this name are {listed(found)}.",
            fix="give as much of the id as tells it from the others.",
        )
    return Meant(chosen[0], tuple(j for j in found if j != chosen[0]))


def _named(jobs: Mapping[str, Submitted], name: str) -> list[str]:
    """Jobs of a name, newest first."""
    return [] if not name else [j for j in reversed(list(jobs)) if jobs[j].facts.name == name]


def _beginning(jobs: Mapping[str, Submitted], start: str) -> str | None:
    """The one job whose id begins so. Raises InputError for several."""
    found = [j for j in jobs if j.startswith(start)] if len(start) >= _LEAST_START else []
    if len(found) > 1:
        raise InputError(
            f"{len(found)} jobs have an id that begins with {shown(start)}",
            where="JOB",
            why=f"They are {listed(found)}.",
            fix="give as much of the id as tells it from the others.",
        )
    return found[0] if found else None


def _by_arn(jobs: Mapping[str, Submitted], asked: str) -> str | None:
    return next((j for j, s in jobs.items() if s.facts.arn == asked), None) if asked.startswith("arn:") else None


def _unknown(history: History, jobs: Mapping[str, Submitted], asked: str) -> InputError:
    every = dict.fromkeys([s.facts.name or j for j, s in jobs.items()])
    close = nearest(asked, every) or nearest(asked, history.attempts)
    return InputError(
        f"no job is called {shown(asked)}",
        where=listed(history.files, most=3) or "the history",
        why=f"It tells of {len(jobs)} jobs" + (f": {listed(every, most=6)}." if every else "."),
        fix=f"did you mean {close}?" if close else "give a job's name, id, ARN or the name of its training job.",
    )
