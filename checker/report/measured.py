"""What an audit measured, as JSON data: times as ISO 8601 in UTC, machine-hours and seconds as numbers."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from ..measured import Audited, FaultSeen, Observed, ShareJobs

HOURS, _SECONDS = 6, 3
"""Decimals that are told."""


def measured(audited: Audited) -> dict[str, Any]:
    """In the order of the schema."""
    return {
        "observed": None if audited.observed is None else _observed(audited.observed),
        "periods": [{"period": p.period, "start": _time(p.start), "end": _time(p.end)} for p in audited.periods],
        "units": [rounded(asdict(u), HOURS) for u in audited.units],
        "hours": [rounded(asdict(h), HOURS) for h in audited.hours],
        "jobs": [_jobs(j) for j in audited.jobs],
        "months": [
            {**asdict(m), "raises_per_100": None if m.raises_per_100 is None else round(m.raises_per_100, 3)}
            for m in audited.months
        ],
        "recovery": None
        if audited.recovery is None
        else {**asdict(audited.recovery), "examples": list(audited.recovery.examples)},
        "faults": [_fault(f) for f in audited.faults],
        "ruled_out": [asdict(r) for r in audited.ruled_out],
        "unsettled": [asdict(u) for u in audited.unsettled],
    }


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def rounded(value: Any, digits: int) -> Any:
    """JSON data with so many decimals, and lists for tuples."""
    if isinstance(value, float):
        return round(value, digits)
    if isinstance(value, tuple):
        return [rounded(v, digits) for v in value]
    return {k: rounded(v, digits) for k, v in value.items()} if isinstance(value, dict) else value


def _observed(o: Observed) -> dict[str, Any]:
    return {
        "start": _time(o.start) if o.dated else None,
        "end": _time(o.end) if o.dated else None,
        "observations": o.observations,
        "jobs": o.jobs,
        "shares": o.shares,
        "expected": o.expected,
        "seen": o.seen,
        "gaps": [{"start": _time(g.start), "end": _time(g.end), "why": g.why} for g in o.gaps],
        "notes": list(o.notes),
        "saves_every": o.saves_every,
    }


def _jobs(j: ShareJobs) -> dict[str, Any]:
    told = rounded(asdict(j), HOURS)
    part = None if j.on_loan is None else round(j.on_loan, HOURS)
    return {
        **told,
        **{name: rounded(told[name], _SECONDS) for name in ("own_back", "waits")},
        "share": j.share or None,
        "on_loan": part,
    }


def _fault(f: FaultSeen) -> dict[str, Any]:
    return {
        "code": f.code,
        "at": _time(f.at),
        "until": _time(f.until),
        "number": f.number,
        "sentence": f.sentence,
        "clause": f.clause,
        "place": f.place,
        "raw": f.raw,
        "window": [
            {"number": line.number, "at": _time(line.at), "what": line.what, "place": line.place} for line in f.window
        ],
    }
