"""Job files of GPU clusters (Philly, openb, Chronus): one row a job, as columns that the three share.

One unit, `gpu`: the files give GPUs, and for most jobs no model. A job that was there before the window arrives at its
start with what was left of it. What is changed to make a file fit is counted and said. Trusted: nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from math import ceil

from ...events import Submit
from ...model import LARGEST
from ...workload import Work
from ..errors import InputError, nearest, shown
from .rows import Row, ms, table

NEEDED = ("job_id", "team", "gpus", "submit_s", "duration_s")
UNIT = "gpu"
_PRIORITY = {"guaranteed": 1, "best_effort": 0}
"""By `class` as Chronus writes it: what was promised a deadline goes first in its share."""
_SAID = {
    "rounded": "{n} jobs ask for a fraction of a GPU: it was rounded up, an instance is whole",
    "typed": "{n} jobs accept only some GPU models: all GPUs are one unit here",
    "carried": "{n} jobs were there before the window: they arrive at its start with what was left of them",
    "unstarted": "{n} jobs have no run time, they never started: left out",
    "sizeless": "{n} jobs ask for no GPU: left out",
    "over": "{n} jobs had ended before the window began: left out",
    "ranked": "{n} jobs are of a class: guaranteed has priority 1, best_effort 0",
}


def read(path: str, shares: Collection[str], unit: str) -> tuple[list[Work], list[str]]:
    """The jobs by arrival, and what was changed. Raises InputError."""
    found: list[Work] = []
    lines: dict[str, int] = {}
    said: Counter[str] = Counter()
    for row in table(path):
        name = row.needs("job_id")
        if name in lines:
            raise row.error("job_id", f"the job {shown(name)} stands on line {lines[name]} already",
                            why="Two jobs of one name cannot be told apart.", fix="give it a name of its own.")  # fmt: skip
        lines[name] = row.line
        known_share(row, "team", row.needs("team"), shares)
        work = _work(row, name, unit, said)
        if work is not None:
            found.append(work)
    return sorted(found, key=lambda w: w.at), [words.format(n=said[key]) for key, words in _SAID.items() if said[key]]


def known_share(row: Row, column: str, share: str, shares: Collection[str]) -> None:
    """Raises InputError for a share that the queue does not have."""
    if share not in shares:
        near = nearest(share, shares)
        raise row.error(
            column,
            f"there is no share {shown(share)}" + (f"; did you mean {near}?" if near else ""),
            why="Each job runs in a share of the queue.",
            fix="give a configuration with a share for each team of the file.",
        )


def size_of(row: Row, column: str, n: float) -> int:
    """Whole instances. Raises InputError."""
    if n > LARGEST:
        raise row.error(column, f"{column} is {row.text(column)}", why="No cluster has so many.", fix="correct it.")
    return ceil(n)


def _work(row: Row, name: str, unit: str, said: Counter[str]) -> Work | None:
    """The job of a row, None when it is left out."""
    size, submitted = row.given("gpus"), row.given("submit_s")
    runs, started = row.number("duration_s"), row.number("start_s")
    kind = row.text("class")
    for column, value in (("gpus", size), ("duration_s", runs or 0)):
        if value < 0:
            raise _negative(row, column)
    if not size or runs is None:
        said["unstarted" if size else "sizeless"] += 1
        return None
    if submitted < 0:
        began = submitted if started is None else started
        runs += min(0, began)
        if runs <= 0:
            said["over"] += 1
            return None
        said["carried"] += 1
    said["rounded"] += size % 1 != 0
    said["typed"] += bool(row.text("gpu_types"))
    said["ranked"] += kind in _PRIORITY
    submit = Submit(name, row.text("team"), {unit: size_of(row, "gpus", size)}, _PRIORITY.get(kind))
    return Work(ms(max(0.0, submitted)), ms(runs), submit)


def _negative(row: Row, column: str) -> InputError:
    return row.error(
        column, f"{column} is {row.text(column)}", why="Neither sizes nor run times are negative.", fix="correct it."
    )
