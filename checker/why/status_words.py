"""How a queue stands, in sentences and one table a unit: `page` makes of a `Status` what people read."""

from __future__ import annotations

from collections.abc import Iterator

from ..report.layout import Column
from .page import Block, Foot, Head, Page, Part, Table, lasted, moment, named
from .told import ShareStatus, Status, UnitStatus

_COLUMNS = (
    Column("share"), Column("limit", right=True), Column("own", right=True), Column("borrowed", right=True),
    Column("lent", right=True), Column("queue", right=True), Column("stopping", right=True),
    Column("can be stopped now"), Column("next in line"),
)  # fmt: skip
_STOPPING = 6
"""Shown only where some job is."""


def page(status: Status) -> Page:
    """The whole page."""
    return tuple(_blocks(status))


def _blocks(status: Status) -> Iterator[Block]:
    for unit in status.units:
        rows = [s for s in status.shares if s.unit == unit.unit]
        yield Head(status.queue, f"{unit.unit}   {_sums(unit, rows)}")
        yield _table(rows, status.at)
        for share in rows:
            if share.stuck and share.head is not None:
                yield Part("Stuck", (f"{share.head.name} of {share.share}: {share.stuck}",))
    for difference in status.differs:
        yield Part("Differs", (f"{difference}.",))
    for note in status.notes:
        yield Part("Note", (note,))
    if status.snapshot is not None:
        apart = f", its parts up to {status.spread // 1000} s apart" if status.spread >= 1000 else ""
        yield Part("Snapshot", (f"{moment(status.snapshot)}{apart}.",))
    yield Foot(f"by the history, {moment(status.at)}" if status.at else "by the configuration alone", 0)


def _table(rows: list[ShareStatus], now: int) -> Table:
    shown = [i for i in range(len(_COLUMNS)) if i != _STOPPING or any(s.draining for s in rows)]
    cells = [_row(s, now) for s in rows]
    return Table("", tuple(_COLUMNS[i] for i in shown), tuple(tuple(row[i] for i in shown) for row in cells))


def _sums(unit: UnitStatus, rows: list[ShareStatus]) -> str:
    if not unit.capacity and not any(s.own or s.borrowed for s in rows):
        return "not in the environment"
    spare = f"{unit.idle} idle" if unit.idle >= 0 else f"{-unit.idle} beyond the environment"
    draining = f", {unit.draining} of the used told to stop" if unit.draining else ""
    kept = f"{unit.kept - unit.disabled} kept (RESERVE)"
    kept += f", {unit.disabled} kept (DISABLED, A47)" if unit.disabled else ""
    return f"{unit.capacity}:  {unit.own} own use, {unit.borrowed} borrowed, {kept}, {spare}{draining}"


def _row(s: ShareStatus, now: int) -> tuple[str, ...]:
    least, most = s.lent
    lent = str(most) if least == most else f"{least}-{most}"
    counts = (s.limit, s.own, s.borrowed, lent, s.waiting, s.draining)
    return s.share, *map(str, counts), _stoppable(s), _next(s, now)


def _stoppable(s: ShareStatus) -> str:
    if not s.stoppable:
        return "-"
    first, more = s.stoppable[0], len(s.stoppable) - 1
    also = f" +{more}" if more else ""
    return f"{first.job.name} ({first.job.size[s.unit]}) by {named(first.by, most=2, last='or')}{also}"


def _next(s: ShareStatus, now: int) -> str:
    if s.head is None:
        return "-"
    waits = f", {lasted(max(0, now - s.since))}" if s.since is not None else ""
    stuck = ", stuck" if s.stuck else ""
    return f"{s.head.name} ({s.head.size[s.unit]}){waits}{stuck}"
