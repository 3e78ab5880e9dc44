"""Job sequences that break a promise, built from the numbers of one unit; each is played before anybody sees it.

Six patterns. `oversubscribed`: shares within their limits fill the environment and an owner waits. `retaken`: a
borrower takes again what was freed for an owner. `churned`: a third share that lends takes it, ends, and the borrower
comes back. `spent`: a claim that holds only what its victims free is served otherwise while one drains, which covers the
owner until it starts again. `exchanged`: two shares take part of each other's own back for ever. `passed`: small jobs
pass the head that they are stopped for. What makes them work is arithmetic on limits, borrow limits and the capacity that
no share was given; `None` says that the pattern does not exist in this configuration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...spec import events as ev
from ...spec.formats.scenario import Breaks, Scenario, Step
from ...spec.model import QueueConfig
from ...spec.readings import Readings
from ..findings.sums import story
from ..findings.table import Lot


@dataclass(frozen=True)
class Ground:
    """One unit of a configuration, for building scenarios in it."""

    config: QueueConfig
    lot: Lot
    readings: Readings
    size: int | None = None
    """Of the owner's job that is interrupted; None: as much as its limit."""

    def wants(self, owner: int) -> int:
        """Machines of the owner's job that is interrupted."""
        limit = self.lot.grants[owner].limit
        return limit if self.size is None else min(self.size, limit)

    def loans_beyond(self, owner: int) -> int:
        """Loans beyond what lenders without a role leave idle, for that job to lack one machine."""
        return self.lot.surplus + 1 + self.lot.grants[owner].limit - self.wants(owner)

    @property
    def names(self) -> list[str]:
        return [s.name for s in self.config.shares]

    def start(self, job: str, share: int, n: int, priority: int = 0) -> list[Step]:
        """The share submits a job of n and it starts."""
        return [self.submit(job, share, n, priority), ev.Dispatch(job)]

    def submit(self, job: str, share: int, n: int, priority: int = 0) -> ev.Submit:
        return ev.Submit(job, self.names[share], {self.lot.unit: n}, priority)

    def full(self, spare: int, *roles: int) -> tuple[list[Step], list[tuple[int, int]]] | None:
        """Jobs that fill the unit but for the shares with a role: (owners' own jobs, loans as (share, amount)).

        The loans are `spare` machines more than what lenders without a role leave idle. Few jobs are wanted, so
        borrowers take as much as they may before another lender fills its own. None when they cannot take so much.
        """
        grants = self.lot.grants
        able = [b.index for b in self.lot.borrowers if b.index not in roles]
        able.sort(key=lambda i: -self.reach(i))
        idle = [i for i in self.lot.lenders if i not in roles]
        chosen: list[int] = []
        own: list[int] = []
        while True:
            wanted = spare + sum(grants[i].lendable for i in idle if i not in chosen and i not in own)
            missing = wanted - sum(self.reach(i) for i in chosen)
            if missing <= 0 and chosen:
                break
            rest = [i for i in idle if i not in chosen and i not in own]
            if able:
                chosen.append(able.pop(0))
                if chosen[-1] in own:
                    own.remove(chosen[-1])
            elif rest:
                own.append(max(rest, key=lambda i: grants[i].lendable))
            else:
                return None
        loans: list[tuple[int, int]] = []
        for i in chosen:
            amount = min(wanted, self.reach(i))
            wanted -= amount
            loans += [(i, amount)] if amount else []
        users = [*(i for i in chosen if grants[i].limit), *own]
        return [step for i in users for step in self.start(f"{self.names[i]}-own", i, grants[i].limit)], loans

    def reach(self, i: int) -> int:
        """The most a share may borrow, whatever it is that is idle."""
        limit = self.lot.grants[i].borrowable
        return self.lot.lendable if limit is None else min(limit, self.lot.lendable)

    def scenario(self, name: str, about: str, steps: Sequence[Step], breaks: Breaks, *, loop: int | None = None,
                 rests_on: tuple[str, ...] = ()) -> Scenario:  # fmt: skip
        """The steps as a scenario; `loop` is how many of the last steps go round."""
        repeats = None if loop is None else len(steps) - loop + 1
        return Scenario(name, about, self.config, tuple(steps), self.readings, rests_on, breaks, repeats)


