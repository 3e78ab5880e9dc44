"""`quotaproof status`: who uses, borrows and lends what, what can be stopped, who is next in line."""

from __future__ import annotations

from typing import Annotated

import typer

from .options import Redact
from .output import usable
from .pages import Assume, At, Config, Queue, Report, names, targets, tell, within
from .times import moment
from .verify import assumed


def status(
    history: Annotated[
        list[str], typer.Argument(metavar="DIR...", help="What is known of the queue, as `pull` fetches it.")
    ],
    at: At = None,
    config: Config = None,
    queue: Queue = None,
    assume: Assume = None,
    report: Report = None,
    redact: Redact = False,
) -> None:
    """Show how a queue stands: what each share uses, borrows and lends, and who is next in line.

    Exit code: 0 told, 2 unusable input.
    """
    asked = targets(report or [], [*history, *(config or ())])
    from ..why.find import submissions
    from ..why.known import known
    from ..why.status import status as state
    from ..why.status_words import page

    with usable():
        readings = assumed(assume or [])
        loaded = known(history, config=config or (), queue=queue, readings=readings)
        until = within(loaded, moment("--at", at))
        jobs = submissions(loaded)
        told = state(loaded, readings, jobs, until)
    tell(asked, told, page(told), names(loaded, dict(jobs)) if redact else None)
