"""What `why` and `status` share: from what they found out to a page on the screen or in files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Target, apart, spare
from .output import Unusable, save, show

if TYPE_CHECKING:
    from ...spec.observations import History, Submitted
    from ..why.page import Page
    from ..why.told import Status, Why

FORMS = ("text", "md", "json")

Report = Annotated[
    list[str] | None,
    typer.Option(metavar="FORM[=FILE]", help=f"{', '.join(FORMS[:-1])} or {FORMS[-1]}; can be given several times."),
]
At = Annotated[
    str | None, typer.Option("--at", metavar="TIME", help="The state at this time, UTC, e.g. 2026-11-02T15:04.")
]
Config = Annotated[
    list[str] | None, typer.Option("--config", metavar="PATH", help="The queue's configuration, if it is elsewhere.")
]
Queue = Annotated[str | None, typer.Option(metavar="NAME", help="The queue, if there are several.")]

Assume = Annotated[
    list[str] | None, typer.Option(metavar="READING=CHOICE", help="Settle an open question, e.g. A16=created.")
]


def targets(reports: Sequence[str], read: Sequence[str | None], forms: Sequence[str] = FORMS) -> tuple[Target, ...]:
    """Which reports were asked for, and text on the screen when none goes there. No file in the paths `read` is replaced.
    Raises Unusable."""
    found: list[Target] = []
    for text in reports:
        form, equals, file = text.partition("=")
        if form not in forms:
            raise Unusable(f"--report: there is no form {form!r} here; choose {', '.join(forms[:-1])} or {forms[-1]}")
        if equals and not file:
            raise Unusable(f"--report {text}: name a file after =")
        found.append(Target(form, Path(file) if equals else None))
    if sum(t.file is None for t in found) > 1:
        raise Unusable("--report: only one report can go to the screen; give the other a file, such as json=why.json")
    if all(t.file is not None for t in found):
        found.insert(0, Target("text", None))
    files = [t.file for t in found if t.file is not None]
    apart(files)
    spare(files, [path for path in read if path])
    return tuple(found)


def within(history: History, at: int | None) -> int | None:
    """The time, if the history reaches back to it. Raises Unusable."""
    if at is not None and history.start and at < history.start:
        first = datetime.fromtimestamp(history.start / 1000, tz=UTC)
        raise Unusable(f"--at: the history begins at {first:%Y-%m-%dT%H:%M:%SZ}, after that time")
    return at


def tell(asked: Sequence[Target], told: Why | Status, page: Page, hidden: Sequence[str] | None) -> None:
    """Write every report. `hidden`: names that --redact replaces, None where nothing is. Raises Unusable."""
    from ..why import json, md, text

    if hidden is not None:
        from ..report.redact import Redactor

        redactor = Redactor(hidden)
        told, page = redactor.value(told), redactor.value(page)
    writers = {"text": lambda: text.write(page), "md": lambda: md.write(page), "json": lambda: json.write(told)}
    for target in asked:
        if target.file is None:
            show(writers[target.form]())
        else:
            save(target.file, writers[target.form]())


def names(history: History, jobs: dict[str, Submitted]) -> tuple[str, ...]:
    """Every name by which a job could be known; names and ids first, as `audit` has them too."""
    from ...spec.observations import known_names

    every = {**jobs, **history.jobs}
    more = [name for s in every.values() for name in (s.facts.owner, s.facts.checkpoint)]
    return tuple(dict.fromkeys(name for name in [*known_names(every), *history.attempts, *more] if name))
