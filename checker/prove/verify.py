"""Verdicts for one configuration: theorems for any number of shares, and the numbers of this one. Kept apart.

A theorem's conditions are decided with the readings free; where one fails, the minimal combinations of readings that
make it fail are found. What the numbers decide (does a share always get its own back?) is arithmetic on each unit, and
each claim "broken" carries a scenario that was played. No solver is asked about a share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...spec.expr.nodes import all_of, bool_var
from ...spec.model import QueueConfig
from ...spec.readings import READINGS, Readings
from ...spec.rules.guarantees import GUARANTEES
from ..results import Combination, Result, Theorem, Verdict
from . import reclaim, safety
from .numbers import Numbers, reclaim_results
from .solver import Answer, Broken, Condition, Outcome, Solver, breaking_readings, decide_all

STEP_CODES = ("G1", "G2", "G3", "G4", "G5x", "G5s", "G6", "G7", "G8", "G9", "G10", "G11", "G12", "G13", "G15", "G17")
_PLATFORM = {
    "G16": "assumed of the scheduler: rule 26, it dispatches jobs that fit",
    "G19": "no share is being deleted",
    "G20": "assumed of the platform: every drain ends",
}


@dataclass(frozen=True)
class Judged:
    """Every guarantee's result, the theorems they rest on, what solved them, and the numbers with their witnesses."""

    results: tuple[Result, ...]
    theorems: tuple[Theorem, ...]
    solver: Mapping[str, str]
    numbers: Numbers


def verdicts(
    config: QueueConfig, readings: Readings, *, timeout: float | None = None, emit: Path | None = None
) -> Judged:
    """Judge `config`.

    `readings` are those the user fixed; the others are free. `timeout` bounds the solver in seconds: what it does not
    decide is UNKNOWN. `emit` is a folder for the conditions as SMT-LIB.
    """
    solver = Solver(seconds=timeout, emit=emit)
    outcomes = decide_all(solver, [*safety.law_conditions(), *safety.step_conditions(), *safety.reserve_conditions(),
                                   *reclaim.reclaim_conditions(), *reclaim.unit_rank()])  # fmt: skip
    together = solver.possible("G14", "the assumptions of Theorem R hold together", *reclaim.satisfiable())
    base = _by_code(outcomes)
    broken = {code: _combinations(solver, of) for code, of in base.items()}
    numbers = Numbers.of(config, readings)
    results = [_step_result(code, base[code], broken[code], numbers) for code in STEP_CODES]
    needed = [*base["G14"], *base["G17"], *base["laws"], together]
    results += reclaim_results(numbers, proved=all(o.answer is Answer.PROVED for o in needed), reason=_reason(needed))
    results += [_circles(numbers, base["G18"]), *_fixed(numbers)]
    order = list(GUARANTEES)
    results.sort(key=lambda r: order.index(r.code))
    return Judged(tuple(results), tuple(_theorems(base, broken, together)), solver.about, numbers)


def _by_code(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.condition.code, []).append(outcome)
    return found


def _combinations(solver: Solver, outcomes: list[Outcome]) -> Broken:
    """All minimal combinations of readings that break a code."""
    found: list[dict[str, str]] = []
    for outcome in outcomes:
        if outcome.answer is not Answer.REFUTED:
            continue
        known = [~all_of(*[bool_var(f"{c}={v}") for c, v in f.items()]) for f in found]
        old = outcome.condition
        again = solver.decide(Condition(old.code, old.name, (*old.assume, *known), old.goal)) if known else outcome
        broken = breaking_readings(solver, again)
        found += [f for f in broken.combinations if f not in found]
        if again.reason or broken.reason:
            return Broken(tuple(found), again.reason or broken.reason)
    return Broken(tuple(found))


def _step_result(code: str, outcomes: list[Outcome], broken: Broken, numbers: Numbers) -> Result:
    absent = numbers.not_applicable(code)
    if absent:
        return Result(code, Verdict.NOT_APPLICABLE, absent)
    unknown = [o.reason for o in outcomes if o.answer is Answer.UNKNOWN] + ([broken.reason] if broken.reason else [])
    if unknown:
        return Result(code, Verdict.UNKNOWN, unknown[0])
    theorem = f"Theorem {_theorem_of(code)}, any number of shares"
    open_ = numbers.still_open(broken.combinations)
    if not open_:
        return Result(code, Verdict.HOLDS_ALWAYS, theorem, assumes=_assumes(broken.combinations))
    asked = any(numbers.is_asked(c) for c in open_)
    verdict = Verdict.BROKEN_IF if asked else Verdict.HOLDS_IF
    return Result(code, verdict, theorem, combinations=open_, assumes=_assumes(open_), asked=asked)


