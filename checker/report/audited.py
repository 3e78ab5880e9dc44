"""What an audit amounts to, in sentences and tables: the same for the screen and for Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..audit.rules import INPUT
from ..audit.words import Scale, duration, interval
from ..measured import Audited, Month, Observed, Period, Range, Recovery, ShareHours, ShareJobs, UnitHours, Waits
from ..promised import Promised
from ..results import Result, Verdict, Verification
from .amounts import HOURS, hours, length, percent, spread
from .layout import Column, shorten
from .outcome import Outcome, Word, codes
from .promised import broken as broken_promises

NAME = 24
UNIT = 32
FEW = 100
"""Jobs of a month below which no rate is told."""
_NET = "net"
HALF = 0.5
"""Part of a share's finished work on loans above which it is pointed out."""


@dataclass(frozen=True)
class Line:
    """What belongs together under a word: items that are told one after the other."""

    word: str
    items: tuple[str, ...]
    opening: str = ""

    @property
    def text(self) -> str:
        return self.opening + ", ".join(self.items)


@dataclass(frozen=True)
class Table:
    """Rows under headings; the last column may hold a remark."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...] = ()


def of(verification: Verification, *verdicts: Verdict) -> list[Result]:
    """Guarantees with these verdicts; what is said of the input is none."""
    return [r for r in verification.results if r.verdict in verdicts and r.code != INPUT]


def verdict(verification: Verification, judged: Outcome) -> str:
    """The verdict in one sentence."""
    rules, promises = codes(judged.broken), broken_promises(verification, judged.promises)
    if judged.word is Word.BROKEN:
        were = "rule was" if len(rules) == 1 else "rules were"
        said = [f"{len(rules)} {were} broken: {', '.join(rules)}"] if rules else []
        return "; ".join([*said, *([promises] if promises else [])]) + "."
    if judged.word not in (Word.OK, Word.WAIVED):
        return f"{_undecided(judged)} That is not a yes."
    accepted = [p for p in judged.waived if isinstance(p, Promised)]
    waived = f"; {broken_promises(verification, accepted)}, which is accepted for now" if accepted else ""
    return f"{came_up(verification)}{_not_shown(verification)}{waived}."


def came_up(verification: Verification) -> str:
    """How many rules were kept."""
    kept, unseen = codes(of(verification, Verdict.KEPT)), codes(of(verification, Verdict.NOT_SEEN))
    partly = sum(code in unseen for code in kept)
    seen = f", {partly} of them as far as can be seen" if partly else ""
    return (
        "1 rule came up and was" if len(kept) == 1 else f"{len(kept)} rules came up and were"
    ) + f" kept each time{seen}"


def _undecided(judged: Outcome) -> str:
    said: list[str] = []
    unread = sum(r.code == INPUT for r in judged.undecided)
    if unread:
        said.append(f"{unread} {'part' if unread == 1 else 'parts'} of the input cannot be used")
    rules = codes(r for r in judged.undecided if r.code != INPUT)
    if rules:
        said.append(f"could not decide {', '.join(rules)}")
    return f"{'; '.join(said)}." if said else "no rule came up."


def _not_shown(verification: Verification) -> str:
    never, apart = of(verification, Verdict.NEVER_CAME_UP), unjudged(verification)
    said = [f"{len(never)} never came up"] if never else []
    said += [f"{len(apart)} cannot be judged"] if apart else []
    return f"; {', '.join(said)}" if said else ""


def unjudged(verification: Verification) -> list[str]:
    """Rules of which nothing was judged: the history does not record what they need."""
    judged = codes(of(verification, Verdict.KEPT, Verdict.NEVER_CAME_UP))
    return [code for code in codes(of(verification, Verdict.NOT_SEEN)) if code not in judged]


def covered(o: Observed, units: Sequence[UnitHours], periods: Sequence[Period]) -> str:
    """What the history covers."""
    if not (o.observations or periods):
        return f"nothing was seen from {interval(o.start, o.end)}" if o.dated else "nothing was seen"
    whole = sum(p.hours for p in periods)
    there = [
        f"{sum(u.capacity for u in units if u.unit == unit) / whole:,.0f} {shorten(unit, UNIT)}"
        for unit in dict.fromkeys(u.unit for u in units)
        if whole
    ]
    time = f"{interval(o.start, o.end)} ({length(o.end - o.start)})"
    said = [many(o.jobs, "job"), many(o.shares, "share"), *there, many(o.observations, "observation")]
    return f"{time}: {', '.join(said)}"


def completeness(o: Observed) -> Iterator[str]:
    """How much of what happened is in the history, gaps first."""
    if not (o.observations or o.expected or o.gaps):
        return
    gaps = sum(g.end - g.start for g in o.gaps)
    told = f", {many(len(o.gaps), 'gap')} ({length(gaps)})" if o.gaps else ", no gap"
    if o.expected:
        part = 100 * o.seen / o.expected
        shown = f"{min(part, 99.9):.1f}" if o.seen < o.expected else "100"
        yield f"log: {shown} % complete, {o.seen:,} of {o.expected:,} moves of jobs{told}"
    else:
        yield f"log: how complete it is cannot be told{told}"


def many(n: int, what: str) -> str:
    """ "1 job", "2 jobs"."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def scale(audited: Audited) -> Scale:
    """The unit of machine time for all that counts."""
    periods = audited.periods
    return Scale.of(periods[-1].end - periods[0].start) if periods else HOURS


