"""The options that commands share, and what they do: from a stream of events to reports, files and an exit code."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..report.options import FailOn, Options
from .output import Unusable, complain, folder, save, show, usable

if TYPE_CHECKING:
    from ..results import Event

FORMS = ("text", "json", "md", "sarif", "junit", "html", "badge")
"""Each is the name of a module of `report` with a function `write`."""

Report = Annotated[
    list[str] | None,
    typer.Option(metavar="FORM[=FILE]", help=f"{', '.join(FORMS[:-1])} or {FORMS[-1]}; can be given several times."),
]
FailOnLevel = Annotated[
    str,
    typer.Option("--fail-on", metavar="LEVEL", help="What makes the exit code 1: error, warning or never."),
]
Redact = Annotated[
    bool, typer.Option("--redact", help="Replace account numbers, ARNs, job names, paths outside this folder.")
]
Verbose = Annotated[bool, typer.Option("--verbose", help="Every row, check and theorem.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Only the verdict.")]


@dataclass(frozen=True)
class Target:
    """One report that was asked for: its form, and the file it goes to (None: standard output)."""

    form: str
    file: Path | None


@dataclass(frozen=True)
class Reporting:
    """Where a command's events go."""

    targets: tuple[Target, ...]
    options: Options
    redact: bool = False

    @classmethod
    def of(cls, reports: Sequence[str], options: Options, *, redact: bool = False) -> Reporting:
        """Check what was asked for. Raises Unusable."""
        if options.verbose and options.quiet:
            raise Unusable("--verbose and --quiet exclude each other")
        targets = tuple(_target(text) for text in reports)
        if sum(t.file is None for t in targets) > 1:
            raise Unusable(
                "--report: only one report can go to the screen; give the other a file, such as json=report.json"
            )
        apart(t.file for t in targets if t.file is not None)
        return cls(targets, options, redact)

    @property
    def draws(self) -> bool:
        """Whether one of the reports has pictures."""
        return any(target.form == "html" for target in self.targets)

    def tell(self, events: Iterable[Event]) -> int:
        """Write everything that was asked for; the exit code. Raises Unusable when a report cannot be written, and where
        the input turns out on the way to be unusable."""
        from ..report.outcome import outcome
        from ..results import Began, Verification, Witness

        told: list[Event] = []
        writable = True
        given = list(islice(stream := iter(events), 1))
        paths = [file.path for e in given if isinstance(e, Began) for file in e.files]
        read = set(map(os.path.realpath, paths))
        whole, options = self._hiding(chain(given, stream), given)
        try:
            for event in _usable(whole):
                if not isinstance(event, Witness) or self.draws:
                    told.append(event)
                if isinstance(event, Witness) and event.name and writable:
                    writable = self._witness(event.name, f"{json.dumps(event.form, indent=2)}\n", read)
        except Unusable as error:
            command = next((e.command for e in given if isinstance(e, Began)), "")
            raise self._refused(command, error, paths) from error.__cause__
        verification = Verification.of(told)
        try:
            show(_written(next((t.form for t in self.targets if t.file is None), "text"), told, options))
        finally:
            self._save(told, options)
        if verification.ended.unusable:
            raise Unusable(f"{verification.began.sources[0].path}: {verification.ended.unusable}; "
                           "the scenario cannot be played to its end")  # fmt: skip
        return outcome(verification, self.options).exit_code

    def _hiding(self, events: Iterable[Event], first: Sequence[Event]) -> tuple[Iterable[Event], Options]:
        """The events and the options as they are told: without what --redact hides."""
        from ..results import Began

        if not self.redact:
            return events, self.options
        from ..report.redact import of, redacted

        out = self.options.out
        hidden = [of(began, out).text(out) for began in first if isinstance(began, Began)]
        return redacted(events, out), replace(self.options, out=hidden[0] if hidden else out)

    @contextmanager
    def reading(self, command: str, paths: Sequence[str]) -> Generator[None]:
        """Turn what bad input raises into `Unusable`. The reports that go to files say so too: no old one stays there.
        No file in `paths` is replaced."""
        spare((t.file for t in self.targets if t.file is not None), paths)
        try:
            with usable():
                yield
        except Unusable as error:
            raise self._refused(command, error, paths) from error.__cause__

    def _refused(self, command: str, error: Unusable, paths: Sequence[str]) -> Unusable:
        """What to raise instead, once the reports that go to files say so."""
        from ..results import Began, Ended

        said = _hidden(error, paths) if self.redact else str(error)
        self._save([Began(command, ""), Ended(0.0, unusable=" ".join(said.split("\n")))], self.options)
        return Unusable(said)

    def _save(self, told: Sequence[Event], options: Options) -> None:
        """Write every report that goes to a file. Raises Unusable, after all, for the first that cannot be written."""
        failed: list[Unusable] = []
        for target in self.targets:
            if target.file is not None:
                try:
                    save(target.file, _written(target.form, told, options, to_file=True))
                except Unusable as error:
                    failed.append(error)
        if failed:
            raise failed[0]

    def _witness(self, name: str, text: str, read: Collection[str]) -> bool:
        """False when it could not be written, which is said. A file in `read` stays, but for an older scenario."""
        from ...spec.formats import SCENARIO, kind_of

        path = Path(self.options.out) / name
        if _among(path, read) and kind_of(str(path)) != SCENARIO:
            why = f"{path} is a file that was read"
        else:
            try:
                save(folder(path.parent) / path.name, text)
            except Unusable as error:
                why = str(error)
            else:
                return True
        message = f"scenarios are not written: {why}. Name a folder that can be written with --out DIR"
        complain(message, redact=self.redact)
        return False


