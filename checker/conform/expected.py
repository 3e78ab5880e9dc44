"""What a scheduler is known to get wrong, in a file, and how a run differs from it: in neither direction silently.

    {"scenarios": 60, "broken": {"G6": ["own-job-ends"], "G14": ["own-job-ends"]}, "sometimes": {"G9": ["half-of-three"]},
     "undecided": ["over-limit"]}

`scenarios`: at least so many of the corpus are run. `broken`: by guarantee, every scenario that must break it; `sometimes`
those that may, in all runs of them or in one. Whatever else a scenario breaks, breaks once, or does wrong is a difference; of
generated scenarios, a guarantee that the file does not name. `undecided`: what the run leaves open, each by its name: a
guarantee, a goal, a core feature that is missing, a core scenario that is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ...spec.formats.errors import InputError
from ..conformed import Compared, Declared, Tried
from ..results import Event, Result, Verdict
from .outcomes import CAMPAIGN, FLAKE, PROFILE, SCENARIO

_FORM = ("scenarios", "broken", "sometimes", "undecided")
Broken = Mapping[str, frozenset[str]]
"""Scenario -> guarantees that it breaks."""


@dataclass(frozen=True)
class Expected:
    """What stands in the file."""

    path: str
    scenarios: int
    broken: Broken
    sometimes: Broken
    undecided: frozenset[str] = frozenset()

    @classmethod
    def read(cls, path: str) -> Expected:
        """Raises InputError."""
        import json

        try:
            form: Any = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise _wrong(path, f"cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise _wrong(path, f"is not JSON: {error}") from error
        if not isinstance(form, dict) or set(cast("dict[str, Any]", form)) - set(_FORM) or "scenarios" not in form:
            raise _wrong(path, f"holds something else than {', '.join(_FORM)}")
        found = cast("dict[str, Any]", form)
        if not isinstance(found["scenarios"], int) or isinstance(found["scenarios"], bool):
            raise _wrong(path, "says in `scenarios` no number")
        broken, sometimes = (_broken(path, found.get(key, {})) for key in _FORM[1:3])
        return cls(path, found["scenarios"], broken, sometimes, _undecided(path, found.get("undecided", [])))

    def compared(self, events: Iterable[Event]) -> Compared:
        """A run beside it."""
        return Compared(self.path, tuple(self.differences(events)))

    def differences(self, events: Iterable[Event]) -> Iterator[str]:
        """How a run differs from it."""
        seen = _Seen.of(events)
        yield from seen.wrong
        yield from self._flakes(seen)
        yield from self._failures(seen)
        yield from self._open(seen)
        if seen.ran < self.scenarios:
            yield f"{seen.ran} scenarios of the corpus were run, {self.scenarios} are expected"

    def _flakes(self, seen: _Seen) -> Iterator[str]:
        for flake in seen.flakes:
            if not set(flake.breaks) <= self.sometimes.get(flake.subject, frozenset()):
                yield f"{flake.subject}: {flake.because}"

    def _failures(self, seen: _Seen) -> Iterator[str]:
        for scenario, codes in seen.failed.items():
            must = self.broken.get(scenario, frozenset())
            new = codes - must - self.sometimes.get(scenario, frozenset())
            if new:
                yield f"{scenario} breaks {_and(new)}" + (f", and {_and(must)} alone is expected" if must else "")
        for scenario, codes in self.broken.items():
            if kept := codes - seen.failed.get(scenario, frozenset()):
                yield f"{scenario} is expected to break {_and(kept)}, and does not"
        known = frozenset[str]().union(*self.broken.values(), *self.sometimes.values(), *seen.failed.values())
        for code in sorted(seen.guarantees - known) if seen.generated else ():
            yield f"{code} is broken in generated scenarios, and {self.path} does not name it"

    def _open(self, seen: _Seen) -> Iterator[str]:
        """What is undecided and should not be, and the other way round. That a flake leaves a guarantee open, or that it is
        broken, is told with its scenario."""
        flaky = {code for flake in seen.flakes for code in flake.breaks}
        for name, why in seen.undecided.items():
            if name not in self.undecided | flaky:
                yield f"{name} is undecided: {why}"
        for name in sorted(self.undecided - set(seen.undecided) - seen.guarantees):
            yield f"{name} is expected to be undecided, and is not"


@dataclass
class _Seen:
    """What a run came to."""

    ran: int = 0
    """Scenarios of the corpus."""
    generated: int = 0
    """Generated scenarios that failed."""
    failed: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Scenario -> the guarantees that it breaks."""
    flakes: list[Result] = field(default_factory=list[Result])
    guarantees: set[str] = field(default_factory=set[str])
    """Those that are broken anywhere."""
    undecided: dict[str, str] = field(default_factory=dict[str, str])
    """What is left open, by its name, and why."""
    wrong: list[str] = field(default_factory=list[str])
    """What went wrong, as differences."""

    @classmethod
    def of(cls, events: Iterable[Event]) -> _Seen:
        seen = cls()
        for event in events:
            match event:
                case Declared():
                    missing = (f for f in event.core if f in event.missing)
                    seen.undecided |= dict.fromkeys(missing, "a core feature that it does not have")
                case Tried(part="corpus"):
                    seen.ran += event.run
                case Tried(part="campaign"):
                    seen.generated += event.failed
                case Result():
                    seen._take(event)
                case _:
                    pass
        return seen

    def _take(self, result: Result) -> None:
        name, unknown = result.subject or result.code, result.verdict is Verdict.UNKNOWN
        if result.code == FLAKE:
            self.flakes.append(result)
        elif result.verdict is Verdict.BROKEN_HERE:
            if result.code == SCENARIO:
                self.failed[name] = self.failed.get(name, frozenset()) | frozenset(result.breaks)
            else:
                self.guarantees.add(result.code)
        elif result.code in (SCENARIO, CAMPAIGN) and unknown and not result.skipped:
            self.wrong.append(f"{name} went wrong: {result.because}")
        elif unknown and (result.code != PROFILE or result.skipped):
            self.undecided[name] = result.because


def _and(codes: Iterable[str]) -> str:
    return " and ".join(sorted(codes))


def _undecided(path: str, form: Any) -> frozenset[str]:
    if not isinstance(form, list) or not all(isinstance(name, str) for name in cast("list[Any]", form)):
        raise _wrong(path, "lists under `undecided` no names")
    return frozenset(cast("list[str]", form))


def _broken(path: str, form: Any) -> Broken:
    found: dict[str, frozenset[str]] = {}
    if not isinstance(form, dict):
        raise _wrong(path, "lists no scenarios by guarantee")
    for code, names in cast("dict[str, Any]", form).items():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in cast("list[Any]", names)):
            raise _wrong(path, f"lists no scenarios under {code}")
        for name in cast("list[str]", names):
            found[name] = found.get(name, frozenset()) | {code}
    return found


def _wrong(path: str, what: str) -> InputError:
    return InputError(f"the file {what}", where=path, why="It says which failures of a scheduler are known.",
                      fix='write {"scenarios": 60, "broken": {"G6": ["name-of-a-scenario"]}}.')  # fmt: skip
