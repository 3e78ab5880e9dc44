"""Streams of events to report on, made without solver or files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quotaproof.checker.findings.catalogue import findings
from quotaproof.checker.findings.table import table
from quotaproof.checker.results import Began, Ended, Event, Finding, Result, Source, Theorem, Verdict
from quotaproof.spec.model import QueueConfig
from quotaproof.spec.readings import Readings

HOLDS = tuple(Result(f"G{n}", Verdict.HOLDS_ALWAYS, "theorem B") for n in range(1, 5))
RESTS = Result(
    "G14",
    Verdict.HOLDS_IF,
    "theorem R",
    combinations=({"A23": "no", "A15": "no"},),
    assumes=("A23", "A24"),
    witness="A23-A15.json",
    witnesses=("A23-A15.json",),
)
OPEN = Result("G18", Verdict.UNKNOWN, "gangs: not proved", open=True)
LIMIT = Result("G7", Verdict.UNKNOWN, "the solver reached its limit")
BROKEN = Result("G14", Verdict.BROKEN, "an owner waits for ever", subject="speech", witness="G14.json")
BROKEN_IF = Result("G18", Verdict.BROKEN_IF, "two jobs take turns", combinations=({"A24": "b"},))
PROVED = Theorem("B", "no step makes an excess larger", "proved", 270)
FAILED = Theorem("T5", "the rank falls", "unknown", 12, reason="limit")


def sample(
    config: QueueConfig,
    *results: Result,
    theorems: tuple[Theorem, ...] = (PROVED,),
    solver: Mapping[str, str] | None = None,
    assumed: Mapping[str, str] | None = None,
    found: Sequence[Finding] | None = None,
    sources: tuple[Source, ...] = (),
    left_out: tuple[str, ...] = (),
    seconds: float = 0.0,
) -> list[Event]:
    """What `verify` says about `config`; `found` are its findings where they are not those of the catalogue."""
    units, rows = table(config, Readings())
    began = Began("verify", config.job_queue_name, sources, left_out, assumed=assumed or {})
    judged = findings(config, Readings()) if found is None else found
    return [began, *units, *rows, *judged, *(results or HOLDS), *theorems, Ended(seconds, solver or {})]
