"""The judge's own books: what a sequence of events implies about shares, jobs and claims.

Independent of any scheduler: it believes events and nothing else. Trusted: the mapping of AWS's fields to the three
numbers (spec.model) and that events name jobs and shares that exist, else `Impossible`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace

from ...spec import events as ev
from ...spec.model import Grant, QueueConfig, QuotaShare, ResourceSharing, ShareCapacityLimit, Size, Stage, State, grant
from ...spec.readings import Readings
from ...spec.rules.lifecycle import DISPATCHED

HOLDING = (*DISPATCHED, Stage.DRAINING)
ENDED = (Stage.SUCCEEDED, Stage.FAILED)


class Impossible(ValueError):
    """An event that names a job or share that is not there, or that cannot happen to it."""


@dataclass
class Entry:
    """One job as the events tell it."""

    name: str
    share: str
    size: Size
    priority: int
    retries: int | None
    stage: Stage = Stage.RUNNABLE
    preemptions: int = 0
    claim: int = 0
    """Number of the claim it drains for."""
    was_scheduled: bool = False
    borrowed: dict[str, int] = field(default_factory=dict[str, int])
    """Unit -> instances beyond the limit at dispatch (A13 a)."""
    priority_since_dispatch: int = 0
    dispatched: int = 0


@dataclass
class Promise:
    """A live claim that holds what its job asks."""

    job: str
    number: int
    freed: dict[str, int] = field(default_factory=dict[str, int])


class Book:
    """State after the events so far."""

    def __init__(self, config: QueueConfig, readings: Readings) -> None:
        self.readings = readings
        self.shares: dict[str, QuotaShare] = {s.name: s for s in config.shares}
        self.deleting: set[str] = set()
        self.capacity: dict[str, int] = dict(config.environment.capacity)
        self.environment_enabled = config.environment.state is State.ENABLED
        self.queue_enabled = True
        self.jobs: dict[str, Entry] = {}
        self.promises: list[Promise] = []
        self.claims = 0
        self.clock = 0
        self._usage: Counter[tuple[str, str]] = Counter()
        self._waiting: dict[str, dict[str, Entry]] = {}
        self._draining: dict[str, Entry] = {}
        self._grants: dict[tuple[str, str], Grant] = {}

    def copy(self) -> Book:
        """An independent book in the same state."""
        new = copy(self)
        new.shares, new.deleting, new.capacity = dict(self.shares), set(self.deleting), dict(self.capacity)
        new.jobs = {name: replace(j, borrowed=dict(j.borrowed)) for name, j in self.jobs.items()}
        new.promises = [replace(p, freed=dict(p.freed)) for p in self.promises]
        new._usage = Counter(self._usage)
        new._waiting = {s: {n: new.jobs[n] for n in jobs} for s, jobs in self._waiting.items()}
        new._draining = {n: new.jobs[n] for n in self._draining}
        new._grants = dict(self._grants)
        return new

    def job(self, name: str) -> Entry:
        """The job, or Impossible."""
        if name not in self.jobs:
            raise Impossible(f"there is no job {name!r}")
        return self.jobs[name]

    def share(self, name: str) -> QuotaShare:
        """The share, or Impossible."""
        if name not in self.shares:
            raise Impossible(f"there is no share {name!r}")
        return self.shares[name]

    def grant(self, share: str, unit: str) -> Grant:
        """The three numbers in force (A47, A48)."""
        key = share, unit
        if key not in self._grants:
            s = self.share(share)
            made = grant(s.limits.get(unit), s.strategy, s.borrow_limit, self.readings)
            if share in self.deleting and self.readings["A48"] == "void":
                made = Grant(0, 0, 0)
            elif s.state is State.DISABLED and self.readings["A47"] == "no":
                made = Grant(made.limit, 0, made.borrowable)
            self._grants[key] = made
        return self._grants[key]

    def units(self) -> dict[str, None]:
        """Every unit that the environment, a share or a job names."""
        named = dict.fromkeys(self.capacity)
        for sizes in (*(s.limits for s in self.shares.values()), *(j.size for j in self.jobs.values())):
            named.update(dict.fromkeys(sizes))
        return named

    def in_use(self, share: str) -> dict[str, int]:
        """Unit -> what the share holds, for every unit it ever held."""
        return {unit: n for (name, unit), n in self._usage.items() if name == share}

    def usage(self, share: str, unit: str) -> int:
        """What dispatched and draining jobs of the share hold (G12)."""
        return self._usage[share, unit]

    def waiting(self, share: str) -> Iterable[Entry]:
        """RUNNABLE jobs of a share."""
        return self._waiting.get(share, {}).values()

    def shares_waiting(self) -> list[str]:
        """Shares with a RUNNABLE job, in the order of the shares."""
        return [s for s in self.shares if self._waiting.get(s)]

    def draining(self) -> Iterable[Entry]:
        """Victims that have not stopped yet."""
        return self._draining.values()

    def running(self, share: str) -> Iterable[Entry]:
        """Jobs of a share that may be told to stop."""
        return (j for j in self.jobs.values() if j.share == share and j.stage in DISPATCHED)

    def _move(self, job: Entry, stage: Stage) -> None:
        """Change a job's stage, and with it what is used, who waits and who drains."""
        holds = (stage in HOLDING) - (job.stage in HOLDING)
        for unit, n in job.size.items() if holds else ():
            self._usage[job.share, unit] += holds * n
        self._waiting.get(job.share, {}).pop(job.name, None)
        self._draining.pop(job.name, None)
        job.stage = stage
        if stage is Stage.RUNNABLE:
            self._waiting.setdefault(job.share, {})[job.name] = job
        elif stage is Stage.DRAINING:
            self._draining[job.name] = job

    def promise(self, job: str) -> Promise | None:
        """The live claim of a job that holds."""
        return next((p for p in self.promises if p.job == job), None)

    def record(self, event: ev.Event) -> None:
        """Write an event into the book. Raises Impossible."""
        self.clock += 1
        match event:
            case ev.Submit():
                self._submit(event)
            case ev.SetPriority():
                job = self.job(event.job)
                job.priority = event.priority
                job.priority_since_dispatch = max(job.priority_since_dispatch, event.priority)
            case ev.Advance():
                self._advance(self.job(event.job))
            case ev.Dispatch():
                self._dispatch(self.job(event.job))
            case ev.Claim():
                self._claim(event)
            case ev.Release():
                self._end_promise(event.job)
            case ev.Stopped():
                self._stopped(self.job(event.job))
            case ev.Finish():
                self._finish(event)
            case ev.Terminate():
                self._leave(self.job(event.job), Stage.FAILED)
            case ev.Return():
                self._leave(self.job(event.job), Stage.RUNNABLE)
            case ev.Misconfigured():
                self.job(event.job)
            case _:
                self._administrator(event)

    def _submit(self, e: ev.Submit) -> None:
        if e.job in self.jobs:
            raise Impossible(f"the job {e.job!r} was submitted twice")
        self.share(e.share)
        self.jobs[e.job] = Entry(e.job, e.share, dict(e.size), e.priority or 0, e.retries, Stage.SUBMITTED)
        self._move(self.jobs[e.job], Stage.RUNNABLE)

    def _advance(self, job: Entry) -> None:
        then = {Stage.SCHEDULED: Stage.STARTING, Stage.STARTING: Stage.RUNNING}
        if job.stage not in then:
            raise Impossible(f"the job {job.name!r} is {job.stage} and cannot advance")
        self._move(job, then[job.stage])

    def _dispatch(self, job: Entry) -> None:
        for unit, n in job.size.items():
            over = self.usage(job.share, unit) + n - self.grant(job.share, unit).limit
            job.borrowed[unit] = min(n, max(0, over))
        self._end_promise(job.name)
        self._move(job, Stage.SCHEDULED)
        job.priority_since_dispatch, job.dispatched = job.priority, self.clock

    def _claim(self, e: ev.Claim) -> None:
        self.job(e.job)
        self.open_claim()
        for name in e.victims:
            self.drain(name)
        if e.holds:
            self.hold(e.job)

    def open_claim(self) -> None:
        """Number the next claim."""
        self.claims += 1

    def drain(self, name: str) -> None:
        """A victim of the newest claim is told to stop."""
        victim = self.job(name)
        victim.was_scheduled = victim.stage is Stage.SCHEDULED
        victim.claim = self.claims
        self._move(victim, Stage.DRAINING)

    def hold(self, job: str) -> None:
        """The newest claim holds what the job asks."""
        self.promises.append(Promise(job, self.claims))

    def _stopped(self, job: Entry) -> None:
        job.preemptions += not job.was_scheduled or self.readings["A38"] == "yes"
        spent = job.retries is not None and job.preemptions > job.retries
        self._leave(job, Stage.FAILED if spent else Stage.RUNNABLE)

    def _finish(self, e: ev.Finish) -> None:
        job = self.job(e.job)
        choice = "failed" if e.failed else self.readings["A34"] if job.stage is Stage.DRAINING else "succeeded"
        ends = {"succeeded": Stage.SUCCEEDED, "requeued": Stage.RUNNABLE, "failed": Stage.FAILED}
        self._leave(job, ends[choice])

    def _leave(self, job: Entry, stage: Stage) -> None:
        for promise in self.promises:
            if job.stage is Stage.DRAINING and promise.number == job.claim:
                for unit, n in job.size.items():
                    promise.freed[unit] = promise.freed.get(unit, 0) + n
        self._end_promise(job.name)
        self._move(job, stage)
        job.claim, job.borrowed = 0, {}

    def _end_promise(self, job: str) -> None:
        self.promises = [p for p in self.promises if p.job != job]

    def _administrator(self, event: ev.Event) -> None:
        self._grants.clear()
        match event:
            case ev.SetCapacity():
                self.capacity = dict(event.capacity)
            case ev.SetEnvironmentState():
                self.environment_enabled = event.state is State.ENABLED
            case ev.SetQueueState():
                self.queue_enabled = event.state is State.ENABLED
            case ev.CreateShare():
                if event.share.name in self.shares:
                    raise Impossible(f"the share {event.share.name!r} exists already")
                self.shares[event.share.name] = event.share
            case ev.SetLimits():
                limits = tuple(ShareCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in event.limits.items())
                self._update(event.share, capacity_limits=limits)
            case ev.SetSharing():
                self._set_sharing(event)
            case ev.SetInShare():
                switch = {"in_share_preemption": State.ENABLED if event.enabled else State.DISABLED}
                old = self.share(event.share).preemption_configuration
                self._update(event.share, preemption_configuration=old.model_copy(update=switch))
            case ev.SetShareState():
                self._update(event.share, state=event.state)
            case ev.DeleteShare():
                self._update(event.share, state=State.DISABLED)
                self.deleting.add(event.share)
            case ev.ShareGone():
                self._gone(event.share)
            case _:
                raise Impossible(f"{type(event).__name__} is no event of a queue")

    def _update(self, share: str, **fields: object) -> None:
        self.shares[share] = self.share(share).model_copy(update=fields)

    def _set_sharing(self, e: ev.SetSharing) -> None:
        old = self.share(e.share).borrow_limit
        keeps = e.borrow_limit is None and self.readings["A9"] == "keeps" and e.strategy == "LEND_AND_BORROW"
        sharing = ResourceSharing(strategy=e.strategy, borrow_limit=old if keeps else e.borrow_limit)
        self._update(e.share, resource_sharing_configuration=sharing)

    def _gone(self, share: str) -> None:
        if any(j.stage not in ENDED for j in self.jobs.values() if j.share == share):
            raise Impossible(f"the share {share!r} still has live jobs")
        del self.shares[self.share(share).name]
        self.deleting.discard(share)
        self.jobs = {n: j for n, j in self.jobs.items() if j.share != share}
        self._waiting.pop(share, None)
