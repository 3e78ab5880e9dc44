"""Verifications to report on, made without solver or files."""

from __future__ import annotations

from collections.abc import Mapping

from quotaproof.checker.findings.catalogue import findings
from quotaproof.checker.findings.table import table
from quotaproof.checker.results import Result, Theorem, Verdict, Verification
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
    **more: object,
) -> Verification:
    units, rows = table(config, Readings())
    return Verification(
        queue=config.job_queue_name,
        units=units,
        rows=rows,
        findings=findings(config, Readings()),
        results=results or HOLDS,
        theorems=theorems,
        solver=solver or {},
        **more,  # type: ignore[arg-type]
    )
