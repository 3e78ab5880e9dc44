"""Histories for tests: of what a reference run did, or written down observation by observation."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from quotaproof.spec import events as ev
from quotaproof.spec.model import QueueConfig, Stage
from quotaproof.spec.observations import History, JobFacts, Observation, Preempted, Reached, Seen, Submitted, observed

from .runs import Run

START = 1_790_000_000_000
"""Milliseconds since 1970 at which hand-made histories begin: 2026-09-21 14:13:20 UTC."""


def history_of(config: QueueConfig, seen: Sequence[Seen], **more: object) -> History:
    """Observations as a history."""
    jobs = {s.what.job: s.what for s in seen if isinstance(s.what, Submitted)}
    more.setdefault("end", max((s.until for s in seen), default=0))
    return History(config, lambda: iter(seen), jobs=jobs, **more)  # type: ignore[arg-type]


def by_minutes(config: QueueConfig, *steps: tuple[int, Observation], **more: object) -> History:
    """A hand-made history in order: (minute, observation)."""
    told = [Seen(START + at * 60_000, START + at * 60_000, what) for at, what in steps]
    return history_of(config, told, **{"ordered": True, **more})


def submitted(name: str, priority: int = 0, n: int = 1, **facts: object) -> Submitted:
    """`a-job` is a job of share a, of n machines of unit u."""
    retries = facts.pop("retries", None)
    facts.setdefault("name", name)
    return Submitted(name, name.split("-")[0], {"u": n}, priority, retries, facts=JobFacts(**facts))  # type: ignore[arg-type]


def runs(name: str) -> list[Observation]:
    """It gets its machines and runs."""
    return [ev.Dispatch(name), Reached(name, Stage.RUNNING)]


def stopped(name: str, count: int | None = None, stage: Stage = Stage.RUNNABLE) -> Preempted:
    return Preempted(name, stage, count)


def random_run(seed: int, rounds: int = 40, **more: object) -> tuple[Run, list[ev.Event], list[list[Seen]]]:
    """A random run of the reference: the run at its end, its events, and what AWS would show of each."""
    run = Run(random.Random(seed), **more)  # type: ignore[arg-type]
    events: list[ev.Event] = []
    shown: list[list[Seen]] = []
    for event in _applied(run, rounds):
        events.append(event)
        at = START + 1000 * len(events)
        shown.append(list(observed(at, event, run.book.jobs, claims=False, claimants=False, kinds=False)))
    return run, events, shown


def _applied(run: Run, rounds: int) -> Iterable[ev.Event]:
    """The events of a run, each once it has been applied."""
    last: ev.Event | None = None
    for event in run.steps(rounds):
        if last is not None:
            yield last
        last = event
    if last is not None:
        yield last
