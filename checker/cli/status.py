"""`quotaproof status`: who uses, borrows and lends what, what can be stopped, who is next in line."""

from __future__ import annotations

from typing import Annotated

import typer

from .options import Redact
from .output import usable
from .pages import At, Config, Queue, Report, instant, names, targets, tell, within


def status(
    history: Annotated[
        list[str], typer.Argument(metavar="DIR...", help="What is known of the queue, as `pull` fetches it.")
    ],
    at: At = None,
    config: Config = None,
    queue: Queue = None,
    report: Report = None,
    redact: Redact = False,
) -> None:
    """Show how a queue stands: what each share uses, borrows and lends, and who is next in line.

    Exit code: 0 told, 2 unusable input.
    """
    asked = targets(report or [])
    from ...spec.formats.history import load_history
    from ...spec.readings import Readings
    from ..why.find import submissions
    from ..why.status import status as state
    from ..why.status_words import page

    readings = Readings()
    with usable():
        loaded = load_history(history, config=config or (), queue=queue, readings=readings)
        until = within(loaded, instant(at))
        jobs = submissions(loaded)
        told = state(loaded, readings, jobs, until)
    tell(asked, told, page(told), names(loaded, dict(jobs)) if redact else None)
