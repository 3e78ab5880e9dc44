"""`quotaproof verify`: do these shares keep what each team was promised, whatever jobs arrive?"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import Unusable, complain, folder, save, show, usable

if TYPE_CHECKING:
    from ...spec.readings import Readings
    from ..results import Verification

FORMATS = ("text", "json")


@dataclass(frozen=True)
class Target:
    """One report that was asked for: its form, and the file it goes to (None: standard output)."""

    form: str
    file: Path | None


def verify(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH...", help="Files or folders with the queue's configuration; - is stdin."),
    ],
    queue: Annotated[str | None, typer.Option(metavar="NAME", help="The queue to judge, if there are several.")] = None,
    assume: Annotated[
        list[str] | None, typer.Option(metavar="READING=CHOICE", help="Settle an open question, e.g. A16=created.")
    ] = None,
    report: Annotated[
        list[str] | None, typer.Option(metavar="FORM[=FILE]", help="text or json; can be given several times.")
    ] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for scenarios that show what breaks.")] = Path(
        "quotaproof-out"
    ),
    timeout: Annotated[float | None, typer.Option(metavar="SECONDS", help="Bound on the solver.")] = None,
    emit_smtlib: Annotated[Path | None, typer.Option(metavar="DIR", help="Write the solver's conditions here.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Open theorems count as undecided.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Every row, check and theorem.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Only the verdict.")] = False,
) -> None:
    """Check that every share keeps what it was given, whatever jobs arrive.

    Exit code: 0 nothing is wrong, 1 something is broken, 2 unusable input, 3 undecided, 70 quotaproof itself failed.
    """
    targets = [target(text) for text in report or []]
    if sum(t.file is None for t in targets) > 1:
        raise Unusable(
            "--report: only one report can go to the screen; give the other a file, such as json=report.json"
        )
    if timeout is not None and not (math.isfinite(timeout) and timeout > 0):
        raise Unusable(f"--timeout: {timeout} is not a number of seconds above 0")
    if verbose and quiet:
        raise Unusable("--verbose and --quiet exclude each other")
    from ...spec.formats import load
    from ...spec.formats.scenario import as_form
    from ..report.outcome import outcome
    from ..verify import verify as judge

    with usable():
        readings = assumed(assume or [])
        loaded = load(paths, queue=queue, readings=readings)
    emit = folder(emit_smtlib) if emit_smtlib is not None else None
    verification, witnesses = judge(loaded, readings, timeout=timeout, emit=emit)
    try:
        for name, scenario in sorted(witnesses.items()):
            save(folder(out) / name, f"{json.dumps(as_form(scenario), indent=2)}\n")
    except Unusable as error:
        complain(f"scenarios are not written: {error}. Name a folder that can be written with --out DIR")
    for one in targets:
        if one.file is not None:
            save(one.file, written(verification, one.form, out, strict=strict, verbose=verbose, quiet=False))
    form = next((t.form for t in targets if t.file is None), "text")
    show(written(verification, form, out, strict=strict, verbose=verbose, quiet=quiet))
    raise typer.Exit(outcome(verification, strict=strict).exit_code)


def written(verification: Verification, form: str, out: Path, *, strict: bool, verbose: bool, quiet: bool) -> str:
    """One report as text. `quiet` leaves only the verdict, in whatever form."""
    from ..report import json as report_json
    from ..report import text

    if form == "json":
        return report_json.text(verification, strict=strict)
    if quiet:
        return text.quiet(verification, strict=strict)
    return text.text(verification, out=str(out), strict=strict, verbose=verbose)


def target(text: str) -> Target:
    """Read one --report. Raises Unusable."""
    form, equals, file = text.partition("=")
    if form not in FORMATS:
        raise Unusable(f"--report: there is no form {form!r}; choose {' or '.join(FORMATS)}")
    if equals and not file:
        raise Unusable(f"--report {text}: name a file after =")
    return Target(form, Path(file) if equals else None)


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
