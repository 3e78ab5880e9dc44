"""`quotaproof plan`: what a change would mean for every team, and the requests that make it, in a safe order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Options, Quiet, Redact, Report, Reporting, Verbose, bar
from .output import Unusable
from .plan_folder import PlanFolder
from .verify import assumed

if TYPE_CHECKING:
    from ...spec.model import QueueConfig
    from ...spec.observations import History
    from ...spec.readings import Readings
    from ..results import Event
    from ..rollout.plan.gives import Wishes


def plan(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="File or folder with the queue as it is, or a Terraform plan.")
    ],
    new: Annotated[
        str | None, typer.Argument(metavar="[NEW]", help="The queue as it is to be, or a CloudFormation change set.")
    ] = None,
    apply: Annotated[
        list[str] | None, typer.Option("--apply", metavar="FILE", help="Requests to AWS, or a folder of them.")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="SHARE.UNIT=N", help="A limit; 0 removes it. p5 will do as unit."),
    ] = None,
    give: Annotated[
        list[str] | None,
        typer.Option("--give", metavar="SHARE.UNIT=N", help="Say where the capacity for this limit can come from."),
    ] = None,
    running: Annotated[
        str | None,
        typer.Option("--running", metavar="DIR", help="The queue's history, as pull fetches it: what runs now."),
    ] = None,
    promises: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="What was promised; a promises.yaml beside OLD is found by itself."),
    ] = None,
    queue: Annotated[
        str | None, typer.Option(metavar="NAME", help="The queue that is meant, if there are several.")
    ] = None,
    assume: Annotated[
        list[str] | None, typer.Option(metavar="READING=CHOICE", help="Settle an open question, e.g. A16=created.")
    ] = None,
    report: Report = None,
    fail_on: Annotated[
        str,
        typer.Option("--fail-on", metavar="LEVEL", help="What makes the exit code 1: error, warning, weaker or never."),
    ] = "error",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for requests and scenarios; plan-DATE without it.")
    ] = None,
    timeout: Annotated[float | None, typer.Option(metavar="SECONDS", help="Bound on the solver.")] = None,
    redact: Redact = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> None:
    """Say what a change means for every team, and in which order to ask AWS for it. Nothing is sent.

    Exit code: 0 the change breaks nothing, 1 it breaks something, 2 unusable input, 3 undecided, 70 quotaproof itself
    failed.
    """
    today = date.today()
    into = str(out) if out is not None else f"plan-{today.isoformat()}"
    asked = Options(fail_on=bar(fail_on, plans=True), verbose=verbose, quiet=quiet, out=into)
    reporting = Reporting.of(report or [], asked, redact=redact)
    if timeout is not None and not (math.isfinite(timeout) and timeout > 0):
        raise Unusable(f"--timeout: {timeout} is not a number of seconds above 0")
    from ...spec.formats import beside, inputs, load
    from ...spec.formats.changes import load_change, unchanged
    from ..rollout.plan.plan import plan as judge

    again = [old, *([new] if new else [])]
    for option, values in (("--apply", apply), ("--running", [running]), ("--promises", [promises]), ("--queue", [queue]),
                           ("--assume", assume)):  # fmt: skip
        again += [word for value in values or [] if value for word in (option, value)]
    read = [old, *([new] if new else []), *(apply or []), *([running] if running else [])]
    with reporting.reading("plan", [*read, *([promises] if promises else beside([old]))]):
        readings = assumed(assume or [])
        if give and not (new or apply or set_):
            change = unchanged(load([old], queue=queue, readings=readings, promises=promises or ""))
        else:
            change = load_change(
                [old], [new] if new else [], apply=apply or [], set_=set_ or [], queue=queue, readings=readings,
                promises=promises or "",
            )  # fmt: skip
        history = _running(running, old, change.old.config.job_queue_name, readings) if running else None
        place = PlanFolder.take(Path(into), inputs([*read, *([promises] if promises else beside([old]))]))
        wishes = _wishes(give, change.new, again, set_ or []) if give else None
    events = judge(change, readings, running=history, wishes=wishes, today=today, timeout=timeout, out=into)
    raise typer.Exit(reporting.tell(_written(events, place, reporting)))


def _wishes(texts: Sequence[str], config: QueueConfig, again: Sequence[str], sets: Sequence[str]) -> Wishes:
    """What --give asks. A way is planned by the words `again`, with its limits in the place of those that --set gave."""
    from ...spec.formats.changes.settings import setting, wish
    from ..findings.check import short_units
    from ..rollout.plan.gives import Wishes
    from ..shell import command

    given = [(text, setting(text, config, option="--set")) for text in sets]

    def plans(limits: Sequence[tuple[str, str, int]]) -> str:
        new = {(share, unit) for share, unit, _ in limits}
        kept = [text for text, one in given if (one.subject, one.field) not in new]
        short = short_units(config.units)
        words = [word for text in (*kept, *(f"{s}.{short[u]}={n}" for s, u, n in limits)) for word in ("--set", text)]
        return command(["quotaproof", "plan", *again, *words])

    return Wishes(tuple(wish(text, config) for text in texts), plans)


def _written(events: Iterable[Event], place: PlanFolder, reporting: Reporting) -> Iterator[Event]:
    """The events; files of the plan are written as they come, and its README in the end, when the verdict is known."""
    from ..planned import Written
    from ..report.outcome import outcome
    from ..report.plan_readme import head
    from ..report.redact import redacted
    from ..results import Verification, Witness
    from ..rollout.plan.marks import MARK, README

    told: list[Event] = []
    readme = f"# A plan without requests\n\n{MARK}\n"
    for event in events:
        if isinstance(event, Written) and event.name == README:
            readme = event.text
        elif isinstance(event, Written):
            place.write(event.name, event.text)
        elif isinstance(event, Witness):
            place.open()
        told.append(event)
        yield event
    if place.opened or any(isinstance(event, Written) for event in told):
        shown = Verification.of(redacted(told) if reporting.redact else told)
        first = head(shown, outcome(shown, reporting.options))
        place.finish(readme.replace(f"{MARK}\n", f"{MARK}\n\n{first}", 1))


def _running(path: str, old: str, queue: str, readings: Readings) -> History:
    """What is known of the queue's jobs; the history's own configuration counts, OLD where it has none. Raises InputError."""
    from ...spec.formats import InputError
    from ...spec.formats.history import load_history

    try:
        return load_history([path], queue=queue, readings=readings)
    except InputError as error:
        try:
            found = load_history([path], config=[old], queue=queue, readings=readings)
        except InputError:
            raise error from None
        if found.others:
            raise InputError(
                f"the history is of another queue: {', '.join(found.others[:3])}",
                where=path,
                why=f"None of its jobs is of {queue}, and a plan is for one queue.",
                fix=f"give --running the history of {queue}.",
            ) from None
        return found
