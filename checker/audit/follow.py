"""What observations imply of jobs and shares: who waits, who holds machines, who is at the head of a share.

Memory holds live jobs and numbers of shares. The configuration is the judge's `Administered`. Nothing is judged: what cannot
be followed (a job that was never submitted) is counted in `lost`. A head is the waiting job of the highest priority, the
oldest of equal ones; a priority that is not known counts as 0 there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from heapq import heappop, heappush
from typing import Protocol

from ...spec import events as ev
from ...spec.administered import Administered
from ...spec.model import HOLDING, Grant, QueueConfig, Stage, State
from ...spec.observations import Observation, Preempted, Preempting, Reached, Retried, Submitted
from ...spec.readings import Readings
from ...spec.rules.lifecycle import DISPATCHED
from ..judge.rows import UNLIMITED
from .hours import ZERO, Hours
from .jobs import Live
from .numbers import Numbers
from .stability import Stability

_NOTHING = Grant(0, 0, 0)


class Listener(Protocol):
    """Who is told what becomes of jobs. `Live` is the state of one; who is told keeps some of its fields."""

    counts: bool
    """Whether the present time counts."""

    def submitted(self, at: int, order: int, seen: Submitted) -> Live:
        """A job arrives; its state from now on."""
        ...

    def started(self, at: int, job: Live) -> None:
        """It is about to take its machines."""
        ...

    def preempting(self, at: int, job: Live, what: Preempting) -> None:
        """It is about to be told to stop."""
        ...

    def freed(self, at: int, job: Live, *, stopped: bool = False, succeeded: bool = False) -> None:
        """It is about to give its machines back: it was stopped, it succeeded, or none of both."""
        ...

    def ended(self, job: Live, *, succeeded: bool) -> None:
        """It will not start again."""
        ...


class Follow:
    """The state after the observations so far; `hours`, `jobs` and `stability` are told of every change."""

    def __init__(self, config: QueueConfig, readings: Readings, hours: Hours, jobs: Listener, start: int) -> None:
        self._readings = readings
        self._numbers = Numbers.of(readings)
        self._now = Administered.of(config)
        self._hours, self._jobs = hours, jobs
        self.stability = Stability()
        self.live: dict[str, Live] = {}
        self.submitted = 0
        self.lost = 0
        """Observations that could not be followed."""
        self.no_priority = 0
        self.changes = 0
        """How often usage, a head or a number in force may have changed."""
        self._usage: Counter[tuple[str, str]] = Counter()
        self._draining: Counter[tuple[str, str]] = Counter()
        self._heads: dict[str, list[tuple[int, int, int, Live]]] = {}
        self._pushed = 0
        self._due: dict[str, Live] = {}
        """Share -> its entitled head."""
        self._limits: Mapping[str, Mapping[str, int]] = {}
        self._configure(start)

    @property
    def shares(self) -> list[str]:
        return list(self._now.shares)

    def used(self, share: str, unit: str) -> int:
        """Machines that the share holds."""
        return self._usage[share, unit]

    def undrained(self, share: str, unit: str) -> int:
        """Machines that it will hold when every drain has ended."""
        return self._usage[share, unit] - self._draining[share, unit]

    def quantities(self, share: str, unit: str) -> tuple[int, ...]:
        """`numbers.QUANTITIES` of the share in the unit."""
        account = self._hours.accounts.get((share, unit))
        return ZERO if account is None else account.now

    def may_borrow(self, share: str) -> bool:
        return share in self._now.shares and self._now.may_borrow(share, self._readings)

    def in_share(self, share: str) -> bool:
        """Whether jobs of the share may be stopped for its own (rule 39)."""
        return share in self._now.shares and self._now.shares[share].in_share

    def starts(self, share: str) -> bool:
        """Whether jobs of the share may start (rules 50, 52; A46)."""
        found = self._now.shares.get(share)
        if found is None or share in self._now.deleting or not self._now.environment_enabled:
            return False
        return found.state is State.ENABLED or self._readings["A46"] == "yes"

    def limits(self, share: str) -> Mapping[str, int]:
        """Unit -> limit in force; nothing for a share that is not there, or is being deleted."""
        return self._limits.get(share, {})

    def waiting(self) -> dict[str, int]:
        """Share -> jobs that wait."""
        return Counter(job.share for job in self.live.values() if job.stage is Stage.RUNNABLE)

    def holding(self) -> list[Live]:
        """Jobs that hold machines."""
        return [job for job in self.live.values() if job.stage in HOLDING]

    def record(self, at: int, what: Observation) -> None:
        """Follow one observation. Times must not go back."""
        match what:
            case Submitted():
                self._submit(at, what)
            case (
                ev.Dispatch()
                | Reached()
                | Preempting()
                | Preempted()
                | Retried()
                | ev.Return()
                | ev.Finish()
                | ev.Terminate()
            ):
                job = self.live.get(what.job)
                if job is None:
                    self.lost += 1
                else:
                    self._move(at, job, what)
            case ev.Claim():
                for victim in what.victims:
                    self.record(at, Preempting(victim, what.job))
            case ev.SetPriority():
                self._prioritise(at, what)
            case (
                ev.SetLimits() | ev.SetSharing() | ev.SetInShare() | ev.SetShareState() | ev.CreateShare() | ev.DeleteShare()
                | ev.ShareGone() | ev.SetCapacity() | ev.SetEnvironmentState() | ev.SetQueueState()
            ):  # fmt: skip
                self._administer(at, what)
            case _:
                pass

    def _submit(self, at: int, what: Submitted) -> None:
        if what.job in self.live:
            self.lost += 1
            return
        job = self._jobs.submitted(at, self.submitted, what)
        self.submitted += 1
        self.no_priority += what.priority is None
        if self._jobs.counts:
            self.stability.submitted(at, what.priority)
        self.live[job.name] = job
        self._wait(at, job)

    def _move(self, at: int, job: Live, what: Observation) -> None:
        match what:
            case ev.Dispatch():
                self._start(at, job)
            case Reached():
                if job.stage not in HOLDING:
                    self._start(at, job)
                if job.stage is not Stage.DRAINING:
                    job.stage = what.stage
                if what.stage is Stage.RUNNING and job.ran_since is None:
                    job.ran_since = at
            case Preempting():
                self._tell(at, job, what)
            case Preempted():
                self._stopped(at, job, what)
            case ev.Return() | Retried():
                self._free(at, job)
                self._wait(at, job)
            case ev.Finish():
                self._finish(at, job, failed=what.failed)
            case _:
                self._end(at, job, succeeded=False)

    def _start(self, at: int, job: Live) -> None:
        if job.stage in HOLDING:
            self.lost += 1
            return
        self._leave(at, job)
        self._jobs.started(at, job)
        job.stage = Stage.SCHEDULED
        self._use(at, job, 1)
        self._look(at, job.share)

    def _tell(self, at: int, job: Live, what: Preempting) -> None:
        if job.stage not in DISPATCHED:
            self.lost += job.stage is not Stage.DRAINING  # a claim may have named it before
            return
        self._jobs.preempting(at, job, what)
        job.stage, job.told = Stage.DRAINING, at
        self.changes += 1
        for unit, n in job.size.items():
            self._draining[job.share, unit] += n
        self._look(at, job.share)

    def _stopped(self, at: int, job: Live, what: Preempted) -> None:
        self._free(at, job, stopped=True)
        spent = job.retries is not None and what.count is not None and what.count > job.retries
        if what.stage is Stage.FAILED or (what.stage is None and spent):
            self._end(at, job, succeeded=False)
        elif what.stage is None:
            job.stage = None
        else:
            self._wait(at, job)

    def _finish(self, at: int, job: Live, *, failed: bool) -> None:
        drains = self._readings["A34"] if job.stage is Stage.DRAINING else "succeeded"
        if drains == "requeued" and not failed:
            self._free(at, job)
            self._wait(at, job)
        else:
            self._end(at, job, succeeded=not failed and drains == "succeeded")

    def _end(self, at: int, job: Live, *, succeeded: bool) -> None:
        self._leave(at, job)
        self._free(at, job, succeeded=succeeded)
        job.stage = Stage.SUCCEEDED if succeeded else Stage.FAILED
        self._jobs.ended(job, succeeded=succeeded)
        del self.live[job.name]
        self._look(at, job.share)

    def _free(self, at: int, job: Live, *, stopped: bool = False, succeeded: bool = False) -> None:
        """The job gives its machines back, if it holds any."""
        if job.stage not in HOLDING:
            return
        self._jobs.freed(at, job, stopped=stopped, succeeded=succeeded)
        if job.stage is Stage.DRAINING:
            for unit, n in job.size.items():
                self._draining[job.share, unit] -= n
        job.stage = None
        self._use(at, job, -1)

    def _use(self, at: int, job: Live, sign: int) -> None:
        self.changes += 1
        for unit, n in job.size.items():
            self._usage[job.share, unit] += sign * n
            self._refresh(at, job.share, unit)

    def _wait(self, at: int, job: Live) -> None:
        """The job waits (again)."""
        if job.stage is Stage.RUNNABLE:
            return
        job.stage = Stage.RUNNABLE
        self.changes += 1
        for unit in job.size:
            self._hours.wait(at, job.share, unit, 1)
        self._push(job)
        self._look(at, job.share)

    def _leave(self, at: int, job: Live) -> None:
        """The job waits no longer, if it did."""
        if job.stage is not Stage.RUNNABLE:
            return
        job.stage = None
        self.changes += 1
        for unit in job.size:
            self._hours.wait(at, job.share, unit, -1)
        self._pause(at, job)

    def _push(self, job: Live) -> None:
        self._pushed += 1
        heappush(self._heads.setdefault(job.share, []), (-(job.priority or 0), job.order, self._pushed, job))

    def head(self, share: str) -> Live | None:
        waiting = self._heads.get(share)
        while waiting:
            priority, _, _, job = waiting[0]
            if job.stage is Stage.RUNNABLE and (job.priority or 0) == -priority:
                return job
            heappop(waiting)
        return None

    def _look(self, at: int, share: str) -> None:
        """Who is the share's entitled head, and does it fit?"""
        head = self.head(share)
        entitled, fits = self.conditions(head) if head is not None else (False, False)
        before = self._due.get(share)
        if before is not None and not (entitled and before is head):
            self._pause(at, before)
        if head is not None and entitled:
            if head.due_since is None:
                head.due_since = at
                self._due[share] = head
            head.lacked = head.lacked or (not fits and self._within(head))

    def _within(self, job: Live) -> bool:
        """Whether its share is within its limit with it while victims still drain: what it lacks, other shares have."""
        return all(self._usage[job.share, u] + n <= self.grant(job.share, u).limit for u, n in job.size.items())

    def _pause(self, at: int, job: Live) -> None:
        if job.due_since is not None:
            job.due += at - job.due_since
            job.due_since = None
            self._due.pop(job.share, None)

    def conditions(self, job: Live, *, unlimited: bool = False) -> tuple[bool, bool]:
        """Whether the job is entitled to what it asks in every unit, and whether it fits in every one; `unlimited`: if
        its share had no borrow limit.
        """
        found = [self._numbers.conditions(self._asked(job, unit, unlimited=unlimited)) for unit in job.size]
        return all(entitled for entitled, _ in found), all(fits for _, fits in found)

    def _asked(self, job: Live, unit: str, *, unlimited: bool) -> tuple[int, ...]:
        """`ASKED`, of the job's share in one unit."""
        pool, grant = self._hours.pool(unit), self.grant(job.share, unit)
        may_borrow = job.share in self._now.shares and self._now.may_borrow(job.share, self._readings)
        cell = self._cell(job.share, unit, grant)
        return (*cell, unlimited or grant.borrowable is None, job.size[unit], may_borrow, pool.capacity, *pool.total)

    def _cell(self, share: str, unit: str, grant: Grant) -> tuple[int, ...]:
        """Its `CELL_FIELDS`; of claims nothing is known."""
        borrowable = UNLIMITED if grant.borrowable is None else grant.borrowable
        key = share, unit
        return self._usage[key], 0, self._draining[key], 0, 0, 0, grant.limit, grant.lendable, borrowable

    def _prioritise(self, at: int, what: ev.SetPriority) -> None:
        job = self.live.get(what.job)
        if self._jobs.counts:
            self.stability.reprioritised(at, job.priority if job else None, what.priority)
        if job is None:
            self.lost += 1
            return
        job.priority = what.priority
        self.changes += 1
        if job.stage is Stage.RUNNABLE:
            self._push(job)
            self._look(at, job.share)

    def _administer(self, at: int, what: ev.AdministratorEvent | ev.ShareGone) -> None:
        name = what.share if isinstance(what, ev.SetLimits | ev.SetSharing) else ""
        before = self._now.shares.get(name)
        changed = self._now.after(what, self._readings)
        if isinstance(changed, str):
            self.lost += 1
            return
        self._now = changed
        after = self._now.shares.get(name)
        if before is not None and after != before and self._jobs.counts:
            self.stability.limits_changed(at, name)
        self._configure(at)

    def _configure(self, at: int) -> None:
        """Every number that follows from the configuration."""
        self._limits = {n: s.limits for n, s in self._now.shares.items() if n not in self._now.deleting}
        self.changes += 1
        for unit in dict.fromkeys([*self._hours.pools, *self._now.capacity]):
            self._hours.equip(at, unit, self._now.capacity.get(unit, 0))
        named = dict.fromkeys((s.name, unit) for s in self._now.shares.values() for unit in s.limits)
        for share, unit in dict.fromkeys([*self._hours.accounts, *named]):
            self._refresh(at, share, unit)
        for share in list(self._heads):
            self._look(at, share)

    def _refresh(self, at: int, share: str, unit: str) -> None:
        now = self._numbers.quantities(self._cell(share, unit, self.grant(share, unit)))
        self._hours.change(at, share, unit, now)

    def grant(self, share: str, unit: str) -> Grant:
        return self._now.grant(share, unit, self._readings) if share in self._now.shares else _NOTHING
