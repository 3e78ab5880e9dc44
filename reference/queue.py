"""The state of a quota-share queue: shares, jobs, claims, and running sums of what is used.

One mutable object with `copy`. Only `apply` changes it. Jobs are found by stage, those that wait in the line of their share,
and what was worked out is known until something changes it, so that a step costs the same however many jobs there are and
have been. Counts are instances per (share, unit) or per unit.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field

from ..spec.model import DISPATCHED, ENDED, HOLDING, Grant, QueueConfig, QuotaShare, Size, Stage, State, Strategy, grant
from ..spec.readings import Readings
from .known import Known, Stuck
from .usage import Usage

STOPPABLE = DISPATCHED

Turn = tuple[int, bool, int, int, str]
"""Orders the jobs that wait: priority, claim, place, then submission; the job's name."""


@dataclass(eq=False)
class Job:
    """One job and its life so far. Times are counts of events."""

    name: str
    share: str
    size: Size
    priority: int
    retries: int | None
    created: int
    stage: Stage = Stage.RUNNABLE
    preemptions: int = 0
    place: int = 0
    """Orders jobs of equal priority (A20, A21, A54)."""
    dispatched: int = 0
    guard_priority: int = 0
    """Highest priority since its dispatch: what in-share preemption looks at under A33 ignored."""
    borrowed: dict[str, int] = field(default_factory=dict[str, int])
    """Unit -> instances that were beyond the share's limit at dispatch (A13 a)."""
    drains_for: int = 0
    """Number of the claim it was told to stop for; kept while it drains, also after that claim has ended."""
    stopped_scheduled: bool = False
    """Whether it had only been SCHEDULED when it was told to stop (A38)."""
    reason: str = ""
    """statusReason: why it can never run (rule 33)."""


@dataclass
class Claim:
    """A live promise to a head: the machines its job asks for (A58)."""

    job: str
    number: int
    freed: dict[str, int] = field(default_factory=dict[str, int])
    """Unit -> instances its victims have freed (A58 freed)."""


@dataclass
class Share:
    """A share as it is configured now."""

    name: str
    strategy: Strategy
    borrow_limit: int | None
    limits: dict[str, int]
    in_share: bool
    created: int
    enabled: bool = True
    deleting: bool = False
    head: str = ""
    head_since: int = 0
    """Since when `head` has been the first of its waiting jobs (A16 head)."""

    @classmethod
    def of(cls, share: QuotaShare, created: int) -> Share:
        """A share as a request or a dump describes it."""
        enabled = share.state is State.ENABLED
        return cls(share.name, share.strategy, share.borrow_limit, dict(share.limits), share.in_share, created, enabled)