def oversubscribed(ground: Ground, name: str) -> Scenario | None:
    """Shares within their limits fill the environment; the owner's job waits and nobody borrows."""
    told = story(ground.lot)
    if told is None:
        return None
    owner = ground.names[told.victim]
    steps: list[Step] = []
    for i, n in told.blockers:
        steps += ground.start(f"{ground.names[i]}-job", i, n)
    steps.append(ground.submit(f"{owner}-job", told.victim, told.size))
    about = f"The limits add up to more than the environment has: {owner}'s job waits within its limit."
    return ground.scenario(name, about, steps, Breaks("G14", "stuck", f"{owner}-job"), rests_on=("rule 36", "A2"))


def _lenders(ground: Ground) -> list[int]:
    return [i for i in ground.lot.lenders if ground.lot.grants[i].lendable == ground.lot.grants[i].limit]


def _borrowed(ground: Ground, loans: list[tuple[int, int]]) -> list[Step]:
    steps: list[Step] = []
    for i, amount in loans:
        steps += ground.start(f"{ground.names[i]}-loan", i, amount)
    return steps


def retaken(ground: Ground, name: str, owner: int) -> Scenario | None:
    """A borrower takes again what was freed for the owner, for ever (A23 no, A15 no)."""
    lot = ground.lot
    full = ground.full(ground.loans_beyond(owner), owner)
    if full is None or lot.given > lot.capacity:
        return None
    own, loans = full
    job, victim = f"{ground.names[owner]}-job", f"{ground.names[loans[0][0]]}-loan"
    loop: list[Step] = [ev.Claim(job, (victim,), holds=False), ev.Stopped(victim), ev.Dispatch(victim)]
    steps = [*own, *_borrowed(ground, loans), ground.submit(job, owner, ground.wants(owner)), *loop]
    about = f"{job} waits for ever: {victim} is stopped for it and starts again before it."
    return ground.scenario(name, about, steps, Breaks("G14", "lasso", job), loop=len(loop), rests_on=("A23", "A15"))


def churned(ground: Ground, name: str, owner: int, other: int) -> Scenario | None:
    """Another lender takes what was freed, its job ends, the borrower comes back, for ever (A23 no)."""
    lot = ground.lot
    full = ground.full(ground.loans_beyond(owner), owner, other)
    if full is None or lot.given > lot.capacity or not {owner, other} <= set(_lenders(ground)):
        return None
    own, loans = full
    job, victim = f"{ground.names[owner]}-job", f"{ground.names[loans[0][0]]}-loan"
    first, second = (f"{ground.names[other]}-{k}" for k in (1, 2))
    taken = lot.grants[other].limit
    loop: list[Step] = [ev.Claim(job, (victim,), holds=False), ev.Stopped(victim), ev.Finish(first), ev.Dispatch(victim),
                        *ground.start(second, other, taken)]  # fmt: skip
    steps = [*own, *_borrowed(ground, loans), *ground.start(first, other, taken),
             ground.submit(job, owner, ground.wants(owner)), *loop]  # fmt: skip
    about = f"{job} waits for ever: whenever {victim} is stopped for it, {ground.names[other]} or the loan is faster."
    return ground.scenario(name, about, steps, Breaks("G14", "lasso", job), loop=len(loop), rests_on=("A23",))


def spent(ground: Ground, name: str, owner: int, other: int) -> Scenario | None:
    """What drains for another lender covers the owner, is not needed there, and a borrower takes it (A58, A15 no)."""
    lot = ground.lot
    if lot.given != lot.capacity or not {owner, other} <= set(_lenders(ground)):
        return None
    full = ground.full(lot.grants[owner].limit + lot.grants[other].limit, owner, other)
    if full is None:
        return None
    own, loans = full
    stopped, ended = loans[0][0], loans[-1][0]
    for at in (0, -1):
        loans[at] = loans[at][0], loans[at][1] - 1
    job, victim = f"{ground.names[owner]}-job", f"{ground.names[stopped]}-last"
    first, second = (f"{ground.names[other]}-{k}" for k in (1, 2))
    ends, follows = (f"{ground.names[ended]}-{k}" for k in (1, 2))
    loop: list[Step] = [ev.Claim(first, (victim,)), ev.Finish(ends), ev.Dispatch(first), ev.Stopped(victim),
                        ev.Dispatch(victim), ev.Finish(first), *ground.start(follows, ended, 1),
                        ground.submit(second, other, 1)]  # fmt: skip
    steps = [*own, *_borrowed(ground, [loan for loan in loans if loan[1]]), *ground.start(victim, stopped, 1),
             *ground.start(ends, ended, 1), ground.submit(first, other, 1), ground.submit(job, owner, 1), *loop]  # fmt: skip
    about = f"{job} waits for ever: {first} starts without what {victim} frees, and {victim} takes that again."
    return ground.scenario(name, about, steps, Breaks("G14", "lasso", job), loop=len(loop), rests_on=("A58", "A15"))


