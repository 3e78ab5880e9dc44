"""What would help a job, surest first: each change is made on the reference, and only what happened there is said.

A change helps that makes a waiting job start, or a running one safer than it is. What does not is kept, with rank 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ...spec import events as ev
from ...spec.model import MAX_PRIORITY, Size, State, Strategy
from ...spec.rules.lifecycle import DISPATCHED
from ..judge.book import Book
from ..judge.jobs import Entry
from . import sums
from .claimants import CROSS, IN_SHARE
from .page import named
from .told import Help, Outcome
from .trial import Trial

MOST_ENDS = 50
"""Jobs whose end alone is tried."""


def helps(trial: Trial, job: str, names: Mapping[str, str]) -> tuple[Help, ...]:
    """Changes that were tried for a live job, surest first. `names` are what jobs are called."""
    unchanged = trial.outcome(job)
    asked = _Asked(trial, job, names, unchanged)
    if not asked.running and unchanged.starts:
        return (Help("wait", unchanged, "it starts without any change", False, 0, False),)
    if asked.running and unchanged.starts and not unchanged.threats:
        return ()
    changes = [asked.smaller, asked.limit, asked.borrow_limit, asked.other_share]
    if not unchanged.never:
        changes += [asked.in_share, asked.priority, asked.ends]
    return tuple(sorted((h for change in changes for h in change()), key=lambda h: h.rank))


def rank(outcome: Outcome) -> int:
    """How sure it is."""
    if not outcome.starts or outcome.round:
        return 3
    if any(t.kind == CROSS for t in outcome.threats):
        return 2
    return 1 if outcome.borrows else 0


def _safety(outcome: Outcome) -> tuple[int, bool]:
    """How sure it is: against other shares first, then against its own. Less is surer."""
    return rank(outcome), any(t.kind == IN_SHARE for t in outcome.threats)


class _Asked:
    """One job in one state, and the changes that can be tried."""

    def __init__(self, trial: Trial, job: str, names: Mapping[str, str], unchanged: Outcome) -> None:
        self.trial = trial
        self.book: Book = trial.book
        self.job: Entry = trial.book.job(job)
        self.names = names
        self.before = unchanged
        self.running = self.job.stage in DISPATCHED
        self._priority = self.job.priority or 0
        self._unit, self._size = next(iter(self.job.size.items()))

    def _help(self, change: str, hint: str, *events: ev.Event, job: str | None = None) -> Help:
        outcome = self.trial.outcome(job or self.job.name, *events)
        shown = replace(outcome, waits_for=tuple(self.names.get(n, n) for n in outcome.waits_for))
        helps_ = _safety(outcome) < _safety(self.before)
        keeps = self.running and job is None
        own = self.running and rank(outcome) == rank(self.before)
        return Help(change, shown, hint, keeps, rank(outcome) if helps_ else 3, own)

    def _again(self, share: str, size: Size) -> tuple[str, tuple[ev.Event, ...]]:
        """The job submitted anew: its new name, and what is done."""
        name = f"{self.job.name}'"
        while name in self.book.jobs:
            name += "'"
        new = ev.Submit(name, share, size, self.job.priority, self.job.retries)
        return name, (ev.Terminate(self.job.name), new)

    def smaller(self) -> Iterator[Help]:
        """Fewer machines: as many as fit its share's own limit, and as many as start at once."""
        if len(self.job.size) > 1:
            return
        sizes = {self._within(self._unit), self._largest() if not self.running else 0}
        for n in sorted((n for n in sizes if 1 <= n < self._size), reverse=True):
            name, events = self._again(self.job.share, {self._unit: n})
            again = "it starts again from its last checkpoint" if self.running else ""
            yield self._help(f"run it on {n} machine{'s' * (n != 1)}", again, *events, job=name)

    def _within(self, unit: str) -> int:
        """The share's own machines that the job could have to itself."""
        mine = self.job.size[unit] if self.running else 0
        settled = sums.of_share(self.book, "settled_usage", self.job.share, unit)
        return self.book.grant(self.job.share, unit).limit - settled + mine

    def _largest(self) -> int:
        """The largest size below its own that starts; 0 when none does."""
        low, high = 0, self._size - 1
        while low < high:
            middle = (low + high + 1) // 2
            name, events = self._again(self.job.share, {self._unit: middle})
            low, high = (middle, high) if self.trial.outcome(name, *events).starts else (low, middle - 1)
        return low

    def limit(self) -> Iterator[Help]:
        """Its share's limit up by what its job borrows or would borrow, alone or at the cost of another share."""
        missing = {u: n - max(0, self._within(u)) for u, n in self.job.size.items() if n > self._within(u)}
        if not missing:
            return
        found = [self._limits(missing, giver) for giver in ("", *self.book.now.shares) if giver != self.job.share]
        tried = [h for h in found if h is not None]
        yield min(tried, key=lambda h: (h.rank, bool(h.outcome.waits_for)))

    def _limits(self, missing: Mapping[str, int], giver: str) -> Help | None:
        """The limit raised by what is missing, and that of `giver` lowered; None where it has not as much."""
        share = self.book.now.shares[self.job.share]
        more = {**share.limits, **{u: share.limits.get(u, 0) + n for u, n in missing.items()}}
        steps: list[ev.Event] = [ev.SetLimits(share.name, more)]
        sets = {u: f"maxCapacity of {u} to {more[u]} in {share.name}" for u in missing}
        if giver:
            less = {**self.book.now.shares[giver].limits}
            for unit, n in missing.items():
                less[unit] = less.get(unit, 0) - n
                sets[unit] += f" and to {less[unit]} in {giver}"
            if min(less.values()) < 1:
                return None
            steps.insert(0, ev.SetLimits(giver, less))
        change = ", ".join(f"{share.limits.get(u, 0)} -> {more[u]} {u}" for u in missing)
        taken = f"takes {' and '.join(map(str, missing.values()))} from {giver}: " if giver else ""
        hint = f"{taken}set {', '.join(sets.values())}, then quotaproof verify"
        return self._help(f"{share.name} limit {change}", hint, *steps)

    def borrow_limit(self) -> Iterator[Help]:
        """Its share borrows without maximum."""
        share = self.book.now.shares[self.job.share]
        bound = any(self.book.grant(share.name, u).borrowable is not None for u in self.job.size)
        if self.running or not bound:
            return
        hint = f"set borrowLimit of {share.name} to -1, then quotaproof verify"
        lifted = ev.SetSharing(share.name, Strategy.LEND_AND_BORROW, -1)
        yield self._help(f"{share.name} borrows without maximum", hint, lifted)

    def other_share(self) -> Iterator[Help]:
        """The same job in another share, before it runs: the surest of them, or that it helps in none."""
        if self.running:
            return
        found: list[Help] = []
        for share in self.book.now.shares.values():
            if (
                share.name == self.job.share
                or share.state is not State.ENABLED
                or not share.limits.keys() >= self.job.size.keys()
            ):
                continue
            name, events = self._again(share.name, self.job.size)
            hint = "its users must be allowed to use that share"
            found.append(self._help(f"submit it to {share.name}", hint, *events, job=name))
        best = min((h.rank for h in found), default=3)
        if best < 3:
            yield next(h for h in found if h.rank == best)
        elif found:
            yield replace(found[0], change=f"another share ({len(found)} tried)", hint="")

    def in_share(self) -> Iterator[Help]:
        """In-share preemption switched on, where the share runs jobs of a lower priority."""
        share = self.book.now.shares[self.job.share]
        lower = any((j.priority or 0) < self._priority for j in self.book.running(share.name))
        if not self.running and not share.in_share and lower:
            hint = (
                f"it stops lower priorities: set inSharePreemption of {share.name} to ENABLED, then quotaproof verify"
            )
            yield self._help(f"in-share preemption of {share.name} on", hint, ev.SetInShare(share.name, True))

    def priority(self) -> Iterator[Help]:
        """The highest priority there is."""
        if self._priority < MAX_PRIORITY:
            yield self._help("a higher priority", "", ev.SetPriority(self.job.name, MAX_PRIORITY))

    def ends(self) -> Iterator[Help]:
        """Some job ends by itself."""
        if self.running:
            return
        holding = [j for j in self.trial.queue.stoppable() if j.size.keys() & self.job.size.keys()]
        tried = [(j.name, self._help("", "", ev.Finish(j.name))) for j in holding[:MOST_ENDS]]
        works = [(name, h) for name, h in tried if h.outcome.starts]
        if works:
            shown = [self.names.get(name, name) for name, _ in works]
            any_of = named(shown, last="or")
            change = f"wait until {any_of} ends" if len(shown) == 1 else f"wait until one of {any_of} ends"
            worst = max((h for _, h in works), key=lambda h: h.rank)
            yield replace(worst, change=change, hint="which job ends next is not known", rank=max(worst.rank, 2))
