"""`quotaproof replay`: play a scenario step by step and say which promise breaks where."""

from __future__ import annotations

from contextlib import nullcontext
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .conform import naming_kept, said
from .options import FailOnLevel, Options, Redact, Report, Reporting, bar
from .output import Unusable, complain, save

if TYPE_CHECKING:
    from ...spec.formats.scenario import Scenario
    from ..witness.play import Played


def replay(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario file, as verify writes; - is stdin.")],
    report: Report = None,
    fail_on: FailOnLevel = "error",
    redact: Redact = False,
    backend: Annotated[
        str, typer.Option(metavar="BACKEND", help="Run it on this scheduler, as conform names it; not on the rules.")
    ] = "",
    trace: Annotated[str, typer.Option(metavar="FILE", help="Write what happened as a trace, one second a step.")] = "",
    keep: Annotated[
        bool, typer.Option("--keep", help="The folder of a real scheduler stays: configuration, logs, job script.")
    ] = False,
) -> None:
    """Play a scenario on the rules and on the reference scheduler, step by step.

    A failure that conform has kept is run on its backend again: FIXED, FAILED or ERROR. Exit code: 0 every promise is
    kept, 1 a promise breaks or an expectation fails, 2 unusable input, 3 the backend went wrong.
    """
    reporting = Reporting.of(report or [], Options(fail_on=bar(fail_on)), redact=redact)
    from ...spec.formats.scenario_text import load_scenario
    from ..replay import not_in_a_trace
    from ..replay import replay as play

    with reporting.reading("replay", [scenario]):
        loaded = load_scenario(scenario)

    again = backend or (loaded.found.backend if loaded.found else "")
    if again:
        with naming_kept() if keep else nullcontext():
            code = _again(loaded, scenario, again, reporting, trace, keep=keep)
        raise typer.Exit(code)
    if keep:
        raise Unusable("--keep: only a real scheduler leaves a folder; name one with --backend")

    def save_trace(played: Played) -> None:
        from ...spec.formats.trace import write_trace

        text = StringIO()
        write_trace(text, loaded.config, played.seen, ordered=True, claims=True)
        save(Path(trace), text.getvalue())
        missing = not_in_a_trace(played)
        written.append(f"written {trace}" + (f"\n{missing}" if missing else ""))

    written: list[str] = []
    code = reporting.tell(play(loaded, scenario, keep=save_trace if trace else None, draws=reporting.draws))
    for line in written:
        complain(line, redact=redact)
    raise typer.Exit(code)


def _again(loaded: Scenario, path: str, backend: str, reporting: Reporting, trace: str, *, keep: bool) -> int:
    """Run it on a backend, and tell it; the exit code."""
    from ..conform.backend import BackendError
    from ..conform.retry import cannot_run, retried, told

    try:
        run = retried(loaded, backend, keep=keep)
    except BackendError as error:
        why = said(error, [backend] if reporting.redact else None)
        if loaded.found is None:
            raise Unusable(why) from error
        return reporting.tell(cannot_run(loaded, backend, why, path))
    code = reporting.tell(told(run, path, draws=reporting.draws))
    if trace:
        from ...spec.formats.trace import write_trace

        text = StringIO()
        write_trace(text, loaded.config, run.seen(), ordered=True, claims=run.declared.claims)
        save(Path(trace), text.getvalue())
        complain(f"written {trace}")
    return code
