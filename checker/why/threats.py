"""Who could stop a job that runs now: which share, with jobs of which sizes and priorities, if one arrived.

Each arrival is put to the reference, which tells whom it would stop for it. Which of several it stops is free (A26): it is
asked with its own order, and with orders that take this job first. Between two sizes that stop the same jobs every size
does. Trusted: the reference; tests play every size and priority, and compare with every plan that the judge allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from ...reference.apply import apply
from ...reference.decide import claim, head, refuses
from ...reference.policy import PLACE, Policy
from ...reference.queue import STOPPABLE, Job, Queue
from ...reference.usage import Usage
from ...spec import events as ev
from ...spec.model import MAX_PRIORITY
from ..judge.book import Book
from ..judge.jobs import Entry
from . import sums
from .claimants import CROSS, IN_SHARE
from .told import Arrival, Threat

_NEW = "an arrival"
_Said = tuple[frozenset[str], ...] | bool
"""What comes of an arrival: whom it stops, under each order of victims; True: it starts at once; False: it waits."""


def borrows(book: Book, job: Entry) -> bool:
    """Whether another share could have the job stopped at all: its share is above a limit, settled, or it was lent (A13)."""
    if book.readings["A13"] == "a":
        return any(job.borrowed.get(u) for u in job.size)
    return any(sums.of_share(book, "settled_usage", job.share, u) > book.grant(job.share, u).limit for u in job.size)


def threats(queue: Queue, policy: Policy, victim: str) -> tuple[Threat, ...]:
    """Every arrival that could have the job stopped, its own share's first."""
    asked = _Asked.of(queue, policy, victim)
    return tuple(t for share in asked.shares() for t in asked.threats(share)) if asked else ()


def later(queue: Queue, policy: Policy, victim: str, now: Iterable[Threat]) -> tuple[Threat, ...]:
    """The same of shares that have no part in `now`, when others have started jobs before on what is idle."""
    asked = _Asked.of(queue, policy, victim)
    named = {t.share for t in now}
    return tuple(t for share in asked.shares() if share not in named for t in asked.after(share)) if asked else ()


