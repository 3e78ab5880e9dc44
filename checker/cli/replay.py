"""`quotaproof replay`: play a scenario step by step and say which promise breaks where."""

from __future__ import annotations

from typing import Annotated

import typer

from .options import FailOnLevel, Options, Redact, Report, Reporting, bar


def replay(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario file, as verify writes; - is stdin.")],
    report: Report = None,
    fail_on: FailOnLevel = "error",
    redact: Redact = False,
) -> None:
    """Play a scenario on the rules and on the reference scheduler, step by step.

    Exit code: 0 every promise is kept, 1 a promise breaks or an expectation fails, 2 unusable input.
    """
    reporting = Reporting.of(report or [], Options(fail_on=bar(fail_on)), redact=redact)
    from ...spec.formats.scenario_text import load_scenario
    from ..replay import replay as play

    with reporting.reading("replay", [scenario]):
        loaded = load_scenario(scenario)
    raise typer.Exit(reporting.tell(play(loaded, scenario)))
