"""--redact: what tells whose account, jobs or machine it is is replaced, the same by the same, before any report sees it.

Account numbers, ARNs, addresses of storage and servers (not of the web), job names, paths that are not below the current
folder, and the command that starts a backend. Works on text: a job's name is replaced wherever it stands as a word, also
where a share is called alike or the name is an everyday word: too much is hidden rather than too little. In the name or
path of a file it is replaced wherever it stands, and the file has its new name everywhere; the number of a line behind it
stays. Codes, verdicts and choices are the program's own words and stay; so do the names of shares, queues and instance
types, but for an account number within.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar, cast

from ..results import Began, Event
from ..shell import quoted
from . import paths

T = TypeVar("T")
_ARN = r"(?P<arn>arn:(?:[^\s\"'<>,;()\[\]{}|`]*[^\s\"'<>,;()\[\]{}|`.:!?])?)"
"""Without the stop of the sentence in which it stands."""
_ACCOUNT = r"(?P<account>(?<![0-9])[0-9]{12}(?![0-9]))"
_AT = r"://[^\s\"'<>,;()\[\]{}|`]*[^\s\"'<>,;()\[\]{}|`.:!?]"
_S3 = rf"(?P<s3>s3{_AT})"
_ADDRESS = rf"(?P<address>(?<![\w+.-])(?!https?:|file:)[a-z][a-z0-9+.-]*{_AT})"
_FORMS = re.compile(f"{_ARN}|{_S3}|{_ADDRESS}|{_ACCOUNT}", re.IGNORECASE)
_COMMAND = "cmd:"
"""What the name of a backend begins with that is a program."""
_WORD = re.compile(r"[\w-]")
_LINE = re.compile(r":[0-9]{1,9}(?![0-9])")
_Find = Callable[[str, int], tuple[str, int] | None]
"""What is to be replaced at a place of a text: by what, and where it ends."""
_OWN_WORDS = {
    *("code", "verdict", "severity", "status", "command", "kind", "reading", "assumed", "combinations", "assumes"),
    *("until", "term", "solver", "jobs", "files", "backends", "period", "month", "clause", "choice"),
}
"""Fields that hold words of the program, or that no report shows."""
_JOB_KEYS = ("preemptions", "reasons")
"""Where a scenario's keys are names of jobs."""


def redacted(events: Iterable[Event], out: str = "") -> Iterator[Event]:
    """The stream without what should not be shown around. `out`: the folder of scenarios, as in `of`."""
    redactor = Redactor()
    for event in events:
        if isinstance(event, Began):
            redactor = of(event, out)
            yield redactor.value(replace(event, jobs=(), files=(), backends=()))
        else:
            yield redactor.value(event)


def of(began: Began, out: str = "") -> Redactor:
    """Who hides what the stream that opens so names; `out` is the folder to which it writes scenarios."""
    files = [text for s in (*began.sources, *began.files) for text in (s.name, s.path)]
    return Redactor(began.jobs, files, began.backends, folders=[out])


