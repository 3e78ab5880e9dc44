"""`verify`: one loaded queue to one `Verification`. The only place where table, findings, proofs and witnesses meet.

Nothing here judges; the verdicts come from `prove`, the numbers from `findings`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from ..spec.model import QueueConfig, State
from ..spec.readings import Readings
from .results import Verification

if TYPE_CHECKING:
    from ..spec.formats import Loaded
    from ..spec.formats.scenario import Scenario


MOST_STEPS = 200
"""A longer job sequence is told by its finding, but nobody would follow it step by step."""


def verify(
    loaded: Loaded, readings: Readings, *, timeout: float | None = None, emit: Path | None = None
) -> Verification:
    """Judge the queue of `loaded`. `timeout` bounds the solver, in seconds; `emit` is a folder for its conditions."""
    from .findings.catalogue import findings
    from .findings.table import table
    from .prove.verify import verdicts

    start = perf_counter()
    config = loaded.config
    units, rows = table(config, readings, assumed=loaded.capacity_assumed)
    found = findings(config, readings, place=loaded.place, assumed=loaded.capacity_assumed)
    results, theorems, solver = verdicts(config, readings, timeout=timeout, emit=emit)
    verification = Verification(
        queue=config.job_queue_name,
        units=units,
        rows=rows,
        findings=found,
        results=tuple(results),
        theorems=tuple(theorems),
        assumed=dict(readings.chosen),
        notes=(*loaded.notes, *disabled(config)),
        solver=dict(solver),
        read=loaded.read,
        left_out=loaded.left_out,
    )
    return replace(verification, seconds=perf_counter() - start)


def disabled(config: QueueConfig) -> tuple[str, ...]:
    """What is switched off: the numbers are those of an enabled queue."""
    notes: list[str] = []
    if config.environment.state is State.DISABLED:
        notes.append("The service environment is DISABLED: nothing starts until it is enabled (rule 52).")
    off = [s.name for s in config.shares if s.state is State.DISABLED]
    if off:
        notes.append(f"DISABLED, so it takes no new jobs (rule 50): {', '.join(off)}.")
    return tuple(notes)


def scenarios(
    verification: Verification, config: QueueConfig, readings: Readings
) -> tuple[Verification, Mapping[str, str]]:
    """The scenario file of every witness that is named: file name -> content. A name without one is taken out."""
    from ..spec.formats.scenario import as_form
    from .findings.table import lots
    from .prove.numbers import Numbers
    from .witness.find import Ground, oversubscribed
    from .witness.play import play

    units = {lot.unit: lot for lot in lots(config, readings)}
    numbers = Numbers.of(config, readings)
    found: dict[str, Scenario] = {}
    for finding in verification.findings:
        if finding.witness:
            stem = finding.witness.removesuffix(".json")
            made = oversubscribed(Ground(config, units[finding.unit], readings), stem)
            if len(made.steps) <= MOST_STEPS and play(made).shows:
                found[finding.witness] = made
    for name in {r.witness for r in verification.results if r.witness} - set(found):
        made = numbers.scenario(name)
        if made is not None:
            found[name] = made
    shown = replace(
        verification,
        findings=tuple(f if f.witness in found else replace(f, witness="") for f in verification.findings),
        results=tuple(r if r.witness in found else replace(r, witness="") for r in verification.results),
    )
    return shown, {name: f"{json.dumps(as_form(made), indent=2)}\n" for name, made in sorted(found.items())}
