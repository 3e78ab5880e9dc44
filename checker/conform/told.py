"""What is to be said of one scenario that a scheduler failed, in text: the promise, the false clause, what led there.

Trusted: the sentences of the guarantees.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from ...spec import events as ev
from ...spec.formats.trace_words import form
from ...spec.observations import Observation, Settled
from ...spec.rules.guarantees import GUARANTEES
from .verdict import Broken, Status, Tested

_LED_THERE = 30
"""Observations before the fault that are told."""


def told(tested: Tested, *, name: str = "the scheduler", replay: str = "") -> str:
    """A failure for people. `replay` says how to run it again."""
    if tested.status is Status.FAILED:
        lines = list(broken(tested.broken[0], tested.seen, name))
    else:
        lines = [f"{name} did not run {tested.scenario.name}: {tested.why}"]
    if tested.hint:
        lines.append(f"Fix: {tested.hint}")
    return "\n".join([*lines, *([replay] if replay else ())])


def broken(fault: Broken, seen: Sequence[Observation], name: str) -> Iterator[str]:
    """The promise, what is false, and the observations up to the fault."""
    promise, found = GUARANTEES[fault.code], fault.violation
    yield f"{name} breaks {promise.code}, {promise.name}: {promise.sentence}"
    yield f"false here: {found.sentence}"
    yield "what it reported:"
    first = max(0, fault.number + 1 - _LED_THERE)
    if first:
        yield f"      ... {first} before"
    for number, what in enumerate(seen[first : fault.number + 1], first):
        yield f"  {'>' if number == fault.number else ' '} {number + 1:3} {words(what)}"


def words(what: Observation) -> str:
    """An observation in the words of a trace: those in which the scheduler has reported it."""
    line = form(what)
    if isinstance(what, ev.Claim):
        line.pop("number")
    (word, value), *more = line.items()
    told = word if value is True else f"{word} {_value(value)}"
    return ", ".join([told, *(f"{key} {_value(v)}" for key, v in more if v is not None and (key, v) not in _USUAL)])


_USUAL = (("priority", 0),)
"""What need not be told."""


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def event(fault: Broken, seen: Sequence[Observation]) -> str:
    """What was done where a promise is broken; '' where nobody did anything."""
    if fault.number < len(seen) and not isinstance(seen[fault.number], Settled):
        return words(seen[fault.number])
    return fault.violation.event
