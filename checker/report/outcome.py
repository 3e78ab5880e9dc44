"""What a stream amounts to: OK, WAIVED, WARNED, BROKEN, UNKNOWN or UNUSABLE, and the exit code. Every report form asks here.

Trusted for the rule "an UNKNOWN is never success": a stream without a single result is UNKNOWN too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from ..conformed import Compared
from ..promised import Promised
from ..results import Finding, Result, Severity, Verification
from .options import FailOn, Options
from .partition import Class, Judged, classify, level, without_waiver


class Word(StrEnum):
    """The first word of a report."""

    OK = "OK"
    WAIVED = "WAIVED"
    WARNED = "WARNED"
    BROKEN = "BROKEN"
    UNKNOWN = "UNKNOWN"
    UNUSABLE = "UNUSABLE"


@dataclass(frozen=True)
class Outcome:
    """The word and the exit code, and what made them so."""

    word: Word
    exit_code: int
    failed: tuple[Finding, ...]
    """Findings that count, errors first."""
    broken: tuple[Result, ...]
    """Results that count."""
    promises: tuple[Promised, ...]
    """Promises that are broken, each with every share for which it is."""
    waived: tuple[Judged, ...]
    """What is accepted and would count otherwise."""
    undecided: tuple[Result, ...]
    """Results, those of promises among them."""
    resting: tuple[Result, ...]
    """Results that hold under the choices made and would not under others, those of promises among them."""
    because: str = ""
    """How --fail-on or --expect decided the exit code; '' where nothing but the results did."""


def outcome(verification: Verification, options: Options) -> Outcome:
    """Judge a stream."""
    classes = [(event, classify(event, options)) for event in verification.judged]
    failed = [event for event, found in classes if found is Class.FAILED]
    undecided = _results(e for e, found in classes if found is Class.UNDECIDED)
    waived = tuple(e for e, found in classes if found is Class.WAIVED and without_waiver(e, options) is Class.FAILED)
    unproved = options.strict and bool(open_theorems(verification))
    unconfirmed = "undecided" in verification.ended.solver  # by the second solver of --cross-check
    open_end = bool(undecided) or not verification.results or unproved or unconfirmed
    if verification.ended.unusable:
        word, code = Word.UNUSABLE, 2
    elif failed:
        word, code = Word.BROKEN if any(level(e) is Severity.ERROR for e in failed) else Word.WARNED, 1
    elif open_end:
        word, code = Word.UNKNOWN, 3
    elif waived:
        word, code = Word.WAIVED, 0
    else:
        word, code = Word.OK, 0
    because = ""
    if code == 1 and options.fail_on is FailOn.NEVER:
        code = 3 if open_end else 0
        because = "Without --fail-on never the exit code would be 1."
    elif code == 1 and word is Word.WARNED:
        because = f"The exit code is 1 because of --fail-on {options.fail_on}."
    if code != 2 and verification.conformed is not None and (compared := verification.conformed.compared) is not None:
        code, because = _as_expected(compared, code)
    return Outcome(
        word,
        code,
        failed=tuple(e for e in failed if isinstance(e, Finding)),
        broken=tuple(e for e in failed if isinstance(e, Result)),
        promises=tuple(e for e in failed if isinstance(e, Promised)),
        waived=waived,
        undecided=undecided,
        resting=_results(e for e, _ in classes if _combinations(e) and without_waiver(e, options) is not Class.FAILED),
        because=because,
    )


def _results(events: Iterable[Judged]) -> tuple[Result, ...]:
    """The results among the events, and those of the promises in force."""
    of = [e.result if isinstance(e, Promised) and e.in_force else e for e in events]
    return tuple(e for e in of if isinstance(e, Result))


def _combinations(event: Judged) -> bool:
    already = isinstance(event, Promised) and event.already
    return not already and any(r.combinations for r in _results([event]))


def _as_expected(compared: Compared, otherwise: int) -> tuple[int, str]:
    """The exit code of a run that stands beside a list of known failures, and why."""
    number = len(compared.differences)
    code = int(number > 0)
    how = (
        f"differs from {compared.path} in {number:,} {'way' if number == 1 else 'ways'}"
        if number
        else f"is as {compared.path} says"
    )
    than = "" if code == otherwise else f"; without it the code would be {otherwise}"
    return code, f"The exit code is {code} because of --expect: the run {how}{than}."


def open_theorems(verification: Verification) -> tuple[str, ...]:
    """Codes of the theorems without a proof."""
    return tuple(t.code for t in verification.theorems if t.status != "proved")


def codes(results: Iterable[Result]) -> list[str]:
    """The codes of the results, each once, in order."""
    return list(dict.fromkeys(r.code for r in results))


def losing_shares(verification: Verification) -> list[str]:
    """Shares that cannot count on what they were given, in the order of the table."""
    return list(dict.fromkeys(r.share for r in verification.rows if r.sure < r.given))
