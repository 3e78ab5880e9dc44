"""Random traces: of schedulers that obey, and of ones that do anything, allowed until a chosen promise is broken."""

from __future__ import annotations

import random
from collections import Counter

from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.observe import look, record
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage, State, Strategy
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
    "G21",
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
        """Some event; after a while often one of those that may break the promise."""
        if self.code and len(self.events) > 10 and self.rng.random() < 0.5:
            found = getattr(self, self.rng.choice(OFTEN[self.code]))()
        else:
            found = getattr(self, self.rng.choices(KINDS, WEIGHTS)[0])()
        return found or self.submits()

    def of(self, *stages):
        return [j for j in self.book.jobs.values() if j.stage in stages]

    def submits(self):
        self.submitted += 1
        units = list(self.run.config.units)
        size = {u: self.rng.choice((1, 1, 2, 3)) for u in units if self.rng.random() < 0.7 or u == units[0]}
        share = self.rng.choice(list(self.book.now.shares))
        return ev.Submit(f"j{self.submitted}", share, size, self.rng.randint(0, 3), self.rng.choice((None, 0, 1)))

    def starts(self):
        waits = self.of(Stage.RUNNABLE)
        return ev.Dispatch(self.rng.choice(waits).name) if waits else None

    def claims(self):
        waits, runs = self.of(Stage.RUNNABLE), self.of(*DISPATCHED)
        if not waits or not runs:
            return None
        some = self.rng.sample(runs, k=min(len(runs), self.rng.choice((1, 1, 1, 2, 0))))
        return ev.Claim(self.rng.choice(waits).name, tuple(v.name for v in some), self.rng.random() < 0.6)

    def stops(self):
        drains = self.of(Stage.DRAINING)
        return ev.Stopped(self.rng.choice(drains).name) if drains else None

    def releases(self):
        return ev.Release(self.rng.choice(self.book.promises).job.name) if self.book.promises else None

    def moves(self):
        runs = self.of(*DISPATCHED)
        return self.rng.choice((ev.Advance, ev.Finish, ev.Return))(self.rng.choice(runs).name) if runs else None

    def settles(self):
        return Settled()

    def raises(self):
        live = self.of(Stage.RUNNABLE, *DISPATCHED)
        return ev.SetPriority(self.rng.choice(live).name, self.rng.randint(0, 3)) if live else None

    def odd(self):
        if not self.book.jobs:
            return None
        job = self.rng.choice(list(self.book.jobs.values()))
        if self.rng.random() < 0.3:
            return ev.Submit(job.name, job.share, job.size, 1, None)
        kinds = (ev.Dispatch, ev.Advance, ev.Return, ev.Finish, ev.Stopped, ev.Terminate)
        return self.rng.choice(kinds)(job.name)

    def ends_share(self):
        gone = sorted(self.book.now.deleting)
        if gone and len(self.book.now.shares) > 1:
            return ev.ShareGone(self.rng.choice(gone))
        if len(self.book.now.shares) < 3:
            return None
        busy = sorted({j.share for j in self.of(*DISPATCHED)} - set(gone))
        return ev.DeleteShare(self.rng.choice(busy)) if busy else None

    def cuts(self):
        """A share that borrows may borrow no more, or less is its own."""
        over = [j.share for j in self.of(*DISPATCHED)]
        if not over:
            return None
        share = self.book.now.shares[self.rng.choice(over)]
        if self.rng.random() < 0.5:
            return ev.SetSharing(share.name, Strategy.LEND)
        return ev.SetLimits(share.name, dict.fromkeys(share.limits, 1))

    def disables(self):
        share = self.rng.choice(list(self.book.now.shares))
        off = self.rng.choice((ev.SetEnvironmentState(State.DISABLED), ev.SetShareState(share, State.DISABLED)))
        return self.rng.choice((off, self.submits()))

    def shrinks(self):
        return ev.SetCapacity({u: max(1, n - 1) for u, n in self.book.now.capacity.items()})

    def administers(self):
        rng, now = self.rng, self.book.now
        share = now.shares[rng.choice(list(now.shares))]
        kind = rng.randrange(6)
        if kind == 0:
            return ev.SetLimits(share.name, {u: rng.randint(1, 4) for u in share.limits})
        if kind == 1:
            return ev.SetCapacity({u: max(1, n + rng.choice((-1, 1, 1))) for u, n in now.capacity.items()})
        if kind == 2:
            borrow = rng.choice((None, 0, 0, 100)) if share.strategy == "LEND_AND_BORROW" else None
            return ev.SetSharing(share.name, share.strategy, borrow)
        if kind == 3:
            return ev.SetShareState(share.name, rng.choice((State.DISABLED, State.ENABLED, State.ENABLED)))
        if kind == 4:
            return ev.SetEnvironmentState(rng.choice((State.DISABLED, State.ENABLED, State.ENABLED)))
        return ev.SetInShare(share.name, rng.random() < 0.7)


KINDS = (
    "submits",
    "starts",
    "claims",
    "stops",
    "releases",
    "moves",
    "settles",
    "raises",
    "administers",
    "ends_share",
    "odd",
)
WEIGHTS = (20, 24, 20, 7, 3, 8, 4, 2, 3, 1, 4)
OFTEN = {
    "G1": ("starts", "shrinks", "submits"), "G2": ("starts", "submits"), "G3": ("starts", "submits"), "G4": ("starts",),
    "G5x": ("claims", "starts"), "G5s": ("claims", "raises"), "G6": ("claims",), "G6+": ("claims", "submits"),
    "G7": ("starts", "claims", "releases"), "G8": ("starts", "submits", "submits"), "G9": ("starts",), "G10": ("odd",),
    "G12": ("odd",), "G13": ("starts", "disables"), "G14": ("settles", "starts", "submits"), "G16": ("settles",),
    "G17": ("cuts", "settles", "starts", "submits", "shrinks"), "G19": ("ends_share", "starts"),
    "G21": ("raises", "settles", "starts"),
}  # fmt: skip
"""Code -> what may break it, or leads there."""


CODES = tuple(OFTEN)
"""Codes that an event can break; G11 takes what is seen of one."""


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
