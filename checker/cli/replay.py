"""`quotaproof replay`: play a scenario step by step and say which promise breaks where."""

from __future__ import annotations

from typing import Annotated

import typer

from .output import Unusable, show, usable


def replay(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario file, as verify writes; - is stdin.")],
) -> None:
    """Play a scenario on the rules and on the reference scheduler, step by step.

    Exit code: 0 every promise is kept, 1 a promise breaks or an expectation fails, 2 unusable input.
    """
    from ...spec.formats.scenario_text import load_scenario
    from ..report.replay import exit_code, text
    from ..witness.play import play

    with usable():
        loaded = load_scenario(scenario)
    played = play(loaded)
    show(text(played))
    if played.unusable:
        raise Unusable(f"{scenario}: {played.unusable}; the scenario cannot be played to its end")
    raise typer.Exit(exit_code(played))
