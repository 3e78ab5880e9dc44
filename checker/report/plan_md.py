"""The part of a Markdown report that only `plan` has: shares, jobs, and the requests in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..planned import NUMBERS
from ..results import Verification
from . import planned, planned_shares
from .markdown import escaped
from .outcome import Outcome


def facts(verification: Verification) -> Iterator[str]:
    """Who has more and who less, and whether there is a place; nothing for another command."""
    plan = verification.planned
    if plan is None:
        return
    yield f"{escaped(planned.overview(verification))}.  "
    if why := planned.stops(verification):
        yield from ["", f"**STOP** {escaped(why)} Free a place first, or use a second queue:", ""]
        yield from (f"- {escaped(' + '.join(p.shares))}: {escaped(p.why)}" for p in plan.places)
    if plan.overview and plan.overview.already:
        yield f"Broken before the change as well: {escaped(', '.join(plan.overview.already))}.  "
    lines = planned_shares.rows(plan)
    heads = ["share", "change", "unit", *NUMBERS.values(), "for its team"]
    cells = [[n.share, n.change, n.unit, *n.numbers.values(), n.team] for n in lines]
    cells += [[which, why, "", *[""] * len(NUMBERS), words] for which, why, words in planned_shares.others(plan)]
    yield from _table(heads, cells)


def told(verification: Verification, judged: Outcome) -> Iterator[str]:
    """Jobs that are touched, promises that need time, and the requests; nothing for another command."""
    plan = verification.planned
    if plan is None:
        return
    for giving in plan.givings:
        yield from ["", f"### {escaped(planned.wish(giving, plan))}", ""]
        yield from (f"- {escaped(line)}" for line in planned.why_none(giving))
        rows = [[str(n), "; ".join(planned.way(w)), w.command] for n, w in enumerate(giving.ways, 1)]
        yield from _table(["way", "from whom, cost, promises", "plan it"], rows)
    over = [f"{line}." for line in planned.over(plan)]
    for how, heading in planned.JOBS:
        rows = planned.jobs(plan, how)
        if rows or (how == "reclaim" and over):
            yield from ["", f"### {heading}", ""]
            yield from (f"{escaped(line)}  " for line in (over if how == "reclaim" else ()))
            yield from _table(planned.JOB_HEADS, rows)
    rest = [*planned.untouched(plan), *planned.waits(plan), *(plan.running.notes if plan.running else ())]
    yield from ["", *(f"- {escaped(line)}" for line in rest)] if rest else []
    before = planned.broken_before(plan)
    yield from ["", f"Promises broken before the change as well: {escaped(', '.join(before))}."] if before else []
    for promise in planned.timed(plan):
        yield from ["", f"**{escaped(promise.code)}** {escaped(promise.says)} {escaped(promise.needs_time)}."]
    if plan.steps:
        yield from ["", f"### {escaped(planned.ordered(verification, judged))}", ""]
        rows = [
            [number, command, "; ".join(part for part in (when, step.ends, step.wait) if part)]
            for step, (number, command, when) in zip(plan.steps, planned.steps(plan), strict=True)
        ]
        yield from _table(["step", "request", "when"], rows)
        yield from ["", *(f"- {escaped(line)}" for line in plan.ordered.why)] if plan.ordered else []


def ending(verification: Verification) -> Iterator[str]:
    """The jobs that end with their share, as far as it is known what runs."""
    plan = verification.planned
    rows = planned.jobs(plan, "ends") if plan else []
    yield from ["### Jobs that end with their share", "", *_table(planned.JOB_HEADS, rows), ""] if rows else []


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield from ["", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
        yield from (f"| {' | '.join(map(escaped, row))} |" for row in rows)
