"""Which findings somebody has accepted, and what is wrong with the waivers themselves (QP302, QP303)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from ..results import Finding, Result, Severity, Verdict, Waiver
from .check import Check

if TYPE_CHECKING:
    from ...spec.formats.waivers import Waiver as Decision

COVERED = ("QP101", "QP104", "QP108")
"""Findings that tell why shares do not get what they were given (G14)."""


def waive(findings: Iterable[Finding], decisions: Sequence[Decision], today: date) -> list[Finding]:
    """The findings, with the waiver set on those that are accepted today, and a finding for each waiver that does
    nothing: one that has run out (QP302) or that is about nothing that was found (QP303)."""
    found = list(findings)
    about = {id(d): [f for f in found if _is_about(d, f)] for d in decisions}
    accepted = [
        replace(f, waiver=Waiver(d.reason, d.until.isoformat(), d.place)) if d is not None else f
        for f in found
        for d in [next((d for d in decisions if d.until >= today and f in about[id(d)]), None)]
    ]
    for decision in decisions:
        if not about[id(decision)]:
            accepted.append(_idle(decision))
        elif decision.until < today:
            accepted.append(_run_out(decision, about[id(decision)]))
    return accepted


def accept(results: Iterable[Result], findings: Iterable[Finding]) -> list[Result]:
    """The results, with the waiver set on every one that an accepted finding tells already."""
    waived = [f for f in findings if f.waiver]
    told: list[Result] = []
    for result in results:
        by = next((f for f in waived if tells(f, result)), None)
        told.append(replace(result, waiver=by.waiver) if by else result)
    return told


def tells(finding: Finding, result: Result) -> bool:
    """Whether the finding is why the result is broken: QP101 and QP104 for all shares of a unit, QP108 for a share.

    The subject of a result about a share is "SHARE, UNIT".
    """
    if finding.code not in COVERED or result.code != "G14" or result.verdict is not Verdict.BROKEN:
        return False
    share, _, unit = result.subject.partition(", ")
    if finding.code == "QP108":
        return finding.share in ("", share) and finding.unit in ("", unit)
    return finding.unit == unit


def _is_about(decision: Decision, finding: Finding) -> bool:
    return (
        decision.finding == finding.code
        and decision.share in ("", finding.share, *finding.shares)
        and decision.unit in ("", finding.unit)
        and (decision.about is None or any(_within(p, *decision.about) for p in (finding.place, *finding.places)))
    )


def _within(place: str, name: str, first: int, last: int) -> bool:
    file, _, line = place.rpartition(":")
    return file == name and line.isdigit() and first <= int(line) <= last


def _run_out(decision: Decision, about: Sequence[Finding]) -> Finding:
    return Finding(
        code="QP302",
        severity=Severity.WARNING,
        title=f"{decision.finding} was accepted until {decision.until.isoformat()}; it counts again",
        place=decision.place,
        body=(f"The reason was: {decision.reason}",),
        share=about[0].share if len(about) == 1 else "",
        fix="mend it, or decide again",
    )


def _idle(decision: Decision) -> Finding:
    return Finding(
        code="QP303",
        severity=Severity.NOTE,
        title=f"the waiver of {decision.finding} at {decision.place} is about nothing that was found",
        place=decision.place,
        share=decision.share,
        unit=decision.unit,
        fix="delete it, or correct which finding, share or line it is about",
    )


QP302 = Check(
    "QP302",
    Severity.WARNING,
    "a waiver has run out",
    "Somebody accepted a finding until a day that is past. The finding counts again, as if nobody had accepted it.",
)
QP303 = Check(
    "QP303",
    Severity.NOTE,
    "a waiver about nothing",
    "A waiver names a finding that is not there: it was mended, or the code, the share or the line is mistyped. A "
    "comment speaks of findings placed on its own line, or on the next one and the lines below that are indented further.",
)
