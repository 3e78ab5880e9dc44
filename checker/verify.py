"""`verify`: one loaded queue to one `Verification`. The only place where table, findings, proofs and witnesses meet.

Nothing here judges; the verdicts come from `prove`, the numbers from `findings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from ..spec.model import QueueConfig, State
from ..spec.readings import Readings
from .results import Result, Verification

if TYPE_CHECKING:
    from ..spec.formats import Loaded
    from ..spec.formats.scenario import Scenario
    from .prove.numbers import Numbers


def verify(
    loaded: Loaded, readings: Readings, *, timeout: float | None = None, emit: Path | None = None
) -> tuple[Verification, Mapping[str, Scenario]]:
    """Judge the queue of `loaded`: what is reported, and the witnesses it names, by file name.

    `timeout` bounds the solver, in seconds; `emit` is a folder for its conditions.
    """
    from .findings.catalogue import findings
    from .findings.sensitivity import sensitive
    from .findings.table import table
    from .prove.theorems import prove
    from .prove.verify import verdicts

    start = perf_counter()
    config = loaded.config
    units, rows = table(config, readings, assumed=loaded.capacity_assumed)
    found = findings(config, readings, place=loaded.place, assumed=loaded.capacity_assumed)
    proved = prove(timeout, emit)
    judged = verdicts(config, readings, proved)
    verification = Verification(
        queue=config.job_queue_name,
        units=units,
        rows=rows,
        findings=found,
        results=judged.results,
        theorems=tuple(proved.theorems()),
        sensitive=sensitive(config, readings, rows),
        assumed=dict(readings.chosen),
        notes=(*loaded.notes, *disabled(config)),
        solver=dict(proved.solver),
        read=loaded.read,
        left_out=loaded.left_out,
    )
    shown = _witnesses(verification, judged.numbers)
    verification = replace(
        verification,
        findings=tuple(f if f.witness in shown else replace(f, witness="") for f in verification.findings),
        results=tuple(_kept(r, shown) for r in verification.results),
    )
    return replace(verification, seconds=perf_counter() - start), shown


def disabled(config: QueueConfig) -> tuple[str, ...]:
    """What is switched off: the numbers are those of an enabled queue."""
    notes: list[str] = []
    if config.environment.state is State.DISABLED:
        notes.append("The service environment is DISABLED: nothing starts until it is enabled (rule 52).")
    off = [s.name for s in config.shares if s.state is State.DISABLED]
    if off:
        notes.append(f"DISABLED, so it takes no new jobs (rule 50): {', '.join(off)}.")
    return tuple(notes)


def _kept(result: Result, shown: Mapping[str, Scenario]) -> Result:
    """The result without the names of scenarios that are not shown."""
    witness = result.witness if result.witness in shown else ""
    return replace(result, witness=witness, witnesses=tuple(w if w in shown else "" for w in result.witnesses))


def _witnesses(verification: Verification, numbers: Numbers) -> Mapping[str, Scenario]:
    """The scenario of every witness that is named and that shows what it says when it is played."""
    found: dict[str, Scenario] = {}
    for finding in verification.findings:
        if finding.witness and (made := numbers.oversubscribed(finding.unit, finding.witness)) is not None:
            found[finding.witness] = made
    named = {name for r in verification.results for name in (r.witness, *r.witnesses) if name}
    for name in named - set(found):
        if (made := numbers.scenario(name)) is not None:
            found[name] = made
    return found
