"""A frame as plain text, at most 100 columns wide: bars whose kinds of use are signs, jobs, queue, lamps, sentences.

What the picture of the page tells apart by pattern is told apart here by a sign and by words. Trusted: `layout.plain`,
through which every name goes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...spec.rules.sources import CLAUSES, clause_title
from ..audit.words import instant
from ..drawn import DATED
from ..report.layout import WIDTH, Column, Grid, entry, items, paragraph, plain, shorten, stopped
from .frame import BROKEN, DARK, KEPT, UNPROMISED, Bar, Frame, JobState, Lamp, Line, Said, ShareState, UnitState
from .story import Story

OWN, BORROWED, DRAINING, LENT, PERHAPS, IDLE, RESERVED, LIMIT, MAXIMUM, NO_MAXIMUM = "#+x-~.=|]>"
_LEGEND: Mapping[str, str] = {
    OWN: "own", BORROWED: "borrowed", DRAINING: "draining", LENT: "lent", PERHAPS: "lent by it or by another", IDLE: "idle",
    RESERVED: "idle and never lent", LIMIT: "limit", MAXIMUM: "limit and borrow limit", NO_MAXIMUM: "no maximum",
}  # fmt: skip
_LONGEST_BAR = 30
_LONGEST_NAME = 24
MOST_JOBS = 12
_ENDED = ("SUCCEEDED", "FAILED")


def drawn(frame: Frame, *, most: int = MOST_JOBS) -> str:
    """The whole picture; of each group of jobs at most `most`."""
    frame = plain(frame)
    return _text([*_units(frame), *_jobs(frame, most), *_lamps(frame.lamps, quiet=True), *_next(frame.next)])


def told(line: Line) -> str:
    """What happened, why, and what it breaks."""
    line = plain(line)
    first, *rest = line.said or (Said(""),)
    when = "" if line.at is None else f"{_when(line.at)}: "
    said = entry(str(line.number), f"{when}{_said(first)}")
    for more in rest:
        said += paragraph(_said(more))
    if line.note:
        said += paragraph(stopped(line.note))
    if line.beside:
        said += paragraph(f"Beside it, {line.beside}")
    for broken in line.broken:
        said += entry("BROKEN", f"{broken.code} {broken.name}: {stopped(broken.sentence)}")
    return _text(said)


def lived(story: Story) -> str:
    """What has happened to a job, event by event, and why."""
    story = plain(story)
    lines = [shorten(story.job, WIDTH), *(paragraph(story.stopped) if story.stopped else [])]
    for one in story.passages:
        when = "" if one.at is None else f", {_when(one.at)}"
        lines += entry(str(one.number), f"{one.what}{when}.")
        for said in one.said:
            lines += paragraph(_said(said))
    return _text(lines)


def lit(lamps: Sequence[Lamp]) -> str:
    """Every guarantee that has come up, and how many have not."""
    return _text(_lamps(plain(tuple(lamps)), quiet=False))


def legend() -> str:
    """What the signs of a bar mean."""
    return _text(items("signs", [f"{sign} {meaning}" for sign, meaning in _LEGEND.items()]))


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{shorten(line, WIDTH)}\n" for line in lines)


def _when(at: int) -> str:
    """A time of a history."""
    return f"{instant(at)} UTC" if at >= DATED else instant(at)


def _said(said: Said) -> str:
    code = "" if re.search(rf"\b{re.escape(said.code)}(?![0-9+a-z])", said.source) else said.code
    basis = ", ".join(filter(None, (clause_title(code) if code in CLAUSES else code, said.source)))
    return f"{stopped(said.sentence)} ({basis})" if basis else stopped(said.sentence) if said.sentence else ""


def _units(frame: Frame) -> Iterator[str]:
    shares = {s.name: s for s in frame.shares}
    for at, unit in enumerate(frame.units):
        bars = [bar for bar in frame.bars if bar.unit == unit.unit]
        yield shorten(f"{unit.unit}   {_machines(unit)}", WIDTH)
        each = _each(bars, unit)
        rows = [
            (
                f"  {shorten(bar.share, _LONGEST_NAME)}",
                _bar(bar, unit, each),
                _numbers(bar),
                _share(shares[bar.share]) if at == 0 and bar.share in shares else "",
            )
            for bar in bars
        ]
        grid = Grid.fit([Column("")] * 4, rows)
        for row in rows:
            yield from grid.row(row)
        if each > 1:
            yield f"  (one sign stands for up to {each} machines)"


def _machines(unit: UnitState) -> str:
    draining = f" ({unit.draining} draining)" if unit.draining else ""
    kept = f", {unit.reserved_idle} idle and never lent" if unit.reserved_idle else ""
    left = unit.capacity - unit.used - unit.reserved_idle - unit.free
    claimed = f", {left} kept for claims" if left > 0 else ""
    return f"{unit.capacity} machines: {unit.used} used{draining}{kept}{claimed}, {unit.free} free"


def _each(bars: Sequence[Bar], unit: UnitState) -> int:
    """How many machines a sign stands for, so that the longest bar is short enough."""
    longest = max((bar.limit + bar.borrowed + _room(bar, unit) for bar in bars), default=0)
    return max(1, -(-longest // _LONGEST_BAR))


def _room(bar: Bar, unit: UnitState) -> int:
    """What it could still borrow of this environment, as far as a maximum says."""
    return 0 if bar.borrowable is None else max(0, min(bar.borrowable, unit.capacity - bar.limit) - bar.borrowed)


def _bar(bar: Bar, unit: UnitState, each: int) -> str:
    perhaps = bar.lent_most - bar.lent_least
    idle = max(0, bar.limit - bar.own - bar.lent_most - bar.reserved_idle)
    within = [(OWN, bar.own), (LENT, bar.lent_least), (PERHAPS, perhaps), (RESERVED, bar.reserved_idle), (IDLE, idle)]
    used = "".join(sign * _signs(n, each) for sign, n in within)
    beyond = BORROWED * _signs(bar.borrowed, each)
    drains = min(_signs(bar.draining, each), len(beyond) + used.count(OWN))
    late = min(drains, len(beyond))
    beyond = beyond[: len(beyond) - late] + DRAINING * late
    own = used.count(OWN)
    used = used[: own - (drains - late)] + DRAINING * (drains - late) + used[own:]
    end = NO_MAXIMUM if bar.borrowable is None else MAXIMUM if bar.borrowable else ""
    return f"{used}{LIMIT}{beyond}{' ' * _signs(_room(bar, unit), each)}{end}"


def _signs(n: int, each: int) -> int:
    return -(-n // each)


def _numbers(bar: Bar) -> str:
    lent = str(bar.lent_most) if bar.lent_least == bar.lent_most else f"{bar.lent_least} to {bar.lent_most}"
    parts = [
        f"own {bar.own}" if bar.own else "",
        f"borrowed {bar.borrowed}" if bar.borrowed else "",
        f"draining {bar.draining}" if bar.draining else "",
        f"lent {lent}" if bar.lent_most else "",
        f"never lent {bar.reserved_idle}" if bar.reserved_idle else "",
    ]
    within = bar.claimed <= bar.limit - bar.own
    claimed = f", {'of which ' if within else ''}{bar.claimed} kept for claims" if bar.claimed else ""
    most = ""
    if bar.borrowable != 0:
        most = ", no maximum" if bar.borrowable is None else f", may use {bar.limit + bar.borrowable}"
        most += f", can get {bar.limit + bar.reachable}" if bar.reachable != bar.borrowable else ""
    return f"{', '.join(filter(None, parts)) or 'uses nothing'}; limit {bar.limit}{claimed}{most}"


def _share(share: ShareState) -> str:
    unlimited = share.borrow_limit is None or share.borrow_limit < 0
    percent = "" if unlimited else f" {share.borrow_limit} %"
    flags = [
        "in-share" if share.in_share else "",
        "" if share.enabled else "DISABLED",
        "deleted" if share.deleting else "",
    ]
    return ", ".join(filter(None, (f"{share.strategy}{percent}", *flags)))


def _jobs(frame: Frame, most: int) -> Iterator[str]:
    alone = len(frame.units) == 1
    of: dict[str, list[str]] = {}
    for share in dict.fromkeys([*(s.name for s in frame.shares), *(j.share for j in frame.jobs)]):
        for job in sorted((j for j in frame.jobs if j.share == share), key=lambda j: j.place):
            of.setdefault(_group(job), []).append(f"{shorten(share, _LONGEST_NAME)}: {_job(job, alone=alone)}")
    for group in ("runs", "drains", "waits", "ended"):
        yield from _listed(group, of.get(group, []), most)
    if frame.claims:
        yield from entry("kept", f"machines for {', '.join(shorten(j, _LONGEST_NAME) for j in frame.claims)}")


def _group(job: JobState) -> str:
    if job.stage in _ENDED:
        return "ended"
    return {"RUNNABLE": "waits", "DRAINING": "drains"}.get(job.stage, "runs")


def _job(job: JobState, *, alone: bool) -> str:
    facts = [
        _counts(job.size, alone=alone), f"priority {job.priority}",
        "can be stopped for a lender" if any(job.borrows.values()) else "",
        f"stopped {job.preemptions} times" if job.preemptions > 1 else "stopped once" if job.preemptions else "",
        f"retries {job.retries}" if job.retries is not None else "",
        f"makes room for {shorten(job.drains_for, _LONGEST_NAME)}" if job.drains_for else "",
        job.stage if job.stage in _ENDED else "",
    ]  # fmt: skip
    place = f"{job.place}. " if job.place else ""
    waits = f" {_said(job.waits).removeprefix(f'{job.name} ')}" if job.waits else ""
    return f"{place}{shorten(job.name, 2 * _LONGEST_NAME)} ({', '.join(filter(None, facts))}){waits}"


def _counts(counts: Mapping[str, int], *, alone: bool) -> str:
    """3, where there is one unit; else 3 ml.p5.48xlarge + 1 ml.g5.xlarge."""
    return " + ".join(str(n) if alone else f"{n} {unit}" for unit, n in counts.items() if n)


def _listed(first: str, said: Sequence[str], most: int) -> Iterator[str]:
    for at, item in enumerate(said[:most]):
        yield from entry("" if at else first, item)
    if len(said) > most:
        yield from entry("", f"and {len(said) - most} more; `jobs` shows all")


def _lamps(lamps: Sequence[Lamp], *, quiet: bool) -> Iterator[str]:
    for lamp in (lamp for lamp in lamps if lamp.state == BROKEN):
        because = f": {lamp.because}" if lamp.because else ""
        yield from entry("BROKEN", stopped(f"{lamp.code} {lamp.name}, at {lamp.since}{because}"))
    for lamp in (lamp for lamp in lamps if lamp.state == UNPROMISED):
        yield from entry("not", stopped(f"promised here: {lamp.code} {lamp.name}. {lamp.because}"))
    if kept := [lamp for lamp in lamps if lamp.state == KEPT]:
        if quiet:
            yield from entry("lamps", f"kept: {', '.join(lamp.code for lamp in kept)}")
        else:
            for lamp in kept:
                yield from entry("kept", f"{lamp.code} {lamp.name}: {stopped(lamp.sentence)}")
    if not quiet and (dark := [lamp.code for lamp in lamps if lamp.state == DARK]):
        yield from entry("dark", f"{', '.join(dark)}: they have not come up.")


def _next(said: Said | None) -> Iterator[str]:
    if said is not None:
        yield from entry("next", _said(said))
