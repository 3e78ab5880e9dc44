"""QP104, QP107 and QP108: units that the environment lacks or that are none, and shares that can run nothing at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...spec.model import State
from ..results import Finding, Severity
from .check import Check, Subject, listed

INSTANCES = "NUM_INSTANCES"
"""AWS's unit for environments without quota shares: machines of any type."""


def missing(subject: Subject) -> Iterable[Finding]:
    known = [unit for unit in subject.capacity if unit != INSTANCES]
    for lot in subject.lots:
        if lot.unit in (*known, INSTANCES) or not known:
            continue
        owners = [s.name for s, own in zip(subject.config.shares, subject.limits, strict=True) if lot.unit in own]
        if not owners:
            continue
        body = f"AWS accepts {'its' if len(owners) == 1 else 'their'} jobs and lets them wait."
        if all(subject.config.share(name).state is State.DISABLED for name in owners):
            body = "Jobs of it wait, as soon as new ones are accepted again."
        fix = f"add {lot.unit} to the environment, or remove the limit"
        near = _meant(lot.unit, known)
        if near:
            total = lot.given + sum(own.get(near, 0) for own in subject.limits)
            body += f" Did you mean {near}? (then {total} given of {subject.capacity[near]})"
            fix = f"write {near}, or add {lot.unit} to the environment"
        yield Finding(
            code="QP104",
            severity=Severity.ERROR,
            title=f"{listed(owners)}: {lot.unit} is not in the environment",
            place=subject.place(owners[0], "unit", lot.unit),
            body=(body,),
            share=owners[0],
            shares=tuple(owners),
            places=tuple(subject.place(name, "unit", lot.unit) for name in owners),
            unit=lot.unit,
            fix=fix,
        )


def _meant(unit: str, known: Sequence[str]) -> str:
    """The known unit of which every part, family and size, is much like that of `unit`; '' when there is none."""
    from difflib import SequenceMatcher, get_close_matches

    def alike(other: str) -> bool:
        parts = list(zip(unit.split("."), other.split("."), strict=False))
        return all(SequenceMatcher(None, a, b).ratio() >= 0.6 for a, b in parts)

    return next(filter(alike, get_close_matches(unit, known, 3)), "")


def instances(subject: Subject) -> Iterable[Finding]:
    environment = subject.config.environment
    owners: list[tuple[str | None, str, str]] = []
    if INSTANCES in environment.capacity:
        owners.append((None, f"environment {environment.service_environment_name}", "capacity"))
    owners += [
        (s.name, s.name, "unit")
        for s, own in zip(subject.config.shares, subject.limits, strict=True)
        if INSTANCES in own
    ]
    for share, name, field in owners:
        yield Finding(
            code="QP107",
            severity=Severity.ERROR,
            title=f"{name}: a limit in {INSTANCES}, not in an instance type",
            place=subject.place(share, field, INSTANCES),
            body=("AWS has quota shares only where limits are in instance types (rule 2).",),
            share=share or "",
            unit=INSTANCES,
            fix="write one limit for each instance type, for example 2 of ml.p5.48xlarge",
        )


def nothing(subject: Subject) -> Iterable[Finding]:
    environment = subject.config.environment
    if environment.state is State.DISABLED:
        yield Finding(
            code="QP108",
            severity=Severity.ERROR,
            title=f"environment {environment.service_environment_name} is DISABLED: no share can run anything",
            place=subject.place(None, "capacity"),
            body=("Jobs are accepted and wait (rule 52).",),
            fix="enable it",
        )
        return
    units = [lot for lot in subject.lots if lot.unit in subject.capacity and lot.unit != INSTANCES]
    for i, share in enumerate(subject.config.shares):
        mine = [lot for lot in units if lot.unit in subject.limits[i]]
        if not mine or any(lot.most(i) for lot in units):
            continue
        names = [s.name for s in subject.config.shares]
        lot = mine[0]
        body = "AWS accepts its jobs and lets them wait."
        if i in lot.stopped:
            why, fix = "it is DISABLED (A46)", "enable it, or delete it"
            body = "It takes no new jobs (rule 50), and those that it has wait."
        elif lot.capacity == 0:
            why, fix = f"the environment has 0 {subject.short(lot.unit)}", "raise the environment's limit"
        else:
            kept = [0 if k == i else g.kept for k, g in enumerate(lot.grants)]
            keepers = _keepers(names, kept)
            room = sum(map(bool, kept)) < lot.capacity
            why = f"{keepers} keep{'s' if ' and ' not in keepers else ''} all {lot.capacity} {subject.short(lot.unit)}"
            able = listed([n for n, g in zip(names, lot.grants, strict=True) if g.kept > 1 and n != share.name])
            fix = f"lower the limit of {able}, or raise the environment" if room else "raise the environment"
        yield Finding(
            code="QP108",
            severity=Severity.ERROR,
            title=f"{share.name}: can run nothing, {why}",
            place=subject.place(share.name, "share"),
            body=(body,),
            share=share.name,
            unit=lot.unit if len(mine) == 1 else "",
            fix=fix,
        )


def _keepers(names: Sequence[str], kept: Sequence[int]) -> str:
    return listed([name for name, n in zip(names, kept, strict=True) if n])


QP104 = Check(
    "QP104",
    Severity.ERROR,
    "a share's unit is not in the environment",
    "A job is counted in the instance type it asks for. If the service environment has no limit for that type, AWS "
    "does not refuse the share or its jobs: they wait until such a limit is configured (rule 13, A3). "
    "Most often the type is misspelt.",
    missing,
)
QP107 = Check(
    "QP107",
    Severity.ERROR,
    "limits in NUM_INSTANCES instead of instance types",
    "A queue with quota shares needs an environment whose limits are in instance types (rule 2). NUM_INSTANCES counts "
    "machines of any type and is for environments of other queues; AWS refuses it only when the queue is made.",
    instances,
)
QP108 = Check(
    "QP108",
    Severity.ERROR,
    "a share that can run nothing",
    "No job of the share can ever start, whatever the others do: the environment has none of its units, other shares "
    "keep all of them to themselves, or it is switched off.",
    nothing,
)
