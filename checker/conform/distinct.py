"""Which failures differ? Each is shrunk; those of one guarantee and of one shape are one failure, the shortest is kept.

The shape of a scenario is what is left of it when shares, jobs and instance types have lost their names. Trusted: nothing
here; every shrunk scenario was run and judged again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, cast

from ...spec.formats.scenario import Scenario, as_form
from ..witness.shrink import smaller
from .backend import Backend, Declaration
from .batch import length
from .features import FEATURES, needs
from .verdict import Tested, judged

MOST = 5
"""Failures of one guarantee that are shrunk, the shortest first."""
TRIES = 600
"""Runs that shrinking one failure may take."""
Test = Callable[[Scenario], Tested]


def distinct(backend: Backend, declared: Declaration, code: str, failing: Iterable[Scenario]) -> list[Tested]:
    """The different failures that scenarios which break `code` amount to, shrunk, the shortest first.

    One that does not fail a second time is no evidence by then and stays as it is.
    """

    def test(scenario: Scenario) -> Tested:
        return judged(scenario, next(iter(backend.run([scenario]))), declared)

    found: dict[str, Tested] = {}
    for scenario in sorted(failing, key=length)[:MOST]:
        tested = shrunk(scenario, code, test)
        if tested is not None:
            mark = shape(tested.scenario)
            named = replace(tested, scenario=_told(tested.scenario, declared.name, code, mark))
            known = found.get(mark)
            if known is None or length(named.scenario) < length(known.scenario):
                found[mark] = named
    return sorted(found.values(), key=lambda t: (length(t.scenario), t.scenario.name))


def _told(scenario: Scenario, backend: str, code: str, mark: str) -> Scenario:
    """What is left of a scenario is about one thing only."""
    needed = tuple(f for f in FEATURES if f in needs(scenario))
    return replace(scenario, name=f"{code}-{mark}", about=f"{backend} breaks {code}.", rests_on=(), checks=(code,),
                   features=needed)  # fmt: skip


def shrunk(scenario: Scenario, code: str, test: Test) -> Tested | None:
    """The smallest scenario within reach that still breaks `code`, judged; None where not even the given one does."""
    kept = test(scenario)
    if not breaks(kept, code):
        return None
    tries, progress = TRIES, True
    while progress:
        progress = False
        for candidate in smaller(kept.scenario):
            tries -= 1
            if tries < 0:
                return kept
            tested = test(candidate)
            if breaks(tested, code):
                kept, progress = tested, True
                break
    return kept


def breaks(tested: Tested, code: str) -> bool:
    return any(b.code == code for b in tested.broken)


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
            return {names.setdefault(k, f"n{len(names)}"): v for k, v in found.items()}
        return {k: _unnamed(v, names, k) for k, v in found.items()}
    return value
