"""The state of the plain judge by the names of variables: sums over lists of jobs, worked out when they are asked for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

from quotaproof.spec.expr.nodes import all_of
from quotaproof.spec.expr.python import evaluate
from quotaproof.spec.model import Stage
from quotaproof.spec.rules.lifecycle import DISPATCHED, code
from quotaproof.spec.rules.view import Enumerated

_view = lru_cache(maxsize=64)(Enumerated)
HOLDING = (*DISPATCHED, Stage.DRAINING)
NEVER = 10**9


@dataclass
class Job:
    name: str
    share: str
    size: dict
    priority: int
    retries: int | None
    stage: Stage = Stage.RUNNABLE
    preemptions: int = 0
    claim: int = 0
    was_scheduled: bool = False
    borrowed: dict = field(default_factory=dict)
    guard_priority: int = 0


@dataclass
class Claim:
    job: Job
    number: int
    freed: Counter = field(default_factory=Counter)


@dataclass
class At:
    """A state by the names of variables: who plays which part."""

    plain: object
    job: Job | None = None
    victim: Job | None = None
    other: Job | None = None
    watched: Claim | None = None

    def __getitem__(self, name):
        p, (first, *rest) = self.plain, name.partition("=")[0].split(".")
        if "=" in name:
            return p.readings[name.partition("=")[0]] == name.partition("=")[2]
        if len(rest) == 2:
            return self.cell(first, *rest)
        if first == "capacity":
            return p.capacity.get(rest[0], 0)
        if not rest:
            return getattr(p, first)
        if rest[0] in ("job", "victim"):
            entry = self.job if rest[0] == "job" else self.victim
            if first == "priority":
                ignored = rest[0] == "victim" and p.readings["A33"] == "ignored"
                return entry.guard_priority if ignored else entry.priority
            return code(entry.stage) if first == "stage" else getattr(entry, first)
        share = p.shares[rest[0]]
        void = rest[0] in p.deleting and p.readings["A48"] == "void"
        return {
            "may_borrow": lambda: share.strategy == "LEND_AND_BORROW" and not void,
            "deleting": lambda: rest[0] in p.deleting,
            "enabled": lambda: share.state == "ENABLED",
            "in_share": lambda: share.in_share,
            "has_claim": lambda: self.other is not None and p.claim_of(self.other) is not None,
            "best_waiting": lambda: max((j.priority for j in p.counted(rest[0])), default=-1),
            "best_ready": lambda: p.best_ready(rest[0], self.job),
        }[first]()

    def cell(self, name, share, unit):
        p, upto = self.plain, self.watched.number if self.watched else NEVER
        own = [j for j in p.jobs.values() if j.share == share]
        claims = [c for c in p.claims if c.job.share == share]
        drains = [j for j in own if j.stage is Stage.DRAINING]
        mine = p.claim_of(self.job) if self.job else None
        made = p.grant(share, unit)

        def n(jobs):
            return sum(j.size.get(unit, 0) for j in jobs)

        return {
            "usage": lambda: n(j for j in own if j.stage in HOLDING),
            "drains_due": lambda: n(j for j in drains if j.claim <= upto),
            "drains_later": lambda: n(j for j in drains if j.claim > upto),
            "claims_due": lambda: n(c.job for c in claims if c.number <= upto),
            "claims_later": lambda: n(c.job for c in claims if c.number > upto),
            "freed": lambda: sum(min(c.job.size.get(unit, 0), c.freed[unit]) for c in claims if c.number <= upto),
            "limit": lambda: made.limit,
            "lendable": lambda: made.lendable,
            "borrowable": lambda: made.borrowable or 0,
            "unlimited": lambda: made.borrowable is None,
            "asks": lambda: n(j for j in (self.job, self.other) if j and j.share == share),
            "takes": lambda: n([self.victim] if self.victim and self.victim.share == share else []),
            "own_due": lambda: n([self.job] if mine and mine.job.share == share and mine.number <= upto else []),
            "own_later": lambda: n([self.job] if mine and mine.job.share == share and mine.number > upto else []),
            "labelled": lambda: self.victim.borrowed.get(unit, 0) if self.victim else 0,
            "in_overage": lambda: False,
        }[name]()

    @property
    def view(self):
        sizes = [j.size for j in (self.job, self.victim, self.other) if j]
        return _view(tuple(self.plain.shares), tuple(dict.fromkeys(u for s in sizes for u in s)))

    def true(self, root):
        return bool(evaluate(root, self))

    def cells(self, rule):
        """A rule of the job's cells, in every unit."""
        return self.true(all_of(*[rule(c) for c in self.view.cells(self.job.share)]))


class Told:
    """Victims told to stop for a claim; as a context all is as before at its end."""

    def __init__(self, plain, job, victims):
        self.plain, self.job, self.victims = plain, job, victims

    def __enter__(self):
        self.saved = self.plain.opened, [(j, j.stage, j.claim, j.was_scheduled) for j in self.plain.jobs.values()]
        self.plain.opened += 1
        for v in self.victims:
            self.drain(v)
        return self

    def drain(self, victim):
        if victim.stage in HOLDING:
            victim.was_scheduled = victim.stage is Stage.SCHEDULED
            victim.stage, victim.claim = Stage.DRAINING, self.plain.opened

    def __exit__(self, *_):
        self.plain.opened, jobs = self.saved
        for job, stage, claim, was_scheduled in jobs:
            job.stage, job.claim, job.was_scheduled = stage, claim, was_scheduled
