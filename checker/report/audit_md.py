"""The part of a Markdown report that only `audit` has: what was measured, as tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..audit.words import instant
from ..measured import Audited, FaultSeen
from ..results import Verification
from .audited import Table, completeness, covered, footnotes, lending, ready, scale, shares, stable, stopping, waiting
from .audited_rules import rules
from .markdown import escaped


def facts(verification: Verification) -> Iterator[str]:
    """What the history covers; nothing for another command. `verification` is plain already."""
    audited = verification.audited
    if audited is None or audited.observed is None:
        return
    yield ""
    for line in (covered(audited.observed, audited.units, audited.periods), *completeness(audited.observed)):
        yield f"{escaped(line)}  "
    for gap in audited.observed.gaps:
        yield f"{escaped(f'gap {instant(gap.start)} to {instant(gap.end)}: {gap.why}')}  "
    for line in audited.observed.notes:
        yield f"{escaped(line)}  "


def told(verification: Verification) -> Iterator[str]:
    """Faults, ledger, stability, recovery; nothing for another command."""
    audited = verification.audited
    if audited is None or audited.observed is None:
        return
    yield from _rules(verification)
    yield from _faults(audited.faults)
    if audited.periods:
        yield from _ledger(audited)
    lines = [*stable(audited.months), *([ready(audited.recovery)] if audited.recovery else [])]
    if lines:
        yield from ["", "### Stability and recovery", ""]
    for line in lines:
        yield f"- {escaped(line)}"
    if audited.ruled_out or audited.unsettled:
        yield from ["", "### What this history settles", ""]
    for r in audited.ruled_out:
        yield f"- **{escaped(r.reading)}** not {escaped(f'{r.choice}: {r.sentence} ({r.place})')}"
    for u in audited.unsettled:
        yield f"- **{escaped(u.reading)}** undecided: {escaped(u.why)}"


def _rules(verification: Verification) -> Iterator[str]:
    lines = list(rules(verification, whole=True))
    if lines:
        yield from ["", "### Did the queue keep the rules?", ""]
    for line in lines:
        mark = f"- **{line.word}** " if line.word else "  - "
        yield f"{mark}{escaped(line.text)}"


def _faults(faults: Sequence[FaultSeen]) -> Iterator[str]:
    if faults:
        yield from ["", "<details><summary>Faults</summary>", ""]
    for fault in faults:
        place = f" ({escaped(fault.place)})" if fault.place else ""
        yield f"- **{escaped(fault.code)}** {instant(fault.at)} {escaped(fault.sentence)}{place}"
        for line in fault.window:
            mark = "**here** " if line.number == fault.number else ""
            yield f"  - {mark}{instant(line.at)} {escaped(line.what)}"
        if fault.raw:
            yield f"  - line: {escaped(fault.raw)}"
    if faults:
        yield from ["", "</details>"]


def _ledger(audited: Audited) -> Iterator[str]:
    yield from ["", "### Did lending pay?"]
    for unit in dict.fromkeys(u.unit for u in audited.units):
        yield from _table(lending(audited, unit))
    notes = list(footnotes(audited))
    yield from ["", *(f"{escaped(note)}  " for note in notes)] if notes else []
    yield from ["", "### Who paid, who gained?"]
    for period in audited.periods:
        yield from _table(shares(audited, period))
        for j in audited.jobs:
            if j.period == period.period and not j.share:
                yield from ["", f"Waits: {waiting(j)}.  ", f"Stops: {stopping(j, scale(audited))}.  "]


def _table(table: Table) -> Iterator[str]:
    if not table.rows:
        return
    if table.title:
        yield from ["", f"**{escaped(table.title)}**"]
    yield ""
    used = [k for k, c in enumerate(table.columns) if c.heading or any(row[k] for row in table.rows)]
    columns = [table.columns[k] for k in used]
    yield f"| {' | '.join(c.heading for c in columns)} |"
    yield f"|{'|'.join('--:' if c.right else '---' for c in columns)}|"
    for row in table.rows:
        yield f"| {' | '.join(_cell(row[k]) for k in used)} |"
    for remark in table.remarks:
        yield from ["", f"{escaped(remark)}  "]


def _cell(text: str) -> str:
    """A cell that says "nothing" is no list."""
    return text if text == "-" else escaped(text)
