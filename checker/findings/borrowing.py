"""QP110 to QP113: what a borrow limit comes to in machines, where the number given says something else.

A borrow limit is percent of the share's own limit, rounded down (A6), per unit; none and -1 are no maximum, and 0 is
never (A8). Everything is arithmetic on `Grant` and `Lot`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...spec.model import QuotaShare, Strategy
from ...spec.readings import Readings
from ..results import Finding, Severity
from .check import Check, Subject


def borrowers(subject: Subject) -> Iterator[tuple[int, QuotaShare]]:
    """The shares whose strategy lets them borrow, with their places in the configuration."""
    return ((i, s) for i, s in enumerate(subject.config.shares) if s.strategy is Strategy.LEND_AND_BORROW)


def smallest_percent(limit: int, wanted: int, readings: Readings) -> int:
    """The smallest borrow limit that lets a share with own limit `limit` borrow `wanted` machines (both at least 1)."""
    if readings["A6"] == "ceil":
        return 100 * (wanted - 1) // limit + 1
    needed = 100 * wanted - (50 if readings["A6"] == "round" else 0)
    return -(-needed // limit)


def rounds_to_nothing(subject: Subject) -> Iterable[Finding]:
    for i, share in borrowers(subject):
        percent = share.borrow_limit or 0
        mine = [lot for lot in subject.lots if lot.unit in subject.limits[i]]
        zero = [lot for lot in mine if lot.grants[i].borrowable == 0 and lot.pool(i) and i not in lot.stopped]
        if percent <= 0 or not zero:
            continue
        smallest = max(smallest_percent(lot.grants[i].limit, 1, subject.readings) for lot in zero)
        limit, unit = zero[0].grants[i].limit, subject.short(zero[0].unit)
        others = [f"for {lot.unit} {percent} % gives {lot.grants[i].borrowable}" for lot in mine if lot is not zero[0]]
        told = "; ".join(others)
        yield Finding(
            code="QP110",
            severity=Severity.WARNING,
            title=f"{share.name}: {percent} % of {limit} is {limit * percent / 100:g}, so it can borrow no {unit}",
            place=subject.place(share.name, "borrowLimit"),
            body=(
                f"Smallest that lets it borrow one: {smallest} %.{f' ({told[0].upper()}{told[1:]}.)' if told else ''}",
            ),
            share=share.name,
            unit=zero[0].unit if len(zero) == 1 else "",
            fix=f"write borrowLimit {smallest}, or LEND if it shall not borrow",
        )


def zero(subject: Subject) -> Iterable[Finding]:
    never = subject.readings["A8"] != "unset"
    for _, share in borrowers(subject):
        if share.borrow_limit == 0:
            yield Finding(
                code="QP111",
                severity=Severity.WARNING,
                title=f"{share.name}: borrowLimit 0 means "
                + ("it never borrows" if never else "no maximum, as it is read here (A8)"),
                place=subject.place(share.name, "borrowLimit"),
                body=("AWS's notebook helper drops a 0: no maximum.",),
                share=share.name,
                fix="write LEND if it shall never borrow",
            )


def absent(subject: Subject) -> Iterable[Finding]:
    for i, share in borrowers(subject):
        held = _holds(subject, i) if share.borrow_limit is None else ""
        if held:
            yield Finding(
                code="QP112",
                severity=Severity.WARNING,
                title=f"{share.name}: no borrowLimit means no maximum",
                place=subject.place(share.name, "borrowLimit"),
                body=(held,),
                share=share.name,
                fix="write the percentage that is meant, or -1 to say that no maximum is",
            )


def unlimited(subject: Subject) -> Iterable[Finding]:
    for i, share in borrowers(subject):
        held = _holds(subject, i) if share.borrow_limit == -1 else ""
        if held:
            yield Finding(
                code="QP113",
                severity=Severity.NOTE,
                title=f"{share.name}: borrowLimit -1 is no maximum",
                place=subject.place(share.name, "borrowLimit"),
                body=(held,),
                share=share.name,
                fix="write a percentage if there shall be a maximum",
            )


def _holds(subject: Subject, i: int) -> str:
    """What an unlimited share may hold, in the unit of which it can have the largest part; '' when it borrows nothing."""
    able = [lot for lot in subject.lots if lot.borrow(i)]
    if not able:
        return ""
    lot = max(able, key=lambda lot: lot.most(i) / lot.capacity)
    unit, most = subject.short(lot.unit), lot.most(i)
    amount = f"all {most}" if most == lot.capacity else f"{most} of {lot.capacity}"
    alone = len(lot.borrowers) == 1
    until = " until an owner returns" if lot.loses(i) else ""
    return f"It can hold {amount} {unit}{until}" + ("." if alone else "; no other borrower can displace it.")


QP110 = Check(
    "QP110",
    Severity.WARNING,
    "a borrow limit that rounds to nothing",
    "A borrow limit is percent of the share's own limit, per unit, and machines cannot be split: 25 % of 3 is no "
    "machine (rounded down, A6). The share looks like a borrower and is none.",
    rounds_to_nothing,
)
QP111 = Check(
    "QP111",
    Severity.WARNING,
    "borrowLimit 0",
    "0 percent is read as: never borrows (A8). LEND says so without a number that a tool may drop; without it the share "
    "would have no maximum.",
    zero,
)
QP112 = Check(
    "QP112",
    Severity.WARNING,
    "no borrowLimit, which means no maximum",
    "Without a borrowLimit AWS sets -1, no maximum (rule 21). One share can then hold every machine that others lend "
    "until their owners come back; another borrower cannot take its part (A25).",
    absent,
)
QP113 = Check(
    "QP113",
    Severity.NOTE,
    "borrowLimit -1, no maximum",
    "-1 is no maximum (rule 21), said on purpose. The note tells how much that can come to.",
    unlimited,
)
