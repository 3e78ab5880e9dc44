"""QP101: the limits of a unit add up to more than the environment has, and some share pays for it.

The finding tells a sequence of jobs, each within its share's limit, after which one share waits although nobody
borrows. The sequence is played on the dispatch rule for jobs within their limits (P as in `table`), so every step of
it is one the queue allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ..results import Finding, Severity
from .check import Check, Subject, listed
from .table import Lot

FEW = 4
"""Shares that a fix changes at most, where it can."""
_CLOSED = "Shares that are DISABLED take no new jobs, so it shows only with jobs that they have already."


@dataclass(frozen=True)
class Story:
    """Jobs that others start (share index, size), then one of `victim` that waits; what lies idle meanwhile."""

    victim: int
    size: int
    blockers: tuple[tuple[int, int], ...]
    idle: int
    kept: tuple[tuple[int, int], ...]
    """Idle machines kept for other shares: (share index, count)."""


def losers(lot: Lot) -> tuple[int, ...]:
    """Shares that cannot count on their whole limit because of the sum, the worst first."""
    short = [i for i, g in enumerate(lot.grants) if lot.sure(i) < g.limit and i not in lot.stopped]
    return tuple(sorted(short, key=lambda i: (lot.sure(i) > 0, lot.sure(i) - lot.grants[i].limit)))


def story(lot: Lot) -> Story | None:
    """The shortest telling we know: the most lendable shares first, each with one job as big as fits; then the smallest
    job that waits. None when only jobs that shares have already, which are DISABLED now, could tell it."""
    return next(filter(None, (_story(lot, victim) for victim in losers(lot) if victim not in lot.closed)), None)


def _story(lot: Lot, victim: int) -> Story | None:
    hall = _Hall(lot)
    limit = lot.grants[victim].limit
    blockers: list[tuple[int, int]] = []
    for i in sorted(range(len(lot.grants)), key=lambda i: (-lot.grants[i].lendable, -lot.grants[i].limit)):
        if hall.room(victim) < limit:
            break
        job = min(hall.room(i), lot.grants[i].limit)
        if i != victim and job > 0 and i not in lot.closed:
            hall.start(i, job)
            blockers.append((i, job))
    usage = hall.usage
    kept = tuple((i, g.kept - usage[i]) for i, g in enumerate(lot.grants) if i != victim and g.kept > usage[i])
    size = min(limit, hall.room(victim) + 1)
    if size <= hall.room(victim):
        return None
    return Story(victim, size, tuple(blockers), hall.free, kept)


class _Hall:
    """One unit while jobs within their shares' limits start, each share's first: what is in use, free and protected."""

    def __init__(self, lot: Lot) -> None:
        self._lot = lot
        self.usage = [0] * len(lot.grants)
        self.free = lot.capacity
        self._protected = lot.kept

    def start(self, i: int, size: int) -> None:
        kept = self._lot.grants[i].kept
        self._protected += max(self.usage[i] + size, kept) - max(self.usage[i], kept)
        self.usage[i] += size
        self.free -= size

    def room(self, i: int) -> int:
        """Size of the largest job within its limit that an idle share can start now."""
        kept = self._lot.grants[i].kept
        others = self._protected - max(self.usage[i], kept)
        return max(0, min(self.free, max(self._lot.cap(borrowing=False) - others, kept)))


def reduction(lot: Lot) -> Mapping[int, int]:
    """New limits (share index -> limit) that make the sum fit: the largest are cut first, to half, or to 1 where that
    would change more than `FEW` shares or would not be enough.

    Empty when there is none: every share must keep a machine.
    """
    gentle = _cut(lot, lambda limit: limit // 2)
    return gentle if gentle and len(gentle) <= FEW else _cut(lot, lambda limit: limit - 1)


def _cut(lot: Lot, most: Callable[[int], int]) -> Mapping[int, int]:
    """The largest limits cut first, each by at most `most` of it."""
    excess = lot.given - lot.capacity
    new: dict[int, int] = {}
    for i in sorted(range(len(lot.grants)), key=lambda i: -lot.grants[i].limit):
        limit = lot.grants[i].limit
        cut = min(excess, most(limit))
        if cut > 0:
            new[i] = limit - cut
            excess -= cut
    return new if excess == 0 else {}


def find(subject: Subject) -> Iterable[Finding]:
    named: Counter[str] = Counter()
    for lot in subject.lots:
        known = lot.unit in subject.capacity
        if known and lot.given > lot.capacity and (short := losers(lot)):
            told = story(lot)
            share = subject.config.shares[told.victim if told else short[0]].name
            named[share] += 1
            witness = f"QP101-{share}" + (f"-{named[share]}" if named[share] > 1 else "") + ".json"
            yield _finding(subject, lot, share, told, witness if told else "")


def _finding(subject: Subject, lot: Lot, share: str, told: Story | None, witness: str) -> Finding:
    names = [s.name for s in subject.config.shares]
    changed = reduction(lot)
    first = next(iter(changed), names.index(share))
    raised = f"raise the environment to {lot.given}"
    cuts = [f"{names[i]} {lot.grants[i].limit} -> {limit}" for i, limit in changed.items()]
    fix = (
        f"give {lot.given - lot.capacity} less, for example {listed(cuts, len(cuts))}; or {raised}" if cuts else raised
    )
    return Finding(
        code="QP101",
        severity=Severity.ERROR,
        title=f"{lot.given} {subject.short(lot.unit)} given, {lot.capacity} exist",
        place=subject.place(names[first], "limit", lot.unit),
        body=tuple(_telling(told, lot, names)) if told else (_CLOSED,),
        share=share,
        shares=tuple(given := [name for name, g in zip(names, lot.grants, strict=True) if g.limit]),
        places=tuple(subject.place(name, "limit", lot.unit) for name in given),
        unit=lot.unit,
        witness=witness,
        fix=fix,
    )


def _telling(told: Story, lot: Lot, names: list[str]) -> Iterable[str]:
    victim = names[told.victim]
    jobs = [f"{names[i]} starts a job of {n}" for i, n in told.blockers]
    if len(jobs) > 3:
        rest = sum(n for _, n in told.blockers[2:])
        jobs = [*jobs[:2], f"{len(told.blockers) - 2} more shares start jobs of {rest} together"]
    steps = [*jobs, f"{victim} submits a job of {told.size}, within its limit"]
    yield "     ".join(f"{k}. {step}" for k, step in enumerate(steps, 1))
    if not told.blockers:
        kept = sum(n for _, n in told.kept)
        why = f"{kept} of {lot.capacity} are kept for {_owners(told, names)}" if kept else f"only {lot.capacity} exist"
        if kept > lot.capacity:
            why = f"{kept} are to be kept for {_owners(told, names)}, and only {lot.capacity} exist"
        yield f"It can never start, even in an empty queue: {why}."
        return
    who = listed([names[i] for i, _ in told.blockers])
    verb = "runs" if len(told.blockers) == 1 else "run"
    idle = ""
    if told.idle:
        kept = sum(n for _, n in told.kept)
        noun = "1 machine is" if told.idle == 1 else f"{told.idle} machines are"
        part = "" if kept >= told.idle else f"{kept} of them "
        idle = f", while {noun} idle" + (f" ({part}kept for {_owners(told, names)})" if kept else "")
    yield f"Nobody is borrowing, so nobody can be stopped. {victim} waits as long as {who} {verb}{idle}."
    lose = f"{who} would lose" if len(told.blockers) == 1 else "one of them would lose"
    yield (
        f"No reading of AWS's text saves it: if AWS stopped {who} instead, {lose} a job within its limit; "
        "if AWS refuses the sum, the rollout fails."
    )


def _owners(told: Story, names: list[str]) -> str:
    return listed([names[i] for i, _ in told.kept])


QP101 = Check(
    "QP101",
    Severity.ERROR,
    "limits add up to more than the environment has",
    "AWS documents no bound on the sum of the share limits (rule 17, A1). When it exceeds the environment's capacity, "
    "shares that use only what they were given can fill the environment. A share that then asks for its own waits: "
    "preemption restores borrowed capacity (rule 36) and nobody borrows (A2). The share table shows under 'sure' what "
    "remains of each limit. RESERVE shares keep theirs, as long as the reserves alone fit.",
    find,
)
