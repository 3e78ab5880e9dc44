"""Random runs: configurations, readings, users, administrators and platforms that do anything legal.

`Run` drives the reference and keeps the judge's book beside it; `steps` yields every event before it is applied.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from quotaproof.checker.judge.book import Book
from quotaproof.reference.apply import apply
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import HOLDING, Queue
from quotaproof.reference.run import GoesRound, settle
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage, State, Strategy
from quotaproof.spec.readings import READINGS, Readings

from .queues import queue, share

FREE = {
    "A5": ("owners", "void", "borrowable"), "A13": ("b",), "A16": ("head", "created"), "A17": ("creation", "name", "newest"),
    "A18": ("strict", "backfill"), "A26": ("priority", "borrowed", "oldest"), "A30": ("reclaim", "in-share"),
    "A31": ("inherit", "own"), "A38": ("yes", "no"), "A46": ("yes", "no"), "A47": ("yes", "no"), "A48": ("lent", "void"),
    "A52": ("blocks", "skipped"), "A59": ("yes", "no"), "A20": ("created", "newest"), "A21": ("created", "requeued"),
    "A54": ("keeps", "requeued"), "A34": ("succeeded", "requeued", "failed"), "A50": ("reclaims", "waits"),
    "A16b": ("skip", "strict"), "A6": ("floor", "ceil", "round"), "A9": ("resets", "keeps"), "A33": ("triggers", "ignored"),
    "A51": ("environment", "share"), "A28": ("all-or-nothing", "minimal"),
}  # fmt: skip
"""Readings under which every guarantee of a reference run holds but one: with A18 backfill a queue may never settle (G18),
and what goes round is cut off there (`Run.scheduling`)."""


def random_readings(rng: random.Random) -> Readings:
    """Mostly defaults, some other choices."""
    chosen = {c: rng.choice(v) for c, v in FREE.items() if rng.random() < 0.15}
    assert all(READINGS[c].modelled for c in chosen)
    return Readings().assuming(chosen)


def random_config(rng: random.Random, units=("u", "w")):
    """Two to four shares, one or two units, limits that add up to about the environment."""
    used = units[: min(len(units), rng.choice((1, 1, 2)))]
    shares = []
    for i in range(rng.randint(2, 4)):
        strategy = rng.choice(("RESERVE", "LEND", "LEND_AND_BORROW", "LEND_AND_BORROW"))
        borrow = rng.choice((None, -1, 0, 50, 100, 200)) if strategy == "LEND_AND_BORROW" else None
        limits = {u: rng.randint(1, 4) for u in used}
        shares.append(share(f"s{i}", limits, strategy, borrow, in_share=rng.random() < 0.5))
    total = {u: sum(s.limits[u] for s in shares) for u in used}
    capacity = {u: max(0, n + rng.choice((0, 0, 0, 1, 2, -1, -2))) for u, n in total.items()}
    return queue(capacity, *shares)


def busy_config(rng: random.Random):
    """Three or four shares that lend, most borrow without maximum, and limits that fill the environment exactly."""
    shares = [share("s0", rng.randint(2, 4), "LEND")]
    for i in range(1, rng.randint(3, 4)):
        shares.append(share(f"s{i}", rng.randint(1, 3), "LEND_AND_BORROW", rng.choice((None, None, 200))))
    return queue(sum(s.limits["u"] for s in shares), *shares)


@dataclass
class Run:
    """A reference queue and the judge's book, fed the same events.

    `busy`: a full queue of borrowers and owners in which claims are common; shares may be deleted, nothing else is
    administered.
    """

    rng: random.Random
    admin: bool = True
    busy: bool = False
    units: tuple[str, ...] = ("u", "w")

    def __post_init__(self):
        self.config = busy_config(self.rng) if self.busy else random_config(self.rng, self.units)
        self.readings = Readings() if self.busy else random_readings(self.rng)
        self.queue = Queue(self.config, self.readings)
        self.policy = Policy.of(self.readings)
        self.book = Book(self.config, self.readings)
        self.submitted = 0

    def steps(self, rounds):
        """Events of `rounds` outside events, each followed by some scheduling; nothing is applied before it is yielded."""
        for _ in range(rounds):
            event = self.outside()
            if event is not None:
                yield event
                self.apply(event)
            if self.rng.random() < (0.7 if self.busy else 0.5):
                yield from self.scheduling()

    def scheduling(self):
        try:
            for step in settle(self.queue, self.policy, drains=self.rng.random() < (0.1 if self.busy else 0.35)):
                yield step
                self.book.record(step)
        except GoesRound:
            return

    def apply(self, event):
        self.book.record(event)
        apply(self.queue, event)

    def outside(self):
        """Something that a user, the platform or an administrator does."""
        jobs = list(self.queue.jobs.values())
        live = [j for j in jobs if j.stage in HOLDING or j.stage is Stage.RUNNABLE]
        dice = self.rng.random()
        if dice < 0.40 and len(live) < 12:
            return self.submit()
        if self.busy and dice < 0.42 and sum(not s.deleting for s in self.queue.shares.values()) > 2:
            return ev.DeleteShare(self.rng.choice([s.name for s in self.queue.shares.values() if not s.deleting]))
        if self.admin and not self.busy and dice < 0.50:
            return self.administrator()
        if not jobs:
            return None
        return self.of_job(self.rng.choice(live or jobs))

    def submit(self):
        names = [s.name for s in self.queue.shares.values() if s.enabled]
        if not names:
            return None
        name = self.rng.choice(names)
        units = [u for u in self.queue.capacity if self.rng.random() < 0.7] or list(self.queue.capacity)[:1]
        if not units:
            return None
        self.submitted += 1
        size = {u: self.rng.choice((1, 1, 2, 2, 3, 4)) for u in units}
        retries = self.rng.choice((None, None, 0, 1))
        return ev.Submit(f"j{self.submitted}", name, size, self.rng.randint(0, 3), retries)

    def of_job(self, job):
        if job.stage in HOLDING:
            options = [ev.Finish(job.name), ev.Finish(job.name, failed=True), ev.Terminate(job.name),
                       ev.SetPriority(job.name, self.rng.randint(0, 3))]  # fmt: skip
            if job.stage is Stage.SCHEDULED:
                options += [ev.Return(job.name), ev.Advance(job.name), ev.Advance(job.name)]
            if job.stage is Stage.STARTING:
                options.append(ev.Advance(job.name))
            if job.stage is Stage.DRAINING:
                options += [ev.Stopped(job.name)] * 6
            return self.rng.choice(options)
        if job.stage is Stage.RUNNABLE:
            return self.rng.choice((ev.SetPriority(job.name, self.rng.randint(0, 3)), ev.Terminate(job.name)))
        return None

    def administrator(self):
        shares = [s for s in self.queue.shares.values() if not s.deleting]
        if not shares:
            return None
        s = self.rng.choice(shares)
        kind = self.rng.randrange(8)
        if kind == 0:
            return ev.SetLimits(s.name, {u: self.rng.randint(1, 4) for u in s.limits})
        if kind == 1:
            strategy = Strategy(self.rng.choice(list(Strategy)))
            borrow = self.rng.choice((None, 0, 100)) if strategy is Strategy.LEND_AND_BORROW else None
            return ev.SetSharing(s.name, strategy, borrow)
        if kind in (2, 3):
            return ev.SetCapacity(
                {u: max(0, n + self.rng.choice((-2, -1, 1, 2))) for u, n in self.queue.capacity.items()}
            )
        if kind == 4:
            return ev.SetShareState(s.name, State.DISABLED if s.enabled else State.ENABLED)
        if kind == 5:
            return ev.SetInShare(s.name, not s.in_share)
        if kind == 6 and len(shares) > 2:
            return ev.DeleteShare(s.name)
        if kind == 7:
            on = self.queue.environment_enabled and self.rng.random() < 0.3
            return ev.SetEnvironmentState(State.DISABLED if on else State.ENABLED)
        return None
