"""`verify`: one loaded queue to one stream of events. The only place where table, findings, proofs and witnesses meet.

Nothing here judges; the verdicts come from `prove`, the numbers from `findings`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from ..spec.model import QueueConfig, State
from ..spec.readings import Readings
from .results import Began, Ended, Event, Finding, Rests, Result, Source, Witness

if TYPE_CHECKING:
    from datetime import date

    from ..spec import formats
    from ..spec.formats import Loaded
    from ..spec.formats.scenario import Scenario
    from .prove.crosscheck import CrossCheck
    from .prove.numbers import Numbers


def verify(
    loaded: Loaded,
    readings: Readings,
    *,
    timeout: float | None = None,
    emit: Path | None = None,
    cross_check: CrossCheck | None = None,
    games: bool = False,
    suggest: bool = False,
    today: date,
) -> Iterator[Event]:
    """Judge the queue of `loaded`, and the promises about it. A witness comes before the first event that names it.

    `timeout` bounds the solver, in seconds; `emit` is a folder for its conditions; `cross_check` looks at its
    answers again; `games` asks for what a share can get by gaming the queue. `suggest` looks for the smallest change with
    which a broken promise holds. `today` decides which promises are in force and which decisions to
    accept something still count.
    """
    from .findings.catalogue import findings
    from .findings.sensitivity import sensitive
    from .findings.table import table
    from .findings.waive import accept
    from .prove.solver import Solver
    from .prove.theorems import prove
    from .prove.verify import verdicts
    from .rollout.promises.case import Case
    from .rollout.promises.judge import judged as judge_promises

    start = perf_counter()
    config = loaded.config
    yield Began(
        "verify",
        config.job_queue_name,
        sources=sources_of(loaded.sources),
        left_out=loaded.left_out,
        notes=(*loaded.notes, *disabled(config)),
        assumed=dict(readings.chosen),
        jobs=loaded.job_names,
        files=sources_of(loaded.files),
    )
    units, rows = table(config, readings, assumed=loaded.capacity_assumed)
    yield from units
    yield from rows
    yield from (Rests(code, otherwise) for code, otherwise in sensitive(config, readings, rows))
    found = findings(loaded, readings, today=today, games=games)
    proved = prove(timeout, emit, cross_check)
    judged = verdicts(config, readings, proved)
    names = {s.name for s in config.shares}
    results = [_placed(result, loaded, names) for result in accept(judged.results, found)]
    yield from shown(found, results, judged.numbers)
    yield from proved.theorems()
    if loaded.promises is not None:
        solver = Solver(seconds=timeout)
        case = Case(loaded.promises, config, readings, proved, today, loaded.jobs, solver)
        yield from judge_promises(case, suggest=suggest)
    yield Ended(perf_counter() - start, dict(proved.solver))


def sources_of(files: Sequence[formats.Source]) -> tuple[Source, ...]:
    return tuple(Source(f.name, f.path, f.kind) for f in files)


def _placed(result: Result, loaded: Loaded, names: Collection[str]) -> Result:
    """The result at the limit that it is about: its subject is "SHARE, UNIT" then. `names` are those of the shares."""
    share, _, unit = result.subject.partition(", ")
    return replace(result, place=loaded.place(share, "limit", unit)) if unit and share in names else result


def disabled(config: QueueConfig) -> tuple[str, ...]:
    """What is switched off: the numbers are those of an enabled queue."""
    notes: list[str] = []
    if config.environment.state is State.DISABLED:
        notes.append("The service environment is DISABLED: nothing starts until it is enabled (rule 52).")
    off = [s.name for s in config.shares if s.state is State.DISABLED]
    if off:
        notes.append(
            f"DISABLED, so it takes no new jobs (rule 50); the numbers are for jobs it has (A46): {', '.join(off)}."
        )
    return tuple(notes)


def _told(numbers: Numbers, unit: str, name: str) -> Scenario | None:
    """The scenario that a finding about a unit names."""
    from .rollout.games import pairs

    if name in pairs.CODES:
        return pairs.witness(name, numbers.config, numbers.readings, numbers.lots)
    return numbers.oversubscribed(unit, name)


def shown(findings: Sequence[Finding], results: Sequence[Result], numbers: Numbers) -> Iterator[Event]:
    """Findings and results, each after the scenarios that it names; a name without a scenario is left out."""
    known: dict[str, bool] = {"": False}

    def scenario(name: str, find: Callable[[], Scenario | None]) -> Iterator[Witness]:
        from ..spec.formats.scenario import as_form

        if name not in known:
            made = find()
            known[name] = made is not None
            if made is not None:
                yield Witness(name, as_form(made))

    for finding in findings:
        name, unit = finding.witness, finding.unit
        yield from scenario(name, lambda name=name, unit=unit: _told(numbers, unit, name))
        yield finding if known[name] else replace(finding, witness="")
    for result in results:
        for name in (result.witness, *result.witnesses):
            yield from scenario(name, lambda name=name: numbers.scenario(name))
        yield replace(
            result,
            witness=result.witness if known[result.witness] else "",
            witnesses=tuple(w if known[w] else "" for w in result.witnesses),
        )
