"""What a change would mean for the jobs that run and wait now: which can be stopped that could not, which end, which can
never start.

The history is followed to its end, its shares are given the old and then the new configuration, and both are asked the
same. A job can be stopped for another share where its share is above its limit in a unit that the job holds (G5x; A13)
and a reclaim can reach that: the share table says so, or the share holds more than it ever could. What is above a lowered
limit is eligible in any case (rule 48); AWS does not say which of the jobs (A26), nor whether at once (A42).
Trusted: the judge's book, the share table, and the reference for what can never run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ....reference.apply import apply
from ....reference.impossible import reason
from ....reference.policy import Policy
from ....spec import events as ev
from ....spec.administered import Administered
from ....spec.formats.changes.difference import environment_events, share_events
from ....spec.model import MAX_PRIORITY, QueueConfig, QuotaShare, Stage, State
from ....spec.observations import History, Submitted
from ....spec.readings import Readings
from ....spec.rules.lifecycle import DISPATCHED, LIVE
from ...findings.check import listed
from ...findings.table import Lot, lots
from ...judge.book import Book
from ...judge.jobs import Entry
from ...planned import AboutPlan, NeverRuns, OverLimit, Running, Stoppable, Untouched
from ...why import sums
from ...why.find import submissions
from ...why.follow import Following, follow
from ...why.rebuilt import queue_of
from ...why.threats import borrows

RECLAIM, IN_SHARE, ENDS = "reclaim", "in-share", "ends"


@dataclass(frozen=True)
class Exposed:
    """Which running jobs can be stopped under a configuration, and which waiting ones can never start."""

    reclaim: frozenset[str]
    in_share: frozenset[str]
    never: Mapping[str, str]
    """Job -> why."""


@dataclass(frozen=True)
class Now:
    """A queue at the end of its history."""

    history: History
    state: Following
    jobs: Mapping[str, Submitted]

    @classmethod
    def of(cls, history: History, readings: Readings) -> Now:
        return cls(history, follow(history, readings), submissions(history))

    @property
    def book(self) -> Book:
        return self.state.book

    @cached_property
    def live(self) -> tuple[Entry, ...]:
        return tuple(j for j in self.book.jobs.values() if j.stage in LIVE)

    def of_share(self, share: str) -> tuple[Entry, ...]:
        """Its jobs that have not ended."""
        return tuple(j for j in self.live if j.share == share)

    def last_active(self, share: str) -> int | None:
        """When a job of the share last did anything, in milliseconds; None: there was none in this history."""
        times = [
            self.state.since[j.name] for j in self.book.jobs.values() if j.share == share and j.name in self.state.since
        ]
        return max(times, default=None)


def affected(
    now: Now, old: QueueConfig, new: QueueConfig, readings: Readings, owners: Mapping[str, str]
) -> Iterator[AboutPlan]:
    """What becomes of the jobs. `owners`: share -> who answers for it."""
    before, after = exposed(now, old, readings), exposed(now, new, readings)
    kept = {s.name for s in new.shares}
    told: list[Stoppable] = []
    for job in now.live:
        how = _how(job, before, after, kept)
        if how:
            told.append(_stoppable(now, job, how, owners))
    told.sort(key=lambda s: (s.share, s.how, s.runs is None, -(s.runs or 0), s.name))
    yield Running(
        now.state.now,
        running=sum(j.stage in DISPATCHED for j in now.live),
        waiting=sum(j.stage is Stage.RUNNABLE for j in now.live),
        affected=sum(s.runs is not None for s in told),
        notes=tuple(_differs(now, old)),
    )
    yield from _over(now, old, new)
    yield from told
    yield from _untouched(now, old, new, {s.job for s in told}, after)
    for name, why in after.never.items():
        if name not in before.never:
            yield NeverRuns(name, _called(now, name), now.book.jobs[name].share, why)


def exposed(now: Now, config: QueueConfig, readings: Readings) -> Exposed:
    """How the jobs would stand if the queue had this configuration."""
    book, rows = now.book, {lot.unit: lot for lot in lots(config, readings)}
    index = {s.name: i for i, s in enumerate(config.shares)}
    steps = tuple(toward(book.now, config))
    queue, policy = queue_of(now.state, now.history.config), Policy.of(readings)
    with book.trial():
        for step in steps:
            book.record(step)
            apply(queue, step)
        running = [j for j in now.live if j.stage in DISPATCHED and j.share in index]
        reclaim = {j.name for j in running if borrows(book, j) and _reached(book, j, index[j.share], rows)}
        in_share = {j.name for j in running if book.now.shares[j.share].in_share and (j.priority or 0) < MAX_PRIORITY}
        waiting = [j for j in now.live if j.stage is Stage.RUNNABLE and j.share in index]
        never = {j.name: why for j in waiting if (why := reason(queue, policy, queue.jobs[j.name]))}
    return Exposed(frozenset(reclaim), frozenset(in_share), never)


def toward(now: Administered, config: QueueConfig) -> Iterator[ev.AdministratorEvent]:
    """The administrator's steps that give a queue this configuration; shares that it lacks are being deleted then."""
    wanted = {s.name: s for s in config.shares}
    capacity, state = config.environment.capacity, config.environment.state
    here = config.environment.model_copy(update={"state": State.ENABLED if now.environment_enabled else State.DISABLED})
    if now.capacity != capacity:
        yield ev.SetCapacity(capacity)
    if here.state is not state:
        yield from environment_events(here, config.environment)
    for name, share in now.shares.items():
        if name in wanted:
            yield from share_events(share, wanted[name])
        elif name not in now.deleting:
            yield ev.DeleteShare(name)
    yield from (ev.CreateShare(share) for name, share in wanted.items() if name not in now.shares)


