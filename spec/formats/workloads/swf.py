"""The Standard Workload Format: header comments that begin with `;`, then 18 numbers a job, -1 for what is not known.

Definition: https://www.cs.huji.ac.il/labs/parallel/workload/swf.html (version 2.2). One unit, `processor`. A group (field
13) is a share; the format knows no quotas, so without a queue the capacity is split as the groups' demand. Trusted:
nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from ...events import Submit
from ...model import LARGEST, QueueConfig
from ...workload import Work, Workload
from ..errors import InputError, shown
from . import shares
from .jobs import known_share, size_of
from .rows import Row, lines, ms

UNIT = "processor"
FIELDS = ("job", "submit", "wait", "run", "allocated", "cpu", "memory", "requested", "requested time",
          "requested memory", "status", "user", "group", "executable", "queue", "partition", "preceding", "think")  # fmt: skip
_HEADER = re.compile(r";\s*(MaxProcs|MaxNodes)\s*:\s*(\d{1,12})\b", re.IGNORECASE | re.ASCII)
_PARTS = {"2", "3", "4"}
"""Status of a line about a part of a job, which has a line for its whole too."""
_SAID = {
    "parts": "{n} lines tell of a part of a job (status 2, 3, 4): left out, the job has a line of its own",
    "unstarted": "{n} jobs have no run time (-1), they never started: left out",
    "sizeless": "{n} jobs have no number of processors: left out",
    "nameless": "{n} jobs have no group (-1): they are of group-none",
}


def looks_like(path: str) -> bool:
    """Whether the first line that is not empty is a comment or a row of this format."""
    first = next((text.strip() for _, text in lines(path) if text.strip()), "")
    return first.startswith(";") or len(first.split()) == len(FIELDS)


def load(path: str, config: QueueConfig | None, unit: str) -> Workload:
    """The workload of a file. Raises InputError."""
    limits: dict[str, int] = {}
    rows: list[tuple[Row, Work]] = []
    seen: dict[str, int] = {}
    said: Counter[str] = Counter()
    for number, text in lines(path):
        if text.lstrip().startswith(";"):
            if found := _HEADER.match(text.strip()):
                limits[found[1].lower()] = int(found[2])
        elif text.strip():
            row = _row(Path(path).name, number, text)
            work = _work(row, unit, said)
            if work is not None:
                _once(row, work.submit.job, seen)
                rows.append((row, work))
    notes = [words.format(n=said[key]) for key, words in _SAID.items() if said[key]]
    if config is not None:
        for row, work in rows:
            known_share(row, "group", work.submit.share, {s.name for s in config.shares})
        return Workload(config, _ordered([w for _, w in rows]), tuple(notes))
    return _with_shares(path, [w for _, w in rows], limits, notes)


def _row(file: str, number: int, text: str) -> Row:
    values = text.split()
    if len(values) != len(FIELDS):
        raise InputError(
            f"{len(values)} fields", where=f"{file}:{number}",
            why="A job of the Standard Workload Format has 18, -1 for what is not known.",
            fix="give all fields, or begin the line with ; if it is a comment.",
        )  # fmt: skip
    row = Row(file, number, dict(zip(FIELDS, values, strict=True)))
    for field in FIELDS:
        row.number(field)
    return row


def _once(row: Row, job: str, seen: dict[str, int]) -> None:
    if job in seen:
        raise row.error("job", f"the job {shown(job)} stands on line {seen[job]} already",
                        why="Two jobs of one number cannot be told apart.", fix="number it anew.")  # fmt: skip
    seen[job] = row.line


def _work(row: Row, unit: str, said: Counter[str]) -> Work | None:
    if row.text("status") in _PARTS:
        said["parts"] += 1
        return None
    runs = row.given("run")
    size = max(row.given("requested"), 0.0) or max(row.given("allocated"), 0.0)
    if runs < 0 or not size:
        said["unstarted" if runs < 0 else "sizeless"] += 1
        return None
    group, submitted = row.count("group") if row.text("group") != "-1" else None, row.given("submit")
    if submitted < 0:
        raise row.error("submit", f"submit is {row.text('submit')}", why="The log begins at 0.", fix="correct it.")
    said["nameless"] += group is None
    name = f"group-{'none' if group is None else group}"
    return Work(
        ms(submitted), ms(runs), Submit(f"job-{row.count('job')}", name, {unit: size_of(row, "requested", size)})
    )


def _ordered(work: list[Work]) -> tuple[Work, ...]:
    return tuple(sorted(work, key=lambda w: w.at))


def _with_shares(path: str, work: list[Work], limits: dict[str, int], notes: list[str]) -> Workload:
    """The workload with shares that its own groups' demand gives."""
    demand: Counter[str] = Counter()
    for w in work:
        demand[w.submit.share] += sum(w.submit.size.values()) * max(1, w.runs)
    share_of = shares.largest(demand)
    pooled: Counter[str] = Counter()
    for group, value in demand.items():
        pooled[share_of[group]] += value
    capacity = limits.get("maxprocs") or limits.get("maxnodes")
    if not capacity or not work or not len(pooled) <= capacity <= LARGEST:
        raise InputError(
            "it has no MaxProcs" if not capacity else "it has no jobs" if not work else f"MaxProcs is {capacity}",
            where=Path(path).name,
            why="Without a queue, its processors are shared among its groups as their jobs ask for them.",
            fix="give a queue, or a header line such as ; MaxProcs: 128.",
        )
    notes.append("the format has no quotas: its processors are split as the demand of its groups, who lend and borrow")
    if len(pooled) < len(demand):
        notes.append(f"{len(demand)} groups are more than a queue may have shares: the smallest are {shares.OTHERS}")
    name = Path(path).name.removesuffix(".gz").removesuffix(".swf")
    config = shares.by_demand(name, next(iter(work[0].submit.size)), capacity, pooled)
    moved = [Work(w.at, w.runs, Submit(w.submit.job, share_of[w.submit.share], w.submit.size)) for w in work]
    return Workload(config, _ordered(moved), tuple(notes))