def footnotes(audited: Audited) -> Iterator[str]:
    """How to read the ledger."""
    if any(u.borrowed for u in audited.units):
        yield "borrowed: an upper bound of what lending added"
    if audited.observed is not None and any(u.lost.high for u in audited.units):
        yield f"lost: from 'every job saves every {audited.observed.saves_every} min' to 'none saves'"


def lending(audited: Audited, unit: str) -> Table:
    """Did lending pay? One unit, a pair of columns for each period."""
    periods, measure = audited.periods, scale(audited)
    columns = [Column("")]
    told: list[dict[str, tuple[str, str, str]]] = []
    for period in periods:
        name = "" if len(periods) == 1 else f"{period.period} "
        columns += [Column(f"{name}{measure.name}", right=True), Column("of capacity", right=True)]
        u = next((u for u in audited.units if u.unit == unit and u.period == period.period), None)
        told.append(
            {label: (n, part, remark and name + remark) for label, n, part, remark in _lending(u, period, measure)}
        )
    rows: list[tuple[str, ...]] = []
    for label in dict.fromkeys(label for column in told for label in column):
        cells = [column.get(label, ("-", "-", "")) for column in told]
        if label.startswith(_NET) or any(n not in ("0", "-") for n, _, _ in cells):
            remark = "; ".join(remark for _, _, remark in cells if remark)
            rows.append((label, *(text for n, part, _ in cells for text in (n, part)), remark))
    return Table(shorten(unit, UNIT), (*columns, Column("")), tuple(rows))


def _lending(u: UnitHours | None, period: Period, measure: Scale) -> Iterator[tuple[str, str, str, str]]:
    """Label, machine time, part of the capacity, remark."""
    if u is None:
        return

    def row(label: str, n: float, remark: str = "") -> tuple[str, str, str, str]:
        return label, hours(n, measure), percent(n, u.capacity), remark

    yield row("capacity", u.capacity)
    yield row("busy", u.busy)
    yield row("of it borrowed", u.borrowed)
    if u.beyond:
        yield row("of it from nobody", u.beyond)
    both = dict.fromkeys(percent(n, u.capacity) for n in (u.lost.low, u.lost.high))
    yield "lost to stopping", spread(u.lost, measure), " - ".join(both), ""
    if u.lost_on_loan != u.lost:
        part = dict.fromkeys(percent(n, u.capacity) for n in (u.lost_on_loan.low, u.lost_on_loan.high))
        yield "of it stops of borrowers", spread(u.lost_on_loan, measure), " - ".join(part), ""
    if u.borrowed and period.hours:
        net = Range(u.borrowed - u.lost_on_loan.high, u.borrowed - u.lost_on_loan.low)
        low, high = (f"{n / period.hours:.1f}" for n in (net.low, net.high))
        machines = low if low == high else f"{low} to {high}"
        tiny = {low, high} <= {"0.0", "-0.0"}
        yield (
            f"{_NET} (borrowed less {'that' if u.lost_on_loan != u.lost else 'lost'})",
            _signed(net, measure),
            "",
            "" if tiny else f"= {machines} machines all the time",
        )
    yield row("kept idle (RESERVE)", u.kept)
    yield row("kept idle while others waited", u.kept_waiting)


def _signed(r: Range, measure: Scale) -> str:
    low, high = (f"-{hours(-n, measure)}" if n < 0 else hours(n, measure) for n in (r.low, r.high))
    return low if low == high else f"{low} to {high}"


def _columns(measure: Scale) -> tuple[Column, ...]:
    return (
        Column("share"), Column(f"own {measure.short}", right=True), Column("borrowed", right=True),
        Column("lent", right=True), Column("own back: times, p50, p95, worst"), Column("stopped", right=True),
        Column(f"lost {measure.short}", right=True), Column("on loans", right=True), Column(""),
    )  # fmt: skip


