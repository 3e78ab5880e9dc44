"""`recovery`: jobs that can be stopped have a checkpoint setting, and evidence that they come back is not too old.

Of jobs only those among the files are known here; audit measures those that ran on loans.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....spec.formats.promises.evidence import Dated, evidence
from ....spec.promises import Promise, Recovery
from ...promised import How
from ...results import Result, Verdict
from .case import Case, Judgement
from .later import later
from .stops import can_be_stopped, named, of

_DAY = 86_400_000
"""Milliseconds."""
_SHOWN = 3


def recovery(case: Case, promise: Promise, term: Recovery) -> Iterator[Judgement]:
    """One judgement for the checkpoints of each share, and one for the evidence."""
    if term.checkpoint:
        yield from _checkpoints(case, promise)
    if term.evidence:
        yield Judgement(How.RECORDED, _evidence(case, promise, term))


def _checkpoints(case: Case, promise: Promise) -> Iterator[Judgement]:
    stoppable = can_be_stopped(case)
    for share in promise.scope.of(case.config):
        jobs = [job for job in case.jobs if job.share == share.name]
        bare = [job for job in jobs if not job.checkpoint]
        if share.name not in stoppable:
            yield Judgement(
                How.PROVED, Result(promise.code, Verdict.HOLDS_HERE, "nobody can stop a job of it", share.name)
            )
        elif bare:
            because = f"{of(bare, jobs)} submitted without CheckpointConfig: {named(bare)}"
            yield Judgement(
                How.PROVED,
                Result(promise.code, Verdict.BROKEN, because, share.name, place=bare[0].place, count=len(bare)),
            )
        else:
            so = f"each of the {len(jobs)} jobs among the files has one; " if jobs else ""
            yield later(promise, How.MEASURED, f"{so}audit looks at the checkpoints of jobs on loans", share.name)


def _evidence(case: Case, promise: Promise, term: Recovery) -> Result:
    """Whether a file shows it that is dated, and not too old today."""

    def result(verdict: Verdict, because: str) -> Result:
        return Result(promise.code, verdict, because, f"evidence {term.evidence}", place=promise.place)

    if not case.promises.folder:
        return result(Verdict.UNKNOWN, "the promises come from standard input, so no folder is known to look in")
    found = evidence(case.promises.folder, term.evidence, place=promise.place)
    dated = [f for f in found if f.day is not None and f.day <= case.today]
    if not found:
        return result(Verdict.BROKEN, f"no file matches {term.evidence}")
    if not dated:
        how = "put the day into its name, such as 2026-10-01, or into a first line: date: 2026-10-01"
        return result(Verdict.BROKEN, f"none of {_names(found)} is dated up to today; {how}")
    newest = max(dated, key=lambda f: (f.day, f.path))
    assert newest.day is not None
    age, most = (case.today - newest.day).days, term.not_older_than
    said = f"the newest of {len(found)} is {newest.path} of {newest.day}, {age} day{'' if age == 1 else 's'} old"
    if most is not None and age * _DAY > most:
        since = f"at most {most / _DAY:g} are promised, so it has lacked for {age - most // _DAY}"
        return result(Verdict.BROKEN, f"{said}; {since}")
    return result(Verdict.HOLDS_HERE, said)


def _names(found: tuple[Dated, ...]) -> str:
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return ", ".join(f.path for f in found[:_SHOWN]) + more
