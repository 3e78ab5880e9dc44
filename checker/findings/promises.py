"""QP250 to QP253: what is wrong with a file of promises itself, whatever becomes of what it promises."""

from __future__ import annotations

from collections.abc import Iterable

from ...spec.promises import BorrowsAtMost, HoldsAtMost, Promise
from ..results import Finding, Severity
from .check import Check, Subject, listed


def without_reason(subject: Subject) -> Iterable[Finding]:
    """One finding for all of them: where reasons are not written down, most lack theirs."""
    found = [promise for promise in _every(subject) if not promise.why]
    if found:
        verb = "does not say why it is" if len(found) == 1 else "do not say why they are"
        title = f"{listed([promise.code for promise in found])} {verb} promised"
        yield _of(QP250, found[0], title, "add why to each, or among the defaults")


def unreviewed(subject: Subject) -> Iterable[Finding]:
    for promise in _every(subject):
        if promise.review is not None and promise.review < subject.today:
            title = f"{promise.code} was to be looked at again on {promise.review.isoformat()}"
            yield _of(
                QP251, promise, title, f"ask {promise.owner} whether it is still wanted, and write a new review day"
            )


def run_out(subject: Subject) -> Iterable[Finding]:
    for exemption in subject.promises.exemptions if subject.promises else ():
        if exemption.until < subject.today:
            yield Finding(
                code="QP252",
                severity=Severity.WARNING,
                title=f"exception {exemption.code} to {exemption.to} ended on {exemption.until.isoformat()}",
                place=exemption.place,
                body=(f"The promise counts again. The reason was: {exemption.why}",),
                share=exemption.share,
                fix=f"delete it, or have {exemption.owner} decide again",
            )


def unweighed(subject: Subject) -> Iterable[Finding]:
    """Only units of which a share of the promise can hold something."""
    for promise in _every(subject):
        for term in promise.terms:
            if not isinstance(term, HoldsAtMost | BorrowsAtMost):
                continue
            for measure in term.amounts:
                known = subject.promises.weights.get(measure) if subject.promises else None
                shares = promise.scope.of(subject.config)
                units = [u for u in subject.config.units if any(u in s.limits for s in shares)]
                missing = [u for u in units if known is not None and u not in known]
                if missing:
                    title = f"{promise.code} bounds {measure}, and {listed(missing)} counts as none"
                    yield _of(QP253, promise, title, f"add to units how much {measure} {listed(missing)} has")


def _every(subject: Subject) -> Iterable[Promise]:
    return subject.promises.promises if subject.promises else ()


def _of(check: Check, promise: Promise, title: str, fix: str) -> Finding:
    share = promise.scope.shares[0] if len(promise.scope.shares) == 1 else ""
    return Finding(check.code, check.severity, title, promise.place, share=share, fix=fix)


QP250 = Check(
    "QP250",
    Severity.NOTE,
    "a promise without a reason",
    "A promise is kept for a reason, and costs others something. Without it nobody can say later whether it is still needed.",
    without_reason,
)
QP251 = Check(
    "QP251",
    Severity.NOTE,
    "a promise that was to be looked at again",
    "The day on which somebody wanted to look at the promise again is past. It counts as before.",
    unreviewed,
)
QP252 = Check(
    "QP252",
    Severity.WARNING,
    "an exception past its end",
    "Somebody accepted until a day that is past that a promise is not kept. The promise counts again, as if nobody had.",
    run_out,
)
QP253 = Check(
    "QP253",
    Severity.NOTE,
    "a measure that leaves out a unit",
    "A promise bounds a measure such as GPU, and one of its shares has a unit for which the file says not how much of the "
    "measure one machine is. It counts as none.",
    unweighed,
)
