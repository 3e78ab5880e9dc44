"""The part of an HTML report that only `audit` has: what was measured, as tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator

from ..audit.words import instant
from ..measured import Audited, FaultSeen
from ..results import Verification
from .audited import Table, completeness, covered, footnotes, lending, ready, scale, shares, stable, stopping, waiting
from .audited_rules import rules
from .hypertext import Tag, listed, paragraphs, section, table, tag


def facts(verification: Verification) -> list[Tag]:
    """What the history covers; nothing for another command. `verification` is plain already."""
    audited = verification.audited
    if audited is None or audited.observed is None:
        return []
    seen = audited.observed
    gaps = [f"gap {instant(g.start)} to {instant(g.end)}: {g.why}" for g in seen.gaps]
    return paragraphs([covered(seen, audited.units, audited.periods), *completeness(seen), *gaps, *seen.notes])


def told(verification: Verification) -> Iterator[Tag]:
    """Rules, faults, ledger, stability, recovery; nothing for another command."""
    audited = verification.audited
    if audited is None or audited.observed is None:
        return
    said = ([tag("strong", line.word), f" {line.text}"] for line in rules(verification, whole=True))
    yield from section("Did the queue keep the rules?", listed(said))
    yield from section("Faults", [t for fault in audited.faults for t in _fault(fault)])
    yield from section("Did lending pay?", _lending(audited))
    yield from section("Who paid, who gained?", _shares(audited))
    stability = [*stable(audited.months), *([ready(audited.recovery)] if audited.recovery else [])]
    yield from section("Stability and recovery", listed([line] for line in stability))
    ruled = [[tag("strong", r.reading), f" not {r.choice}: {r.sentence} ({r.place})"] for r in audited.ruled_out]
    open_ = [[tag("strong", u.reading), f" undecided: {u.why}"] for u in audited.unsettled]
    yield from section("What this history settles", listed([*ruled, *open_]))


def _fault(fault: FaultSeen) -> Iterator[Tag]:
    place = f" ({fault.place})" if fault.place else ""
    yield tag("p", tag("strong", fault.code), f" {instant(fault.at)} {fault.sentence}{place}")
    around = ([f"{instant(line.at)} {line.what}"] for line in fault.window if line.number != fault.number)
    yield from listed(around)
    if fault.raw:
        yield tag("pre", fault.raw)


def _lending(audited: Audited) -> list[Tag]:
    units = dict.fromkeys(u.unit for u in audited.units)
    tables = [t for unit in units for t in _table(lending(audited, unit))]
    return [*tables, *paragraphs(footnotes(audited))]


def _shares(audited: Audited) -> list[Tag]:
    said: list[Tag] = []
    for period in audited.periods:
        said += _table(shares(audited, period))
        every = [j for j in audited.jobs if j.period == period.period and not j.share]
        said += paragraphs(f"Waits: {waiting(j)}. Stops: {stopping(j, scale(audited))}." for j in every)
    return said


def _table(found: Table) -> Iterator[Tag]:
    if not found.rows:
        return
    if found.title:
        yield tag("h3", found.title)
    used = [k for k, c in enumerate(found.columns) if c.heading or any(row[k] for row in found.rows)]
    heads = [found.columns[k].heading for k in used]
    right = [n for n, k in enumerate(used) if found.columns[k].right]
    yield from table(heads, [[row[k] for k in used] for row in found.rows], right)
    yield from paragraphs(found.remarks)