def _reached(book: Book, job: Entry, i: int, rows: Mapping[str, Lot]) -> bool:
    """A reclaim can reach what the job's share borrows of a unit that the job holds."""
    for unit in job.size:
        held = sums.of_share(book, "settled_usage", job.share, unit)
        lot = rows.get(unit)
        if held > book.grant(job.share, unit).limit and (lot is None or lot.loses(i) or held > lot.most(i)):
            return True
    return False


def _how(job: Entry, before: Exposed, after: Exposed, kept: set[str]) -> str:
    if job.share not in kept:
        return ENDS
    if job.name in after.reclaim - before.reclaim:
        return RECLAIM
    return IN_SHARE if job.name in after.in_share - before.in_share else ""


def _stoppable(now: Now, job: Entry, how: str, owners: Mapping[str, str]) -> Stoppable:
    made = now.jobs.get(job.name)
    facts = made.facts if made else None
    started = now.state.started.get(job.name) if job.stage in DISPATCHED else None
    holds = job.stage in (*DISPATCHED, Stage.DRAINING)
    return Stoppable(
        job.name,
        _called(now, job.name),
        job.share,
        dict(job.size),
        runs=(now.state.now - started if started is not None else 0) if holds else None,
        checkpoint=None if facts is None or facts.checkpoint is None else bool(facts.checkpoint),
        owner=(facts.owner if facts else "") or owners.get(job.share, ""),
        how=how,
    )


def _called(now: Now, name: str) -> str:
    made = now.jobs.get(name)
    return (made.facts.name if made else "") or name


def _over(now: Now, old: QueueConfig, new: QueueConfig) -> Iterator[OverLimit]:
    """Shares above a limit that is lowered (rule 48)."""
    olds = {s.name: s for s in old.shares}
    for share in new.shares:
        before = olds[share.name].limits if share.name in olds else {}
        for unit, was in before.items():
            limit = share.limits.get(unit, 0)
            uses = sums.of_share(now.book, "settled_usage", share.name, unit)
            if limit < was and uses > limit:
                yield OverLimit(share.name, unit, uses, limit, was)


def _untouched(now: Now, old: QueueConfig, new: QueueConfig, told: set[str], after: Exposed) -> Iterator[Untouched]:
    """Running jobs of shares that the change touches and that cannot be the ones that are stopped for another share."""
    olds = {s.name: s for s in old.shares}
    for share in new.shares:
        running = [j for j in now.of_share(share.name) if j.stage in DISPATCHED]
        safe = [j for j in running if j.name not in told and j.name not in after.reclaim]
        hit = share.name in olds and olds[share.name].canonical() != share.canonical()
        if safe and (hit or len(safe) < len(running)):
            yield Untouched(share.name, len(safe), _why(now, share, safe))


def _why(now: Now, share: QuotaShare, safe: list[Entry]) -> str:
    units = dict.fromkeys(u for j in safe for u in j.size)
    within = all(sums.of_share(now.book, "settled_usage", share.name, u) <= share.limits.get(u, 0) for u in units)
    if within:
        return "the share is within its limit of all that they hold (G5x)"
    return "nobody can take back what the share borrows of all that they hold (G5x)"


def _differs(now: Now, old: QueueConfig) -> Iterator[str]:
    """What the history's last configuration has otherwise than the one that is planned from."""
    here = now.book.now
    known, there = ({s.name: s.canonical() for s in shares} for shares in (old.shares, here.shares.values()))
    other = [name for name in dict.fromkeys([*known, *there]) if known.get(name) != there.get(name)]
    if other or dict(here.capacity) != old.environment.capacity:
        what = listed(other) if other else "the environment"
        said = "differs" if len(other) <= 1 else "differ"
        yield f"what runs was recorded under another configuration than the old one: {what} {said}"