@dataclass(frozen=True)
class _Asked:
    """A job that may be told to stop, in one state."""

    queue: Queue
    policy: Policy
    victim: Job
    orders: tuple[Policy, ...]
    """The policy with every order of victims that is asked about."""

    @classmethod
    def of(cls, queue: Queue, policy: Policy, victim: str) -> _Asked | None:
        job = queue.jobs.get(victim)
        if job is None or job.stage not in STOPPABLE or not queue.environment_enabled or not queue.queue_enabled:
            return None

        def first(_queue: Queue, _used: Usage, other: Job) -> tuple[int, ...]:
            return (other.name != victim, *policy.victim(_queue, _used, other))

        def smallest(_queue: Queue, _used: Usage, other: Job) -> tuple[int, ...]:
            return (other.name != victim, sum(other.size.values()))

        return cls(queue, policy, job, (policy, replace(policy, victim=first), replace(policy, victim=smallest)))

    def shares(self) -> Iterator[str]:
        """Shares that take jobs, its own first."""
        own = self.victim.share
        for name in (own, *(s for s in self.queue.shares if s != own)):
            share = self.queue.shares[name]
            if share.enabled and not share.deleting and (share.in_share or name != own):
                yield name

    def threats(self, share: str) -> Iterator[Threat]:
        """Arrivals of one share that could have it stopped."""
        kind, waits = IN_SHARE if share == self.victim.share else CROSS, self._waits(share)
        for unit in self.victim.size:
            before: list[Threat] = []
            for priority, highest in self._levels(share):
                ranges = self._stopping(share, unit, priority)
                found = [Threat(share, unit, kind, *sizes, priority, highest, waits) for sizes in ranges]
                if before and before[-1].highest + 1 == priority and ranges == [(t.least, t.most) for t in before]:
                    found = [replace(t, highest=highest) for t in before]
                else:
                    yield from before
                before = found
            yield from before

    def after(self, share: str) -> Iterator[Threat]:
        """The same once others have started jobs: one of another share where that is enough, else one of each."""
        own = self.victim.share
        every = [n for n, s in self.queue.shares.items() if s.enabled and not s.deleting and n != share]
        every.sort(key=lambda name: name == own)
        for unit in self.victim.size:
            for first, own_alone in (*(([name], True) for name in every), (every, False)):
                then, arrived = self._filled(first, unit, own_alone=own_alone)
                found = [replace(t, after=arrived) for t in then.threats(share) if t.unit == unit] if arrived else []
                if found:
                    yield from found
                    break

    def _filled(self, shares: Iterable[str], unit: str, *, own_alone: bool) -> tuple[_Asked, tuple[Arrival, ...]]:
        """The state when a job of each of these shares has started, as large as starts at once or as its own limit."""
        then = replace(self, queue=self.queue.copy())
        arrived: list[Arrival] = []
        for share in shares:
            size = max((most for _, most, said in then._outcomes(share, unit, MAX_PRIORITY) if said is True), default=0)
            own = then.queue.grant(share, unit).limit - then.queue.due()[share, unit]
            size = min(size, own) if own_alone and own > 0 else size
            if size:
                apply(then.queue, ev.Submit(f"{_NEW} in {share}", share, {unit: size}, MAX_PRIORITY))
                apply(then.queue, ev.Dispatch(f"{_NEW} in {share}"))
                arrived.append(Arrival(share, unit, size))
        return then, tuple(arrived)

    def _waits(self, share: str) -> bool:
        """Whether a job that waits there could have it stopped."""
        first = head(self.queue, self.policy, share)
        return first is not None and _names(self._said(first), self.victim.name)

    def _levels(self, share: str) -> Iterator[tuple[int, int]]:
        """Priorities of arrivals, least and highest, between which all come to the same."""
        levels = {0}
        first = self.queue.first(share)
        if first is not None:
            levels |= {first.priority, first.priority + 1}
        if self.queue.shares[share].in_share:
            levels |= {p + 1 for v in self.queue.stoppable(share) for p in (v.priority, v.guard_priority)}
        every = [*sorted(level for level in levels if level <= MAX_PRIORITY), MAX_PRIORITY + 1]
        yield from ((level, above - 1) for level, above in pairwise(every))

    def _stopping(self, share: str, unit: str, priority: int) -> list[tuple[int, int]]:
        """Sizes of arrivals that could have it stopped: least and most of each range of them."""
        found: list[tuple[int, int]] = []
        for least, most, said in self._outcomes(share, unit, priority):
            if _names(said, self.victim.name):
                if found and found[-1][1] + 1 == least:
                    least = found.pop()[0]
                found.append((least, most))
        return found

    def _outcomes(self, share: str, unit: str, priority: int) -> Iterator[tuple[int, int, _Said]]:
        """Every size of an arrival that is there at all, in ranges of the same outcome."""
        grant, most = self.queue.grant(share, unit), self.queue.capacity.get(unit, 0)
        arrival = self._arrival(share, unit, priority)
        known: dict[int, _Said] = {}

        def said(n: int) -> _Said:
            if n not in known:
                arrival.size = {unit: n}
                self.queue.add(arrival)
                known[n] = self._said(arrival)
                self.queue.remove(arrival.name)
            return known[n]

        own = grant.limit - self.queue.due()[share, unit]
        ends = sorted({0, most, *(n for n in (own, grant.limit) if 0 < n < most)})
        for below, end in pairwise(ends):
            yield from _ranges(below + 1, end, said)

    def _arrival(self, share: str, unit: str, priority: int) -> Job:
        """A job that has just been submitted."""
        clock = self.queue.clock + 1
        place = PLACE[self.queue.readings["A20"]](clock)
        return Job(_NEW, share, {unit: 1}, priority, None, clock, place=place)

    def _said(self, job: Job) -> _Said:
        """What comes of a job that waits."""
        if head(self.queue, self.policy, job.share) is not job:
            return False
        if not refuses(self.queue, self.policy, job):
            return True
        claims = [claim(self.queue, order, job) for order in self.orders]
        return tuple(frozenset(c.victims if c else ()) for c in claims)


def _names(said: _Said, job: str) -> bool:
    return not isinstance(said, bool) and any(job in victims for victims in said)


def _ranges(least: int, most: int, said: Callable[[int], _Said]) -> Iterator[tuple[int, int, _Said]]:
    """What is said of every size from the least to the most, asked as seldom as that can be."""
    if said(least) == said(most):
        yield least, most, said(least)
        return
    middle = (least + most) // 2
    yield from _ranges(least, middle, said)
    yield from _ranges(middle + 1, most, said)
