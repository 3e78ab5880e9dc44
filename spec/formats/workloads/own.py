"""quotaproof's own form of a workload: a table, CSV or Parquet, one row a job.

Columns: job, share, submit, runs; either one column for each unit, named after it, or unit and count; and, where known,
priority, retries, deadline, checkpoint_every, save_cost, restart_cost. Times are seconds, counted from any one moment; an
empty field says nothing. A row of a Parquet file is numbered from 1. Schema: workload.schema.json. Trusted: nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...events import Submit
from ...model import LARGEST, MAX_PRIORITY, QueueConfig
from ...workload import Checkpoints, Work
from ..errors import InputError, listed, nearest, shown
from .jobs import known_share
from .rows import Row, ms, table

NEEDED = ("job", "share", "submit", "runs")
COUNTED = ("unit", "count")
OPTIONAL = ("priority", "retries", "deadline", "checkpoint_every", "save_cost", "restart_cost")
_MAGIC = b"PAR1"


def is_parquet(path: str) -> bool:
    """Whether the file is a Parquet file by its first bytes."""
    try:
        with Path(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except (OSError, ValueError):
        return False


def columns(path: str) -> list[str]:
    """The columns of a Parquet file. Raises InputError."""
    return [str(name) for name in _opened(path).schema_arrow.names]


def rows(path: str) -> Iterator[Row]:
    """Its rows, CSV or Parquet. Raises InputError."""
    return _parquet(path) if is_parquet(path) else table(path)


def read(path: str, config: QueueConfig) -> list[Work]:
    """The jobs by arrival. Raises InputError."""
    shares = {s.name for s in config.shares}
    found: list[Work] = []
    lines: dict[str, int] = {}
    sized: dict[str, str] | None = None
    for row in rows(path):
        if sized is None:
            sized = _units(row, config.units)
        name = row.needs("job")
        if name in lines:
            raise row.error("job", f"the job {shown(name)} stands on line {lines[name]} already",
                            why="Two jobs of one name cannot be told apart.", fix="give it a name of its own.")  # fmt: skip
        lines[name] = row.line
        known_share(row, "share", row.needs("share"), shares)
        found.append(_work(row, name, sized, config.units))
    return sorted(found, key=lambda w: w.at)


def _work(row: Row, name: str, sized: dict[str, str], units: Sequence[str]) -> Work:
    row.needs("submit")
    row.needs("runs")
    at, runs = _time(row, "submit") or 0, _time(row, "runs") or 0
    deadline = _time(row, "deadline")
    if deadline is not None and deadline < at:
        raise row.error("deadline", f"deadline is {row.text('deadline')}, before submit",
                        why="Both count from the same moment.", fix="give the second by which it ought to end.")  # fmt: skip
    every = _time(row, "checkpoint_every")
    if every == 0:
        raise row.error("checkpoint_every", "checkpoint_every is 0", why="It is the work between two checkpoints.",
                        fix="leave it empty for a job that saves nothing.")  # fmt: skip
    checkpoints = Checkpoints(every, _time(row, "save_cost"), _time(row, "restart_cost"))
    size = _size(row, sized, units)
    priority, retries = _whole(row, "priority", MAX_PRIORITY), _whole(row, "retries", LARGEST)
    return Work(at, runs, Submit(name, row.needs("share"), size, priority, retries), deadline, checkpoints)


def _units(row: Row, units: Sequence[str]) -> dict[str, str]:
    """Column -> unit, {} where unit and count say it. Raises InputError for a column that is nothing."""
    named = [column for column in row.values if column not in (*NEEDED, *COUNTED, *OPTIONAL)]
    counted = [column for column in COUNTED if column in row.values]
    found = {column: unit for column in named if (unit := _unit(column, units))}
    for column in named:
        if column not in found:
            near = nearest(column, (*NEEDED, *COUNTED, *OPTIONAL, *units))
            raise InputError(
                f"the column {shown(column)} is no column of this form and no unit of the queue"
                + (f"; did you mean {near}?" if near else ""),
                where=row.file, why=f"The queue has the units {listed(units)}; what a column means is not guessed.",
                fix="name it so, or leave it out.",
            )  # fmt: skip
    if (not found and len(counted) < len(COUNTED)) or (found and counted):
        raise InputError(
            "it says sizes twice" if found else "it does not say how many machines a job asks for",
            where=row.file, why="Every job asks for machines of the queue's units.",
            fix=f"give one column for each unit ({listed(units)}), or the columns unit and count, not both.",
        )  # fmt: skip
    for unit in found.values():
        again = [other for other, same in found.items() if same == unit]
        if len(again) > 1:
            raise InputError(f"the columns {listed(again)} are all for {unit}", where=row.file,
                             why="Whether a job asks for one of them or for their sum is not guessed.",
                             fix="leave one of them.")  # fmt: skip
    return found


def _unit(text: str, units: Sequence[str]) -> str:
    """The unit of this name, or the only one that the text is a part of; '' when there is none."""
    parts = [unit for unit in units if text and text in unit]
    return text if text in units else parts[0] if len(parts) == 1 else ""


def _size(row: Row, sized: dict[str, str], units: Sequence[str]) -> dict[str, int]:
    if not sized:
        unit = _unit(row.needs("unit"), units)
        if not unit:
            raise row.error("unit", f"unit is {shown(row.text('unit'))}", why=f"The queue has {listed(units)}.",
                            fix="write the name of one of them, or a part that only it has.")  # fmt: skip
        row.needs("count")
        size = {unit: _whole(row, "count", LARGEST) or 0}
    else:
        size = {unit: _whole(row, column, LARGEST) or 0 for column, unit in sized.items()}
    size = {unit: n for unit, n in size.items() if n}
    if not size:
        raise row.error("count" if not sized else listed(sized), "the job asks for no machine", why="A job runs on some.",
                        fix="write how many.")  # fmt: skip
    return size


def _whole(row: Row, column: str, most: int) -> int | None:
    """A whole number from 0 to `most`, None where the field is empty."""
    if row.number(column) is None:
        return None
    n = row.count(column)
    if n > most:
        raise row.error(column, f"{column} is {row.text(column)}", why=f"The largest is {most:,}.", fix="correct it.")
    return n


def _time(row: Row, column: str) -> int | None:
    """Milliseconds, None where the field is empty."""
    seconds = row.number(column)
    if seconds is not None and seconds < 0:
        raise row.error(column, f"{column} is {row.text(column)}", why="Times are seconds, not negative.",
                        fix="count from an earlier moment.")  # fmt: skip
    return None if seconds is None else ms(seconds)


def _opened(path: str) -> Any:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise InputError(
            "a Parquet file cannot be read without pyarrow", where=Path(path).name, why="It is not installed.",
            fix="pip install 'quotaproof[scale]', or give the same table as CSV.",
        ) from None  # fmt: skip
    try:
        return ParquetFile(path)
    except (ArrowException, OSError, ValueError) as error:
        raise _unreadable(path, error) from None


def _parquet(path: str) -> Iterator[Row]:
    from pyarrow import ArrowException

    name, number, file = Path(path).name, 0, _opened(path)
    names = [str(column) for column in file.schema_arrow.names]
    if len(set(names)) < len(names):
        raise InputError("two columns have one name", where=name, why="Which of them counts is not known.",
                         fix="name them apart.")  # fmt: skip
    try:
        for batch in file.iter_batches():
            for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                number += 1
                yield Row(name, number, {column: _text(v) for column, v in zip(names, values, strict=True)})
    except (ArrowException, OSError, ValueError) as error:
        raise _unreadable(path, error) from None


def _text(value: object) -> str:
    """A value as a CSV would have it; a whole float without its point."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.9f}".rstrip("0").rstrip(".")
    return "" if value is None else str(value)


def _unreadable(path: str, error: Exception) -> InputError:
    return InputError(f"cannot be read as Parquet: {str(error).splitlines()[0] if str(error) else type(error).__name__}",
                      where=Path(path).name, why="A part of a workload is no workload.",
                      fix="give a file that can be read to its end, or the table as CSV.")  # fmt: skip