def shares(audited: Audited, period: Period, most: int | None = None) -> Table:
    """Who paid, who gained? One row a share, the busiest first where only `most` are shown."""
    jobs = [j for j in audited.jobs if j.period == period.period and j.share]
    rows = [(j, [h for h in audited.hours if h.period == period.period and h.share == j.share]) for j in jobs]
    if most is not None and len(rows) > most:
        rows = sorted(rows, key=_weight)[:most]
    remarks = [
        f"! {shorten(j.share, NAME)} did {percent(j.finished_on_loan, j.finished)} of its finished work on machines of others. "
        f"If they all return it keeps {percent(j.finished - j.finished_on_loan, j.finished)}."
        for j, _ in rows
        if (j.on_loan or 0) > HALF
    ]
    name = "" if len(audited.periods) == 1 else period.period
    measure = scale(audited)
    return Table(name, _columns(measure), tuple(_share(j, of_it, measure) for j, of_it in rows), tuple(remarks))


def _weight(row: tuple[ShareJobs, list[ShareHours]]) -> tuple[float, ...]:
    return (-sum(h.borrowed + h.lent for h in row[1]), -row[0].stops, -sum(h.own for h in row[1]))


def _share(j: ShareJobs, of_it: Sequence[ShareHours], measure: Scale) -> tuple[str, ...]:
    own, borrowed, lent = (sum(getattr(h, name) for h in of_it) for name in ("own", "borrowed", "lent"))
    part = "-" if j.on_loan is None else percent(j.finished_on_loan, j.finished)
    mark = "!" if (j.on_loan or 0) > HALF else ""
    return (
        shorten(j.share, NAME), hours(own, measure), hours(borrowed, measure), hours(lent, measure), waited(j.own_back),
        f"{j.stops:,}", spread(j.lost, measure), part, mark,
    )  # fmt: skip


def waited(w: Waits) -> str:
    """Times, median, 95 % and worst."""
    if w.p50 is None or w.p95 is None or w.worst is None:
        return "-"
    return f"{w.times:,}: {duration(w.p50)}, {duration(w.p95)}, {duration(w.worst)}"


def waiting(j: ShareJobs) -> str:
    """The distribution of waiting times, and who waits still."""
    w = j.waits
    still = f"; {many(j.waiting, 'job')} still waiting at the end" if j.waiting else ""
    if w.p50 is None or w.p90 is None or w.p99 is None or w.worst is None:
        return f"no job started{still}"
    return (
        f"from submission to the first start {duration(w.p50)} (p50), {duration(w.p90)} (p90), {duration(w.p99)} (p99), "
        f"{duration(w.worst)} (worst of {w.times:,}){still}"
    )


def stopping(j: ShareJobs, measure: Scale) -> str:
    """What became of stopped jobs."""
    if not j.stops:
        return "no job was stopped"
    after = f"{j.succeeded_after_stop:,} of {j.ended_after_stop:,} jobs that ended after a stop succeeded"
    return f"{many(j.stops, 'stop')}, at most {j.most_stops} of one job; {after}; lost {spread(j.lost, measure)} {measure.name}"


def stable(months: Sequence[Month]) -> Iterator[str]:
    """Limits and priorities, month by month."""
    if not months:
        return
    names = ", ".join(m.month for m in months)
    totals = [sum(m.limit_changes.values()) for m in months]
    by_share: dict[str, int] = {}
    for m in months:
        for share, n in m.limit_changes.items():
            by_share[share] = by_share.get(share, 0) + n
    most = max(by_share, key=lambda s: by_share[s], default="")
    whose = (
        f", most for {shorten(most, NAME)}" if len(by_share) > 1 else f", all for {shorten(most, NAME)}" if most else ""
    )
    changes = f"limit changes {' -> '.join(map(str, totals))}" if most else "no limit changed"
    yield f"{changes} ({names}){whose}"
    median = ["-" if m.median_priority is None else str(m.median_priority) for m in months]
    unknown = sum(m.raises_unknown for m in months)
    tail = f"; of {many(unknown, 'change')} the old priority is not known" if unknown else ""
    yield f"{_raises(months)}, median priority {' -> '.join(median)}{tail}"


def _raises(months: Sequence[Month]) -> str:
    """Rates; counts where a month has too few jobs for one."""
    if any(m.submitted < FEW for m in months):
        raised = " -> ".join(f"{m.raises:,}" for m in months)
        return f"priority raises {raised} (of {' -> '.join(f'{m.submitted:,}' for m in months)} jobs)"
    return f"priority raises per 100 jobs {' -> '.join(f'{m.raises_per_100:.0f}' for m in months)}"


def ready(r: Recovery) -> str:
    """Are jobs that run on loans ready to be stopped?"""
    if not r.borrowing:
        return "no job ran on loans"
    such = f" ({', '.join(shorten(name, NAME) for name in r.examples)})" if r.examples else ""
    bare = f"{r.without_checkpoint:,} have no checkpoint setting{such}" + _unknown(r.checkpoint_unknown)
    endless = f"{r.without_retry_limit:,} have no limit on preemptions" + _unknown(r.retry_limit_unknown)
    return f"of {many(r.borrowing, 'job')} that ran on loans {bare}; {endless}"


def _unknown(n: int) -> str:
    return f", of {n:,} it is not known" if n else ""
