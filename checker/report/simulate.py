"""What `simulate` found out as a page: columns are policies or queues, rows what they gave; the same for every form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..audit.words import duration
from ..simulated import Column as Policy
from ..simulated import Dearer, LeftOut, ShareRun, Simulation, Spread, UnitTime, Worth
from ..why.page import Block, Foot, Head, Page, Part, Table
from .amounts import hours, length, percent
from .audited import many
from .layout import Column

_Cell = Callable[[ShareRun], str]
NAMED = 8
"""Lines of jobs left out that are told on the screen."""


def page(simulation: Simulation, *, brief: bool = False) -> Page:
    """The whole page; `brief`: without what is told of each share."""
    return tuple(_blocks(simulation, brief=brief))


def _blocks(s: Simulation, *, brief: bool) -> Iterator[Block]:
    yield _head(s)
    for warning in s.simulating.warnings:
        yield Part("WARNING", (warning,))
    if not brief:
        for column in s.columns:
            yield Part(column.column, tuple(_described(column)))
        yield from _left(s)
    yield _all(s)
    if not brief:
        yield from _shares(s)
    yield from map(_worth, s.worth)
    yield from _dear(s)
    yield Foot("What these policies make of this workload; another may say otherwise.", 0)


def _head(s: Simulation) -> Head:
    o = s.simulating
    compared = (
        f"{many(o.compared, 'job')} of {many(len(o.shares), 'share')} in {length(round((o.end - o.start) * 1000))}"
    )
    left = o.jobs - o.compared
    part = f"{percent(o.hours - o.hours_compared, o.hours)} of {hours(o.hours)} machine-hours"
    missing = (f"{many(left, 'job')} of {o.jobs:,} left out, {part}: not every column can run them",) if left else ()
    settings = "; ".join(_setting(name, value) for name, value in o.settings.items())
    return Head(o.workload, compared, more=(*missing, *([settings] if settings else []), *o.notes))


def _setting(name: str, value: str) -> str:
    """A setting in words: of jobs that never save, that they do not."""
    if name != "saves every":
        return f"{name} {value}"
    never, _, unless = value.partition("never")
    return f"work between checkpoints: {value}" if never else f"no job saves its work{unless}"


def _described(column: Policy) -> Iterator[str]:
    machines = ", ".join(f"{n:,} {unit}" for unit, n in column.capacity.items())
    yield f"{column.sentence} {column.queue}: {machines}."
    yield from (f"{note.rstrip('.')}." for note in column.notes)


def _left(s: Simulation) -> Iterator[Part]:
    """Jobs that are compared nowhere: a line for each reason, with the columns that give it."""
    groups: dict[tuple[str, str], list[LeftOut]] = {}
    for left in s.left_out:
        groups.setdefault((left.share, left.why), []).append(left)
    lines = [
        f"{many(found[0].jobs, 'job')} of {share} ({', '.join(found[0].examples)}"
        f"{', ...' if found[0].jobs > len(found[0].examples) else ''}): "
        f"{', '.join(left.column for left in found)}: {why.rstrip('.')}."
        for (share, why), found in groups.items()
    ]
    if lines:
        more = len(lines) - NAMED
        yield Part("Left out", (*lines[:NAMED], *([f"{more} more lines: --report json."] if more > 0 else [])))


def _headings(s: Simulation, first: str) -> tuple[Column, ...]:
    return Column(first), *(Column(c.column, right=True) for c in s.columns)


def _all(s: Simulation) -> Table:
    """All shares together; rows that say nothing in any column are left out."""
    runs = [s.run(c.column) for c in s.columns]
    rows = [(label, *map(cell, runs)) for label, cell in _ROWS]
    for unit in dict.fromkeys(u.unit for u in s.units):
        of = [next((u for u in s.units if (u.column, u.unit) == (c.column, unit)), None) for c in s.columns]
        name = f" {unit}" if len({u.unit for u in s.units}) > 1 else ""
        rows += [(f"{label}{name}", *(cell(u) if u else "-" for u in of)) for label, cell in _UNIT_ROWS]
    told = [row for row in rows if any(cell not in ("-", "0", "0 %") for cell in row[1:])]
    hidden = len(rows) - len(told)
    notes = [f"{many(hidden, 'row')} with nothing in any column left out"] if hidden else []
    notes += _unended(runs)
    return Table(
        "All shares together; work and machine time in machine-hours", _headings(s, ""), tuple(told), tuple(notes)
    )


def _unended(runs: Sequence[ShareRun]) -> Iterator[str]:
    """What the times of columns do not say, for columns of which the same is true together."""
    groups: dict[tuple[int, int, int], list[str]] = {}
    for run in runs:
        groups.setdefault((run.unended, run.jobs, run.jobs - run.waits.times), []).append(run.column)
    for (unended, jobs, never), columns in groups.items():
        if unended:
            waits = f" ({never:,} never started: waits are of the others)" if never else ""
            ended = f"{unended:,} of {many(jobs, 'job')} not ended{waits}"
            yield f"{', '.join(columns)}: {ended}; completion is of those that succeeded"


def _time(of: Callable[[Spread], float | None], which: str) -> _Cell:
    def cell(run: ShareRun) -> str:
        value = of(getattr(run, which))
        return "-" if value is None else duration(value)

    return cell


def _count(name: str) -> _Cell:
    def cell(run: ShareRun) -> str:
        value = getattr(run, name)
        return "-" if value is None else f"{value:,}"

    return cell


def _work(name: str) -> _Cell:
    return lambda run: hours(getattr(run.work, name))


_ROWS: tuple[tuple[str, _Cell], ...] = (
    ("wait, mean", _time(lambda d: d.mean, "waits")),
    ("  p50", _time(lambda d: d.p50, "waits")),
    ("  p95", _time(lambda d: d.p95, "waits")),
    ("  p99", _time(lambda d: d.p99, "waits")),
    ("  longest", _time(lambda d: d.worst, "waits")),
    ("completion, mean", _time(lambda d: d.mean, "completion")),
    ("  p50", _time(lambda d: d.p50, "completion")),
    ("  p95", _time(lambda d: d.p95, "completion")),
    ("  p99", _time(lambda d: d.p99, "completion")),
    ("owner's wait, times", lambda run: f"{run.owner.times:,}"),
    ("  mean", _time(lambda d: d.mean, "owner")),
    ("  p95", _time(lambda d: d.p95, "owner")),
    ("wait after a stop, mean", _time(lambda d: d.mean, "again")),
    ("  p95", _time(lambda d: d.p95, "again")),
    ("jobs completed", _count("completed")),
    ("  on loan", _count("on_loan")),
    ("stops", _count("stops")),
    ("jobs stopped", _count("stopped")),
    ("  twice or more", _count("repeatedly")),
    ("  most, of one job", _count("most_stops")),
    ("machines beyond need", _count("beyond_need")),
    ("retries run out", _count("retries_out")),
    ("failed otherwise", _count("failed")),
    ("not ended", _count("unended")),
    ("deadlines missed", _count("missed")),
    ("useful work", _work("useful")),
    ("lost work", _work("lost")),
    ("saving", _work("saving")),
    ("restarting", _work("restarting")),
    ("starting", _work("starting")),
    ("draining", _work("draining")),
    ("used beyond own limit", lambda run: hours(run.borrowed)),
)


def _kept(value: float | None, u: UnitTime) -> str:
    return "-" if value is None else percent(value, u.capacity)


_UNIT_ROWS: tuple[tuple[str, Callable[[UnitTime], str]], ...] = (
    ("utilisation", lambda u: percent(u.busy, u.capacity)),
    ("kept idle", lambda u: _kept(u.kept, u)),
    ("  while others waited", lambda u: _kept(u.kept_waiting, u)),
)


def _shares(s: Simulation) -> Iterator[Table]:
    """What each share had, a table for each number."""
    for title, cell in _BY_SHARE:
        rows: list[tuple[str, ...]] = []
        for share in s.simulating.shares:
            cells = [cell(run) for c in s.columns if (run := _run(s, c.column, share))]
            rows.append((share, *cells))
        if any(c not in ("-", "0") for row in rows for c in row[1:]):
            yield Table(title, _headings(s, "share"), tuple(rows))


def _run(s: Simulation, column: str, share: str) -> ShareRun:
    """A share that the queue of a column lacks has had nothing there."""
    try:
        return s.run(column, share)
    except KeyError:
        none = Spread(0)
        return ShareRun(column, share, 0, 0, 0, 0, 0, 0, none, none, none, none, 0, 0, 0, 0, 0, None, 0.0, 0.0)


def _mean_and_p95(which: str) -> _Cell:
    mean, p95 = _time(lambda d: d.mean, which), _time(lambda d: d.p95, which)
    return lambda run: "-" if mean(run) == "-" else f"{mean(run)} / {p95(run)}"


_BY_SHARE: tuple[tuple[str, _Cell], ...] = (
    ("Wait: mean / p95", _mean_and_p95("waits")),
    ("Completion: mean / p95", _mean_and_p95("completion")),
    ("Owner's wait: mean / p95", _mean_and_p95("owner")),
    ("Stops", _count("stops")),
    ("Lost work, machine-hours", _work("lost")),
    ("Used beyond own limit, machine-hours", lambda run: hours(run.borrowed)),
)


def _worth(w: Worth) -> Part:
    if w.machines is None:
        said = (
            f"{w.against} does not reach the mean wait of {w.column} ({duration(w.wait)}) with {w.tried:,} machines more "
            f"({many(w.runs, 'run')})."
        )
    elif w.machines == 0:
        reached = duration(w.reached or 0.0)
        said = f"{w.against} waits no longer than {w.column} on average: {reached}, against {duration(w.wait)}."
    else:
        before = "" if w.before is None else f"; with one less it waits {duration(w.before)}"
        whole, several = sum(w.capacity.values()), len(w.capacity) > 1
        units = (
            f": {', '.join(f'{n:,} {unit}' for unit, n in w.capacity.items())}, each in proportion" if several else ""
        )
        said = (
            f"To {w.column} lending is worth {many(w.machines, 'machine')} ({percent(w.machines, whole)} of "
            f"{whole:,}{units}): with so many more {w.against} waits {duration(w.reached or 0.0)} on average, {w.column} "
            f"{duration(w.wait)}{before} ({many(w.runs, 'run')})."
        )
    return Part("Worth", (said,))


def _dear(s: Simulation) -> Iterator[Part]:
    """Shares for which it did not pay, those that lost the most first."""
    if not {"lend-borrow", "static"} <= {c.policy for c in s.columns}:
        return
    if not s.dearer:
        yield Part("Shares", (f"None for which borrowing or lending cost more than it gave: {_DEARER}",))
        return
    lines = [_dearer(d) for d in sorted(s.dearer, key=lambda d: d.gained - d.spent)]
    yield Part(
        "Shares", (f"{many(len(lines), 'share')} for which borrowing or lending cost more than it gave: {_DEARER}",)
    )
    yield from lines


_DEARER = (
    "its jobs end later on average than without, or stops cost it more machine-hours (work lost, saves, restarts, drains) than "
    "its jobs' earlier ends gain (of each job, its machines times the time by which it ends earlier)."
)


def _dearer(d: Dearer) -> Part:
    ends = f"end {duration(d.later)} later" if d.later is not None else "do not end later"
    gained = f"{'lost' if d.gained < 0 else 'gained'} {hours(abs(d.gained))}"
    spent = f"stops cost {hours(max(d.spent, 0.0))} machine-hours more"
    lends = "" if d.borrowed else " It never borrows there: it is lending that costs it this."
    return Part(
        d.share, (f"{d.column} against {d.against}: its jobs {ends} on average; {spent}, ends {gained}.{lends}",)
    )