def _assumes(combinations: tuple[Combination, ...]) -> tuple[str, ...]:
    """The defaults that keep every combination from happening."""
    return tuple(dict.fromkeys(f"{c} {READINGS[c].default}" for f in combinations for c in f))


def _theorem_of(code: str) -> str:
    return {"G15": "D", "G7": "R", "G17": "R"}.get(code, "S")


def _reason(outcomes: list[Outcome]) -> str:
    bad = [o for o in outcomes if o.answer is not Answer.PROVED]
    return f"{bad[0].condition.name}: {bad[0].reason or 'refuted'}" if bad else ""


def _circles(numbers: Numbers, outcomes: list[Outcome]) -> Result:
    """G18."""
    exchange = numbers.exchange()
    if numbers.assumed("A24") == "b" and exchange:
        return Result("G18", Verdict.BROKEN_IF, f"{exchange.subject}: two jobs, each part own and part borrowed",
                      combinations=({"A24": "b"},), witness=exchange.witness, asked=True, subject=exchange.subject)  # fmt: skip
    if not numbers.somebody_borrows and not numbers.in_share:
        return Result("G18", Verdict.NOT_APPLICABLE, "nobody can be preempted: no share borrows, in-share preemption is off")
    combos: tuple[Combination, ...] = ({"A24": "b"},) if exchange and numbers.is_free("A24") else ()
    witness = exchange.witness if exchange and combos else ""
    bad = [o for o in outcomes if o.answer is not Answer.PROVED]
    if bad:
        return Result("G18", Verdict.UNKNOWN, bad[0].reason or f"{bad[0].condition.name} is refuted")
    if numbers.largest_job <= 1:
        verdict = Verdict.HOLDS_IF if combos else Verdict.HOLDS_HERE
        return Result("G18", verdict, "no job can have more than 1 machine; Theorem U", combinations=combos, witness=witness)
    return Result("G18", Verdict.UNKNOWN, "proved for jobs of one machine (Theorem U); open for larger ones",
                  combinations=combos, witness=witness, open=True)  # fmt: skip


def _fixed(numbers: Numbers) -> list[Result]:
    """Guarantees that a configuration alone does not put at risk."""
    minimal = numbers.assumed("A28") == "minimal"
    return [
        Result("G6+", Verdict.NOT_APPLICABLE, "judged on plans, when a scheduler is judged" if minimal
               else "only where A28 is read as minimal"),
        Result("G16", Verdict.NOT_APPLICABLE, _PLATFORM["G16"]),
        Result("G19", Verdict.NOT_APPLICABLE, _PLATFORM["G19"]),
        Result("G20", Verdict.NOT_APPLICABLE, _PLATFORM["G20"]),
    ]  # fmt: skip


_STATEMENTS = (
    ("L", ("laws",), "laws: linear facts of one share, hence of any sum of shares"),
    ("S", ("G1", "G2", "G3", "G4", "G5x", "G5s", "G6", "G8", "G9", "G10", "G11", "G12", "G13"),
     "safety: no dispatch ends with excess, no step but an administrator's makes one larger, any number of shares"),
    ("D", ("G15",), "a share's reserved part never waits for loans"),
    ("R", ("G7", "G14", "G17"), "reclaim: an entitled head gets its share's own back, any victims, gangs, claims"),
    ("U", ("G18",), "preemption of jobs of one machine comes to an end"),
)  # fmt: skip


def _theorems(
    base: Mapping[str, list[Outcome]], broken: Mapping[str, Broken], together: Outcome
) -> Iterable[Theorem]:
    for code, members, statement in _STATEMENTS:
        outcomes = [o for m in members for o in base[m]]
        outcomes += [together] if code == "R" else []
        unknown = [o for o in outcomes if o.answer is Answer.UNKNOWN]
        combinations = [f for m in members for f in broken[m].combinations]
        refuted = any(not f for f in combinations) or (code == "R" and together.answer is Answer.REFUTED)
        status = "refuted" if refuted else "unknown" if unknown else "proved"
        assumes = _assumes(tuple(combinations))
        if code == "R":
            assumes = (*assumes, *(a for a in reclaim.ASSUMES if a not in assumes))
        yield Theorem(code, statement, status, len(outcomes), assumes, unknown[0].reason if unknown else "")
