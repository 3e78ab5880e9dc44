"""What a command found out as JSON, for programs. Form: spec/schemas/verification.schema.json; nothing is shortened.

Names stand as they were given; JSON itself escapes control characters, and everything outside ASCII with them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from ..conformed import Conformed
from ..promised import Promised
from ..results import SPEC_VERSION, Event, Finding, Result, Row, Source, Step, Theorem, UnitTotal, Verification, Waiver
from .headline import kinds_read
from .measured import measured
from .options import Options
from .outcome import outcome
from .partition import classify, count
from .plan_data import planned_data


def document(events: Iterable[Event], options: Options) -> dict[str, Any]:
    """The JSON document as Python data, in the order of the schema."""
    verification = Verification.of(events)
    began, ended = verification.began, verification.ended
    judged = outcome(verification, options)
    promised = {"promises": [_promised(p, options) for p in verification.promised]} if verification.promised else {}
    audited = {} if verification.audited is None else {"audit": measured(verification.audited)}
    plan = {} if verification.planned is None else {"plan": planned_data(verification.planned)}
    conformed = {} if verification.conformed is None else {"conform": _conformed(verification.conformed)}
    return {
        "spec_version": SPEC_VERSION,
        "tool": {"name": "quotaproof", "version": version("quotaproof")},
        "command": began.command,
        "queue": began.subject,
        "outcome": judged.word.value,
        "exit_code": judged.exit_code,
        "strict": options.strict,
        "fail_on": options.fail_on.value,
        "counts": {found.value: n for found, n in count(verification.judged, options).items()},
        "read": kinds_read(began.sources),
        "sources": [_source(s) for s in began.sources],
        "left_out": list(began.left_out),
        "notes": [*began.notes, *began.remarks],
        "about": began.about,
        "assumed": dict(began.assumed),
        "numbers_rest_on": [{"reading": r.reading, "otherwise": r.otherwise} for r in verification.rests],
        "rests_on": list(began.rests_on),
        "solver": {**dict.fromkeys(("name", "version", "logic", "budget"), ""), **ended.solver},
        "seconds": round(ended.seconds, 3),
        "unusable": ended.unusable,
        "units": [_unit(u) for u in verification.units],
        "rows": [_row(r) for r in verification.rows],
        "findings": [_finding(f, options) for f in verification.findings],
        "results": [_result(r, options) for r in verification.results],
        "theorems": [_theorem(t) for t in verification.theorems],
        "steps": [_step(s) for s in verification.steps],
        **promised,
        **plan,
        **audited,
        **conformed,
    }


def write(events: Iterable[Event], options: Options) -> str:
    """The document, indented, with a line feed at its end."""
    return json.dumps(document(events, options), indent=2, ensure_ascii=True) + "\n"


def _source(s: Source) -> dict[str, Any]:
    return {"name": s.name, "path": s.path, "kind": s.kind}


def _waiver(w: Waiver | None) -> dict[str, Any] | None:
    return None if w is None else {"reason": w.reason, "until": w.until, "place": w.place}


def _step(s: Step) -> dict[str, Any]:
    return {
        "number": s.number,
        "what": s.what,
        "in_use": s.in_use,
        "broken": s.broken,
        "note": s.note,
        "loops": s.loops,
    }


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


def _finding(f: Finding, options: Options) -> dict[str, Any]:
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
        "class": classify(f, options).value,
        "waiver": _waiver(f.waiver),
    }


def _result(r: Result, options: Options) -> dict[str, Any]:
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
        "more": list(r.more),
        "place": r.place,
        "count": r.count,
        "class": classify(r, options).value,
        "waiver": _waiver(r.waiver),
    }


def _promised(p: Promised, options: Options) -> dict[str, Any]:
    return {
        "code": p.code,
        "says": p.says,
        "term": p.term,
        "how": p.how.value,
        "owner": p.owner,
        "why": p.why,
        "valid": p.valid,
        "in_force": p.in_force,
        "suggestion": None if p.suggestion is None else _plain(asdict(p.suggestion)),
        "result": _result(p.result, options),
        "class": classify(p, options).value,
    }


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}


def _conformed(c: Conformed) -> dict[str, Any]:
    tried = [{**asdict(t), "seconds": round(t.seconds, 3)} for t in c.tried]
    return {
        "declared": None if c.declared is None else asdict(c.declared),
        "tried": tried,
        "lost": [asdict(lost) for lost in c.lost],
        "again": [asdict(a) for a in c.again],
        **({} if c.compared is None else {"expected": asdict(c.compared)}),
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
