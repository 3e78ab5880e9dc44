"""--redact: account numbers, ARNs, S3 addresses and job names are replaced, the same by the same, before any report sees it.

Works on text: a job's name is replaced wherever it stands as a word, also where a share is called alike or the name is an
everyday word: too much is hidden rather than too little. In the name or path of a file it is replaced wherever it stands,
and the file has its new name everywhere; the number of a line behind it stays. Codes, verdicts and choices are the
program's own words and stay; so do the names of shares, queues and instance types, but for an account number within.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar, cast

from ..results import Began, Event, Source
from .place import located

T = TypeVar("T")
_ARN = r"(?P<arn>arn:(?:[^\s\"'<>,;()\[\]{}|`]*[^\s\"'<>,;()\[\]{}|`.:!?])?)"
"""Without the stop of the sentence in which it stands."""
_ACCOUNT = r"(?P<account>(?<![0-9])[0-9]{12}(?![0-9]))"
_S3 = r"(?P<s3>s3://[^\s\"'<>,;()\[\]{}|`]*[^\s\"'<>,;()\[\]{}|`.:!?])"
_SECRET = re.compile(f"{_ARN}|{_S3}|{_ACCOUNT}", re.IGNORECASE)
_WORD = re.compile(r"[\w-]")
_LINE = re.compile(r":[0-9]{1,9}(?![0-9])")
_Find = Callable[[str, int], tuple[str, int] | None]
"""What is to be replaced at a place of a text: by what, and where it ends."""
_OWN_WORDS = {
    *("code", "verdict", "severity", "status", "command", "kind", "reading", "assumed", "combinations", "assumes"),
    *("until", "term", "solver", "jobs", "files", "period", "month", "clause", "choice"),
}
"""Fields that hold words of the program, or that no report shows."""
_JOB_KEYS = ("preemptions", "reasons")
"""Where a scenario's keys are names of jobs."""


def redacted(events: Iterable[Event]) -> Iterator[Event]:
    """The stream without what should not be shown around."""
    redactor = Redactor()
    for event in events:
        if isinstance(event, Began):
            there = tuple(Source(s.name, located(s.path), s.kind) for s in event.sources)
            files = [text for s in (*there, *event.sources, *event.files) for text in (s.name, s.path)]
            redactor = Redactor(event.jobs, files)
            yield redactor.value(replace(event, sources=there, jobs=(), files=()))
        else:
            yield redactor.value(event)


class Redactor:
    """Replaces and remembers what by what. `jobs` are the names to hide, `files` the names and paths that may hold them."""

    def __init__(self, jobs: Iterable[str] = (), files: Iterable[str] = ()) -> None:
        self._given: dict[str, dict[str, str]] = {"arn": {}, "account": {}, "job": {}, "s3": {}}
        names = [name for name in dict.fromkeys(jobs) if name]
        for name in names:
            self._label("job", name)
        self._jobs = _Names(names, str.lower)
        self._renamed: dict[str, str] = {}
        inside, taken = _starts(names, ""), set[str]()
        for file in filter(None, dict.fromkeys(files)):
            new = self._redacted(file, self._within, inside)
            while new in taken:
                new += "_"
            taken.add(new)
            self._renamed[file] = new
        self._files = _Names(self._renamed, str)
        self._starts = _starts([*names, *self._renamed], r"(?<![\w-])")

    def text(self, text: str, *, jobs: bool = True) -> str:
        """The text with every secret replaced."""
        return self._redacted(text, self._named, self._starts) if jobs else self._redacted(text, _nothing, _SECRET)

    def _redacted(self, text: str, named: _Find, starts: re.Pattern[str]) -> str:
        """The text with accounts and ARNs replaced and what `named` finds; `starts` finds where one of them may begin, and
        the longest that does is taken."""
        said: list[str] = []
        done = at = 0
        while (start := starts.search(text, at)) is not None:
            at = start.start()
            found = [f for f in (named(text, at), self._secret(text, at)) if f]
            if found:
                new, end = max(found, key=lambda f: f[1])
                said += text[done:at], new
                done = at = end
            else:
                at += 1
        return "".join([*said, text[done:]])

    def _secret(self, text: str, at: int) -> tuple[str, int] | None:
        match = _SECRET.match(text, at)
        return (self._label(match.lastgroup or "", match.group()), match.end()) if match else None

    def _named(self, text: str, at: int) -> tuple[str, int] | None:
        """The file or the job whose name is the word at `at`: what to write instead, and where it ends."""
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
        known = self._given[kind]
        return known.setdefault(text, f"{kind}-{len(known) + 1}")


def _nothing(_text: str, _at: int) -> None:
    """Finds no name."""


def _starts(names: Iterable[str], before: str) -> re.Pattern[str]:
    """Where an ARN, an S3 address, an account number or, behind `before`, one of the names may begin."""
    firsts = "".join(sorted({re.escape(name[0]) for name in names}))
    name = [f"{before}[{firsts}]"] if firsts else []
    return re.compile("|".join([*name, _ARN, _S3, _ACCOUNT]), re.IGNORECASE)


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
