"""Which class is a finding, a result or a promise in? Exactly one. Every report form and the exit code ask here only.

Trusted for two rules: an UNKNOWN is never success, and a waiver never covers it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from ..promised import Promised
from ..results import Finding, Result, Severity, Verdict, Waiver
from .options import FailOn, Options

WEAKER = "QP310"
"""The finding that a share has less than before, which --fail-on weaker is about."""
Judged = Finding | Result | Promised


class Class(StrEnum):
    """What a judged event counts as."""

    FAILED = "failed"
    """Wrong, at the level of --fail-on or above; with `never`, an error."""
    NOTED = "noted"
    """A warning or a note below that level; a promise that was broken before the change as well."""
    WAIVED = "waived"
    """Wrong or noted, and accepted for now."""
    PASSED = "passed"
    UNDECIDED = "undecided"
    OPEN = "open"
    """An open theorem, or what a history does not show: undecided, and asked about only with --strict."""
    SKIPPED = "skipped"
    """Not applicable here, or a promise that is not in force."""


def classify(event: Judged, options: Options) -> Class:
    """The class of one event."""
    found = without_waiver(event, options)
    return Class.WAIVED if waiver(event) is not None and found in (Class.FAILED, Class.NOTED) else found


def waiver(event: Judged) -> Waiver | None:
    """Who accepts the event, if anybody does."""
    return event.result.waiver if isinstance(event, Promised) else event.waiver


def without_waiver(event: Judged, options: Options) -> Class:
    """The class that the event would be in if nobody had accepted it."""
    if isinstance(event, Promised):
        if not event.in_force:
            return Class.SKIPPED
        return Class.NOTED if event.already else without_waiver(event.result, options)
    if isinstance(event, Finding):
        bar = (Severity.ERROR, Severity.WARNING) if options.fail_on is FailOn.WARNING else (Severity.ERROR,)
        less = options.fail_on is FailOn.WEAKER and event.code == WEAKER
        return Class.FAILED if event.severity in bar or less else Class.NOTED
    match event.verdict:
        case Verdict.BROKEN | Verdict.BROKEN_HERE:
            return Class.FAILED
        case Verdict.BROKEN_IF:
            return Class.FAILED if event.asked else Class.NOTED
        case Verdict.UNKNOWN:
            return Class.OPEN if event.open and not options.strict else Class.UNDECIDED
        case Verdict.NOT_APPLICABLE:
            return Class.SKIPPED
        case Verdict.NEVER_CAME_UP | Verdict.NOT_SEEN | Verdict.PENDING:
            return Class.UNDECIDED if options.strict else Class.OPEN
        case Verdict.HOLDS_ALWAYS | Verdict.HOLDS_HERE | Verdict.HOLDS_IF | Verdict.KEPT:
            return Class.PASSED


def count(events: Iterable[Judged], options: Options) -> Mapping[Class, int]:
    """How many events are in each class, all classes named."""
    found = dict.fromkeys(Class, 0)
    for event in events:
        found[classify(event, options)] += 1
    return found


def level(event: Judged) -> Severity:
    """How much the event matters where it is wrong: a broken guarantee is an error, one under another choice a note."""
    if isinstance(event, Promised):
        return Severity.NOTE if event.already else level(event.result)
    if isinstance(event, Finding):
        return event.severity
    return Severity.NOTE if event.verdict is Verdict.BROKEN_IF and not event.asked else Severity.ERROR
