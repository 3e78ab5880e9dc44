"""The text screen of `audit`: how complete the history is, which rules were kept, whether lending paid and for whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..audit.rules import INPUT
from ..audit.words import Scale, instant
from ..measured import Audited, FaultSeen, ShareHours
from ..results import Result, Verdict, Verification
from .amounts import hours
from .audited import (
    NAME,
    Table,
    completeness,
    covered,
    footnotes,
    lending,
    of,
    ready,
    scale,
    shares,
    stable,
    stopping,
    verdict,
    waiting,
)
from .audited_rules import called, rules
from .headline import counts, read_line, seconds
from .layout import INDENT, WIDTH, Grid, entry, items, paragraph, shorten, stopped
from .options import Options
from .outcome import Outcome
from .partition import count
from .promised_text import block
from .words import promise

FAULTS = 3
"""Faults shown with the lines around them, unless everything is asked for."""
SHARES = 10
MONTHS = 6
RAW = 300
"""Characters shown of a raw line."""


def screen(verification: Verification, judged: Outcome, options: Options) -> Iterator[str]:
    """The lines of the screen. `verification` is plain already."""
    audited, whole = verification.audited or Audited(), options.verbose
    yield from read_line(verification, whole=whole)
    yield from entry(judged.word, f"{shorten(verification.began.subject, NAME)}: {verdict(verification, judged)}")
    yield from _covered(verification, audited, whole=whole)
    yield from ["", "Did the queue keep the rules?"]
    yield from _rules(verification, whole=whole)
    yield from _faults(audited.faults, whole=whole)
    yield from block(verification, options, "Were the promises kept?")
    yield from _ledger(audited, whole=whole)
    yield from _stability(audited, whole=whole)
    yield from _readings(audited, whole=whole)
    yield ""
    if whole:
        yield from _everything(verification, options)
    if judged.because:
        yield from paragraph(judged.because)
    right = f"{counts(verification, judged, options)}     {seconds(verification)}   exit {judged.exit_code}"
    yield f"{right:>{WIDTH - 2}}"


def _readings(audited: Audited, *, whole: bool) -> Iterator[str]:
    """What the history says of the open questions; `whole`: and for which not all of it was used."""
    unsettled = audited.unsettled if whole else ()
    if audited.ruled_out or unsettled:
        yield from ["", "What AWS leaves open, and this history settles"]
    for r in audited.ruled_out:
        yield from entry(r.reading, f"not {r.choice}: {r.sentence}", r.place)
    for u in unsettled:
        yield from entry(u.reading, f"undecided: {u.why}")
    if audited.ruled_out and audited.unsettled and not whole:
        yield from paragraph(f"undecided: {', '.join(u.reading for u in audited.unsettled)} (--verbose says why)")


def _covered(verification: Verification, audited: Audited, *, whole: bool) -> Iterator[str]:
    """How much of what happened is there, before anything is said of it."""
    if audited.observed is not None:
        yield from paragraph(covered(audited.observed, audited.units, audited.periods))
        for line in completeness(audited.observed):
            yield from paragraph(line)
        for gap in audited.observed.gaps:
            yield from paragraph(f"gap {instant(gap.start)} to {instant(gap.end)}: {gap.why}")
    for line in (*verification.began.notes, *(verification.began.remarks if whole else ())):
        yield from paragraph(line)
    for line in audited.observed.notes if audited.observed else ():
        yield from paragraph(line)
    unread = [r for r in verification.results if r.code == INPUT]
    if unread:
        yield from ["", "Cannot be used"]
        for r in unread:
            yield from entry("INPUT", stopped(r.because), shorten(r.place, 2 * NAME))


def _rules(verification: Verification, *, whole: bool) -> Iterator[str]:
    for r in of(verification, Verdict.BROKEN_HERE):
        times = "once" if r.count == 1 else f"{r.count:,} times"
        yield from entry("BROKEN", f"{called(r.code)} {times}: {promise(r.code)}")
    for r in of(verification, Verdict.UNKNOWN):
        yield from entry("UNKNOWN", f"{called(r.code)} {stopped(r.because)}")
    for line in rules(verification, whole=whole):
        one = len(line.items) == 1
        yield from entry(line.word, line.text) if one else items(line.word, line.items, line.opening)


def _faults(faults: Sequence[FaultSeen], *, whole: bool) -> Iterator[str]:
    shown = faults if whole else faults[:FAULTS]
    for fault in shown:
        yield ""
        yield from entry(fault.code, f"{instant(fault.at)} {fault.sentence}", shorten(fault.place, 2 * NAME))
        for line in fault.window:
            mark = ">" if line.number == fault.number else " "
            yield shorten(f"{'':{INDENT - 2}}{mark} {instant(line.at)}  {line.what}", WIDTH)
        if fault.raw and whole:
            yield from paragraph(shorten(fault.raw, RAW))
    if len(faults) > len(shown):
        yield from paragraph(f"{len(faults) - len(shown):,} more: --verbose")


def _ledger(audited: Audited, *, whole: bool) -> Iterator[str]:
    units = list(dict.fromkeys(u.unit for u in audited.units))
    if units:
        yield from ["", "Did lending pay?"]
    for unit in units:
        table = lending(audited, unit)
        if table.rows:
            yield from _table(table)
    for note in footnotes(audited):
        yield from paragraph(note)
    measure = scale(audited)
    for period in audited.periods:
        table = shares(audited, period, None if whole else SHARES)
        if table.rows:
            yield from ["", "Who paid, who gained?"] if period is audited.periods[0] else [""]
            yield from _table(table)
        hidden = sum(j.period == period.period and bool(j.share) for j in audited.jobs) - len(table.rows)
        if hidden:
            yield from paragraph(f"{hidden} more shares: --verbose", 0)
        every = next((j for j in audited.jobs if j.period == period.period and not j.share), None)
        if every is not None:
            yield from entry("waits", waiting(every))
            yield from entry("stops", stopping(every, measure))
        if len(units) > 1:
            yield from paragraph("hours of different instance types are added up here; --verbose has each by itself")


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield f"{'':{INDENT}}{table.title}"
    grid = Grid.fit(table.columns, table.rows)
    yield from grid.heading()
    for row in table.rows:
        yield from grid.row(row)
    for remark in table.remarks:
        yield from paragraph(remark)


def _stability(audited: Audited, *, whole: bool) -> Iterator[str]:
    lines = list(stable(audited.months if whole else audited.months[-MONTHS:]))
    if lines:
        yield from ["", "Is the policy stable?"]
    for line in lines:
        yield from paragraph(line)
    if audited.recovery is not None:
        yield from ["", "Are jobs ready to be stopped?", *paragraph(ready(audited.recovery))]


def _everything(verification: Verification, options: Options) -> Iterator[str]:
    """Every result, the waits of each share, the hours of each unit, and how many results are in each class."""
    audited = verification.audited or Audited()
    measure = scale(audited)
    yield "Rules"
    for r in verification.results:
        yield from entry(r.code, f"{r.verdict}{_subject(r)}. {stopped(r.because)}")
        for line in r.more:
            yield from paragraph(line)
    yield from ["", "Jobs"]
    for j in audited.jobs:
        if j.share:
            yield from paragraph(
                f"{j.period} {j.share}: {j.submitted:,} submitted; {waiting(j)}; {stopping(j, measure)}", 0
            )
    yield from ["", measure.name.capitalize()]
    for h in audited.hours:
        yield from paragraph(f"{h.period} {h.share}, {h.unit}: {_hours(h, measure)}", 0)
    number = count(verification.judged, options)
    yield from ["", *entry("Counts", ", ".join(f"{n} {found}" for found, n in number.items())), ""]


def _subject(r: Result) -> str:
    return f" ({r.subject})" if r.subject else ""


def _hours(h: ShareHours, measure: Scale) -> str:
    own, borrowed, lent, kept, waiting = (
        hours(n, measure) for n in (h.own, h.borrowed, h.lent, h.kept, h.kept_waiting)
    )
    return f"own {own}, borrowed {borrowed}, lent {lent}, kept idle {kept}, of it {waiting} while others waited"
