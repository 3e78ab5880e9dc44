"""Histories in tests: the walkthrough's records, reading them, and what makes two histories the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from quotaproof.spec.formats.history import load_history
from quotaproof.spec.observations import History
from quotaproof.spec.readings import Readings

DEMO = Path(__file__).parents[2] / "examples" / "history"
LOG, TRAIL = DEMO / "history" / "eventbridge.ndjson", DEMO / "history" / "cloudtrail.ndjson"
HIGH, MED, LOW = (f"a000000{n}-1111-4aaa-8aaa-00000000000{n}" for n in (1, 2, 3))
OWNER = "b0000001-2222-4bbb-8bbb-000000000001"


def history(*paths: Path | str, **more: Any) -> History:
    return load_history([str(p) for p in paths], readings=Readings(), **more)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def ndjson(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(r) + "\n" for r in records)


def gist(history: History) -> tuple[Any, ...]:
    """Everything that does not depend on which file said it."""
    seen = [(s.at, s.until, s.what, s.inferred) for s in history.seen()]
    known = (history.config, history.start, history.end, dict(history.jobs), dict(history.attempts))
    return (*known, seen, history.completeness, history.snapshots)


def observed(history: History) -> list[Any]:
    return [s.what for s in history.seen()]


def sentences(history: History) -> str:
    return "\n".join(f"{p.place}: {p.sentence}" for p in history.problems)
