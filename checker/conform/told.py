"""What is to be said of one scenario that a scheduler failed, in text: the promise, the false clause, what led there.

Trusted: the sentences of the guarantees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...spec.observations import Observation, Settled, Submitted
from ...spec.rules.guarantees import GUARANTEES
from ..judge.observe import named
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
    """An observation in a few words."""
    if isinstance(what, Settled):
        return "Settled"
    size = f" {dict(what.size)}" if isinstance(what, Submitted) else ""
    return f"{named(what)}{size}"
