"""The judge's own books: what a sequence of events implies about shares, jobs and claims.

Independent of any scheduler: it believes events and nothing else, also events that were not allowed. `mark` and `undo`
go back to an earlier state; `administer` is what an administrator changes. Trusted: that events name jobs and shares
that exist, else `Impossible`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, ClassVar

from ...spec import events as ev
from ...spec.administered import Administered
from ...spec.model import DISPATCHED, ENDED, HOLDING, NEXT, Grant, QueueConfig, Size, Stage
from ...spec.readings import Readings
from .jobs import Entry, Promise, Waiting
from .log import Log
from .rows import CLAIMS, DRAINS, FREED, LIMIT, USAGE, Rows


class Impossible(ValueError):
    """An event that names a job or share that is not there, or that cannot happen to it."""


@cache
def _formulas(_readings: Readings) -> dict[Any, Callable[[Any], tuple[Any, ...]]]:
    return {}


class Book(Log):
    """State after the events so far."""

    def __init__(
        self, config: QueueConfig, readings: Readings, *, claims_known: bool = True, stages_known: bool | None = None
    ) -> None:
        super().__init__()
        self.readings = readings
        self.chosen = readings.table
        """The same for quick look-ups."""
        self.formulas = _formulas(readings)
        """What was compiled for it, and for every other book of these readings."""
        self.claims_known = claims_known
        """Whether every claim will be recorded; else none is."""
        self.stages_known = claims_known if stages_known is None else stages_known
        """Whether everything that becomes of a job will be recorded, each stop with its count; so it is where claims are."""
        self.now = Administered.of(config)
        self.rows = Rows(readings)
        self.jobs: dict[str, Entry] = {}
        self.promises: tuple[Promise, ...] = ()
        self.claims = 0
        self.clock = 0
        self._tellings = 0
        self._waiting: dict[str, Waiting] = {}
        self._running: dict[str, dict[str, Entry]] = {}
        self._draining: dict[str, Entry] = {}
        for unit in config.units:
            self._know(unit)

    # looking

    def job(self, name: str) -> Entry:
        """The job, or Impossible."""
        try:
            return self.jobs[name]
        except KeyError:
            raise Impossible(f"there is no job {name!r}") from None

    def share(self, name: str) -> str:
        """The name of a share that exists, or Impossible."""
        if name not in self.now.shares:
            raise Impossible(f"there is no share {name!r}")
        return name

    def grant(self, share: str, unit: str) -> Grant:
        """The three numbers in force (A47, A48)."""
        return self.now.grant(self.share(share), unit, self.readings)

    def units(self) -> dict[str, None]:
        """Every unit that the environment, a share or a job names."""
        return dict.fromkeys((*self.now.capacity, *self.rows.rows))

    def in_use(self, share: str) -> dict[str, int]:
        """Unit -> what the share holds, for every unit of which it holds or ever held some."""
        own = (unit for job in self.jobs.values() if job.share == share for unit in job.units)
        return {unit: self.usage(share, unit) for unit in dict.fromkeys(own)}

    def usage(self, share: str, unit: str) -> int:
        """What dispatched and draining jobs of the share hold (G12)."""
        row = self.rows.rows.get(unit, {}).get(share)
        return row[USAGE] if row else 0

    def waiting(self, share: str) -> Waiting:
        """RUNNABLE jobs of a share."""
        found = self._waiting.get(share)
        if found is None:
            found = self._waiting[share] = Waiting()
        return found

    def shares_waiting(self) -> list[str]:
        """Shares with a RUNNABLE job, in the order of the shares."""
        return [s for s in self.now.shares if s in self._waiting and self._waiting[s].count]

    def draining(self) -> Iterable[Entry]:
        """Victims that have not stopped yet, in the order in which they were told."""
        found = self._draining.values()
        return found if len(found) < 2 else sorted(found, key=lambda job: job.told)

    def running(self, share: str) -> Iterable[Entry]:
        """Jobs of a share that may be told to stop."""
        return self._running.get(share, {}).values()

    def promise(self, job: str) -> Promise | None:
        """The live claim of a job that holds."""
        for promise in self.promises:
            if promise.job.name == job:
                return promise
        return None

    # changing

    def _touch(self, job: Entry) -> None:
        """The job is about to change."""
        if self._log is not None:
            self._log.append(partial(self._restore, job, job.saved()))

    def _restore(self, job: Entry, saved: tuple[Any, ...]) -> None:
        if job.stage is Stage.RUNNABLE:
            self._waiting[job.share].remove(job)
            job.stage = Stage.SUBMITTED
        job.restore(saved)
        self._place(job, saved[0])

    def _know(self, unit: str) -> None:
        self.rows.know(unit, self.now.shares, self.grant)

    def _place(self, job: Entry, stage: Stage) -> None:
        """Change a job's stage, and with it what is used, who waits, who runs and who drains."""
        old = job.stage
        holds = (stage in HOLDING) - (old in HOLDING)
        if holds:
            for unit, row, n in zip(job.units, job.rows, job.asks, strict=True):
                self.rows.use(unit, row, holds * n)
        if old is Stage.RUNNABLE:
            self._waiting[job.share].remove(job)
        elif old is Stage.DRAINING:
            del self._draining[job.name]
            self._drains(job, -1)
        elif old in DISPATCHED and stage not in DISPATCHED:
            del self._running[job.share][job.name]
        job.stage = stage
        if stage is Stage.RUNNABLE:
            self.waiting(job.share).add(job)
        elif stage is Stage.DRAINING:
            self._draining[job.name] = job
            self._drains(job, 1)
        elif stage in DISPATCHED and old not in DISPATCHED:
            self._running.setdefault(job.share, {})[job.name] = job

    def _drains(self, job: Entry, sign: int) -> None:
        for unit, n in zip(job.units, job.asks, strict=True):
            self.rows.move(unit, job.share, DRAINS, sign * n)

    def suppose(self, share: str, unit: str, n: int) -> None:
        """Count n machines more as claimed, until it is taken back with -n."""
        self.rows.move(unit, share, CLAIMS, n)

    def _promise(self, promises: tuple[Promise, ...]) -> None:
        """Replace the live claims."""
        if self._log is not None:
            self._log.append(partial(self._count_promises, self.promises))
        self._count_promises(promises)

    def _count_promises(self, promises: tuple[Promise, ...]) -> None:
        for counted, sign in ((self.promises, -1), (promises, 1)):
            for p in counted:
                for unit, n in p.job.size.items():
                    self.rows.move(unit, p.job.share, CLAIMS, sign * n)
                    self.rows.move(unit, p.job.share, FREED, sign * min(n, dict(p.freed).get(unit, 0)))
        self.promises = promises

    def record(self, event: ev.Event) -> None:
        """Write an event into the book. Raises Impossible, and then nothing is changed."""
        self._HOW.get(type(event), Book._administer)(self, event)
        if self._log is not None:
            self._log.append(partial(setattr, self, "clock", self.clock))
        self.clock += 1

    def submit(
        self, name: str, share: str, size: Size, priority: int | None, retries: int | None, *, known: bool = True
    ) -> None:
        """A job waits from now on. `priority` None: not known; so are its retries where they are not `known`."""
        if name in self.jobs:
            raise Impossible(f"the job {name!r} was submitted twice")
        self.share(share)
        for unit in size:
            self._know(unit)
        made = Entry(name, share, dict(size), priority, retries, Stage.SUBMITTED, retries_known=known)
        made.units, made.asks = tuple(size), tuple(size.values())
        made.rows = tuple(self.rows.rows[unit][share] for unit in size)
        self.jobs[name] = made
        if self._log is not None:
            self._log.append(partial(self.jobs.pop, name))
        self._touch(made)
        self._place(made, Stage.RUNNABLE)

    def _submit(self, e: ev.Submit) -> None:
        self.submit(e.job, e.share, e.size, e.priority or 0, e.retries)

    def _set_priority(self, e: ev.SetPriority) -> None:
        job, priority = self.job(e.job), e.priority
        self._touch(job)
        waits = job.stage is Stage.RUNNABLE
        if waits:
            self._waiting[job.share].remove(job)
        job.priority = priority
        if job.priority_since_dispatch is not None:
            job.priority_since_dispatch = max(job.priority_since_dispatch, priority)
        if waits:
            self._waiting[job.share].add(job)

    def _advance(self, e: ev.Advance) -> None:
        job = self.job(e.job)
        if job.stage not in NEXT:
            raise Impossible(f"the job {job.name!r} is {job.stage} and cannot advance")
        self.reach(job, NEXT[job.stage])

    def reach(self, job: Entry, stage: Stage) -> None:
        """A job is seen in a stage."""
        self._touch(job)
        self._place(job, stage)

    def _dispatch(self, e: ev.Dispatch) -> None:
        job = self.job(e.job)
        over = (row[USAGE] + n - row[LIMIT] for row, n in zip(job.rows, job.asks, strict=True))
        borrowed = {unit: min(n, max(0, o)) for unit, n, o in zip(job.units, job.asks, over, strict=True)}
        self._end_promise(job)
        self._touch(job)
        job.borrowed = borrowed
        job.priority_since_dispatch, job.dispatched = job.priority, self.clock + 1
        self._place(job, Stage.SCHEDULED)

    def _claim(self, e: ev.Claim) -> None:
        job, victims = self.job(e.job), [self.job(name) for name in e.victims]
        self.open_claim()
        for victim in victims:
            self.drain(victim)
        if e.holds:
            self._promise((*self.promises, Promise(job, self.claims)))

    def open_claim(self) -> None:
        """Number the next claim."""
        if self._log is not None:
            self._log.append(partial(setattr, self, "claims", self.claims))
        self.claims += 1

    def drain(self, victim: Entry) -> None:
        """A victim of the newest claim is told to stop. One that holds nothing has nothing to give."""
        if victim.stage in HOLDING:
            self._touch(victim)
            victim.was_scheduled = victim.stage is Stage.SCHEDULED
            victim.claim = self.claims
            self._tellings += 1  # only grows, also where something is taken back: what was told first stays first
            victim.told = self._tellings
            self._place(victim, Stage.DRAINING)

    def stopped(self, job: Entry, count: int | None = None, stage: Stage | None = None) -> None:
        """A victim has stopped; `count` and `stage` where they were seen."""
        expected = job.preemptions + (not job.was_scheduled or self.chosen["A38"] == "yes")
        self._touch(job)
        job.preemptions = expected if count is None else count
        spent = job.retries is not None and job.preemptions > job.retries
        self.leave(job, stage or (Stage.FAILED if spent else Stage.RUNNABLE))

    def _finish(self, e: ev.Finish) -> None:
        job = self.job(e.job)
        choice = "failed" if e.failed else self.chosen["A34"] if job.stage is Stage.DRAINING else "succeeded"
        ends = {"succeeded": Stage.SUCCEEDED, "requeued": Stage.RUNNABLE, "failed": Stage.FAILED}
        self.leave(job, ends[choice])

    def leave(self, job: Entry, stage: Stage) -> None:
        """A job holds no machines any more."""
        if self.promises:
            drained = job.size if job.stage is Stage.DRAINING else {}
            paid = [_freed(p, drained) if p.number == job.claim else p for p in self.promises if p.job is not job]
            if paid != list(self.promises):
                self._promise(tuple(paid))
        self._touch(job)
        job.claim, job.borrowed = 0, {}
        self._place(job, stage)

    def _end_promise(self, job: Entry) -> None:
        if self.promises and any(p.job is job for p in self.promises):
            self._promise(tuple(p for p in self.promises if p.job is not job))

    def _there_again(self, before: Mapping[str, Entry]) -> None:
        """Jobs that were gone stand where they stood."""
        if before:
            self.jobs.clear()
            self.jobs.update(before)

    def _same(self, job: Entry) -> None:
        """Nothing changes for a job that exists."""

    def _administer(self, event: ev.Event) -> None:
        new = self.now.after(event, self.readings)
        if isinstance(new, str):
            raise Impossible(new)
        if self._log is not None:
            self._log.append(partial(self._renew, self.now))
        self._renew(new)

    def _renew(self, now: Administered) -> None:
        before, self.now = self.now, now
        if now.shares is not before.shares:
            self.rows.renew(now.shares, self.grant)
        for unit in now.units():
            self._know(unit)

    def _gone(self, e: ev.ShareGone) -> None:
        """A share no longer exists, nor do its jobs."""
        share = e.share
        own = [j for j in self.jobs.values() if j.share == self.share(share)]
        if any(j.stage not in ENDED for j in own):
            raise Impossible(f"the share {share!r} still has live jobs")
        before = dict(self.jobs) if own and self._log is not None else {}
        for job in own:
            del self.jobs[job.name]
        if self._log is not None:
            self._log.append(partial(self._there_again, before))
        self._administer(e)

    _HOW: ClassVar[dict[type, Callable[[Book, Any], None]]] = {
        ev.Submit: _submit,
        ev.SetPriority: _set_priority,
        ev.Advance: _advance,
        ev.Dispatch: _dispatch,
        ev.Claim: _claim,
        ev.Release: lambda self, e: self._end_promise(self.job(e.job)),
        ev.Stopped: lambda self, e: self.stopped(self.job(e.job)),
        ev.Finish: _finish,
        ev.Terminate: lambda self, e: self.leave(self.job(e.job), Stage.FAILED),
        ev.Return: lambda self, e: self.leave(self.job(e.job), Stage.RUNNABLE),
        ev.Misconfigured: lambda self, e: self._same(self.job(e.job)),
        ev.ShareGone: _gone,
    }


def _freed(promise: Promise, size: Size) -> Promise:
    before = dict(promise.freed)
    return replace(promise, freed=tuple({**before, **{u: before.get(u, 0) + n for u, n in size.items()}}.items()))
