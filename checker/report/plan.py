"""The text screen of `plan`: who has more and who less, which jobs are touched, which promises, and the requests in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..planned import NUMBERS, Plan
from ..results import Finding, Severity, Verification
from ..shell import to_replay
from . import planned, planned_shares, promised_text
from .headline import read_line, seconds
from .layout import INDENT, WIDTH, Column, Grid, entry, paragraph, plain, shorten
from .options import Options
from .outcome import Outcome, Word
from .partition import Class, classify, count
from .proved import MODEL, NOT_COVERED
from .table import distinct
from .words import MARK, details, title

MOST = 6
"""Rows of a kind that are shown unless everything is asked for."""
NAME, CHANGE = 16, 44
_ALWAYS = ("sure", "most")


def screen(verification: Verification, judged: Outcome, options: Options) -> Iterator[str]:
    """The lines of the screen. `verification` is plain already."""
    plan, whole = verification.planned or Plan(), options.verbose
    yield from read_line(verification, whole=whole)
    yield from _stop(verification, plan)
    queue = shorten(verification.began.subject, 40)
    right = planned.affected(plan)
    yield from _first(f"{queue}   {planned.overview(verification)}", right)
    if judged.word is not Word.OK:
        yield from entry(judged.word, planned.verdict(verification, judged))
    for note in verification.began.notes:
        yield from paragraph(f"{note.rstrip('.')}.")
    if plan.overview and plan.overview.already:
        yield from paragraph(f"Broken before the change as well: {_some(plan.overview.already, whole)}.")
    if plan.steps or whole or not plan.givings:
        yield from _table(plan, whole)
    yield from _gives(plan)
    yield from _weaker(plan, options)
    yield from _wrong(verification, options)
    yield from _jobs(plan, whole)
    yield from _promises(verification, plan, options)
    yield from _order(verification, plan, judged)
    if whole:
        yield ""
        yield from entry("Not", f"covered: {NOT_COVERED}")
        yield from paragraph(f"model: {MODEL}")
        number = count(verification.judged, options)
        yield from entry("Counts", ", ".join(f"{n} {found}" for found, n in number.items()))
    if judged.because:
        yield from ["", *paragraph(judged.because)]
    written = f"written to {plain(options.out).rstrip('/')}/" if plan.folder else ""
    end = f"{written}      {seconds(verification)}   exit {judged.exit_code}".strip()
    yield f"{end:>{WIDTH - 2}}"


def _first(left: str, right: str) -> Iterator[str]:
    if not right or len(left) + len(right) + 2 > WIDTH:
        yield from _wrapped(left)
        yield from paragraph(right) if right else ()
    else:
        yield f"{left}{right:>{WIDTH - len(left)}}"


def _wrapped(text: str, indent: int = INDENT) -> list[str]:
    lines = paragraph(text, 0) or [""]
    return [lines[0], *paragraph(" ".join(lines[1:]), indent)]


def _some(names: Sequence[str], whole: bool) -> str:
    shown = names if whole else names[:3]
    return ", ".join(shown) + (f" and {len(names) - len(shown)} more" if len(shown) < len(names) else "")


def _stop(verification: Verification, plan: Plan) -> Iterator[str]:
    why = planned.stops(verification)
    if not why:
        return
    yield from entry("STOP", why)
    yield from paragraph("Free a place first:")
    width = max((len(" + ".join(p.shares)) for p in plan.places), default=0)
    for place in plan.places:
        yield from paragraph(f"{' + '.join(place.shares):<{min(width, 40)}}    {place.why}", INDENT + 2)
    if plan.running is None:
        yield from paragraph("--running DIR says which shares have no job", INDENT + 2)
    yield from paragraph("or a second queue: it needs an environment of its own, and nothing is lent between queues.")
    yield from [*paragraph("The rest of this plan is worked out as if the place were free."), ""]


def _table(plan: Plan, whole: bool) -> Iterator[str]:
    lines = planned_shares.rows(plan, everything=whole)
    rest = [] if whole else list(planned_shares.others(plan))
    if not lines and not rest:
        return
    shown = [n for n in NUMBERS if whole or n in _ALWAYS or any(" -> " in line.numbers[n] for line in lines)]
    several = len(planned_shares.units(plan)) > 1
    short = distinct({line.share for line in lines if line.share}, NAME)
    columns = [Column("share"), Column("change"), *([Column("unit")] if several else [])]
    columns += [*(Column(NUMBERS[n], right=True) for n in shown), Column("its team")]
    cells = [
        [
            short.get(line.share, ""),
            shorten(line.change, CHANGE),
            *([line.unit] if several else []),
            *(line.numbers[n] for n in shown),
            line.team,
        ]
        for line in lines
    ]
    grid = Grid.fit(columns, cells)
    yield ""
    if lines:
        yield from grid.heading()
        for row in cells:
            yield from grid.row(row)
    for which, why, words in rest:
        yield from _first(
            f"{which:<{grid.widths[0] + grid.gap}}{why if len(which) < grid.widths[0] else f'  {why}'}", words
        )


def _weaker(plan: Plan, options: Options) -> Iterator[str]:
    """What can no longer be had, and the scenario that shows it."""
    every = list(planned_shares.weaker(plan))
    if every:
        yield ""
    shown = every if options.verbose else every[:MOST]
    for number, (sentence, witness) in enumerate(shown):
        yield from entry("" if number else "Less", sentence)
        if witness:
            yield from paragraph(f"See it: {to_replay(options.out, witness)}")
    if len(shown) < len(every):
        yield from paragraph(f"{len(every) - len(shown)} more: --verbose")


def _gives(plan: Plan) -> Iterator[str]:
    """Where the capacity can come from that --give asks for."""
    for giving in plan.givings:
        yield ""
        yield from entry("Give", planned.wish(giving, plan))
        for line in planned.why_none(giving):
            yield from paragraph(line)
        for number, given in enumerate(giving.ways, 1):
            first, *rest = planned.way(given)
            yield from _wrapped(f"{number:>3}  {first}", 5)
            for line in (*rest, given.command):
                yield from paragraph(line, 5)


def _wrong(verification: Verification, options: Options) -> Iterator[str]:
    """What is wrong with the new configuration and was not with the old one."""
    told = [e for e in (*verification.findings, *verification.results) if e.code not in planned.TOLD_APART]
    failed = [e for e in told if classify(e, options) is Class.FAILED]
    noted = [
        f
        for f in verification.findings
        if classify(f, options) is Class.NOTED
        and f.code != "QP310"
        and (options.verbose or f.severity is not Severity.NOTE)
    ]
    if failed or noted:
        yield ""
    for event in [*failed, *noted]:
        mark = MARK[event.severity] if isinstance(event, Finding) else "BROKEN"
        if isinstance(event, Finding) and event.code == "QP310":
            mark = "LESS"
        yield from entry(mark, title(event), event.code)
        for line in () if mark == "LESS" else details(event, verification.began.assumed, options.out):
            yield from paragraph(line)


def _jobs(plan: Plan, whole: bool) -> Iterator[str]:
    headings = {
        "reclaim": "Jobs that can now be stopped",
        "in-share": "Jobs that a higher priority of their own share can now stop",
        "ends": "Jobs that end with their share",
    }
    over = list(planned.over(plan))
    for how, heading in headings.items():
        rows = planned.jobs(plan, how)
        if not rows and not (how == "reclaim" and over):
            continue
        yield ""
        said = f" ({'; '.join(over)})" if how == "reclaim" and over else ""
        yield from _wrapped(f"{heading}{said}")
        yield from _rows(rows, whole)
        if how == "reclaim":
            yield from paragraph("AWS does not say which of them (A26), nor whether at once or only on need (A42).", 2)
    rest = [*planned.untouched(plan), *planned.waits(plan), *(f"{n[0].upper()}{n[1:]}." for n in _notes(plan))]
    if rest:
        yield ""
    for line in rest:
        yield from paragraph(line, 2)


def _notes(plan: Plan) -> Sequence[str]:
    return plan.running.notes if plan.running else ()


def _rows(rows: Sequence[Sequence[str]], whole: bool) -> Iterator[str]:
    shown = rows if whole else rows[: 3 * MOST]
    if not shown:
        return
    widths = (24, NAME, 28)
    short = [distinct({r[k] for r in shown}, width) for k, width in enumerate(widths)]
    cells = [[*(names[cell] for names, cell in zip(short, r, strict=False)), *r[len(widths) :]] for r in shown]
    grid = Grid.fit([Column(head) for head in planned.JOB_HEADS], cells)
    yield from grid.heading()
    for row in cells:
        yield from grid.row(row)
    if len(shown) < len(rows):
        yield from paragraph(f"{len(rows) - len(shown)} more: --verbose", 2)


def _promises(verification: Verification, plan: Plan, options: Options) -> Iterator[str]:
    yield from promised_text.block(verification, options, named=True)
    before = planned.broken_before(plan)
    lines = [f"Broken before the change as well: {', '.join(before)}."] if before else []
    better = planned.mended(plan)
    verified = plan.ordered and plan.ordered.found and not plan.ordered.unverified
    if verification.promised and len(plan.steps) > 1 and verified:
        lines.append("What is kept before and after the change is kept after each of its steps.")
    lines += [f"Kept now: {', '.join(better)}."] if better else []
    if lines and not verification.promised:
        yield from ["", "Promises"]
    for line in lines:
        yield from paragraph(line)
    for promise in planned.timed(plan):
        yield from entry(f"  {promise.code}", f'"{promise.says}"')
        yield from paragraph(f"-> {promise.needs_time}.")


def _order(verification: Verification, plan: Plan, judged: Outcome) -> Iterator[str]:
    if not plan.steps:
        return
    yield from ["", planned.ordered(verification, judged)]
    for step, (number, command, when) in zip(plan.steps, planned.steps(plan), strict=True):
        if step.ends:
            yield from paragraph(f"{step.ends[0].upper()}{step.ends[1:]}.", 2)
        left = f"{number:>3}  {command}"
        yield from _first(left, when) if when else _wrapped(left)
        if step.wait:
            yield from paragraph(step.wait, 5)
    found = plan.ordered
    if found is not None:
        for share in found.split:
            yield from paragraph(f"{share} is updated in several requests: no order with one of them is safe.", 2)
        for line in found.why:
            yield from paragraph(line, 2)
