"""QP114, QP115 and QP207: what a borrow right comes to beside what the other shares lend, and who is left with nothing.

Only where limits fit the environment: what more was given than exists is QP101.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...spec.model import State, Strategy
from ..results import Finding, Severity
from .borrowing import borrowers, smallest_percent
from .check import Check, Subject, listed
from .table import Lot


def unserved(subject: Subject) -> Iterable[Finding]:
    for i, share in borrowers(subject):
        able = [lot for lot in _fitting(subject) if lot.unit in subject.limits[i] or lot.grants[i].borrowable != 0]
        never = share.borrow_limit == 0 and subject.readings["A8"] != "unset"
        if not able or never or any(lot.pool(i) or lot.given > lot.capacity or i in lot.stopped for lot in able):
            continue
        others = [s.name for k, s in enumerate(subject.config.shares) if k != i]
        could = [
            s.name
            for k, s in enumerate(subject.config.shares)
            if k != i and s.strategy is Strategy.RESERVE and subject.limits[k].keys() & subject.limits[i].keys()
            if s.state is State.ENABLED or subject.readings["A47"] != "no"
        ]
        yield Finding(
            code="QP114",
            severity=Severity.WARNING,
            title=f"{share.name}: may borrow, and nobody lends what it could",
            place=subject.place(share.name, "strategy"),
            body=(f"{listed(others)} lend{'s' if len(others) == 1 else ''} it nothing." if others else "It is alone.",),
            share=share.name,
            fix="write LEND" + (f", or LEND for {listed(could)}, which then lends" if could else ""),
        )


def more_than_lent(subject: Subject) -> Iterable[Finding]:
    for i, share in borrowers(subject):
        percent = share.borrow_limit or 0
        mine = [lot for lot in _fitting(subject) if lot.unit in subject.limits[i]]
        if percent <= 0 or any(lot.given > lot.capacity for lot in mine) or not any(lot.borrow(i) for lot in mine):
            continue
        if any(lot.pool(i) >= (lot.grants[i].borrowable or 0) for lot in mine):
            continue  # there the borrow limit is what stops it
        enough = max(
            smallest_percent(lot.grants[i].limit, lot.pool(i), subject.readings) for lot in mine if lot.pool(i)
        )
        if enough >= percent:
            continue
        yield Finding(
            code="QP207",
            severity=Severity.NOTE,
            title=f"{share.name}: a borrow limit of {percent} % buys nothing over {enough} %",
            place=subject.place(share.name, "borrowLimit"),
            body=(f"Only {_lent(subject, i, mine)} can be lent.",),
            share=share.name,
            fix=f"write {enough} if more shall not be borrowed when others get larger",
        )


def _lent(subject: Subject, i: int, mine: Sequence[Lot]) -> str:
    """What others lend share `i`: "QS2's 1", "12 g5 and 4 p5"."""
    names = [s.name for s in subject.config.shares]
    owners = {names[k] for lot in mine for k in lot.lenders if k != i}
    alone = len(mine) == 1 and len(owners) == 1 and mine[0].unallotted != "borrowable"
    if alone:
        return f"{owners.pop()}'s {mine[0].borrow(i)}"
    return listed([f"{lot.borrow(i)} {subject.short(lot.unit)}" for lot in mine])


def every_loan(subject: Subject) -> Iterable[Finding]:
    names = [s.name for s in subject.config.shares]
    for i, share in borrowers(subject):
        if share.borrow_limit is None:
            continue
        taken = [
            lot
            for lot in subject.lots
            if lot.pool(i) >= 2 and lot.borrow(i) == lot.pool(i) and len(lot.borrowers) > 1 and lot.grants[i].limit
        ]
        if not taken:
            continue
        lot = taken[0]
        left = min(smallest_percent(t.grants[i].limit, t.pool(i), subject.readings) - 1 for t in taken)
        others = [names[b.index] for b in lot.borrowers if b.index != i]
        yield Finding(
            code="QP115",
            severity=Severity.WARNING,
            title=f"{share.name}: may hold every {subject.short(lot.unit)} that is lent, {lot.pool(i)} of them",
            place=subject.place(share.name, "borrowLimit"),
            body=(f"While it does, {listed(others)} can borrow none: a borrower is stopped for an owner only (A25).",),
            share=share.name,
            unit=lot.unit if len(taken) == 1 else "",
            fix=f"write a borrow limit of at most {left} %" if left > 0 else "write LEND",
        )


def _fitting(subject: Subject) -> list[Lot]:
    known = subject.capacity
    return [lot for lot in subject.lots if lot.unit in known]


QP114 = Check(
    "QP114",
    Severity.WARNING,
    "a borrow right that nobody can serve",
    "The share may borrow, but in none of its units does any other share lend: RESERVE is never lent, and a share lends "
    "only units it has a limit for.",
    unserved,
)
QP115 = Check(
    "QP115",
    Severity.WARNING,
    "one borrower may hold every loan",
    "Idle capacity goes to the borrower that asks first, and a borrower is stopped only when an owner needs its own "
    "back, never for another borrower (A25). One whose borrow limit reaches everything that is lent can keep the others "
    "from borrowing for as long as it has work.",
    every_loan,
)
QP207 = Check(
    "QP207",
    Severity.NOTE,
    "a borrow limit above what others lend",
    "The smaller percentage named lets the share borrow exactly as much today. The larger one counts only once others "
    "have more to lend.",
    more_than_lent,
)
