"""--redact: account numbers, ARNs and job names are replaced, the same by the same, before any report sees the stream.

Works on text: a job's name is replaced wherever it stands as a word, also where a share is called alike or the name is an
everyday word: too much is hidden rather than too little. Codes, verdicts and choices are the program's own words and stay;
so do the names of shares, queues and instance types, but for an account number within.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar, cast

from ..results import Began, Event, Source
from .place import located

T = TypeVar("T")
_ARN = r"(?P<arn>arn:(?:[^\s\"'<>,;()\[\]{}|`]*[^\s\"'<>,;()\[\]{}|`.:!?])?)"
"""Without the stop of the sentence in which it stands."""
_ACCOUNT = r"(?P<account>(?<![0-9])[0-9]{12}(?![0-9]))"
_OWN_WORDS = {
    *("code", "verdict", "severity", "status", "command", "kind", "reading", "assumed", "combinations", "assumes"),
    *("until", "solver", "jobs"),
}
"""Fields that hold words of the program, or that no report shows."""
_JOB_KEYS = ("preemptions", "reasons")
"""Where a scenario's keys are names of jobs."""


def redacted(events: Iterable[Event]) -> Iterator[Event]:
    """The stream without what should not be shown around."""
    redactor = Redactor()
    for event in events:
        if isinstance(event, Began):
            redactor = Redactor(event.jobs)
            there = tuple(Source(s.name, located(s.path), s.kind) for s in event.sources)
            yield redactor.value(replace(event, sources=there, jobs=()))
        else:
            yield redactor.value(event)


class Redactor:
    """Replaces and remembers what by what. `jobs` are the names to hide."""

    def __init__(self, jobs: Iterable[str] = ()) -> None:
        self._given: dict[str, dict[str, str]] = {"arn": {}, "account": {}, "job": {}}
        names = [name for name in dict.fromkeys(jobs) if name]
        for name in names:
            self._label("job", name)
        words = sorted(names, key=len, reverse=True)
        # the longest first, as a name may be the beginning of another
        job = "|".join(rf"(?<![\w-]){re.escape(n)}(?![\w-])" for n in words)
        self._some = re.compile("|".join([*([f"(?P<job>{job})"] if job else []), _ARN, _ACCOUNT]), re.IGNORECASE)
        self._without_jobs = re.compile(f"{_ARN}|{_ACCOUNT}", re.IGNORECASE)

    def text(self, text: str, *, jobs: bool = True) -> str:
        """The text with every secret replaced."""
        return (self._some if jobs else self._without_jobs).sub(self._replaced, text)

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

    def _replaced(self, match: re.Match[str]) -> str:
        kind = match.lastgroup or ""
        return self._label(kind, match.group())

    def _label(self, kind: str, text: str) -> str:
        known = self._given[kind]
        return known.setdefault(text, f"{kind}-{len(known) + 1}")
