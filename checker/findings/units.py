"""QP104: a share has a limit for a unit that the environment lacks, so its jobs of it wait for ever (rule 13)."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from ..results import Finding, Severity
from .check import Check, Subject, listed


def find(subject: Subject) -> Iterable[Finding]:
    known = subject.config.environment.capacity
    for lot in subject.lots:
        owners = [s.name for s in subject.config.shares if lot.unit in s.limits]
        if lot.unit in known or not owners:
            continue
        body = f"AWS accepts {'its' if len(owners) == 1 else 'their'} jobs and lets them wait."
        fix = f"add {lot.unit} to the environment, or remove the limit"
        near = get_close_matches(lot.unit, known, 1)
        if near:
            total = lot.given + sum(s.limits.get(near[0], 0) for s in subject.config.shares)
            body += f" Did you mean {near[0]}? (then {total} given of {known[near[0]]})"
            fix = f"write {near[0]}, or add {lot.unit} to the environment"
        yield Finding(
            code="QP104",
            severity=Severity.ERROR,
            title=f"{listed(owners)}: {lot.unit} is not in the environment",
            place=subject.place(owners[0], "unit", lot.unit),
            body=(body,),
            share=owners[0],
            unit=lot.unit,
            fix=fix,
        )


QP104 = Check(
    "QP104",
    Severity.ERROR,
    "a share's unit is not in the environment",
    "A job is counted in the instance type it asks for. If the service environment has no limit for that type, AWS "
    "does not refuse the share or its jobs: they wait until such a limit is configured (rule 13, A3). "
    "Most often the type is misspelt.",
    find,
)
