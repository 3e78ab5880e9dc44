"""Whether a share that games the queue gets more here: the same jobs told honestly and gamed, both run on the reference.

Three games. `splitting`: a job that borrows n waits until n are idle, n jobs of one take each as it comes, before
another borrower's whole job. `inflating`: an owner takes back from two borrowers, and the one with the higher priority
keeps its loan (A26); or, in one share, the higher priority stops a colleague's job (rule 39). `padding`: fillers within
the share's own limit, so that it lends nothing.

A pair exists only where the two runs end differently. Trusted: `reference.run`; a witness is replayed before it is
shown. Arithmetic of `findings.table` picks the shares, so that few pairs are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, islice, permutations, zip_longest

from ....reference.apply import apply
from ....reference.policy import Policy
from ....reference.queue import STOPPABLE, Queue
from ....reference.run import GoesRound, settle
from ....spec import events as ev
from ....spec.formats.scenario import Expect, Scenario, Settle, Step
from ....spec.model import MAX_PRIORITY, QueueConfig
from ....spec.readings import Readings
from ...findings.table import Lot

EFFORT = 60
"""Choices of shares and unit that are tried for each way to tell a game, times shares: 3 among 20 shares, 12 among 5."""
MOST_SHARES = 24
"""In queues with more lenders nothing is tried: what is told would be too long to read."""


@dataclass(frozen=True)
class Pair:
    """One game, told twice."""

    kind: str
    unit: str
    gamer: str
    loser: str
    """The share, or the colleague's job, that gets less; '' never."""
    amount: int
    """Machines that the loser gets less."""
    honest: Scenario
    gamed: Scenario


Told = tuple[Sequence[Step], Sequence[Step], str, int]
"""Honest steps, gamed steps, the job that has its machines only in the honest run, machines it asks."""


