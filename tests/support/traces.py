"""Random traces: of schedulers that obey, and of ones that do anything, allowed until a chosen promise is broken."""

from __future__ import annotations

import random
from collections import Counter

from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.observe import look, record
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import Observation, Preempted, Reached, Settled, Submitted, observed
from quotaproof.spec.rules.lifecycle import DISPATCHED

from .runs import Run

CODES = (
    "G1",
    "G2",
    "G3",
    "G4",
    "G5x",
    "G5s",
    "G6",
    "G6+",
    "G7",
    "G8",
    "G9",
    "G10",
    "G12",
    "G13",
    "G14",
    "G16",
    "G17",
    "G19",
)
"""Codes that an event can break; G11 takes an observation."""


def told(book: Book, event: ev.Event | Settled) -> Observation:
    """What is seen of an event that comes next, whether it is possible or not."""
    match event:
        case ev.Submit():
            return Submitted(event.job, event.share, event.size, event.priority or 0, event.retries)
        case ev.Advance():
            scheduled = event.job in book.jobs and book.jobs[event.job].stage is Stage.SCHEDULED
            return Reached(event.job, Stage.STARTING if scheduled else Stage.RUNNING)
        case ev.Stopped():
            return Preempted(event.job)
        case _:
            return event


class Mischief:
    """A queue to which things happen that no scheduler decides: legal ones until one breaks the promise `code`."""

    def __init__(self, rng: random.Random, code: str | None):
        self.rng, self.code = rng, code
        self.run = Run(rng, busy=rng.random() < 0.4)
        self.book = Book(self.run.config, self.run.readings)
        self.events: list[ev.Event | Settled] = []
        self.submitted = 0

    def happens(self, event) -> str | None:
        """One step, if it breaks nothing or what it may."""
        found = look(self.book, told(self.book, event), Counter())
        if found is not None and found.code != self.code:
            return None
        self.events.append(event)
        record(self.book, told(self.book, event))
        return found.code if found else ""

    def play(self, steps: int) -> list[ev.Event | Settled]:
        """Steps until the promise is broken, and some more of any kind."""
        left = steps
        while left > 0:
            found = next((f for _ in range(6) if (f := self.happens(self.any())) is not None), None)
            left -= 1
            if found:
                for _ in range(6):
                    event = self.any()
                    self.events.append(event)
                    record(self.book, told(self.book, event))
                return self.events
        return self.events

    def any(self) -> ev.Event | Settled:
        rng, book = self.rng, self.book
        live = [j for j in book.jobs.values() if j.stage not in (Stage.SUCCEEDED, Stage.FAILED)]
        waits = [j for j in live if j.stage is Stage.RUNNABLE]
        runs = [j for j in live if j.stage in DISPATCHED]
        drains = [j for j in live if j.stage is Stage.DRAINING]
        dice = rng.random()
        shares = list(book.now.shares)
        if (dice < 0.22 and len(live) < 10) or not live:
            self.submitted += 1
            units = list(self.run.config.units)
            size = {u: rng.choice((1, 1, 2, 3)) for u in units if rng.random() < 0.7 or u == units[0]}
            return ev.Submit(
                f"j{self.submitted}", rng.choice(shares), size, rng.randint(0, 3), rng.choice((None, 0, 1))
            )
        if dice < 0.45 and waits:
            return ev.Dispatch(rng.choice(waits).name)
        if dice < 0.68 and waits and runs:
            some = rng.sample(runs, k=min(len(runs), rng.choice((1, 1, 1, 2, 0))))
            return ev.Claim(rng.choice(waits).name, tuple(v.name for v in some), rng.random() < 0.6)
        if dice < 0.74 and drains:
            return ev.Stopped(rng.choice(drains).name)
        if dice < 0.77 and book.promises:
            return ev.Release(rng.choice(book.promises).job.name)
        if dice < 0.83 and runs:
            return rng.choice((ev.Advance, ev.Finish, ev.Return))(rng.choice(runs).name)
        if dice < 0.87:
            return Settled()
        if dice < 0.92:
            return self.administers(shares)
        if dice < 0.94:
            return ev.SetPriority(rng.choice(live).name, rng.randint(0, 3))
        every = rng.choice(list(book.jobs.values()))
        odd = (ev.Dispatch, ev.Advance, ev.Return, ev.Finish, ev.Stopped, ev.Terminate)
        again = ev.Submit(every.name, every.share, every.size, 1, None)
        return again if rng.random() < 0.2 else rng.choice(odd)(every.name)

    def administers(self, shares):
        rng, now = self.rng, self.book.now
        share = now.shares[rng.choice(shares)]
        kind = rng.randrange(8)
        if kind == 0 and now.deleting:
            return ev.ShareGone(rng.choice(sorted(now.deleting)))
        if kind <= 1:
            return ev.SetLimits(share.name, {u: rng.randint(1, 4) for u in share.limits})
        if kind == 2:
            return ev.SetCapacity({u: max(1, n + rng.choice((-1, 1, 1))) for u, n in now.capacity.items()})
        if kind == 3:
            return ev.SetSharing(
                share.name, share.strategy, rng.choice((None, 0, 100)) if share.strategy == "LEND_AND_BORROW" else None
            )
        if kind == 4:
            return ev.SetShareState(share.name, rng.choice(("DISABLED", "ENABLED", "ENABLED")))
        if kind == 5 and len(shares) > 2:
            return ev.DeleteShare(share.name)
        if kind == 6:
            return ev.SetEnvironmentState(rng.choice(("DISABLED", "ENABLED", "ENABLED")))
        return ev.SetInShare(share.name, rng.random() < 0.5)


def reference_trace(seed: int, rounds: int = 40, **more) -> tuple[Run, list[ev.Event]]:
    """What the reference does, and whoever else acts on its queue."""
    run = Run(random.Random(seed), busy=seed % 2 == 0, **more)
    return run, list(run.steps(rounds))


def seen_of(config, readings, events, *, every: int = 1000, **options):
    """The observations of a list of events, `every` milliseconds one, in order."""
    book, out = Book(config, readings), []
    for number, event in enumerate(events):
        if isinstance(event, Settled):
            out.extend(observed_settled(number * every, options.get("coarse", 1)))
            continue
        book.record(event)
        out.extend(observed(number * every, event, book.jobs, **options))
    return out


def observed_settled(at: int, coarse: int):
    from quotaproof.spec.observations import Seen

    start = at - at % coarse
    return [Seen(start, start + coarse - 1, Settled())]