def exchanged(ground: Ground, name: str) -> Scenario | None:
    """Two jobs, each part own and part borrowed, take each other's place for ever (A24 b)."""
    lot = ground.lot
    able = sorted((b.index for b in lot.borrowers if lot.grants[b.index].limit > 0), key=lambda i: -ground.reach(i))
    if len(able) < 2 or lot.given > lot.capacity or (lot.unallotted == "borrowable" and lot.surplus):
        return None
    one, two = able[:2]
    others = [i for i in lot.lenders if i not in (one, two)]
    steps: list[Step] = []
    idle = {i: lot.grants[i].lendable for i in others}
    loan_two = 1
    while sum(idle.values()) + 1 - loan_two > ground.reach(one):
        if loan_two < ground.reach(two):
            loan_two += 1
            continue
        full = max(idle, key=lambda i: idle[i])
        too_many = sum(idle.values()) + 1 - loan_two - ground.reach(one)
        used = min(idle.pop(full), too_many)
        steps += ground.start(f"{ground.names[full]}-own", full, used)
        if used < lot.grants[full].lendable:
            idle[full] = lot.grants[full].lendable - used
    loan_one = sum(idle.values()) + 1 - loan_two
    if loan_one < 1 or sum(idle.values()) < 1:
        return None
    a, b = (f"{ground.names[i]}-job" for i in (one, two))
    steps += ground.start(a, one, lot.grants[one].limit + loan_one)
    steps.append(ground.submit(b, two, lot.grants[two].limit + loan_two))
    loop: list[Step] = [
        ev.Claim(b, (a,)),
        ev.Stopped(a),
        ev.Dispatch(b),
        ev.Claim(a, (b,)),
        ev.Stopped(b),
        ev.Dispatch(a),
    ]
    about = f"{a} and {b} stop each other for ever: each is entitled to its own part."
    return ground.scenario(name, about, [*steps, *loop], Breaks("G18", "circle"), loop=len(loop), rests_on=("A24",))


def passed(ground: Ground, name: str, share: int) -> Scenario | None:
    """Smaller jobs pass their share's head, are stopped for it, and pass it again, for ever (A18 backfill)."""
    lot, most = ground.lot, ground.lot.most(share)
    limit = lot.grants[share].limit
    if not ground.config.shares[share].in_share or most <= limit or limit < 1 or lot.given > lot.capacity:
        return None
    team = ground.names[share]
    one, two, large = f"{team}-1", f"{team}-2", f"{team}-large"
    loop: list[Step] = [ev.Stopped(one), ev.Dispatch(one), ev.Claim(large, (one,), holds=False),
                        ev.Stopped(two), ev.Dispatch(two), ev.Claim(large, (two,), holds=False)]  # fmt: skip
    steps = [*ground.start(one, share, 1), *ground.start(two, share, 1),
             ground.submit(large, share, most, 1), ev.Claim(large, (two, one), holds=False), *loop]  # fmt: skip
    about = f"{one} and {two} are stopped for {large} in turn and start again before it, for ever."
    return ground.scenario(name, about, steps, Breaks("G18", "circle"), loop=len(loop), rests_on=("A18", "A31"))


def as_circle(made: Scenario | None) -> Scenario | None:
    """A lasso in which only scheduler and drains act, as a circle (G18)."""
    return None if made is None else replace(made, breaks=Breaks("G18", "circle"))
