"""`quotaproof audit`: what did a queue do, did it keep the rules, and did lending pay?"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import FailOnLevel, Options, Quiet, Redact, Report, Reporting, Verbose, bar
from .output import Unusable
from .times import moment
from .verify import assumed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...spec.observations import History
    from ...spec.promises import Promises
    from ...spec.readings import Readings
    from ..audit.drawing import StopsTold
    from ..measured import RuledOut, Unsettled
    from ..results import Source


def audit(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="HISTORY...", help="Files or folders with what a queue did; - is stdin."),
    ],
    config: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="The queue's configuration, if it is not in HISTORY.")
    ] = None,
    promises: Annotated[
        str | None, typer.Option(metavar="FILE", help="Promises to judge; else promises.yaml beside what is read.")
    ] = None,
    since: Annotated[str | None, typer.Option(metavar="TIME", help="What was before is followed, not counted.")] = None,
    until: Annotated[str | None, typer.Option(metavar="TIME", help="What is from then on is left out.")] = None,
    before: Annotated[
        str | None, typer.Option(metavar="DATE", help="Split the ledger in two columns, before and from then on.")
    ] = None,
    queue: Annotated[str | None, typer.Option(metavar="NAME", help="The queue to judge, if there are several.")] = None,
    assume: Annotated[
        list[str] | None, typer.Option(metavar="READING=CHOICE", help="Settle an open question, e.g. A16=created.")
    ] = None,
    skew: Annotated[float, typer.Option(metavar="SECONDS", help="How far clocks of the records may be apart.")] = 0.0,
    saves_every: Annotated[
        int, typer.Option(metavar="MINUTES", help="How often jobs save, for the least that stops lost.")
    ] = 30,
    report: Report = None,
    fail_on: FailOnLevel = "error",
    strict: Annotated[
        bool, typer.Option("--strict", help="What never came up, cannot be seen or is pending counts as undecided.")
    ] = False,
    redact: Redact = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> None:
    """Say what a queue did: which rules it kept, whether lending paid and for whom.

    Times are UTC, such as 2026-07-01 or 2026-07-01T09:30. Exit code: 0 nothing is wrong, 1 a rule is broken, 2 unusable
    input, 3 undecided, 70 quotaproof itself failed.
    """
    reporting = Reporting.of(
        report or [], Options(strict=strict, fail_on=bar(fail_on), verbose=verbose, quiet=quiet), redact=redact
    )
    if not (math.isfinite(skew) and skew >= 0):
        raise Unusable(f"--skew: {skew} is not a number of seconds, 0 or more")
    if saves_every < 1:
        raise Unusable(f"--saves-every: {saves_every} is not a number of minutes above 0")
    bounds = [moment("--since", since), moment("--until", until), moment("--before", before)]
    from ...spec.formats.history import load_history
    from ..audit.audit import Asked
    from ..audit.audit import audit as told
    from ..audit.raw import raw_lines
    from ..judge.engines import judge_both
    from ..judge.otherwise import told_otherwise
    from .progress import shown

    with reporting.reading("audit", [*paths, *(config or [])]):
        readings = assumed(assume or [])
        history = load_history(paths, config=config or (), queue=queue, readings=readings)
        history, promised = _promised(history, promises)
        ms = round(skew * 1000)
        asked = Asked(*bounds, saves_every=saves_every, promises=promised, names=redact)
        events = list(
            told(
                history,
                readings,
                lambda h: told_otherwise(judge_both(h, readings, skew=ms), h, readings, skew=ms),
                raw_lines(history),
                asked=asked,
                sources=_sources(history, promised),
                watch=shown(history.start, history.end),
                rules_out=_readings,
                stops=_stops(readings) if reporting.draws else None,
            )
        )
    raise typer.Exit(reporting.tell(events))


def _stops(readings: Readings) -> StopsTold:
    """Why jobs were stopped, for a report that draws it."""
    from ..why.every import stops_told

    return lambda history: stops_told(history, readings)


def _readings(history: History) -> Iterator[RuledOut | Unsettled]:
    """What the history says of the open questions."""
    from ...spec.readings import READINGS
    from ..judge.infer import rulings
    from ..measured import RuledOut, Unsettled

    found = rulings(history)
    for r in found.ruled:
        left = {*READINGS[r.code].choices} - {o.choice for o in found.ruled if o.code == r.code}
        only = f"; only {r.code}={min(left)} is left: --assume {r.code}={min(left)}" if len(left) == 1 else ""
        yield RuledOut(r.code, r.choice, r.place, r.sentence.rstrip(".") + only)
    yield from (Unsettled(code, why) for code, why in found.undecided.items())


def _promised(history: History, named: str | None) -> tuple[History, Promises | None]:
    """The promises to judge: of the file that is named, or of the one that was found; others are left out. Raises
    InputError.
    """
    from dataclasses import replace

    from ...spec.formats.promises import found

    made, others = found(history.promises, history.config, named)
    return replace(history, left_out=(*history.left_out, *others)), made


def _sources(history: History, promises: Promises | None) -> tuple[Source, ...]:
    from ..results import Source

    paths = history.paths or history.files
    read = tuple(Source(name, path, "history") for name, path in zip(history.files, paths, strict=True))
    return (
        read
        if promises is None
        else (*read, Source(promises.name, str(Path(promises.folder, promises.name)), "promises"))
    )
