"""QP220 and QP221: machines that RESERVE keeps empty although somebody could borrow them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from ...spec.model import Strategy
from ..results import Finding, Severity
from .check import Check, Subject, listed
from .table import Lot

TOLD = 2
"""Shares that are named of those which could use what is kept."""


def _waiting(subject: Subject, lot: Lot) -> dict[int, Sequence[str]]:
    """RESERVE share -> some of the shares that could hold more of the unit if it lent, at most `TOLD`."""
    shares = subject.config.shares
    if lot.unit not in subject.capacity or lot.kept > lot.capacity:
        return {}
    reserved = {
        i: g.limit
        for i, g in enumerate(lot.grants)
        if shares[i].strategy is Strategy.RESERVE and g.limit and i not in lot.stopped
        if i not in lot.closed or subject.readings["A47"] != "no"
    }
    largest = max(reserved.values(), default=0)
    could = [k for k in range(len(shares)) if largest and lot.most(k, lent=largest) > lot.most(k)]
    found = {
        i: list(islice((shares[k].name for k in could if k != i and lot.most(k, lent=n) > lot.most(k)), TOLD))
        for i, n in reserved.items()
    }
    return {i: names for i, names in found.items() if names}


def _mostly(lot: Lot, shares: Iterable[int]) -> bool:
    return 2 * sum(lot.grants[i].limit for i in shares) > lot.capacity


def one(subject: Subject) -> Iterable[Finding]:
    empty: dict[int, list[tuple[Lot, Sequence[str]]]] = {}
    for lot in subject.lots:
        waiting = _waiting(subject, lot)
        if not _mostly(lot, waiting):
            for i, others in waiting.items():
                empty.setdefault(i, []).append((lot, others))
    for i, found in sorted(empty.items()):
        name = subject.config.shares[i].name
        found.sort(key=lambda pair: -pair[0].grants[i].limit / pair[0].capacity)
        parts = [_part(subject, lot, i) for lot, _ in found]
        lot, others = found[0]
        also = f" And {listed(parts[1:])}." if parts[1:] else ""
        yield Finding(
            code="QP220",
            severity=Severity.NOTE,
            title=f"{name}: {parts[0]} stay{'s' if lot.grants[i].limit == 1 else ''} empty when it has no work",
            place=subject.place(name, "strategy"),
            body=(
                f"Also while {listed(others)} {'has' if len(others) == 1 else 'have'} a queue: RESERVE means so.{also}",
            ),
            share=name,
            unit=lot.unit if len(found) == 1 else "",
            fix="write LEND if others may use them meanwhile",
        )


def _part(subject: Subject, lot: Lot, i: int) -> str:
    limit = lot.grants[i].limit
    return f"{limit} of {lot.capacity} {subject.short(lot.unit)} ({_percent(limit, lot)} %)"


def most(subject: Subject) -> Iterable[Finding]:
    names = [s.name for s in subject.config.shares]
    for lot in subject.lots:
        waiting = _waiting(subject, lot)
        if waiting and _mostly(lot, waiting):
            total = sum(lot.grants[i].limit for i in waiting)
            others = sorted({name for more in waiting.values() for name in more})
            yield Finding(
                code="QP221",
                severity=Severity.WARNING,
                title=f"RESERVE keeps {total} of {lot.capacity} {subject.short(lot.unit)} ({_percent(total, lot)} %) idle "
                "when there is no work",
                place=subject.place(names[next(iter(waiting))], "strategy"),
                body=(f"They are {listed([names[i] for i in waiting])}'s; {listed(others)} could use them meanwhile.",),
                share=names[next(iter(waiting))],
                shares=tuple(names[i] for i in waiting),
                places=tuple(subject.place(names[i], "strategy") for i in waiting),
                unit=lot.unit,
                fix=f"write LEND for {listed([names[i] for i in waiting])}, or lower what is reserved",
            )


def _percent(count: int, lot: Lot) -> int:
    return round(100 * count / lot.capacity)


QP220 = Check(
    "QP220",
    Severity.NOTE,
    "RESERVE keeps machines empty that others could use",
    "A RESERVE share's machines are never lent (rule 19), and an owner of LEND machines gets them back by stopping "
    "borrowed jobs. The note stands where another share could really hold more if this one lent.",
    one,
)
QP221 = Check(
    "QP221",
    Severity.WARNING,
    "RESERVE keeps most of a unit",
    "RESERVE shares together keep more than half of a unit, and others could use it while they have no work. What is "
    "kept starts at once; what is lent starts once borrowed jobs were stopped.",
    most,
)
