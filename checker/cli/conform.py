"""`quotaproof conform`: does a scheduler obey lend and borrow?"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import FailOnLevel, Options, Quiet, Redact, Report, Reporting, Verbose, bar
from .output import Unusable, complain

if TYPE_CHECKING:
    from rich.progress import TaskID

    from ..conform.backend import BackendError
    from ..conform.one_queue import OneQueue

DEFAULT = "30s"
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
        typer.Option(
            metavar="TIME",
            help=f"For generated scenarios, e.g. 10m; {DEFAULT} if nothing is said; 0: none. Corpus and shrinking come on top.",
        ),
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
    ended: `quotaproof explain slurm` says what it needs. It plays in real time; what is under way is told on standard error.
    Shrinking a failure takes at most 20 s, five of each guarantee; with a real scheduler 150 s and a last check, two of each.

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
    from ..conformed import Compared

    with reporting.reading("conform", [config] if config else []):
        if profile:
            named(profile)
        seconds = duration(budget or DEFAULT) if budget or examples is None else None
        only = queue_of(config) if config else None
        known = Expected.read(expect) if expect else None
        asked = Asked(
            backend, profile, seed, Enough(examples, seconds), executor, Path(out), resume, database, only, keep
        )
        if only is not None and not asked.generates:
            raise Unusable("nothing was asked: --config needs a budget")
        try:
            with (
                _watched(seconds, examples, quiet=quiet) as (watch, doing),
                naming_kept() if keep else nullcontext(),
            ):
                events = list(told(asked, watch, doing))
        except BackendError as error:
            raise Unusable(said(error, [backend] if redact else None)) from error
        except KeyboardInterrupt:
            goes_on = "the same command with --resume goes on with the generated scenarios"
            complain(f"stopped: {goes_on if asked.generates else 'there is no verdict'}", redact=redact)
            raise
        except SystemExit as error:
            raise RuntimeError("something in this process ended it before there was a verdict") from error
    if known is not None:
        events.insert(-1, known.compared(events))
    code = reporting.tell(events)
    for line in (line for e in events if isinstance(e, Compared) for line in e.differences):
        complain(f"not as {expect} says: {line}", redact=redact)
    raise typer.Exit(code)


@contextmanager
def naming_kept() -> Generator[None]:
    """At the end, whatever happens, the folders that have stayed are named: also with --redact, for they are to be found."""
    from ..conform.real.kept import kept

    before = kept()
    try:
        yield
    finally:
        for folder in sorted(kept() - before):
            complain(f"kept: {folder}")


def queue_of(path: str) -> OneQueue:
    """The queue that is configured at a path. Raises InputError."""
    from ...spec.formats import load
    from ...spec.readings import Readings
    from ..conform.one_queue import OneQueue

    return OneQueue(path, load([path], readings=Readings()).config)


def said(error: BackendError, hidden: Sequence[str] | None = None) -> str:
    """A BackendError as a message: what, why, and what to do. `hidden`: the backends whose commands --redact replaces, None
    where nothing is."""
    fix = f"Fix: {error.fix}" if error.fix else ""
    text = "\n".join(part for part in (error.what, error.why, fix) if part)
    if hidden is None:
        return text
    from ..report.redact import Redactor

    return Redactor(backends=hidden).text(text)


def duration(text: str) -> float:
    """A time such as 90, 30s, 10m or 2h, in seconds. Raises Unusable."""
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)([smh]?)", text)
    if found is None:
        raise Unusable(f"--budget: {text!r} is no time; write 30s, 10m or 2h")
    return float(found[1]) * _UNITS[found[2]]


_Tried = Callable[[int, float], None]
_Doing = Callable[[str, str], None]


@contextmanager
def _watched(
    seconds: float | None, examples: int | None, *, quiet: bool
) -> Generator[tuple[_Tried | None, _Doing | None]]:
    """A progress bar on standard error, where that is a terminal; elsewhere a line for each phase of a slow backend."""
    if not sys.stderr.isatty():
        yield None, None if quiet else _line_by_line()
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("generated scenarios", total=seconds if examples is None else examples)
        phases: list[TaskID] = []

        def watch(tried: int, spent: float) -> None:
            progress.update(task, completed=spent if examples is None else tried, description=f"{tried:,} scenarios")

        def doing(phase: str, far: str) -> None:
            if not phases:
                phases.append(progress.add_task("", total=None))
            progress.update(phases[0], description=f"{phase}: {far}")

        yield watch, doing


def _line_by_line() -> _Doing:
    """A line where a phase begins, and no more of it."""
    last = ""

    def doing(phase: str, far: str) -> None:
        nonlocal last
        if phase != last:
            complain(f"{phase}: {far}")
        last = phase

    return doing
