"""QP105 and QP106: more shares, or more capacity limits, than AWS allows (rules 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterable

from ...spec.model import MAX_LIMITS, MAX_SHARES
from ..results import Finding, Severity
from .check import Check, Subject


def too_many_shares(subject: Subject) -> Iterable[Finding]:
    shares = subject.config.shares
    if len(shares) > MAX_SHARES:
        extra = shares[MAX_SHARES].name
        yield Finding(
            code="QP105",
            severity=Severity.ERROR,
            title=f"{len(shares)} shares, AWS allows {MAX_SHARES} on a queue",
            place=subject.place(extra, "share"),
            body=(f"{extra} and all shares after it would be refused.",),
            share=extra,
            fix=f"remove {len(shares) - MAX_SHARES}, or use a second queue with an environment of its own; "
            "nothing is lent between queues",
        )


def too_many_limits(subject: Subject) -> Iterable[Finding]:
    environment = subject.config.environment
    owners: list[tuple[str | None, str, int]] = [
        (None, f"environment {environment.service_environment_name}", len(environment.capacity_limits))
    ]
    owners += [(s.name, s.name, len(s.capacity_limits)) for s in subject.config.shares]
    for share, name, count in owners:
        if count > MAX_LIMITS:
            yield Finding(
                code="QP106",
                severity=Severity.ERROR,
                title=f"{name}: {count} capacity limits, AWS allows {MAX_LIMITS}",
                place=subject.place(share, "share" if share else "capacity"),
                share=share or "",
                fix=f"remove {count - MAX_LIMITS} of them",
            )


QP105 = Check(
    "QP105",
    Severity.ERROR,
    "more shares than AWS allows",
    f"A queue holds at most {MAX_SHARES} quota shares (rule 3). The numbers of the share table are worked out as if "
    "all were there.",
    too_many_shares,
)
QP106 = Check(
    "QP106",
    Severity.ERROR,
    "more capacity limits than AWS allows",
    f"A share and a service environment have 1 to {MAX_LIMITS} capacity limits each (rule 4). AWS's schema does not "
    "say so, so the mistake shows only when the request is sent.",
    too_many_limits,
)
