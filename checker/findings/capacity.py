"""QP102 and QP103: capacity that no share can ever use, because less is given than exists, or nothing of a unit.

What can be used at most is `Lot.reach`; it depends on what may happen to capacity given to no share (A5).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..results import Finding, Severity
from .check import Check, Subject
from .table import Lot
from .units import INSTANCES


def stranded(subject: Subject) -> Iterable[Finding]:
    for lot in _known(subject):
        idle = lot.capacity - lot.reach
        if lot.given == 0 or lot.given >= lot.capacity or idle == 0 or lot.stopped:
            continue  # what shares that are switched off leave idle is told by QP108
        unit = subject.short(lot.unit)
        largest = max(range(len(lot.grants)), key=lambda i: lot.grants[i].limit)
        share, limit = subject.config.shares[largest].name, lot.grants[largest].limit
        missing = lot.capacity - lot.given
        yield Finding(
            code="QP102",
            severity=Severity.WARNING,
            title=f"{lot.capacity} {unit} exist, {lot.given} are given to shares",
            place=subject.place(None, "capacity", lot.unit),
            body=(f"{'All' if idle == missing else idle} of the other {missing} can never be used (A5).",),
            unit=lot.unit,
            fix=f"give {missing} more, for example {share} {limit} -> {limit + missing}; "
            f"or lower the environment to {lot.given}",
        )


def nobody(subject: Subject) -> Iterable[Finding]:
    for lot in _known(subject):
        if lot.given == 0 and lot.capacity > 0 and not any(lot.most(i) for i in range(len(lot.grants))):
            yield Finding(
                code="QP103",
                severity=Severity.WARNING,
                title=f"{lot.unit}: {lot.capacity} exist, no share has a limit for it",
                place=subject.place(None, "capacity", lot.unit),
                body=("No job of this type can ever start.",),
                unit=lot.unit,
                fix="give it to a share, or remove it from the environment",
            )


def _known(subject: Subject) -> Iterable[Lot]:
    known = subject.capacity
    return (lot for lot in subject.lots if lot.unit in known and lot.unit != INSTANCES and not subject.assumed)


QP102 = Check(
    "QP102",
    Severity.WARNING,
    "limits add up to less than the environment has",
    "What is given to no share may be used only by an owner while its own is lent out, if at all (A5). What even then "
    "no job can reach lies idle for ever. The finding counts it for the most that all shares together can ever hold.",
    stranded,
)
QP103 = Check(
    "QP103",
    Severity.WARNING,
    "capacity that is given to nobody",
    "The environment has a unit for which no share has a limit. A share without a limit for a unit gets nothing of it "
    "(A4), so these machines never run a job of this queue.",
    nobody,
)
