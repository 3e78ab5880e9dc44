"""`quotaproof why`: why was my job stopped, what does it wait for, what would help?"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Redact
from .output import Unusable, usable
from .pages import Assume, At, Config, Queue, Report, names, targets, tell, within
from .times import moment
from .verify import assumed

if TYPE_CHECKING:
    from ...spec.observations import History
    from ..why.why import Asked


def why(
    job: Annotated[
        str | None, typer.Argument(metavar="[JOB]", help="A job by its name, id, ARN or training job.")
    ] = None,
    history: Annotated[
        list[str] | None, typer.Option("--in", metavar="DIR", help="What is known of the queue, as `pull` fetches it.")
    ] = None,
    at: At = None,
    request: Annotated[
        str | None, typer.Option("--if", metavar="FILE", help="A submit-service-job request that is not submitted yet.")
    ] = None,
    job_id: Annotated[
        str | None, typer.Option("--job-id", metavar="ID", help="Which of several jobs of one name: how its id begins.")
    ] = None,
    config: Config = None,
    queue: Queue = None,
    assume: Assume = None,
    report: Report = None,
    redact: Redact = False,
) -> None:
    """Say why a job was stopped, what it waits for and what would help.

    Exit code: 0 told, 1 a rule was broken in its story, 2 unusable input.
    """
    asked = targets(report or [], [*(history or ()), *(config or ()), request])
    if not history:
        raise Unusable("why: name the folder with the queue's history: --in DIR")
    if (job is None) == (request is None):
        raise Unusable("why: name either a job, or with --if FILE a request that is not submitted yet")
    from ...spec.formats.history import load_history
    from ..why.find import find, submissions
    from ..why.known import known
    from ..why.why import before
    from ..why.why import why as story
    from ..why.words import page

    with usable():
        readings = assumed(assume or [])
        load = load_history if request is None else known
        loaded = load(history, config=config or (), queue=queue, readings=readings)
        until = within(loaded, moment("--at", at))
        jobs = submissions(loaded)
        with _nameless(names(loaded, dict(jobs)) if redact else (), job or ""):
            if request is not None:
                told = before(loaded, readings, _request(request, loaded), jobs, until)
            else:
                assert job is not None
                told = story(loaded, readings, find(loaded, jobs, job, job_id), jobs, until)
    hidden = (*names(loaded, dict(jobs)), told.job.name) if redact else None
    tell(asked, told, page(told), hidden)
    raise typer.Exit(told.exit_code)


@contextmanager
def _nameless(hidden: tuple[str, ...], asked: str) -> Generator[None]:
    """What goes wrong is told without these names, and without the one that was asked for; with all where there are none."""
    from ...spec.formats.errors import InputError

    try:
        yield
    except InputError as error:
        if not hidden:
            raise
        from ..report.redact import Redactor

        raise Unusable(Redactor([*hidden, *filter(None, [asked])]).text(str(error))) from error


def _request(path: str, history: History) -> Asked:
    from ..why.request import read

    return read(path, history.config)