class Redactor:
    """Replaces and remembers what by what. `jobs` are the names to hide, `files` the names and paths that may hold them,
    `backends` as they were named, and `folders` hold what is called by its name there."""

    def __init__(
        self,
        jobs: Iterable[str] = (),
        files: Iterable[str] = (),
        backends: Iterable[str] = (),
        *,
        folders: Iterable[str] = (),
    ) -> None:
        self._given: dict[str, dict[str, str]] = {}
        names = [name for name in dict.fromkeys(jobs) if name]
        for name in names:
            self._label("job", name)
        self._jobs = _Names(names, str.lower)
        secret = f"{_FORMS.pattern}|{paths.pattern()}"
        self._secrets = re.compile(secret, re.IGNORECASE)
        self._renamed = {spelt: new for backend in backends for spelt, new in self._spellings(backend)}
        self._folders: dict[str, str] = {}
        for folder in filter(paths.outside, folders):
            self._renamed[folder] = self._folders[paths.from_here(folder)] = self._path(folder)
        inside = _starts(names, "", secret)
        self._rename(dict.fromkeys(file for file in files if file and file not in self._renamed), inside)
        self._files = _Names(self._renamed, str)
        self._starts = _starts([*names, *self._renamed], r"(?<![\w-])", secret)

    def _spellings(self, backend: str) -> Iterator[tuple[str, str]]:
        """The ways in which a text has the command of a backend, and what each is to be; none for one that is no command."""
        command = backend.removeprefix(_COMMAND)
        if command and command != backend:
            label = self._label("command", command)
            for spelt in (command, quoted(command), repr(command)[1:-1]):
                yield spelt, label
            yield quoted(backend), f"{_COMMAND}{label}"

    def _rename(self, files: Iterable[str], inside: re.Pattern[str]) -> None:
        """Files by what they are called from now on, two never alike. One that is not below the current folder is called by
        its name in a folder that is hidden; a folder is hidden whole."""
        taken: dict[str, str] = {}
        for file in files:
            there = paths.from_here(file) if paths.outside(file) else file
            name = Path(there).name
            if not paths.outside(there):
                new = self._redacted(there, self._within, inside)
            elif not name or "\\" in there or Path(there).is_dir():
                new = self._path(there)
            else:
                new = f"{self._path(str(Path(there).parent))}/{self._redacted(name, self._within, inside)}"
            while taken.setdefault(new, there) != there:
                new += "_"
            self._renamed[file] = new

    def text(self, text: str, *, jobs: bool = True) -> str:
        """The text with every secret replaced."""
        return self._redacted(text, self._named, self._starts) if jobs else self._redacted(text, _nothing)

    def _redacted(self, text: str, named: _Find, starts: re.Pattern[str] | None = None) -> str:
        """The text with secrets replaced that have a form, and what `named` finds; `starts` finds where one of them may begin,
        and the longest that does is taken."""
        starts = starts or self._secrets
        said: list[str] = []
        done = at = 0
        while (start := starts.search(text, at)) is not None:
            at = start.start()
            found, secret = named(text, at), self._secrets.match(text, at)
            if secret and (found is None or found[1] < secret.end()):
                found = self._secret(secret), secret.end()
            if found:
                new, end = found
                said += text[done:at], new
                done = at = end
            else:
                at += 1
        return "".join([*said, text[done:]])

    def _secret(self, match: re.Match[str]) -> str:
        kind = match.lastgroup or ""
        return self._path(match.group()) if kind in paths.GROUPS else self._label(kind, match.group())

    def _path(self, text: str) -> str:
        """What a path is called: its place below the current folder, or a label."""
        there = paths.from_here(text)
        for folder, label in self._folders.items():
            if there.startswith(f"{folder}/"):
                return f"{label}{self._redacted(there[len(folder) :], _nothing, _FORMS)}"
        inside = paths.below(there)
        return self._redacted(inside, _nothing, _FORMS) if inside else self._label("path", there)

    def _named(self, text: str, at: int) -> tuple[str, int] | None:
        """The file, the command or the job whose name is the word at `at`: what to write instead, and where it ends."""
        if at and _WORD.match(text, at - 1):
            return None
        end = self._files.end(text, at, word=True)
        if end is not None:
            line = _LINE.match(text, end)
            return self._renamed[text[at:end]] + (line.group() if line else ""), line.end() if line else end
        end = self._jobs.end(text, at, word=True)
        return None if end is None else (self._label("job", text[at:end]), end)

    def _within(self, text: str, at: int) -> tuple[str, int] | None:
        """The job whose name begins at `at` within a file's."""
        end = self._jobs.end(text, at, word=False)
        return None if end is None else (self._label("job", text[at:end]), end)

    def value(self, value: T) -> T:
        """A copy of a string, container or dataclass in which every text is redacted."""
        return cast("T", self._value(value))

    def _value(self, value: Any) -> Any:
        if isinstance(value, Enum):
            return value
        if isinstance(value, str):
            return self.text(value)
        if is_dataclass(value) and not isinstance(value, type):
            kept = {f.name: getattr(value, f.name) for f in fields(value)}
            return replace(value, **{k: v if k in _OWN_WORDS else self._value(v) for k, v in kept.items()})
        if isinstance(value, (tuple, list)):
            items = [self._value(v) for v in cast("list[Any]", value)]
            return tuple(items) if isinstance(value, tuple) else items
        if isinstance(value, Mapping):
            return self._mapping(cast("Mapping[Any, Any]", value))
        return value

    def _mapping(self, value: Mapping[Any, Any], *, jobs: bool = False) -> dict[Any, Any]:
        """Keys are the form's own words or names of shares and units; those of jobs stand in known places."""
        return {
            self.text(str(k), jobs=jobs): self._mapping(v, jobs=True) if k in _JOB_KEYS and isinstance(v, Mapping)
            else self._value(v)
            for k, v in value.items()
        }  # fmt: skip

    def _label(self, kind: str, text: str) -> str:
        known = self._given.setdefault(kind, {})
        return known.setdefault(text, f"{kind}-{len(known) + 1}")


def _nothing(_text: str, _at: int) -> None:
    """Finds no name."""


def _starts(names: Iterable[str], before: str, secret: str) -> re.Pattern[str]:
    """Where a secret that has a form or, behind `before`, one of the names may begin."""
    firsts = "".join(sorted({re.escape(name[0]) for name in names}))
    name = [f"{before}[{firsts}]"] if firsts else []
    return re.compile("|".join([*name, secret]), re.IGNORECASE)


class _Names:
    """Names of which the longest at a place is found in a time that does not grow with their number."""

    def __init__(self, names: Iterable[str], fold: Callable[[str], str]) -> None:
        self._fold = fold
        self._known = {fold(name) for name in names}
        lengths: dict[str, set[int]] = {}
        for name in names:
            lengths.setdefault(fold(name[:1]), set()).add(len(name))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}

    def end(self, text: str, start: int, *, word: bool) -> int | None:
        """Where the longest name that begins at `start` ends; with `word`, no letter, digit, _ or - may follow it."""
        for length in self._lengths.get(self._fold(text[start]), ()):
            end = start + length
            if (
                end <= len(text)
                and self._fold(text[start:end]) in self._known
                and not (word and _WORD.match(text, end))
            ):
                return end
        return None
