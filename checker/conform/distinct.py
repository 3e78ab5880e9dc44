"""Which failures differ? Each is shrunk; those of one guarantee and of one shape are one failure, the shortest is kept.

The shape of a scenario is what is left of it when shares, jobs and instance types have lost their names. Trusted: nothing
here; every shrunk scenario was run and judged again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, cast

from ...spec.formats.scenario import Scenario, as_form
from .backend import Backend, Declaration
from .batch import length
from .features import FEATURES, needs
from .repeat import AGAIN, SEEN, surely
from .shrink import shrink, shrink_by
from .told import event
from .verdict import Tested, judged


@dataclass(frozen=True)
class Effort:
    """What shrinking may take."""

    most: int
    """Failures of one guarantee that are shrunk, the shortest first."""
    tries: int
    """Runs for one failure."""
    seconds: float
    """How long one may take: only a slow backend does not finish by then, and its failure stays longer."""


EFFORT = Effort(most=5, tries=600, seconds=20)
IN_REAL_TIME = Effort(most=2, tries=400, seconds=150)
"""Where scenarios are played in lanes: about a dozen rounds."""
Test = Callable[[Scenario], Tested]
Tests = Callable[[Sequence[Scenario]], Sequence[Tested]]
NOT_AGAIN = "it was broken, and not when the same scenario was run again: the scheduler does not repeat itself"
NOT_AGAIN_IN_LANES = (
    f"it was broken in {SEEN} runs, and not in {SEEN} of {1 + AGAIN} later ones: the scheduler does not repeat itself"
)


@dataclass(frozen=True)
class Kept:
    """A failure as it is kept: its scenario, and what is false in it."""

    scenario: Scenario
    false: str
    tested: Tested | None = None
    """The run that shows it; None where it was not broken again."""


def distinct(
    backend: Backend,
    declared: Declaration,
    code: str,
    failing: Iterable[Scenario],
    small: Iterable[Tested] = (),
    far: Callable[[str], None] | None = None,
) -> list[Kept]:
    """The different failures that scenarios which break `code` amount to, shrunk, the shortest first.

    `small` are those that stay as they are. One that does not fail a second time stays as it is as well. `far` is told which
    is shrunk, and how long that may take.
    """
    found: dict[str, Kept] = {}

    def keep(scenario: Scenario, false: str, tested: Tested | None = None) -> None:
        mark = shape(scenario)
        if mark not in found:
            found[mark] = Kept(_told(scenario, declared.name, code, mark), false, tested)

    for tested in small:
        keep(tested.scenario, falsity(tested, code), tested)

    def test(scenario: Scenario) -> Tested:
        return surely(backend, declared, scenario)

    def tests(many: Sequence[Scenario]) -> list[Tested]:
        return [judged(one, answer, declared) for one, answer in zip(many, backend.run(many), strict=True)]

    effort, not_again = (IN_REAL_TIME, NOT_AGAIN_IN_LANES) if declared.lanes else (EFFORT, NOT_AGAIN)
    chosen = sorted(failing, key=length)[: effort.most]
    for number, scenario in enumerate(chosen, 1):
        if far is not None:
            far(f"failure {number} of {len(chosen)}, at most {effort.seconds:.0f} s")
        if declared.lanes:
            tested = shrunk_in_lanes(scenario, code, test, tests, declared.lanes, effort)
        else:
            tested = shrunk(scenario, code, test)
        if tested:
            keep(tested.scenario, falsity(tested, code), tested)
        else:
            keep(scenario, not_again)
    return sorted(found.values(), key=lambda k: (k.false == not_again, length(k.scenario), k.scenario.name))


def falsity(tested: Tested, code: str) -> str:
    """What is false where a promise is broken first."""
    broken = tested.first(code)
    what = event(broken, tested.showing(code).seen)
    return f"{what}: {broken.violation.sentence}" if what else broken.violation.sentence


def _told(scenario: Scenario, backend: str, code: str, mark: str) -> Scenario:
    """What is left of a scenario is about one thing only."""
    needed = tuple(f for f in FEATURES if f in needs(scenario))
    name = f"{code.replace('+', 'plus')}-{mark}"
    return replace(scenario, name=name, about=f"{backend} breaks {code}.", rests_on=(), checks=(code,),
                   features=needed)  # fmt: skip


def shrunk(scenario: Scenario, code: str, test: Test) -> Tested | None:
    """A small scenario that still breaks `code`, judged; None where not even the given one does."""
    if not breaks(test(scenario), code):
        return None
    until = time.monotonic() + EFFORT.seconds
    small = shrink(scenario, lambda s: time.monotonic() < until and breaks(test(s), code), tries=EFFORT.tries)
    again = test(small)
    return again if breaks(again, code) else None


def shrunk_in_lanes(
    scenario: Scenario, code: str, test: Test, tests: Tests, lanes: int, effort: Effort
) -> Tested | None:
    """The same in real time, where what may come next is played at once. `test` runs a scenario so often that it can be
    believed; a small one that is not to be believed counts for nothing."""
    first = test(scenario)
    if not breaks(first, code):
        return None
    until = time.monotonic() + effort.seconds

    def still(many: Sequence[Scenario]) -> list[bool]:
        if time.monotonic() >= until:
            return [False] * len(many)
        return [breaks(tested, code) for tested in tests(many)]

    again = test(shrink_by(scenario, still, tries=effort.tries, width=lanes))
    return again if breaks(again, code) else first


def breaks(tested: Tested, code: str) -> bool:
    return code in tested.codes


def shape(scenario: Scenario) -> str:
    """Eight letters, the same for scenarios that differ in names alone."""
    form = as_form(scenario)
    names: dict[str, str] = {}
    told = _unnamed({"steps": form["steps"], "queue": {**form["queue"], "queue": ""}}, names, "")
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:8]


_NAMES = ("name", "share", "job", "submit", "advance", "finish", "return", "stopped", "terminate", "set-priority",
          "set-limits", "set-sharing", "set-in-share", "set-share-state", "delete-share", "share-gone")  # fmt: skip
"""Where a text is a name."""
_COUNTS = ("limits", "size", "environment", "capacity", "set-capacity")
"""Where keys are names."""


def _unnamed(value: Any, names: dict[str, str], key: str) -> Any:
    """The form with each name replaced by its number in order of appearance."""
    if isinstance(value, str):
        return names.setdefault(value, f"n{len(names)}") if key in _NAMES else value
    if isinstance(value, Sequence):
        return [_unnamed(v, names, key) for v in cast("Sequence[Any]", value)]
    if isinstance(value, Mapping):
        found = cast("Mapping[str, Any]", value)
        if key in _COUNTS:
            known = sorted(found.items(), key=lambda kv: (kv[0] not in names, names.get(kv[0], ""), str(kv[1]), kv[0]))
            return {names.setdefault(k, f"n{len(names)}"): v for k, v in known}
        return {k: _unnamed(v, names, k) for k, v in found.items()}
    return value
