"""The story of one job put together: its stops, what it waits for, who could stop it, what was lost, what would help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...spec import events as ev
from ...spec.model import Stage
from ...spec.observations import History, Submitted
from ...spec.readings import Readings
from ...spec.rules.lifecycle import DISPATCHED
from ..judge import rules
from ..judge.book import Book
from ..judge.jobs import Entry
from ..judge.state import Situation
from . import judged, sums, told
from .caveats import caveats
from .find import Meant
from .follow import Following, follow
from .helps import helps
from .stops import Found, holding, stops
from .threats import later, threats
from .told import Job, Lost, Request, Runs, Stop, Why
from .trial import Trial
from .waits import blocks, lenders, waits

NEW = "the request"
"""What a job is called that has not been submitted."""


@dataclass(frozen=True)
class Asked:
    """A job before its submission."""

    name: str
    submit: ev.Submit
    checkpoint: str | None


def why(
    history: History, readings: Readings, meant: Meant, jobs: Mapping[str, Submitted], at: int | None = None
) -> Why:
    """The whole story of a job up to a time. `jobs`: every submission by id."""
    state, found = stops(history, readings, meant.job, at)
    entry, facts = state.book.jobs.get(meant.job), jobs[meant.job].facts
    tell = Teller(state, jobs)
    common = _Common(history, state)
    if entry is None:
        then = "it had not been submitted by then" if at is not None else "its submission was not understood"
        return common.why(tell.submitted(meant.job), Stage.SUBMITTED, None, jobs, meant, undecided=(then,))
    stopped = tuple(tell.stop(history, f) for f in found)
    lost = _lost(entry, stopped, facts.checkpoint)
    verdict = judged.judged(history, readings, at)
    trial = Trial(state, history.config)
    waiting, running = entry.stage is Stage.RUNNABLE, entry.stage in DISPATCHED
    return common.why(
        tell(entry),
        entry.stage,
        (state.started if entry.stage is Stage.RUNNING else state.since).get(entry.name),
        jobs,
        meant,
        stops=stopped,
        waits=waits(state, trial, entry, tell) if waiting else None,
        blocks=blocks(state, entry, tell) if waiting else None,
        runs=_runs(trial, entry, tell) if running else None,
        lost=lost,
        helps=helps(trial, entry.name, tell.names) if waiting or running else (),
        faults=judged.faults(history, verdict, meant.job),
        judged=not verdict.undecided,
        undecided=(*_undecided(state, entry), *judged.undecided(verdict)),
    )


def before(
    history: History, readings: Readings, asked: Asked, jobs: Mapping[str, Submitted], at: int | None = None
) -> Why:
    """What would become of a request that is submitted now."""
    state = follow(history, readings, at)
    tell = Teller(state, jobs, {asked.submit.job: asked.name})
    with Trial(state, history.config).after(asked.submit) as tried:
        outcome, entry = tried.became(asked.submit.job), tried.book.job(asked.submit.job)
        outcome = replace(outcome, waits_for=tuple(tell.names.get(n, n) for n in outcome.waits_for))
        stopped = tuple(tell(tried.book.job(name)) for name in tried.victims(entry.name))
        held = tuple(holding(tried.book, entry, u) for u in entry.size) if outcome.starts else ()
        then = later(tried.queue, tried.policy, entry.name, outcome.threats)
        job, changes, steps = tell(entry), helps(tried, entry.name, tell.names), tried.steps
    return _Common(history, state).why(
        job,
        Stage.SUBMITTED,
        None,
        jobs,
        Meant(job.id),
        request=Request(outcome, held, stopped, _waiting(state, asked, steps, history, tell), then),
        lost=Lost(0, sum(job.size.values()), asked.checkpoint, asked.submit.retries, True, 0),
        helps=changes,
    )


def _waiting(
    state: Following, asked: Asked, steps: Sequence[ev.Event], history: History, tell: Teller
) -> told.Waits | None:
    """What the request would wait for, once everything has settled; None when it starts."""
    with state.trial():
        for event in (asked.submit, *steps):
            state.record(event)
        entry = state.book.job(asked.submit.job)
        return waits(state, Trial(state, history.config), entry, tell) if entry.stage is Stage.RUNNABLE else None


def _undecided(state: Following, entry: Entry) -> list[str]:
    found: list[str] = []
    if entry.priority is None:
        found.append(
            "Its priority is not known: nothing here rests on it. CloudTrail or describe-service-job tells it."
        )
    elif any(j.priority is None for j in sums.waiting(state.book, entry.share)):
        found.append(f"The priorities of some jobs of {entry.share} are not known, so that its place in line is not.")
    return found


def _lost(entry: Entry, stopped: Sequence[Stop], checkpoint: str | None) -> Lost:
    total = sum(stop.ran or 0 for stop in stopped)
    return Lost(total, sum(entry.size.values()), checkpoint, entry.retries, entry.retries_known, entry.preemptions)


def _runs(trial: Trial, entry: Entry, tell: Teller) -> Runs:
    book = trial.book
    units = [u for u in entry.size if book.usage(entry.share, u) > book.grant(entry.share, u).limit]
    idle = tuple(lender for lender in lenders(book, entry, units) if lender.used < lender.limit)
    covered = all(sums.covered(book, u) for u in units)
    stoppable = [
        j for j in trial.queue.stoppable() if j.size.keys() & entry.size.keys() and _lent(book, book.job(j.name))
    ]
    due = trial.queue.due()
    stoppable.sort(key=lambda j: (*trial.policy.victim(trial.queue, due, j), j.name))
    now = threats(trial.queue, trial.policy, entry.name)
    return Runs(
        tuple(holding(book, entry, unit) for unit in entry.size),
        idle if covered else (),
        any(sums.unowned_lent(book, u) for u in units),
        now,
        tuple(tell(book.job(j.name)) for j in stoppable),
        later(trial.queue, trial.policy, entry.name, now),
    )


def _lent(book: Book, job: Entry) -> bool:
    """Whether the job counts as borrowing now (A13)."""
    at = Situation(book, job.share, victim=job)
    return any(at.holds(rules.borrows_in(i)) for i in range(len(job.units)))


class _Common:
    """What every story says of its history."""

    def __init__(self, history: History, state: Following) -> None:
        self.history, self.state = history, state

    def why(
        self, job: Job, stage: Stage, since: int | None, jobs: Mapping[str, Submitted], meant: Meant, **more: object
    ) -> Why:
        facts = jobs[meant.job].facts if meant.job in jobs else None
        history = self.history
        return Why(
            queue=history.config.job_queue_name,
            job=job,
            stage=stage,
            since=since,
            owner=facts.owner if facts else "",
            arn=facts.arn if facts else "",
            alike=meant.alike,
            at=self.state.now,
            events=self.state.taken,
            first=history.start,
            notes=caveats(history, self.state),
            **more,  # type: ignore[arg-type]
        )


class Teller:
    """Jobs in their owners' words."""

    def __init__(self, state: Following, jobs: Mapping[str, Submitted], more: Mapping[str, str] | None = None) -> None:
        self.state, self.jobs = state, jobs
        self.names = {**{j: s.facts.name or j for j, s in jobs.items()}, **(more or {})}

    def __call__(self, entry: Entry) -> Job:
        return Job(entry.name, self.names.get(entry.name, entry.name), entry.share, dict(entry.size), entry.priority)

    def submitted(self, job: str) -> Job:
        """A job that the state does not know."""
        s = self.jobs[job]
        return Job(job, self.names[job], s.share, dict(s.size), s.priority)

    def stop(self, history: History, found: Found) -> Stop:
        """A stop with the jobs' names."""
        book: Book = self.state.book
        return Stop(
            found.began,
            found.ended,
            found.then,
            found.started,
            found.holdings,
            tuple(self(entry) for entry in found.asking),
            tuple(claimant.kind for claimant in found.claimants),
            found.named,
            tuple(self(book.jobs[name]) for name in found.others if name in book.jobs),
            found.complete,
            history.place(found.seen),
            found.began_by,
            found.kind,
            found.reason,
        )
