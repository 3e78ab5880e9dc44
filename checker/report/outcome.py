"""What a verification amounts to: OK, BROKEN or UNKNOWN, and the exit code. Every report form asks here.

Trusted for the rule "an UNKNOWN is never success": a verification without a single result is UNKNOWN too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from ..results import Finding, Result, Severity, Verdict, Verification


class Word(StrEnum):
    """The first word of a report."""

    OK = "OK"
    BROKEN = "BROKEN"
    UNKNOWN = "UNKNOWN"


EXIT = {Word.OK: 0, Word.BROKEN: 1, Word.UNKNOWN: 3}


@dataclass(frozen=True)
class Outcome:
    """The word, and what made it so. `broken` and `undecided` hold only results that count."""

    word: Word
    errors: tuple[Finding, ...]
    broken: tuple[Result, ...]
    undecided: tuple[Result, ...]
    resting: tuple[Result, ...]
    """Results that hold under the choices made and would not under others."""

    @property
    def exit_code(self) -> int:
        return EXIT[self.word]


def outcome(verification: Verification, *, strict: bool = False) -> Outcome:
    """Judge a verification. `strict`: open theorems count as undecided too."""
    errors = tuple(f for f in verification.findings if f.severity is Severity.ERROR)
    broken = tuple(r for r in verification.results if is_broken(r))
    undecided = tuple(r for r in verification.results if r.verdict is Verdict.UNKNOWN and (strict or not r.open))
    resting = tuple(r for r in verification.results if r.combinations and not is_broken(r))
    if errors or broken:
        word = Word.BROKEN
    elif undecided or not verification.results or (strict and open_theorems(verification)):
        word = Word.UNKNOWN
    else:
        word = Word.OK
    return Outcome(word, errors, broken, undecided, resting)


def is_broken(result: Result) -> bool:
    """True when the result counts as broken: under every choice, or under the choices in force."""
    return result.verdict is Verdict.BROKEN or (result.verdict is Verdict.BROKEN_IF and result.asked)


def open_theorems(verification: Verification) -> tuple[str, ...]:
    """Codes of the theorems without a proof."""
    return tuple(t.code for t in verification.theorems if t.status != "proved")


def codes(results: Iterable[Result]) -> list[str]:
    """The codes of the results, each once, in order."""
    return list(dict.fromkeys(r.code for r in results))


def losing_shares(verification: Verification) -> list[str]:
    """Shares that cannot count on what they were given, in the order of the table."""
    return list(dict.fromkeys(r.share for r in verification.rows if r.sure < r.given))
