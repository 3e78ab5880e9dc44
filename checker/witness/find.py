"""Job sequences that break a promise, built from the numbers of one unit; each is played before anybody sees it.

Four patterns. `oversubscribed`: shares within their limits fill the environment and an owner waits. `retaken`: a
borrower takes again what was freed for an owner. `churned`: a third share that lends takes it, ends, and the borrower
comes back. `spent`: the same when a claim holds only what its victims freed. `exchanged`: two shares take part of each
other's own back for ever. What makes them work is arithmetic on limits, borrow limits and the capacity that no share
was given; `None` says that the pattern does not exist in this configuration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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

    @property
    def names(self) -> list[str]:
        return [s.name for s in self.config.shares]

    def start(self, job: str, share: int, n: int, priority: int = 0) -> list[Step]:
        """The share submits a job of n and it starts."""
        return [self.submit(job, share, n, priority), ev.Dispatch(job)]

    def submit(self, job: str, share: int, n: int, priority: int = 0) -> ev.Submit:
        return ev.Submit(job, self.names[share], {self.lot.unit: n}, priority)

    def fill(self, *idle: int) -> list[Step]:
        """Every lender but the idle ones uses all it was given."""
        steps: list[Step] = []
        for i, grant in enumerate(self.lot.grants):
            if i not in idle and grant.lendable > 0:
                steps += self.start(f"{self.names[i]}-own", i, grant.limit)
        return steps

    def loans(self, total: int, *without: int) -> list[tuple[int, int]]:
        """(share, amount) that together borrow `total` machines; [] when the other shares cannot."""
        missing, found = total, list[tuple[int, int]]()
        for borrower in self.lot.borrowers:
            amount = missing if borrower.borrowable is None else min(borrower.borrowable, missing)
            if borrower.index not in without and amount > 0:
                found.append((borrower.index, amount))
                missing -= amount
        return found if missing == 0 else []

    def scenario(self, name: str, about: str, steps: Sequence[Step], breaks: Breaks, *, loop: int | None = None,
                 rests_on: tuple[str, ...] = ()) -> Scenario:  # fmt: skip
        """The steps as a scenario; `loop` is how many of the last steps go round."""
        repeats = None if loop is None else len(steps) - loop + 1
        return Scenario(name, about, self.config, tuple(steps), self.readings, rests_on, breaks, repeats)


def oversubscribed(ground: Ground, name: str) -> Scenario:
    """Shares within their limits fill the environment; the owner's job waits and nobody borrows."""
    told = story(ground.lot)
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
    loans, lot = ground.loans(ground.lot.surplus + 1, owner), ground.lot
    pool = lot.grants[owner].lendable + (lot.surplus if lot.unallotted == "borrowable" else 0)
    if not loans or lot.given > lot.capacity or pool < lot.surplus + 1:
        return None
    job, victim = f"{ground.names[owner]}-job", f"{ground.names[loans[0][0]]}-loan"
    loop: list[Step] = [ev.Claim(job, (victim,), holds=False), ev.Stopped(victim), ev.Dispatch(victim)]
    steps = [*ground.fill(owner), *_borrowed(ground, loans), ground.submit(job, owner, lot.grants[owner].limit), *loop]
    about = f"{job} waits for ever: {victim} is stopped for it and starts again before it."
    return ground.scenario(name, about, steps, Breaks("G14", "lasso", job), loop=len(loop), rests_on=("A23", "A15"))


def churned(ground: Ground, name: str, owner: int, other: int) -> Scenario | None:
    """Another lender takes what was freed, its job ends, the borrower comes back, for ever (A23 no)."""
    loans, lot = ground.loans(ground.lot.surplus + 1, owner, other), ground.lot
    if not loans or lot.given > lot.capacity or not {owner, other} <= set(_lenders(ground)):
        return None
    job, victim = f"{ground.names[owner]}-job", f"{ground.names[loans[0][0]]}-loan"
    first, second = (f"{ground.names[other]}-{k}" for k in (1, 2))
    full = lot.grants[other].limit
    loop: list[Step] = [ev.Claim(job, (victim,), holds=False), ev.Stopped(victim), ev.Finish(first), ev.Dispatch(victim),
                        *ground.start(second, other, full)]  # fmt: skip
    steps = [*ground.fill(owner, other), *_borrowed(ground, loans), *ground.start(first, other, full),
             ground.submit(job, owner, lot.grants[owner].limit), *loop]  # fmt: skip
    about = f"{job} waits for ever: whenever {victim} is stopped for it, {ground.names[other]} or the loan is faster."
    return ground.scenario(name, about, steps, Breaks("G14", "lasso", job), loop=len(loop), rests_on=("A23",))


def spent(ground: Ground, name: str, owner: int, other: int) -> Scenario | None:
    """Another lender reclaims, ends, and the loan comes back, while the owner's need seems covered (A58, A15 no)."""
    lot = ground.lot
    loans = ground.loans(lot.grants[owner].limit + lot.grants[other].limit - 1, owner, other)
    if not loans or lot.given != lot.capacity or not {owner, other} <= set(_lenders(ground)):
        return None
    borrower = loans[0][0]
    limit = lot.grants[borrower].borrowable
    if limit is not None and limit <= loans[0][1]:
        return None
    job, victim = f"{ground.names[owner]}-job", f"{ground.names[borrower]}-last"
    first, second = (f"{ground.names[other]}-{k}" for k in (1, 2))
    loop: list[Step] = [ev.Claim(first, (victim,)), ev.Stopped(victim), ev.Dispatch(first), ev.Finish(first),
                        ev.Dispatch(victim), ground.submit(second, other, 1)]  # fmt: skip
    steps = [*ground.fill(owner, other), *_borrowed(ground, loans), *ground.start(victim, borrower, 1),
             ground.submit(first, other, 1), ground.submit(job, owner, 1), *loop]  # fmt: skip
    about = f"{job} waits for ever: {ground.names[other]} takes back, ends, and {victim} starts again before it."
    return ground.scenario(name, about, steps, Breaks("G14", "lasso", job), loop=len(loop), rests_on=("A58", "A15"))


def exchanged(ground: Ground, name: str) -> Scenario | None:
    """Two jobs, each part own and part borrowed, take each other's place for ever (A24 b)."""
    lot = ground.lot
    able = [b.index for b in lot.borrowers if lot.grants[b.index].limit > 0]
    third = [i for i in lot.lenders if i not in able[:2]]
    if len(able) < 2 or not third or lot.given > lot.capacity or (lot.unallotted == "borrowable" and lot.surplus):
        return None
    one, two, lender = able[0], able[1], third[0]
    steps = ground.fill(one, two, lender)
    if lot.grants[lender].limit > 1:
        steps += ground.start(f"{ground.names[lender]}-own", lender, lot.grants[lender].limit - 1)
    a, b = (f"{ground.names[i]}-job" for i in (one, two))
    steps += ground.start(a, one, lot.grants[one].limit + 1)
    steps.append(ground.submit(b, two, lot.grants[two].limit + 1))
    loop: list[Step] = [ev.Claim(b, (a,)), ev.Stopped(a), ev.Dispatch(b), ev.Claim(a, (b,)), ev.Stopped(b), ev.Dispatch(a)]
    about = f"{a} and {b} stop each other for ever: each is entitled to its own part."
    return ground.scenario(name, about, [*steps, *loop], Breaks("G18", "circle"), loop=len(loop), rests_on=("A24",))
