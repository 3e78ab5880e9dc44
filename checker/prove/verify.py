"""Verdicts for one configuration: theorems for any number of shares, and the numbers of this one. Kept apart.

What the numbers decide (does a share always get its own back?) is arithmetic on each unit, and each claim "broken"
carries a scenario that was played. No solver is asked about a share.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...spec.model import QueueConfig
from ...spec.readings import READINGS, Readings
from ...spec.rules.guarantees import GUARANTEES
from ..explore.closed import JOBS
from ..results import Combination, Result, Verdict
from ..witness.play import play
from .numbers import CLOSED, Numbers, reclaim_results
from .theorems import STATEMENTS, Proofs

STEP_CODES = ("G1", "G2", "G3", "G4", "G5x", "G5s", "G6", "G7", "G8", "G9", "G10", "G11", "G12", "G13", "G15", "G17")
_UNPROVED = {"A15": "no", "A18": "backfill", "A23": "no", "A24": "b", "A28": "greedy", "A58": "freed"}
"""Readings under which Theorem U says nothing."""
_PLATFORM = {
    "G16": "assumed of the scheduler: rule 26, it dispatches jobs that fit",
    "G19": "what becomes of a share that is deleted is not judged here (A48)",
    "G20": "assumed of the platform: every drain ends",
    "G21": "assumed of the scheduler: rule 39, it stops lower priorities of the share for a higher one",
}


@dataclass(frozen=True)
class Judged:
    """Every guarantee's result, and the numbers of the configuration with their witnesses."""

    results: tuple[Result, ...]
    numbers: Numbers


def verdicts(config: QueueConfig, readings: Readings, proofs: Proofs) -> Judged:
    """Judge `config`. `readings` are those the user fixed; the others are free."""
    numbers = Numbers.of(config, readings)
    results = [_step_result(proofs, code, numbers) for code in STEP_CODES]
    results += reclaim_results(numbers, fails=proofs.reclaim_fails())
    results += [_circles(numbers, proofs), *_fixed(numbers)]
    order = list(GUARANTEES)
    results.sort(key=lambda r: order.index(r.code))
    return Judged(tuple(results), numbers)


def _step_result(proofs: Proofs, code: str, numbers: Numbers) -> Result:
    proof = proofs.by_code[code]
    absent = numbers.not_applicable(code)
    if absent:
        return Result(code, Verdict.NOT_APPLICABLE, absent)
    if unknown := proof.unknown or proofs.laws_fail():
        return Result(code, Verdict.UNKNOWN, unknown)
    letter = next(letter for letter, codes, _ in STATEMENTS if code in codes)
    theorem = f"Theorem {letter}, any number of shares"
    open_ = numbers.still_open(proof.broken)
    if not open_:
        return Result(code, Verdict.HOLDS_ALWAYS, theorem, assumes=proof.assumes)
    asked = any(numbers.is_asked(c) for c in open_)
    verdict = Verdict.BROKEN_IF if asked else Verdict.HOLDS_IF
    return Result(code, verdict, theorem, combinations=open_, assumes=_assumes(open_), asked=asked)


def _assumes(combinations: tuple[Combination, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{c} {READINGS[c].default}" for f in combinations for c in f))


def _circles(numbers: Numbers, proofs: Proofs) -> Result:
    """G18."""
    if not numbers.somebody_borrows and not numbers.in_share:
        why = "nobody can be preempted: no share borrows, in-share preemption is off"
        return Result("G18", Verdict.NOT_APPLICABLE, why)
    shown = numbers.circles
    combinations, witnesses = tuple(s.readings for s in shown), tuple(s.witness for s in shown)
    asked = next((s for s in shown if numbers.is_asked(s.readings)), None)
    if asked is not None:
        return Result("G18", Verdict.BROKEN_IF, "preemption goes round", asked.subject, combinations,
                      witnesses=witnesses, witness=asked.witness, asked=True)  # fmt: skip
    proof = proofs.by_code["G18"]
    if unknown := proof.unknown or proofs.laws_fail() or ("" if proof.proved else "Theorem U is refuted"):
        return Result("G18", Verdict.UNKNOWN, unknown)
    outside = [f"{c}={v}" for c, v in _UNPROVED.items() if numbers.assumed(c) == v]
    if outside:
        return Result("G18", Verdict.UNKNOWN, f"{', '.join(outside)} is outside Theorem U", combinations=combinations,
                      witnesses=witnesses)  # fmt: skip
    if numbers.largest_job <= 1:
        why = "no job can have more than 1 machine; Theorem U"
        verdict = Verdict.HOLDS_IF if shown else Verdict.HOLDS_HERE
        return Result("G18", verdict, why, combinations=combinations, witnesses=witnesses)
    why = "proved for jobs of one machine (Theorem U); open for larger ones"
    tried, circle = numbers.closed or (0, None)
    if circle is not None and play(circle).shows:
        return Result("G18", Verdict.BROKEN_IF, "preemption goes round", combinations=(dict(numbers.readings.chosen),),
                      witness=CLOSED, asked=True)  # fmt: skip
    if tried and circle is None:
        why += f"; no circle in this queue with any of {tried} sets of {JOBS} jobs"
    return Result("G18", Verdict.UNKNOWN, why, combinations=combinations, witnesses=witnesses, open=True)


def _fixed(numbers: Numbers) -> list[Result]:
    """Guarantees that a configuration alone does not put at risk."""
    minimal = numbers.assumed("A28") == "minimal"
    return [
        Result("G6+", Verdict.NOT_APPLICABLE, "judged on plans, when a scheduler is judged" if minimal
               else "only where A28 is read as minimal"),
        Result("G16", Verdict.NOT_APPLICABLE, _PLATFORM["G16"]),
        Result("G19", Verdict.NOT_APPLICABLE, _PLATFORM["G19"]),
        Result("G20", Verdict.NOT_APPLICABLE, _PLATFORM["G20"]),
        Result("G21", Verdict.NOT_APPLICABLE, _PLATFORM["G21"]),
    ]  # fmt: skip
