"""Terms about which a configuration says nothing: `plan` looks at changes, `audit` at what a history shows."""

from __future__ import annotations

from collections.abc import Iterator

from ....spec.promises import Changes, Measured, Promise
from ...promised import How
from ...results import Result, Verdict
from .case import Case, Judgement


def changes(_case: Case, promise: Promise, term: Changes) -> Iterator[Judgement]:
    """Notice is given of a change, so it is looked at when there is one."""
    days = f"{term.shrink_notice.days} {'working ' if term.shrink_notice.working else ''}days"
    yield later(promise, How.AT_CHANGE, f"plan says which allocations shrink, and that {days}' notice is due")


def measured(_case: Case, promise: Promise, term: Measured) -> Iterator[Judgement]:
    """Only what happened has waits and lost work."""
    yield later(promise, How.MEASURED, f"audit measures {term.measure.replace('_', ' ')}")


def later(promise: Promise, how: How, because: str, subject: str = "", place: str = "") -> Judgement:
    """What is not for verify to decide, and who does."""
    return Judgement(how, Result(promise.code, Verdict.NOT_APPLICABLE, because, subject, place=place))
