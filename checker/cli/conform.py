"""`quotaproof conform`: does a scheduler obey lend and borrow?"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import FailOnLevel, Options, Quiet, Redact, Report, Reporting, Verbose, bar
from .output import Unusable, complain

if TYPE_CHECKING:
    from ..conform.backend import BackendError
    from ..conform.one_queue import OneQueue

DEFAULT = "30s"
_JUDGED = (0, 1, 3)
"""Exit codes of a run that came to its end."""
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


def conform(
    backend: Annotated[
        str,
        typer.Argument(
            metavar="BACKEND",
            help="cmd:COMMAND for a program, module:attribute, reference; slurm[:MAPPING] or htcondor[:VARIANT] is real.",
        ),
    ],
    config: Annotated[
        str, typer.Option(metavar="PATH", help="Only the queue that is configured there, in place of the corpus.")
    ] = "",
    profile: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="What is asked of it; if nothing is said, what it is made for, or aws-batch."
        ),
    ] = "",
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Which generated scenarios are tried.")] = 0,
    budget: Annotated[
        str,
        typer.Option(metavar="TIME", help=f"For generated scenarios, e.g. 10m; {DEFAULT} if nothing is said; 0: none."),
    ] = "",
    examples: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="How many generated scenarios, whatever time they take.")
    ] = None,
    executor: Annotated[
        str,
        typer.Option(
            metavar="WHO",
            help="Who runs them: processes:N, local (this process) or dask:ADDRESS; if nothing is said, processes, and "
            "local for a real scheduler.",
        ),
    ] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the campaign that was stopped.")] = False,
    database: Annotated[
        str, typer.Option(metavar="DIR|redis://...", help="Where failures are remembered and tried first.")
    ] = "",
    out: Annotated[
        str, typer.Option(metavar="DIR", help="Where failures and the journal are written.")
    ] = Options().out,
    expect: Annotated[
        str, typer.Option(metavar="FILE", help="Exit code 0 only for exactly the failures that it lists.")
    ] = "",
    keep: Annotated[
        bool, typer.Option("--keep", help="The folder of a real scheduler stays: configuration, logs, job script.")
    ] = False,
    report: Report = None,
    fail_on: FailOnLevel = "error",
    strict: Annotated[bool, typer.Option("--strict", help="What never came up counts as undecided.")] = False,
    redact: Redact = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> None:
    """Test a scheduler: the corpus, then generated scenarios, judged by the guarantees of a profile.

    With --config the scenarios are of one queue, in any form that verify reads. A real scheduler is started, judged and
    ended: `quotaproof explain slurm` says what it needs.

    Exit code: 0 conformant, or as --expect says, 1 a guarantee is broken, 2 the backend cannot be used, 3 conformant in part
    or undecided, 70 quotaproof itself failed.
    """
    options = Options(strict=strict, fail_on=bar(fail_on), verbose=verbose, quiet=quiet, out=out)
    reporting = Reporting.of(report or [], options, redact=redact)
    from ..conform.backend import BackendError
    from ..conform.campaign import Enough
    from ..conform.conform import Asked
    from ..conform.conform import conform as told
    from ..conform.expected import Expected
    from ..conform.profiles import profile as named

    with reporting.reading("conform", [config] if config else []):
        if profile:
            named(profile)
        seconds = duration(budget or DEFAULT) if budget or examples is None else None
        only = queue_of(config) if config else None
        known = Expected.read(expect) if expect else None
        asked = Asked(
            backend, profile, seed, Enough(examples, seconds), executor, Path(out), resume, database, only, keep
        )
        try:
            with _watched(seconds, examples) as watch, _kept(redact=redact) if keep else nullcontext():
                events = list(told(asked, watch))
        except BackendError as error:
            raise Unusable(said(error, redact=redact)) from error
        except KeyboardInterrupt:
            goes_on = "the same command with --resume goes on with the generated scenarios"
            complain(f"stopped: {goes_on if asked.generates else 'there is no verdict'}", redact=redact)
            raise
        except SystemExit as error:
            raise RuntimeError("something in this process ended it before there was a verdict") from error
    code = reporting.tell(events)
    if known is not None and code in _JUDGED:
        differences = list(known.differences(events))
        for line in differences:
            complain(f"not as {expect} says: {line}", redact=redact)
        code = int(bool(differences))
    raise typer.Exit(code)


@contextmanager
def _kept(*, redact: bool) -> Generator[None]:
    """At the end, whatever happens, the folders that have stayed are named."""
    from ..conform.real.kept import kept

    before = kept()
    try:
        yield
    finally:
        for folder in sorted(kept() - before):
            complain(f"kept: {folder}", redact=redact)


def queue_of(path: str) -> OneQueue:
    """The queue that is configured at a path. Raises InputError."""
    from ...spec.formats import load
    from ...spec.readings import Readings
    from ..conform.one_queue import OneQueue

    return OneQueue(path, load([path], readings=Readings()).config)


def said(error: BackendError, *, redact: bool = False) -> str:
    """A BackendError as a message: what, why, and what to do. With `redact` without the path of the current folder."""
    fix = f"Fix: {error.fix}" if error.fix else ""
    text = "\n".join(part for part in (error.what, error.why, fix) if part)
    return text.replace(str(Path.cwd()), "the current folder") if redact else text


def duration(text: str) -> float:
    """A time such as 90, 30s, 10m or 2h, in seconds. Raises Unusable."""
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)([smh]?)", text)
    if found is None:
        raise Unusable(f"--budget: {text!r} is no time; write 30s, 10m or 2h")
    return float(found[1]) * _UNITS[found[2]]


@contextmanager
def _watched(seconds: float | None, examples: int | None) -> Generator[Callable[[int, float], None] | None]:
    """A progress bar on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("generated scenarios", total=seconds if examples is None else examples)

        def watch(tried: int, spent: float) -> None:
            progress.update(task, completed=spent if examples is None else tried, description=f"{tried:,} scenarios")

        yield watch
