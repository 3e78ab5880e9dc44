"""Workloads: quotaproof's own tables, published traces of clusters and histories to a `Workload` with its queue; series of
usage to a `UsageSeries`.

A file is known by its header. Start at `load_workload`, `load_usage`, `load_shares`; a history is read by
`seen.from_history`. Trusted: nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ...model import QueueConfig
from ...readings import Readings
from ...workload import UsageSeries, Workload
from ..errors import InputError, listed, shown
from ..history import load_history
from ..trace import is_trace
from . import jobs, own, seen, series, shares, swf
from .rows import header, unknown

_TABLES = {
    "our own form": own.NEEDED,
    "jobs": jobs.NEEDED,
    "usage by the hour": series.HOURS,
    "changes of quota": series.CHANGES,
}


def load_workload(paths: Sequence[str], config: QueueConfig | None = None) -> Workload:
    """The jobs of one file or of a history, and their queue: `config`, or what the file or one beside it says.

    A folder, a trace of quotaproof's and a JSON file that stands alone are a history. Raises InputError.
    """
    if len(paths) == 1 and _is_history(paths[0]):
        found = seen.from_history(load_history(paths, readings=Readings()))
        return replace(found, config=config or found.config)
    traces = [path for path in paths if not path.endswith(".json")]
    described = [path for path in paths if path.endswith(".json")]
    if len(traces) != 1 or len(described) > 1 or (described and config is not None):
        raise InputError(
            f"{len(traces)} traces and {len(described) + (config is not None)} configurations are given",
            where="command line",
            why="A workload is the jobs of one file, in one queue.",
            fix="give one trace, and at most one configuration for it.",
        )
    (trace,) = traces
    standard, kind = not own.is_parquet(trace) and swf.looks_like(trace), _kind(trace)
    if kind == "our own form":
        if described or config is None:
            raise InputError(
                "there is no queue for its jobs", where=trace,
                why="A workload in our own form says shares and machines by name; their limits are the queue's.",
                fix="give the configuration of a queue with it.",
            )  # fmt: skip
        return Workload(config, tuple(own.read(trace, config)))
    if not standard and kind != "jobs":
        if kind:
            raise InputError(f"it tells {kind}, not jobs", where=trace, why="A workload is made of jobs.",
                             fix="give a file of jobs.")  # fmt: skip
        raise unknown(trace, own.columns(trace) if own.is_parquet(trace) else header(trace), _TABLES)
    unit = _only_unit(config) if config is not None else swf.UNIT if standard else jobs.UNIT
    found = described[0] if described else shares.beside(trace) if config is None else None
    made = shares.read(found, unit) if found else config
    if standard:
        return swf.load(trace, made, unit)
    if made is None:
        raise shares.none_given(trace)
    work, notes = jobs.read(trace, {s.name for s in made.shares}, unit)
    return Workload(made, tuple(work), (*notes, *(shares.DERIVED if config is None else ())))


def load_shares(path: str) -> tuple[QueueConfig, tuple[str, ...]] | None:
    """The queue that the configuration of a trace describes, and what was changed; None for another file. Raises InputError."""
    return (shares.read(path, jobs.UNIT), shares.DERIVED) if path.endswith(shares.SUFFIX) else None


def described(path: str) -> list[str]:
    """The configuration beside a file of jobs, where there is one."""
    return [found] if "\0" not in path and Path(path).is_file() and (found := shares.beside(path)) else []


def job_names(path: str) -> Iterator[str]:
    """Names of jobs in a table, as they stand there and as errors quote them, as far as it can be read; of one without a
    known header all of its first line, which may be a job."""
    with suppress(InputError):
        if not own.is_parquet(path) and not _kind(path):
            yield from {text for name in header(path) if name for text in (name, shown(name)[1:-1])}
        for row in own.rows(path):
            for name in filter(None, (row.text("job"), row.text("job_id"))):
                yield from {name, shown(name)[1:-1]}


def load_usage(paths: Sequence[str]) -> UsageSeries:
    """Usage and quotas of shares over time, from any number of files. Raises InputError."""
    found = UsageSeries()
    for path in paths:
        kind = _kind(path)
        if kind == "usage by the hour":
            said = series.FROM_START.format(file=path.rsplit("/", 1)[-1])
            found = UsageSeries((*found.uses, *series.hours(path)), found.changes, (*found.notes, said))
        elif kind == "changes of quota":
            found = UsageSeries(found.uses, (*found.changes, *series.changes(path)), found.notes)
        else:
            raise unknown(path, header(path), {k: v for k, v in _TABLES.items() if k != "jobs"})
    return found


def _is_history(path: str) -> bool:
    alone = path.endswith(".json") and not path.endswith(shares.SUFFIX)
    return "\0" not in path and (Path(path).is_dir() or alone or (Path(path).is_file() and is_trace(path)))


def _kind(path: str) -> str:
    columns = set(own.columns(path) if own.is_parquet(path) else header(path))
    return next((kind for kind, needed in _TABLES.items() if columns.issuperset(needed)), "")


def _only_unit(config: QueueConfig) -> str:
    if len(config.units) != 1:
        raise InputError(
            f"the queue {config.job_queue_name} has the units {listed(config.units)}",
            where="configuration",
            why="A trace counts one kind of machine, and nothing says which of these it is.",
            fix="give a queue with one unit.",
        )
    return config.units[0]