@dataclass(frozen=True)
class Ground:
    """One unit of a queue on which games are told."""

    config: QueueConfig
    readings: Readings
    lot: Lot

    def name(self, share: int) -> str:
        return self.config.shares[share].name

    def submit(self, job: str, share: int, n: int, priority: int = 0) -> list[Step]:
        """The job comes, and the scheduler acts until nothing moves."""
        return [ev.Submit(job, self.name(share), {self.lot.unit: n}, priority), Settle()] if n else []

    def owners(self, *besides: int) -> list[Step]:
        """Every other lender uses all that it owns."""
        full = [i for i in self.lot.lenders if i not in besides and i not in self.lot.closed]
        jobs = [self.submit(f"{self.name(i)}-own", i, self.lot.grants[i].limit)[0] for i in full]
        return [*jobs, Settle()] if jobs else []

    def takers(self, least: int) -> list[int]:
        """Shares that can borrow so many and take new jobs."""
        return [
            b.index for b in self.lot.borrowers if self.lot.borrow(b.index) >= least and b.index not in self.lot.closed
        ]

    def givers(self, least: int) -> list[int]:
        return [i for i in self.lot.lenders if self.lot.grants[i].lendable >= least and i not in self.lot.closed]

    def pairs_and_owners(self, owners: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """(gamer, loser, who lends two machines): one owner, two that lend one each, or nobody: they are unallotted."""
        if not owners and self.spare < 2:
            return
        for pair in permutations(self.takers(2 if owners == 0 else 1), 2):
            lend = [i for i in self.givers(2 if owners == 1 else 1) if i not in pair] if owners else []
            for chosen in combinations(lend, owners):
                yield *pair, chosen

    @property
    def spare(self) -> int:
        """Unallotted machines that may be borrowed (A5)."""
        return max(0, self.lot.cap(borrowing=True) - self.lot.given)

    def all_but_two(self, loser: int, owners: Sequence[int]) -> list[Step]:
        """Only two machines that may be borrowed are idle, of these owners or unallotted: all else is used."""
        steps = self.owners(*owners)
        for i in owners:
            steps += self.submit(f"{self.name(i)}-own", i, self.lot.grants[i].limit - 2 // len(owners))
        return steps + self.submit(f"{self.name(loser)}-loan-0", loser, self.spare - (0 if owners else 2))


def splitting(ground: Ground, owners: int) -> Iterator[tuple[int, int, Told]]:
    """Two borrowers want two machines that come back one by one."""
    for gamer, loser, lend in ground.pairs_and_owners(owners):
        if min(ground.lot.borrow(i) for i in (gamer, loser)) < 2:
            continue
        a, b = ground.name(gamer), ground.name(loser)
        by = [*lend, *lend][:2] or [loser, loser]
        held = [f"{ground.name(i)}-{k}" for k, i in enumerate(by, 1)]
        ready = ground.all_but_two(loser, lend)
        for i, job in zip(by, held, strict=True):
            ready += ground.submit(job, i, 1)
        ready += ground.submit(f"{b}-job", loser, 2)
        idle = [step for job in held for step in (ev.Finish(job), Settle())]
        whole = ground.submit(f"{a}-job", gamer, 2)
        split = [*ground.submit(f"{a}-job-1", gamer, 1), *ground.submit(f"{a}-job-2", gamer, 1)]
        yield gamer, loser, ([*ready, *whole, *idle], [*ready, *split, *idle], f"{b}-job", 2)


def inflating(ground: Ground, owners: int) -> Iterator[tuple[int, int, Told]]:
    """Two borrowers hold a machine each, and an owner takes one back."""
    for gamer, loser, lend in ground.pairs_and_owners(owners):
        a, b, c = (ground.name(i) for i in (gamer, loser, lend[0]))
        ready = [*ground.all_but_two(loser, lend), *ground.submit(f"{b}-loan", loser, 1)]
        back = ground.submit(f"{c}-job", lend[0], 1)
        honest, gamed = (ground.submit(f"{a}-loan", gamer, 1, p) for p in (0, MAX_PRIORITY))
        yield gamer, loser, ([*ready, *honest, *back], [*ready, *gamed, *back], f"{b}-loan", 1)


def inflating_within(ground: Ground) -> Iterator[tuple[int, int, Told]]:
    """A job of a higher priority stops a colleague's, in one share."""
    for i, share in enumerate(ground.config.shares):
        n = ground.lot.most(i)
        if share.in_share and n and i not in ground.lot.closed:
            first = ground.submit(f"{share.name}-first", i, n)
            honest, gamed = (ground.submit(f"{share.name}-second", i, n, p) for p in (0, MAX_PRIORITY))
            yield i, i, ([*first, *honest], [*first, *gamed], f"{share.name}-first", n)


def padding(ground: Ground) -> Iterator[tuple[int, int, Told]]:
    """A borrower takes all that it may, or finds a lender's machines filled."""
    for loser in ground.takers(1):
        for gamer in ground.givers(1):
            if gamer == loser:
                continue
            lent, mine = ground.lot.grants[gamer].lendable, ground.lot.grants[loser]
            borrows = ground.lot.borrow(loser)
            needed = ground.lot.lendable - mine.lendable - lent < borrows
            n = mine.limit + (borrows if needed else min(lent, borrows))
            wants = ground.submit(f"{ground.name(loser)}-job", loser, n)
            fill = ground.submit(f"{ground.name(gamer)}-filler", gamer, ground.lot.grants[gamer].limit)
            others = [] if needed else ground.owners(gamer, loser)
            yield gamer, loser, ([*others, *wants], [*others, *fill, *wants], f"{ground.name(loser)}-job", n)


Way = Callable[[Ground], Iterator[tuple[int, int, Told]]]
GAMES: dict[str, tuple[Way, ...]] = {
    "splitting": tuple(partial(splitting, owners=n) for n in (1, 2, 0)),
    "inflating": (*(partial(inflating, owners=n) for n in (1, 2)), inflating_within),
    "padding": (padding,),
}
"""Kind of game -> the ways to tell it; each yields (gamer, loser, what is told), the choices worth a try first."""


def search(kind: str, config: QueueConfig, readings: Readings, lots: Sequence[Lot]) -> Pair | None:
    """The first pair of this game that exists in the queue, of those that are tried (`EFFORT`)."""
    grounds = [Ground(config, readings, lot) for lot in lots if lot.capacity and len(lot.lenders) <= MOST_SHARES]
    for way in GAMES[kind]:
        for ground, one in islice(_in_turn(grounds, way), max(3, EFFORT // len(config.shares))):
            if pair := _pair(kind, ground, *one):
                return pair
    return None


def _in_turn(grounds: Sequence[Ground], way: Way) -> Iterator[tuple[Ground, tuple[int, int, Told]]]:
    """The first choice of each unit, then the second of each."""
    for turn in zip_longest(*map(way, grounds)):
        yield from ((ground, one) for ground, one in zip(grounds, turn, strict=True) if one is not None)


def _pair(kind: str, ground: Ground, gamer: int, loser: int, told: Told) -> Pair | None:
    honest, gamed, job, n = told
    if not _runs(told_honestly := _ended(ground, honest), job):
        return None
    if (told_gamed := _ended(ground, gamed)) is None or _runs(told_gamed, job):
        return None
    names = ground.name(gamer), ground.name(loser)
    return Pair(
        kind,
        ground.lot.unit,
        *names,
        n - ground.lot.grants[loser].limit if kind == "padding" else n,
        _scenario(f"{kind}-honest", ground, names, honest, told_honestly),
        _scenario(f"{kind}-gamed", ground, names, gamed, told_gamed),
    )


def _ended(ground: Ground, steps: Sequence[Step]) -> Queue | None:
    """The queue after these steps; None where they do not come to an end, or a job that ends never ran."""
    queue, policy = Queue(ground.config, ground.readings), Policy.of(ground.readings)
    try:
        for step in steps:
            if isinstance(step, Settle):
                for _ in settle(queue, policy):
                    pass
            elif isinstance(step, ev.Finish) and not _runs(queue, step.job):
                return None
            elif not isinstance(step, Expect):
                apply(queue, step)
    except GoesRound:
        return None
    return queue


def _runs(queue: Queue | None, job: str) -> bool:
    return queue is not None and queue.jobs[job].stage in STOPPABLE


_SAYS: dict[str, Callable[[str, str], tuple[str, str]]] = {
    "splitting": lambda a, b: (
        f"{a} and {b} each want two machines for one job: {b}, which came first, gets them.",
        f"{a} splits its job in two and takes each machine as it comes; {b}'s job waits.",
    ),
    "inflating": lambda a, b: (
        f"{a}'s job has the priority of the others: {b}'s job goes on.",
        f"{a}'s job has the highest priority: the other is stopped for it." if a == b else
        f"{a} gives its borrowed job the highest priority: {b}'s is stopped in its place.",
    ),
    "padding": lambda a, b: (
        f"{a} has no work, and {b} borrows its machines.",
        f"{a} keeps fillers running on its own machines and lends nothing; {b}'s job waits.",
    ),
}  # fmt: skip


def _scenario(
    name: str, ground: Ground, names: tuple[str, str], steps: Sequence[Step], ended: Queue | None
) -> Scenario:
    assert ended is not None
    unit = ground.lot.unit
    used = {s: {unit: ended.usage[s, unit]} for s in dict.fromkeys(names)}
    stages = sorted(j.name for j in ended.live() if j.stage in STOPPABLE)
    about = _SAYS[name.partition("-")[0]](*names)[name.endswith("gamed")]
    last = Expect(dispatched=tuple(stages), usage=used, why=about)
    return Scenario(
        name, about, ground.config, (*steps, last), ground.readings, rests_on=RESTS_ON[name.partition("-")[0]]
    )


RESTS_ON = {"splitting": ("rule 26", "A16"), "inflating": ("rule 39", "A26"), "padding": ("rule 22", "rule 36")}


CODES = {"QP240.json": "splitting", "QP241.json": "inflating", "QP242.json": "padding"}
"""Name of a witness -> the game whose gamed run it is."""


def witness(name: str, config: QueueConfig, readings: Readings, lots: Sequence[Lot]) -> Scenario | None:
    """The gamed run that a finding names; None where replaying it does not show what it says."""
    from ...witness.play import play

    pair = search(CODES[name], config, readings, lots)
    if pair is None:
        return None
    made = replace(pair.gamed, name=name.removesuffix(".json"))
    played = play(made)
    return None if played.wrong or played.violations else made
