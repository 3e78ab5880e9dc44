"""What a scheduler is known to get wrong, in a file, and how a run differs from it: in neither direction silently.

    {"scenarios": 60, "broken": {"G6": ["own-job-ends"]}, "sometimes": {"G9": ["reserve-is-for-all-units"]}}

`scenarios`: at least so many are run. `broken`: by the guarantee that is broken first, scenarios that must fail; `sometimes`
those that may. Whatever else fails, fails once, goes wrong or is not run is a difference; of generated scenarios, a guarantee
that the file does not name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ...spec.formats.errors import InputError
from ..conformed import Compared, Tried
from ..results import Event, Result, Verdict, Witness
from .conform import CAMPAIGN, FLAKE, SCENARIO

_FORM = ("scenarios", "broken", "sometimes")
Broken = Mapping[str, frozenset[str]]
"""Scenario -> guarantees of which one is broken first."""


@dataclass(frozen=True)
class Expected:
    """What stands in the file."""

    path: str
    scenarios: int
    broken: Broken
    sometimes: Broken

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
        return cls(path, found["scenarios"], *(_broken(path, found.get(key, {})) for key in _FORM[1:]))

    def compared(self, events: Iterable[Event]) -> Compared:
        """A run beside it."""
        return Compared(self.path, tuple(self.differences(events)))

    def differences(self, events: Iterable[Event]) -> Iterator[str]:
        """How a run differs from it."""
        first: dict[str, str] = {}
        failed: dict[str, str] = {}
        ran, generated, guarantees = 0, 0, set[str]()
        for event in events:
            match event:
                case Witness():
                    first[event.name] = event.form.get("found", {}).get("guarantee", "")
                case Tried():
                    ran += event.run
                    generated += event.failed if event.part == "campaign" else 0
                case Result(code=code) if code == SCENARIO and event.verdict is Verdict.BROKEN_HERE:
                    failed[event.subject] = first[event.witness]
                case Result(code=code) if code == FLAKE and event.subject not in self.sometimes:
                    yield f"{event.subject}: {event.because}"
                case Result(code=code) if code in (SCENARIO, CAMPAIGN) and _went_wrong(event):
                    yield f"{event.subject} went wrong: {event.because}"
                case Result() if event.verdict is Verdict.BROKEN_HERE and event.code != SCENARIO:
                    guarantees.add(event.code)
                case _:
                    pass
        yield from self._new(failed)
        for scenario, codes in self.broken.items():
            if scenario not in failed:
                yield f"{scenario} is expected to break {' or '.join(sorted(codes))}, and does not"
        known = frozenset[str]().union(*self.broken.values(), *self.sometimes.values())
        for code in sorted(guarantees - known - set(failed.values())) if generated else ():
            yield f"{code} is broken in generated scenarios, and {self.path} does not name it"
        if ran < self.scenarios:
            yield f"{ran} scenarios were run, {self.scenarios} are expected"

    def _new(self, failed: Mapping[str, str]) -> Iterator[str]:
        for scenario, code in failed.items():
            known = self.broken.get(scenario, frozenset()) | self.sometimes.get(scenario, frozenset())
            if code not in known:
                yield f"{scenario} breaks {code}" + (f", not {' or '.join(sorted(known))}" if known else "")


def _went_wrong(result: Result) -> bool:
    return result.verdict is Verdict.UNKNOWN and not result.skipped


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
