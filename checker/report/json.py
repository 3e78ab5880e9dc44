"""The verification as JSON, for programs. Form: spec/schemas/verification.schema.json; nothing is shortened.

Names stand as they were given; JSON itself escapes control characters, and everything outside ASCII with them.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

from ..results import SPEC_VERSION, Finding, Result, Row, Theorem, UnitTotal, Verification
from .outcome import outcome


def document(verification: Verification, *, strict: bool = False) -> dict[str, Any]:
    """The JSON document as Python data, in the order of the schema."""
    judged = outcome(verification, strict=strict)
    return {
        "spec_version": SPEC_VERSION,
        "tool": {"name": "quotaproof", "version": version("quotaproof")},
        "queue": verification.queue,
        "outcome": judged.word.value,
        "exit_code": judged.exit_code,
        "strict": strict,
        "read": verification.read,
        "left_out": list(verification.left_out),
        "notes": list(verification.notes),
        "assumed": dict(verification.assumed),
        "numbers_rest_on": [{"reading": code, "otherwise": what} for code, what in verification.sensitive],
        "solver": {key: verification.solver.get(key, "") for key in ("name", "version", "logic", "budget")},
        "seconds": round(verification.seconds, 3),
        "units": [_unit(u) for u in verification.units],
        "rows": [_row(r) for r in verification.rows],
        "findings": [_finding(f) for f in verification.findings],
        "results": [_result(r) for r in verification.results],
        "theorems": [_theorem(t) for t in verification.theorems],
    }


def text(verification: Verification, *, strict: bool = False) -> str:
    """The document, indented, with a line feed at its end."""
    return json.dumps(document(verification, strict=strict), indent=2, ensure_ascii=True) + "\n"


def _unit(u: UnitTotal) -> dict[str, Any]:
    return {"unit": u.unit, "capacity": u.capacity, "given": u.given, "assumed": u.assumed}


def _row(r: Row) -> dict[str, Any]:
    return {
        "share": r.share,
        "unit": r.unit,
        "rule": r.rule,
        "given": r.given,
        "sure": r.sure,
        "most": r.most,
        "borrow": r.borrow,
        "lenders": list(r.lenders),
        "loses": r.loses,
        "own_back": r.own_back,
    }


def _finding(f: Finding) -> dict[str, Any]:
    return {
        "code": f.code,
        "severity": f.severity.value,
        "title": f.title,
        "place": f.place,
        "body": list(f.body),
        "fix": f.fix,
        "share": f.share,
        "unit": f.unit,
        "witness": f.witness,
    }


def _result(r: Result) -> dict[str, Any]:
    return {
        "code": r.code,
        "verdict": r.verdict.value,
        "because": r.because,
        "subject": r.subject,
        "combinations": [dict(c) for c in r.combinations],
        "assumes": list(r.assumes),
        "witness": r.witness,
        "witnesses": list(r.witnesses),
        "asked": r.asked,
        "open": r.open,
    }


def _theorem(t: Theorem) -> dict[str, Any]:
    return {
        "code": t.code,
        "statement": t.statement,
        "status": t.status,
        "conditions": t.conditions,
        "assumes": list(t.assumes),
        "reason": t.reason,
    }
