"""The share table as text: a heading for each unit, one row a share. Made from `Row` and `UnitTotal` only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..results import Result, Row, UnitTotal, Verification
from .layout import INDENT, WIDTH, Column, Grid, shorten

MOST_ROWS = 40
"""Rows of one unit above which only those with something wrong are shown."""
NAME = 16
UNIT = 32

COLUMNS = (
    Column("share"),
    Column("rule"),
    Column("given", right=True),
    Column("sure", right=True),
    Column("most", right=True),
    Column("can borrow"),
    Column("can lose", right=True),
    Column("gets its own back"),
)
SHARE_HEADS = (COLUMNS[0].heading, "unit", *(column.heading for column in COLUMNS[1:]))
"""Of a table of all units."""
LEGEND = (
    "given = its limit   sure = a job this big always gets to run   most = own + borrowed",
    "can lose = what a reclaim of one machine may stop, since a job is stopped whole",
)


@dataclass(frozen=True)
class Block:
    """One unit: its heading, the rows shown, how many are not, and whether something is wrong with one of those."""

    total: UnitTotal
    rows: tuple[Row, ...]
    hidden: int
    hidden_wrong: bool


def is_wrong(row: Row) -> bool:
    return row.sure < row.given


def beyond(rows: Sequence[Row], results: Sequence[Result]) -> list[Result]:
    """The results that the rows do not tell already: a share that cannot count on its limit is a row's to tell."""
    losers = {f"{r.share}, {r.unit}" for r in rows if is_wrong(r)}
    return [r for r in results if r.subject not in losers]


def blocks(
    verification: Verification, *, everything: bool = False, only_wrong: bool = False, most: int = MOST_ROWS
) -> list[Block]:
    """Units that some share has, with the rows to show: all, or those with something wrong where there are too many."""
    chosen: list[Block] = []
    for total in verification.units:
        rows = [r for r in verification.rows if r.unit == total.unit]
        shown = rows
        if not everything and (only_wrong or len(rows) > MOST_ROWS):
            shown = [r for r in rows if is_wrong(r)][:most]
        if rows:
            wrong = sum(map(is_wrong, rows)) > sum(map(is_wrong, shown))
            chosen.append(Block(total, tuple(shown), len(rows) - len(shown), wrong))
    return chosen


def table(chosen: Sequence[Block], *, legend: bool = True) -> Iterator[str]:
    """The lines of the whole table, with its legend."""
    names = {r.share for b in chosen for r in b.rows}
    short = distinct(names, NAME)
    rows = [r for b in chosen for r in b.rows]
    cells = {id(r): _cells(r, short) for r in rows}
    grid = Grid.fit(COLUMNS, list(cells.values()))
    if grid.below:
        cells = {id(r): _cells(r, short, lender=False) for r in rows}
        grid = Grid.fit(COLUMNS, list(cells.values()))
    remark = any(_excess(b.total) > 0 for b in chosen)
    headed = False
    for block in chosen:
        yield _unit_line(block.total, remark=remark)
        if block.rows and not headed:
            headed = True
            yield from grid.heading()
        for row in block.rows:
            yield from grid.row(cells[id(row)])
        if block.hidden:
            right = "" if block.hidden_wrong else ", with nothing wrong"
            yield f"{block.hidden} more{right}: --verbose"
    if headed and legend:
        yield from (f"{'':{INDENT}}{line}" for line in LEGEND)


def distinct(names: set[str], width: int) -> dict[str, str]:
    """Every name at most `width` long, and no two of them alike."""
    short: dict[str, str] = {}
    taken = {n for n in names if len(n) <= width}
    for name in sorted(names):
        tries = shorten(name, width)
        number = 1
        while len(name) > width and tries in taken:
            number += 1
            tries = f"{shorten(name, width - len(str(number)) - 1)}~{number}"
        taken.add(tries)
        short[name] = tries
    return short


def _cells(row: Row, short: dict[str, str], *, lender: bool = True) -> list[str]:
    only = row.lenders[0] if lender and len(row.lenders) == 1 else ""
    borrow = f"{row.borrow} from {only}" if only and len(only) <= NAME else str(row.borrow)
    back = row.own_back
    head, of, name = back.partition(" of ")
    if of and len(name) > NAME and name in short:
        back = f"{head} of {short[name]}"
    return [
        short[row.share],
        row.rule,
        str(row.given),
        str(row.sure),
        str(row.most),
        borrow if row.borrow else "-",
        str(row.loses) if row.loses else "-",
        back,
    ]


def _unit_line(total: UnitTotal, *, remark: bool) -> str:
    unit = shorten(total.unit, UNIT)
    if total.capacity is None:
        return f"{'':{INDENT}}{unit}: not in the environment"
    where = "in the environment (assumed)" if total.assumed else "in the environment"
    left = f"{'':{INDENT}}{unit}: {total.capacity} {where}, {total.given} given to shares"
    if not remark:
        return left
    right = f"{_excess(total)} too many" if _excess(total) > 0 else "ok"
    return f"{left}{right:>{max(WIDTH - 10 - len(left), len(right) + 3)}}"


def _excess(total: UnitTotal) -> int:
    return 0 if total.capacity is None else total.given - total.capacity
