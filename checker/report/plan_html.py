"""The part of an HTML report that only `plan` has: shares, jobs, and the requests in order."""

from __future__ import annotations

from collections.abc import Iterator

from ..planned import NUMBERS
from ..results import Verification
from . import planned, planned_shares
from .hypertext import Tag, listed, paragraphs, section, table, tag
from .outcome import Outcome

_HEADS = ("share", "change", "unit", *NUMBERS.values(), "for its team")


def facts(verification: Verification) -> Iterator[Tag]:
    """Who has more and who less, and whether there is a place; nothing for another command."""
    plan = verification.planned
    if plan is None:
        return
    yield from paragraphs([f"{planned.overview(verification)}."])
    if why := planned.stops(verification):
        ways = listed([tag("strong", " + ".join(p.shares)), f" {p.why}"] for p in plan.places)
        yield from section("STOP", [*paragraphs([f"{why} Free a place first, or use a second queue."]), *ways])
    if plan.overview and plan.overview.already:
        yield from paragraphs([f"Broken before the change as well: {', '.join(plan.overview.already)}."])
    cells = [[n.share, n.change, n.unit, *n.numbers.values(), n.team] for n in planned_shares.rows(plan)]
    cells += [[which, why, "", *[""] * len(NUMBERS), words] for which, why, words in planned_shares.others(plan)]
    yield from section("Shares", table(_HEADS, cells, (3, 4, 5, 6)))


def told(verification: Verification, judged: Outcome) -> Iterator[Tag]:
    """Jobs that are touched, promises that need time, and the requests; nothing for another command."""
    plan = verification.planned
    if plan is None:
        return
    for giving in plan.givings:
        ways = [[str(n), "; ".join(planned.way(w)), w.command] for n, w in enumerate(giving.ways, 1)]
        why = listed([line] for line in planned.why_none(giving))
        yield from section(
            planned.wish(giving, plan), [*why, *table(("way", "from whom, cost, promises", "plan it"), ways)]
        )
    over = [f"{line}." for line in planned.over(plan)]
    for how, heading in planned.JOBS:
        rows = table(planned.JOB_HEADS, planned.jobs(plan, how))
        yield from section(heading, [*paragraphs(over if how == "reclaim" else ()), *rows])
    rest = [*planned.untouched(plan), *planned.waits(plan), *(plan.running.notes if plan.running else ())]
    yield from section("Other jobs", listed([line] for line in rest))
    before = planned.broken_before(plan)
    timed = [[tag("strong", p.code), f" {p.says} {p.needs_time}."] for p in planned.timed(plan)]
    told = [*paragraphs([f"Broken before the change as well: {', '.join(before)}."] if before else []), *listed(timed)]
    yield from section("Promises and time", told)
    if plan.steps:
        rows = [
            [number, command, "; ".join(part for part in (when, step.ends, step.wait) if part)]
            for step, (number, command, when) in zip(plan.steps, planned.steps(plan), strict=True)
        ]
        why = listed([line] for line in (plan.ordered.why if plan.ordered else ()))
        yield from section(planned.ordered(verification, judged), [*table(("step", "request", "when"), rows), *why])
