"""Small histories: written by hand from observations, and random ones whose numbers are easy to check."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from quotaproof.spec import events as ev
from quotaproof.spec.model import QueueConfig, Stage, Strategy
from quotaproof.spec.observations import History, Observation, Preempted, Preempting, Reached, Retried, Seen, Submitted

MINUTE = 60_000


def submitted(job, share, size=1, **more):
    """A job; `size` is a number (of unit u) or unit -> number."""
    return Submitted(job, share, size if isinstance(size, dict) else {"u": size}, **more)


def history(config: QueueConfig, *told: tuple[float, Observation], end: float = 0, **more) -> History:
    """Observations with their minutes, in the order in which they happened."""
    seen = [Seen(int(at * MINUTE), int(at * MINUTE), what, 0, n) for n, (at, what) in enumerate(told, 1)]
    last = max([int(end * MINUTE), *(s.until for s in seen)])
    more = {"files": ("trace.ndjson",), "ordered": True, "end": last, **more}
    return History(config, lambda: iter(seen), jobs={s.what.job: s.what for s in seen if isinstance(s.what, Submitted)},
                   **more)  # fmt: skip


def wild(config: QueueConfig, random: Random, steps: int) -> list[tuple[int, Observation]]:
    """Anything that a job or an administrator can do, at whole seconds, whether a scheduler may or not."""
    stage: dict[str, str] = {}
    units = config.units
    told: list[tuple[int, Observation]] = []
    at = 0
    for number in range(steps):
        at += random.choice([0, 0, 1, 2, 7])
        told.append((at, _one(config, random, stage, units, number)))
    return told


def _one(
    config: QueueConfig, random: Random, stage: dict[str, str], units: tuple[str, ...], number: int
) -> Observation:
    shares = [s.name for s in config.shares]

    def some(*stages: str) -> str | None:
        found = [job for job, now in stage.items() if now in stages]
        return random.choice(found) if found else None

    what = random.randrange(16)
    if what == 0:
        limits = {u: random.randint(1, 4) for u in random.sample(units, random.randint(1, len(units)))}
        return ev.SetLimits(random.choice(shares), limits)
    if what == 1:
        return ev.SetSharing(random.choice(shares), random.choice(list(Strategy)))
    if what == 2:
        return ev.SetCapacity({u: random.randint(0, 8) for u in units})
    if what <= 8 and (job := some("waits")):
        stage[job] = "runs"
        return ev.Dispatch(job)
    if what == 9 and (job := some("runs")):
        return Reached(job, Stage.RUNNING)
    if what == 10 and (job := some("runs")):
        stage[job] = "drains"
        return Preempting(job)
    if what == 11 and (job := some("runs", "drains")):
        stage[job] = "waits"
        return Preempted(job, Stage.RUNNABLE)
    if what == 12 and (job := some("runs", "drains")):
        del stage[job]
        return ev.Finish(job)
    if what == 13 and (job := some("runs")):
        stage[job] = "waits"
        return random.choice([Retried, ev.Return])(job)
    if what == 14 and (job := some("waits", "runs")):
        del stage[job]
        return ev.Terminate(job)
    job = f"j{number}"
    stage[job] = "waits"
    wanted = random.sample(units, random.randint(1, len(units)))
    return submitted(
        job, random.choice(shares), {u: random.randint(1, 3) for u in wanted}, priority=random.randint(0, 3)
    )


def in_seconds(told: Iterable[tuple[int, Observation]]) -> list[Seen]:
    return [Seen(at * 1000, at * 1000, what) for at, what in told]
