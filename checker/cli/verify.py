"""`quotaproof verify`: do these shares keep what each team was promised, whatever jobs arrive?"""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..report.options import FOLDER
from .options import FailOnLevel, Options, Quiet, Redact, Report, Reporting, Verbose, bar
from .output import Unusable, folder

if TYPE_CHECKING:
    from ...spec.readings import Readings
    from ..prove.crosscheck import CrossCheck


def verify(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH...", help="Files or folders with the queue's configuration; - is stdin."),
    ],
    queue: Annotated[str | None, typer.Option(metavar="NAME", help="The queue to judge, if there are several.")] = None,
    assume: Annotated[
        list[str] | None, typer.Option(metavar="READING=CHOICE", help="Settle an open question, e.g. A16=created.")
    ] = None,
    promises: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="What was promised; a promises.yaml beside PATH is found by itself."),
    ] = None,
    games: Annotated[
        bool, typer.Option("--games", help="Also what a share can get by splitting jobs, high priorities, fillers.")
    ] = False,
    suggest: Annotated[
        bool, typer.Option("--suggest", help="For a broken promise: the smallest change with which it holds.")
    ] = False,
    report: Report = None,
    fail_on: FailOnLevel = "error",
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for scenarios that show what breaks.")] = Path(
        FOLDER
    ),
    timeout: Annotated[float | None, typer.Option(metavar="SECONDS", help="Bound on the solver.")] = None,
    emit_smtlib: Annotated[Path | None, typer.Option(metavar="DIR", help="Write the solver's conditions here.")] = None,
    cross_check: Annotated[
        bool, typer.Option("--cross-check", help="Have cvc5 decide again what Z3 decided; takes some seconds.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Open theorems count as undecided.")] = False,
    redact: Redact = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> None:
    """Check that every share keeps what it was given, and what was promised beyond that, whatever jobs arrive.

    Exit code: 0 nothing is wrong, 1 something is broken, 2 unusable input, 3 undecided, 70 quotaproof itself failed.
    """
    asked = Options(strict=strict, fail_on=bar(fail_on), verbose=verbose, quiet=quiet, out=str(out))
    reporting = Reporting.of(report or [], asked, redact=redact)
    if timeout is not None and not (math.isfinite(timeout) and timeout > 0):
        raise Unusable(f"--timeout: {timeout} is not a number of seconds above 0")
    from ...spec.formats import beside, load
    from ..verify import verify as judge

    with reporting.reading("verify", [*paths, *([promises] if promises else beside(paths))]):
        readings = assumed(assume or [])
        again = second_solver() if cross_check else None
        loaded = load(paths, queue=queue, readings=readings, promises=promises or "")
        emit = folder(emit_smtlib) if emit_smtlib is not None else None
    events = judge(
        loaded,
        readings,
        timeout=timeout,
        emit=emit,
        cross_check=again,
        suggest=suggest,
        games=games,
        today=date.today(),
    )
    raise typer.Exit(reporting.tell(events))


def second_solver() -> CrossCheck:
    """The cross-check by cvc5. Raises InputError where it is not installed."""
    from ..prove.crosscheck import CrossCheck, Cvc5

    return CrossCheck(Cvc5())


def assumed(choices: list[str]) -> Readings:
    """The defaults with every READING=CHOICE on top. Raises Unusable and UnknownReading."""
    from ...spec.readings import READINGS, Readings

    chosen: dict[str, str] = {}
    for text in choices:
        code, equals, choice = text.partition("=")
        if not equals:
            raise Unusable(
                f"--assume: {text!r} is not READING=CHOICE, such as A16=created; `quotaproof explain readings`"
            )
        code = next((known for known in READINGS if known.lower() == code.strip().lower()), code)
        if chosen.get(code, choice) != choice:
            raise Unusable(f"--assume: {code} is given as {chosen[code]} and as {choice}")
        chosen[code] = choice
    return Readings().assuming(chosen)
