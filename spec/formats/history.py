"""Paths to one history: which files are read, and by which reader.

A path is a file, a folder with all folders in it, or "-", standard input. A trace has its own form; everything else is
taken for AWS's records and configurations. Trusted: nothing that is read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..observations import History
from ..readings import Readings
from . import sources
from .errors import InputError, listed, shown
from .trace import is_trace, lacks_header, read_trace

_NO_HISTORY = (
    *(".md", ".rst", ".pdf", ".html", ".htm", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".csv", ".tsv", ".py", ".ipynb"),
    *(".sh", ".ps1", ".tf", ".hcl", ".toml", ".ini", ".cfg", ".lock", ".zip", ".tar", ".tgz", ".whl", ".pyc", ".so"),
    *(".db", ".sqlite", ".pickle", ".pkl"),
)
"""Extensions of files in a folder that are not even opened."""


def load_history(
    paths: Sequence[str], *, config: Sequence[str] = (), queue: str | None = None, readings: Readings
) -> History:
    """Read one queue's history from files, folders and "-" (standard input).

    Its configuration is found among the files, or given by `config`. `queue` picks one by name or ARN where the files
    speak of several. What is wrong with single records is among the history's problems. Raises InputError for what
    cannot be a history at all.
    """
    files, unopened = _files(paths)
    promises = tuple(file for file in files if Path(file).name in sources.PROMISE_FILES)
    made = _read([file for file in files if file not in promises], unopened, paths, config, queue, readings)
    configured = (path if Path(path).is_dir() else Path(path).parent for path in config if path != "-")
    beside = [*sources.beside(paths), *(found for folder in configured for found in sources.promised(Path(folder)))]
    found = {os.path.realpath(file): file for file in (*promises, *beside)}
    return replace(made, promises=tuple(found.values()))


def _read(
    files: list[str],
    unopened: list[str],
    paths: Sequence[str],
    config: Sequence[str],
    queue: str | None,
    readings: Readings,
) -> History:
    """The history in these files. Raises InputError."""
    from .aws_history.read import Reader

    traces = [file for file in files if is_trace(file)]
    if traces:
        return _of_trace(traces, [f for f in files if f not in traces], config, queue, readings)
    reader = Reader(readings, ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else ""))
    for path, name in zip(files, sources.names(files), strict=True):
        reader.file(path, name)
    if not reader.read and (bare := [file for file in files if lacks_header(file)]):
        raise InputError(
            "these are lines of a trace without its header",
            where=f"{bare[0]}:1",
            why="Only the first line says what the queue's configuration is.",
            fix='write {"trace": 1, "config": {...}} as its first line; `quotaproof explain trace` shows one.',
        )
    if unopened:
        reader.left_out.append(
            f"{len(unopened)} files that hold no records, by their names: {listed(unopened, most=5)}"
        )
    return reader.history(config, queue)


def _of_trace(
    traces: Sequence[str], others: Sequence[str], config: Sequence[str], queue: str | None, readings: Readings
) -> History:
    """A trace says everything itself, so that it stands alone. Raises InputError."""
    if len(traces) > 1:
        raise InputError(
            f"{len(traces)} traces are given: {listed(traces, most=3)}",
            where=traces[0],
            why="Each is a whole history with a configuration of its own.",
            fix="give one of them.",
        )
    if config:
        raise InputError(
            "a configuration is given beside a trace",
            where=config[0],
            why=f"{traces[0]} has its configuration in its first line, and nothing says which of the two counts.",
            fix="leave --config out.",
        )
    history = read_trace(traces[0], readings=readings)
    named = history.config.job_queue_name
    if queue is not None and queue.rsplit("/", 1)[-1] != named:
        raise InputError(
            f"there is no queue {shown(queue)}",
            where="--queue",
            why=f"The trace is of queue {named}.",
            fix=f"give --queue {named}, or leave it out.",
        )
    beside = tuple(f"{Path(other).name}: beside a trace, which stands alone" for other in others)
    return replace(history, left_out=(*history.left_out, *beside))


def _files(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Every file, each once, sorted within a folder; and those of a folder that are not opened. Raises InputError."""
    if not paths:
        raise InputError(
            "no history is given",
            where="command line",
            why="There is nothing to read.",
            fix="name a file, a folder, or - for standard input.",
        )
    found: dict[str, str] = {}
    unopened: list[str] = []
    for path in paths:
        if path == "-":
            found["-"] = path
        elif not path or "\0" in path or not Path(path).exists():
            raise InputError(
                "there is no such file or folder",
                where=path or "command line",
                why="Nothing was read.",
                fix=f"check the name; paths count from {Path.cwd()}.",
            )
        elif Path(path).is_dir():
            for file in _inside(path):
                if Path(file).suffix.lower() in _NO_HISTORY or not Path(file).is_file():
                    unopened.append(Path(file).name)
                else:
                    found.setdefault(os.path.realpath(file), file)
        else:
            found.setdefault(os.path.realpath(path), path)
    if not found:
        raise InputError(
            "the folder holds no file with records",
            where=listed(paths, most=3),
            why=f"There are {len(unopened)} other files in it." if unopened else "It is empty.",
            fix="name the folder that holds the events of EventBridge or the answers of describe-service-job.",
        )
    return list(found.values()), unopened


def _inside(folder: str) -> list[str]:
    """Every file in the folder and the folders in it, hidden ones excepted. Raises InputError."""

    def refuse(error: OSError) -> None:
        raise InputError(
            f"cannot be read: {(error.strerror or 'it cannot be opened').lower()}",
            where=error.filename or folder,
            why="What it holds would be missing from the history.",
            fix="check that it is a folder that you may read.",
        )

    found: list[str] = []
    for at, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        found += [str(Path(at, f)) for f in sorted(files) if not f.startswith(".")]
    return found
