"""Histories that are drawn: their timelines, and audits of them as the HTML report is given them."""

from __future__ import annotations

import json
import re
from typing import Any

from quotaproof.checker.audit.audit import Asked, audit
from quotaproof.checker.judge.judged import Judged
from quotaproof.checker.results import Event
from quotaproof.checker.why.every import stops_told
from quotaproof.spec.observations import History
from quotaproof.spec.readings import Readings

from .weeks import history, reference_trace


def week(jobs: int, seed: int = 0) -> History:
    """A busy week of the reference as AWS shows it: without claims and claimants."""
    config, moments = reference_trace(jobs, seed)
    return history(config, moments, Readings(), claims=False, claimants=False)


def drawn_audit(of: History, asked: Asked | None = None) -> list[Event]:
    """The stream of an audit that draws; nothing is judged."""
    readings = Readings()
    return list(
        audit(of, readings, lambda _: Judged(0), lambda seen: [""] * len(seen), asked=asked or Asked(),
              stops=lambda h: stops_told(h, readings))
    )  # fmt: skip


def data_of(page: str) -> dict[str, Any]:
    """The JSON data in a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])