def apart(files: Iterable[Path]) -> None:
    """Raises Unusable when two reports would go to one file."""
    found: set[str] = set()
    for file in files:
        if os.path.realpath(file) in found:
            raise Unusable(f"--report: {file} is named twice; give each report a file of its own")
        found.add(os.path.realpath(file))


def spare(files: Iterable[Path], paths: Sequence[str], *, option: str = "--report", what: str = "report") -> None:
    """Raises Unusable when what is written would replace a file that is to be read; an older report is none."""
    from ...spec.formats import REPORTS, inputs, kind_of

    given = inputs(paths) if (wanted := list(files)) else ()
    for file in wanted:
        if _among(file, given) and not (file.is_file() and kind_of(str(file)) in REPORTS):
            raise Unusable(f"{option}: {file} is a file that is read; give the {what} another one")


def _usable(events: Iterable[Event]) -> Generator[Event]:
    """The events. Raises Unusable where they turn out to rest on bad input, such as a folder that cannot be read."""
    with usable():
        yield from events


def _among(file: Path, given: Collection[str]) -> bool:
    """Whether the file is one of those given, by any of its names, hard links among them."""
    if not given or not file.exists():
        return False
    return any(Path(other).exists() and file.samefile(other) for other in given)


def bar(text: str, *, plans: bool = False) -> FailOn:
    """Read --fail-on; `plans`: of a change, where a share can get weaker. Raises Unusable."""
    levels = [level for level in FailOn if plans or level is not FailOn.WEAKER]
    if text not in levels:
        only = "; weaker is for plan" if text == FailOn.WEAKER else ""
        choice = f"{', '.join(levels[:-1])} or {levels[-1]}"
        raise Unusable(f"--fail-on: there is no level {text!r}; choose {choice}{only}")
    return FailOn(text)


def _target(text: str) -> Target:
    """Read one --report. Raises Unusable."""
    form, equals, file = text.partition("=")
    if form not in FORMS:
        raise Unusable(f"--report: there is no form {form!r}; choose {', '.join(FORMS[:-1])} or {FORMS[-1]}")
    if equals and not file:
        raise Unusable(f"--report {text}: name a file after =")
    return Target(form, Path(file) if equals else None)


def _hidden(error: Unusable, paths: Sequence[str]) -> str:
    """The message without names of jobs, as far as any file can be read that has some."""
    from ...spec.formats import inputs, job_names
    from ..report.redact import Redactor

    files = [*map(str, map(Path, paths)), *(Path(f).name for f in sorted(inputs(paths)))]
    return Redactor(job_names(paths), files).text(str(error))


def _written(form: str, events: Sequence[Event], options: Options, *, to_file: bool = False) -> str:
    """One report. A file gets the whole of it; `quiet` is for the screen."""
    write: Callable[[Iterable[Event], Options], str] = import_module(f"..report.{form}", __package__).write
    return write(events, replace(options, quiet=options.quiet and not to_file))
