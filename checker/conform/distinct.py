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
from .shrink import shrink
from .told import event
from .verdict import Tested, judged

MOST = 5
"""Failures of one guarantee that are shrunk, the shortest first."""
TRIES = 600
"""Runs that shrinking one failure may take."""
SECONDS = 20
"""How long that may take: only a slow backend does not finish by then, and its failure stays longer."""
NOT_AGAIN = "it was broken once, and kept when the same scenario was run again: the scheduler does not repeat itself"
Test = Callable[[Scenario], Tested]


@dataclass(frozen=True)
class Kept:
    """A failure as it is kept: its scenario, and what is false in it."""

    scenario: Scenario
    false: str


def distinct(backend: Backend, declared: Declaration, code: str, failing: Iterable[Scenario]) -> list[Kept]:
    """The different failures that scenarios which break `code` amount to, shrunk, the shortest first.

    One that does not fail a second time stays as it is.
    """

    def test(scenario: Scenario) -> Tested:
        return judged(scenario, next(iter(backend.run([scenario]))), declared)

    found: dict[str, Kept] = {}
    for scenario in sorted(failing, key=length)[:MOST]:
        tested = shrunk(scenario, code, test)
        small, false = (tested.scenario, falsity(tested, code)) if tested else (scenario, NOT_AGAIN)
        mark = shape(small)
        if mark not in found:
            found[mark] = Kept(_told(small, declared.name, code, mark), false)
    return sorted(found.values(), key=lambda k: (k.false == NOT_AGAIN, length(k.scenario), k.scenario.name))


def falsity(tested: Tested, code: str) -> str:
    """What is false where a promise is broken first."""
    broken = tested.first(code)
    what = event(broken, tested.seen)
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
    until = time.monotonic() + SECONDS
    small = shrink(scenario, lambda s: time.monotonic() < until and breaks(test(s), code), tries=TRIES)
    again = test(small)
    return again if breaks(again, code) else None


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
