"""What a plan says, for every form of report: the verdict, jobs, promises, requests. Shares stand in `planned_shares`.

Made from `planned.Plan` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..findings.check import listed, short_units
from ..planned import (
    Direction,
    Given,
    Giving,
    OverLimit,
    Plan,
    PromiseChange,
    Stoppable,
)  # fmt: skip
from ..results import BROKEN, HOLDS, Verification
from .amounts import length
from .layout import shorten
from .outcome import Outcome, Word, codes
from .planned_shares import units

TOO_MANY = "QP105"
"""The finding that a queue has more shares than AWS allows: a plan stops there."""
JOBS = (
    ("reclaim", "Jobs that can now be stopped"),
    ("in-share", "Jobs that a higher priority of their own share can now stop"),
    ("ends", "Jobs that end with their share"),
)
"""How a running job is touched, and the heading of the list of those that are."""
JOB_HEADS = ("job", "share", "machines", "time", "checkpoint", "owner")
TOLD_APART = (TOO_MANY, "QP312")
"""Findings that the screen tells in blocks of their own."""


def verdict(verification: Verification, judged: Outcome) -> str:
    """One sentence."""
    plan = verification.planned or Plan()
    lost = [s.share for s in plan.shares if s.loses]
    less = f"{listed(lost)} {'has' if len(lost) == 1 else 'have'} less than before" if lost else ""
    if judged.word is Word.UNKNOWN:
        return f"could not decide {', '.join(codes(judged.undecided)) or 'everything'}. That is not a yes."
    if judged.word in (Word.BROKEN, Word.WARNED):
        return f"{_broken(judged)}."
    if judged.word is Word.WAIVED:
        return f"what the change breaks is accepted; {less or 'nobody has less'}."
    if not plan.steps:
        return " ".join(wish(g, plan) for g in plan.givings) or "nothing changes."
    nothing = "the change breaks nothing"
    return f"{nothing}; {less}." if less else f"{nothing}, and nobody has less."


def _broken(judged: Outcome) -> str:
    said: list[str] = []
    if any(f.code == TOO_MANY for f in judged.failed):
        said.append("there is no place for the new share")
    promises = list(dict.fromkeys(p.code for p in judged.promises))
    if promises:
        said.append(f"the change breaks {'promise' if len(promises) == 1 else 'promises'} {listed(promises)}")
    if judged.broken:
        said.append(f"the change breaks {listed(codes(judged.broken))}")
    others = [f.title for f in judged.failed if f.code not in (TOO_MANY, "QP310")]
    said += others[:1]
    lost = [f.share for f in judged.failed if f.code == "QP310"]
    if lost:
        said.append(f"{listed(lost)} {'has' if len(lost) == 1 else 'have'} less than before")
    return "; ".join(said)


def overview(verification: Verification) -> str:
    """ "20 -> 20 shares, 64 -> 64 p5 given of 64"."""
    found = (verification.planned or Plan()).overview
    if found is None:
        return ""
    short = short_units([unit for unit, *_ in found.given])
    given = [
        f"{was} -> {now} {short[unit]} given of {room if room == becomes else f'{room} -> {becomes}'}"
        for unit, was, now, room, becomes in found.given
        if (was, now, room, becomes) != (0, 0, 0, 0)
    ]
    return ", ".join([f"{found.shares_before} -> {found.shares_after} shares", *given])


def jobs(plan: Plan, how: str) -> list[list[str]]:
    """Rows below `JOB_HEADS`."""
    return [
        [j.name, j.share, machines(j, plan), _runs(j), checkpoint(j), person(j.owner)]
        for j in plan.stoppable
        if j.how == how
    ]


def person(owner: str) -> str:
    """Who it is, without the account: role/session of an assumed role."""
    return owner.rpartition(":")[2].removeprefix("assumed-role/") or owner


def machines(job: Stoppable, plan: Plan) -> str:
    short = units(plan)
    named = len(short) > 1
    parts = [
        f"{n} {short.get(u, u)}" if named else f"{n} machine{'' if n == 1 else 's'}" for u, n in job.machines.items()
    ]
    return ", ".join(parts)


def _runs(job: Stoppable) -> str:
    return "waiting" if job.runs is None else f"running {length(job.runs)}"


def checkpoint(job: Stoppable) -> str:
    if job.checkpoint is None:
        return "not known"
    return "set" if job.checkpoint else "NO CHECKPOINT"


def over(plan: Plan) -> Iterator[str]:
    """Shares above their new limit."""
    short = units(plan)
    for one in plan.over:
        yield _over(one, short)


def _over(one: OverLimit, short: Mapping[str, str]) -> str:
    unit = f" {short.get(one.unit, one.unit)}" if len(short) > 1 else ""
    return f"{one.share} runs {one.uses}{unit}, its new limit is {one.limit}: AWS may free {one.beyond}"


def untouched(plan: Plan) -> Iterator[str]:
    for one in plan.untouched:
        many = f"{one.jobs} running job{'' if one.jobs == 1 else 's'}"
        yield f"{one.share}: {many} cannot be stopped for another share: {one.why}."


def waits(plan: Plan) -> Iterator[str]:
    """Jobs that can never run afterwards."""
    for one in plan.never:
        yield f"{one.name} of {one.share} waits and can never run afterwards: {one.why}"


def broken_before(plan: Plan) -> list[str]:
    """Promises that were broken before as well, with those for whom where they are kept for others."""
    return _named(plan, [p for p in plan.promises if p.before in BROKEN and p.after in BROKEN])


def mended(plan: Plan) -> list[str]:
    """Promises that the change mends, with those for whom where they are not kept for others."""
    return _named(plan, [p for p in plan.promises if p.direction is Direction.STRONGER and p.after in HOLDS])


def _named(plan: Plan, some: Sequence[PromiseChange]) -> list[str]:
    whole = {p.code for p in some} - {p.code for p in plan.promises if p.after is not None and p not in some}
    named = (
        p.code if p.code in whole or not p.subject else f"{p.code} for {p.subject.partition(',')[0]}" for p in some
    )
    return list(dict.fromkeys(named))


def timed(plan: Plan) -> list[PromiseChange]:
    """Promises that are kept by waiting."""
    return [p for p in plan.promises if p.needs_time]


def steps(plan: Plan) -> Iterator[tuple[str, str, str]]:
    """Number, command, and from when on."""
    for step in plan.steps:
        yield str(step.number), step.command, f"not before {step.not_before}" if step.not_before else ""


def ordered(verification: Verification, judged: Outcome) -> str:
    """The heading of the requests."""
    found = (verification.planned or Plan()).ordered
    unsure = listed(found.unverified) if found else ""
    if found is None or found.found:
        if unsure:
            return f"Order (not verified for {unsure})"
        if judged.word not in (Word.BROKEN, Word.UNKNOWN):
            return "Order (each state in between was verified)"
        how = "undecided" if judged.word is Word.UNKNOWN else "NOT SAFE"
        return f"Order of a change that is {how} (no state in between is worse than its two ends)"
    if found.exhausted:
        return "Order asked for: no order of these requests is safe"
    if unsure:
        return f"Order asked for: whether an order is safe was not decided for {unsure}"
    return "Order asked for: no safe order was found, which does not say that there is none"


def unsafe(verification: Verification, judged: Outcome) -> str:
    """Why the requests must not be sent as they are, without a full stop; '' where nothing speaks against it."""
    plan = verification.planned or Plan()
    said: list[str] = []
    if judged.word is Word.UNKNOWN:
        said.append("not everything about this plan was decided")
    elif judged.exit_code or judged.failed or judged.broken or judged.promises:
        said.append("the change breaks something" if judged.word is Word.BROKEN else "the exit code is 1")
    if plan.ordered and not plan.ordered.found:
        said.append("no safe order of the requests was found")
    return " and ".join(said)


def stops(verification: Verification) -> str:
    """The sentence that a share has no place; '' when every share has one."""
    plan = verification.planned or Plan()
    if plan.overview is None or not any(f.code == TOO_MANY for f in verification.findings):
        return ""
    new = [s.share for s in plan.shares if s.direction is Direction.NEW]
    last = new[-1] if new else "one"
    return (
        f"{shorten(last, 40)} would be share {plan.overview.shares_after} on {verification.began.subject}. "
        "AWS allows 20 (rule 3)."
    )


def affected(plan: Plan) -> str:
    if plan.running is None:
        return ""
    number = plan.running.affected
    return f"{number} running job{'' if number == 1 else 's'} affected"


def wish(giving: Giving, plan: Plan) -> str:
    """What was asked with --give, and the answer in short."""
    unit = units(plan).get(giving.unit, giving.unit)
    if giving.had == giving.wanted:
        return f"{giving.share} has {giving.had} {unit} already."
    found = _found(giving, promises=bool(plan.promises))
    return f"{giving.share} shall have {giving.wanted} {unit} and has {giving.had}: {found}."


def _found(giving: Giving, *, promises: bool) -> str:
    number, free = len(giving.ways), sum(not way.breaks for way in giving.ways)
    if not number:
        return "no way"
    if not promises:
        return f"{number} way{'' if number == 1 else 's'}"
    if number == 1:
        return f"1 way, which breaks {'no' if free else 'a'} promise that is kept now"
    which = {0: "each breaks a", 1: "the first breaks no", number: "none breaks a"}.get(
        free, f"the first {free} break no"
    )
    return f"{number} ways, {which} promise that is kept now"


def way(given: Given) -> Iterator[str]:
    """From whom it comes, what it costs them, and what it breaks; a line for each."""
    parts = [
        f"{share} gives {n} ({given.limits[share] + n} -> {given.limits[share] or 'no limit'})"
        for share, n in given.givers
    ]
    parts += [f"{given.unallotted} that no share had"] if given.unallotted else []
    yield ", ".join(parts)
    if given.costs:
        yield f"cost: {'; '.join(given.costs)}"
    for one in given.breaks:
        yield f'breaks {one.code}{_owned(one.owner)}: "{one.says}"'


def why_none(giving: Giving) -> Iterator[str]:
    """Why there are no ways, or none that keep every promise, with the promises in the way."""
    if giving.none and giving.had != giving.wanted:
        yield f"{giving.none[0].upper()}{giving.none[1:]}."
    for one in giving.in_the_way:
        yield f'{one.code} is in the way{_owned(one.owner)}: "{one.says}"'


def _owned(owner: str) -> str:
    return f" (owner {owner})" if owner else ""