class Queue:
    """Everything a scheduler may look at."""

    def __init__(self, config: QueueConfig, readings: Readings) -> None:
        self.readings = readings
        self.capacity = dict(config.environment.capacity)
        self.environment_enabled = config.environment.state == "ENABLED"
        self.queue_enabled = True
        self.shares: dict[str, Share] = {}
        self.jobs: dict[str, Job] = {}
        self._claims: list[Claim] = []
        self.claims_opened = 0
        self.clock = 0
        self.usage = Usage(self)
        self._known = Known()
        self._stages: dict[Stage, dict[str, Job]] = {stage: {} for stage in Stage}
        self._holders: dict[str, dict[str, Job]] = {}
        self._lines: dict[str, list[Turn]] = {}
        self._turns: dict[str, Turn] = {}
        for s in config.shares:
            self.shares[s.name] = Share.of(s, len(self.shares))

    def copy(self) -> Queue:
        """An independent queue in the same state."""
        new = copy(self)
        new.capacity = dict(self.capacity)
        new.shares = {name: copy(s) for name, s in self.shares.items()}
        for share in new.shares.values():
            share.limits = dict(share.limits)
        new.jobs = {name: copy(j) for name, j in self.jobs.items()}
        new._claims = [Claim(c.job, c.number, dict(c.freed)) for c in self.claims]
        new.usage = Usage(new, self.usage)
        new._known = Known(heads=set(self._known.heads))
        new._stages = {stage: {name: new.jobs[name] for name in jobs} for stage, jobs in self._stages.items()}
        new._holders = {share: {name: new.jobs[name] for name in jobs} for share, jobs in self._holders.items()}
        new._lines = {share: list(line) for share, line in self._lines.items()}
        new._turns = dict(self._turns)
        return new

    @property
    def claims(self) -> list[Claim]:
        """Live claims, the first that was opened first. Replaced when one comes or goes, not changed."""
        return self._claims

    @claims.setter
    def claims(self, claims: list[Claim]) -> None:
        self._claims = claims
        self._recount()

    def add(self, job: Job) -> None:
        """A job that was submitted."""
        self.remove(job.name)
        self.jobs[job.name] = self._stages[job.stage][job.name] = job
        self._hold(job)
        self.line_up(job)

    def remove(self, name: str) -> None:
        """Forget a job, if it is known."""
        job = self.jobs.get(name)
        if job is not None:
            self._leave_line(job)
            del self._stages[job.stage][name], self.jobs[name]
            self._holders.get(job.share, {}).pop(name, None)
            self._forget(job.share)

    def grant(self, share: str, unit: str) -> Grant:
        """The three numbers of a share for a unit, as configured now (A47, A48)."""
        try:
            return self._known.grants[share, unit]
        except KeyError:
            made = self._known.grants[share, unit] = self._grant(self.shares[share], unit)
            return made

    def _grant(self, share: Share, unit: str) -> Grant:
        made = grant(share.limits.get(unit), share.strategy, share.borrow_limit, self.readings)
        if share.deleting and self.readings["A48"] == "void":
            return Grant(0, 0, 0)
        if not share.enabled and self.readings["A47"] == "no":
            return Grant(made.limit, 0, made.borrowable)
        return made

    def reconfigured(self) -> None:
        """Forget what is granted after an administrator's step."""
        self._known.grants.clear()
        self._known.limits.clear()
        self._known.stuck.clear()
        self.usage.forget()
        self._recount()

    def changed(self) -> None:
        """Forget what counts only as long as nothing changes."""
        self._known.at_rest = None

    def _recount(self) -> None:
        """The same, and what counts only as long as nobody claims, is told to stop, or stops."""
        known = self._known
        known.at_rest = None
        if known.due:
            known.due.clear()
        if known.held:
            known.held.clear()

    def rests(self, policy: object) -> bool:
        """Nothing moved under this policy when it was last looked at, and nothing has changed since that could matter."""
        return self._known.at_rest is policy

    def rest(self, policy: object, *, heads_only: bool) -> None:
        """Nothing moves under this policy. `heads_only`: jobs behind the first of their share make no difference."""
        self._known.at_rest, self._known.heads_only = policy, heads_only

    def stick(self, policy: object, share: str, until: Stuck) -> None:
        """The head of a share may neither start nor claim under this policy as long as what is used is beyond `until`."""
        if self._known.stuck_under is not policy:
            self._known.stuck_under = policy
            self._known.stuck.clear()
        self._known.stuck[share] = until
        self._known.loose.discard(share)

    def loose(self, policy: object) -> list[Share]:
        """Shares with a RUNNABLE job, without those whose head is stuck under this policy."""
        known, lines = self._known, self._lines
        if not known.stuck or known.stuck_under is not policy:
            return self.awaited()
        stuck, within = known.stuck, self.usage.within
        looked_at = stuck if known.freed else [share for share in known.loose if share in stuck]
        loose = known.loose = {share for share in looked_at if within(*stuck[share])}
        known.freed = False
        return [s for name, s in self.shares.items() if name in lines and (name not in stuck or name in loose)]

    def limits(self, unit: str) -> int:
        """What the shares' limits add up to."""
        known = self._known.limits
        if unit not in known:
            known[unit] = sum(self.grant(s, unit).limit for s in self.shares)
        return known[unit]

    def move(self, job: Job, stage: Stage) -> None:
        """The job is in this stage from now on: it holds its machines or does not, and waits in line or does not."""
        before, job.stage = job.stage, stage
        del self._stages[before][job.name]
        self._stages[stage][job.name] = job
        if before in STOPPABLE and stage in STOPPABLE:
            return
        if Stage.DRAINING in (before, stage):
            self._recount()
        holds = (stage in HOLDING) - (before in HOLDING)
        if holds:
            for used in (self.usage, *self._known.copies()):
                for unit, n in job.size.items():
                    used[job.share, unit] += holds * n
            self._known.freed |= holds < 0
        self._hold(job)
        self.line_up(job)
        self._forget(job.share)

    def _hold(self, job: Job) -> None:
        """Note whether the job may be told to stop."""
        holders = self._holders.setdefault(job.share, {})
        if job.stage in STOPPABLE:
            holders[job.name] = job
        else:
            holders.pop(job.name, None)

    def _forget(self, share: str) -> None:
        """Something has changed in this share."""
        self._known.stuck.pop(share, None)
        self.changed()

    def line_up(self, job: Job) -> None:
        """Give a job its turn anew: whether it waits has changed, or what orders it."""
        first = self._leave_line(job)
        if job.stage is Stage.RUNNABLE:
            turn = self._turns[job.name] = self.turn(job)
            line = self._lines.setdefault(job.share, [])
            insort(line, turn)
            if line[0] is turn:
                self._known.heads.add(job.share)
            elif self._known.heads_only and not first:
                return
        self._forget(job.share)

    def turn(self, job: Job) -> Turn:
        """Where the job stands in line (rule 27; A20, A21): among equals one with a claim is first."""
        return -job.priority, self.claim_of(job.name) is None, job.place, job.created, job.name

    def _leave_line(self, job: Job) -> bool:
        """Whether it was the first of those that wait."""
        turn = self._turns.pop(job.name, None)
        if turn is None:
            return False
        line = self._lines[job.share]
        place = bisect_left(line, turn)
        del line[place]
        if not line:
            del self._lines[job.share]
        if not place:
            self._known.heads.add(job.share)
        return not place

    def new_heads(self) -> list[tuple[Share, str]]:
        """Shares of which the first job that waits is another than they note, each with its name; told once."""
        if not self._known.heads:
            return []
        heads, self._known.heads = self._known.heads, set()
        firsts = ((self.shares[name], self.first(name)) for name in heads if name in self.shares)
        named = ((share, first.name if first else "") for share, first in firsts)
        return [(share, name) for share, name in named if name != share.head]

    def waiting(self, share: str) -> Iterator[Job]:
        """RUNNABLE jobs of a share, first in line first."""
        return (self.jobs[turn[-1]] for turn in self._lines.get(share, ()))

    def awaited(self) -> list[Share]:
        """Shares with a RUNNABLE job."""
        return [share for name, share in self.shares.items() if name in self._lines]

    def first(self, share: str) -> Job | None:
        """The first of them."""
        line = self._lines.get(share)
        return self.jobs[line[0][-1]] if line else None

    def stoppable(self, share: str | None = None) -> list[Job]:
        """Jobs that may be told to stop (rule 35), of one share or of all."""
        if share is not None:
            return list(self._holders.get(share, {}).values())
        return [job for stage in STOPPABLE for job in self._stages[stage].values()]

    def draining(self) -> Iterable[Job]:
        """Victims that have not stopped yet."""
        return self._stages[Stage.DRAINING].values()

    def live(self) -> list[Job]:
        """Jobs that have not ended, in the order of their submission."""
        found = (job for stage in Stage if stage not in ENDED for job in self._stages[stage].values())
        return sorted(found, key=lambda j: j.created)

    def claim_of(self, job: str) -> Claim | None:
        """The live claim of a job."""
        for claim in self._claims:
            if claim.job == job:
                return claim
        return None

    def due(self, upto: Claim | None = None) -> Usage:
        """Usage when drains for claims up to `upto` have ended and claims up to it are served; None: all. Not to be changed."""
        if not self._claims and not self.draining():
            return self.usage
        number = upto.number if upto else self.claims_opened
        used = self._known.due.get(number)
        if used is None:
            used = self._known.due[number] = self.due() if upto and self._is_last(upto) else self._due(number)
        return used

    def _due(self, number: int) -> Usage:
        used = self.usage.copy()
        for job in self.draining():
            if job.drains_for <= number:
                for unit, n in job.size.items():
                    used[job.share, unit] -= n
        for claim in self._upto(number):
            self._add_claim(used, claim)
        return used

    def _is_last(self, claim: Claim) -> bool:
        """Whether there is no later claim but this is not the number of the newest, nor a victim that drains for one."""
        last = self._claims[-1].number <= claim.number < self.claims_opened
        return last and all(job.drains_for <= claim.number for job in self.draining())

    def held(self, upto: Claim) -> Usage:
        """Usage with all that is kept for claims up to `upto`: what is due or, with A58 freed, only what was freed."""
        if self.readings["A58"] == "whole":
            return self.due(upto)
        used = self._known.held.get(upto.number)
        if used is None:
            used = self._known.held[upto.number] = self.usage.copy()
            for claim in self._upto(upto.number):
                for unit, n in self.held_for(claim).items():
                    used[self.jobs[claim.job].share, unit] += n
        return used

    def held_for(self, claim: Claim) -> Size:
        """What one claim holds: all that its job asks or, with A58 freed, only what its victims have freed."""
        size = self.jobs[claim.job].size
        if self.readings["A58"] == "whole":
            return size
        return {unit: min(n, claim.freed.get(unit, 0)) for unit, n in size.items()}

    def _upto(self, number: int) -> Iterator[Claim]:
        return (claim for claim in self._claims if claim.number <= number)

    def _add_claim(self, used: Usage, claim: Claim) -> None:
        """All that the claim's job asks, as when it has started."""
        job = self.jobs[claim.job]
        for unit, n in job.size.items():
            used[job.share, unit] += n
