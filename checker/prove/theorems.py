"""The theorems proved: one `Proof` a guarantee, plain data that says nothing of any configuration.

Every condition is decided with the readings free; where one fails, the minimal combinations of readings that make it
fail are found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...spec.readings import READINGS
from ..results import Combination, Theorem

if TYPE_CHECKING:
    from .crosscheck import CrossCheck

STATEMENTS = (
    ("L", ("laws",), "laws: linear facts of one share, hence of any sum of shares"),
    ("S", ("G1", "G2", "G3", "G4", "G5x", "G5s", "G6", "G8", "G9", "G10", "G11", "G12", "G13"),
     "safety: no dispatch ends with excess, no step but an administrator's makes one larger, any number of shares"),
    ("D", ("G15",), "a share's reserved part never waits for loans"),
    ("R", ("G7", "G14", "G17"), "reclaim: an entitled head gets its share's own back, any victims, gangs, claims"),
    ("U", ("G18",), "preemption of jobs of one machine comes to an end"),
)  # fmt: skip
"""Each theorem's letter, the guarantees whose conditions it is made of, and its statement."""


@dataclass(frozen=True)
class Proof:
    """What was found about one guarantee, or about the laws."""

    code: str
    conditions: int
    broken: tuple[Combination, ...] = ()
    """Minimal combinations of readings that refute it; an empty one means that the defaults do."""
    unknown: str = ""
    """Why something stayed undecided; '' when nothing did."""

    @property
    def proved(self) -> bool:
        """Proved with default readings."""
        return not self.unknown and all(self.broken)

    @property
    def assumes(self) -> tuple[str, ...]:
        """The defaults that keep every refuting combination from happening."""
        return tuple(dict.fromkeys(f"{c} {READINGS[c].default}" for f in self.broken for c in f))


@dataclass(frozen=True)
class Proofs:
    """All of them, whether the assumptions of Theorem R can hold together, and what solved them."""

    by_code: Mapping[str, Proof]
    together: Proof
    solver: Mapping[str, str]

    def laws_fail(self) -> str:
        """Why the laws, all that the other theorems know of most shares, do not hold; '' when they do."""
        laws = self.by_code["laws"]
        return "" if laws.proved else f"the laws of a share: {laws.unknown or 'refuted'}"

    def reclaim_fails(self) -> str:
        """Why Theorem R does not hold with default readings; '' when it does."""
        needed = [*(self.by_code[c] for c in ("laws", "G7", "G14", "G17")), self.together]
        bad = [p for p in needed if not p.proved]
        return f"{bad[0].code}: {bad[0].unknown or 'refuted'}" if bad else ""

    def theorems(self) -> Iterable[Theorem]:
        """The theorems, as reports show them."""
        from .reclaim import ASSUMES

        for letter, codes, statement in STATEMENTS:
            parts = [self.by_code[c] for c in codes] + ([self.together] if letter == "R" else [])
            unknown = next((p.unknown for p in parts if p.unknown), "")
            refuted = any(not p.proved and not p.unknown for p in parts)
            assumes = dict.fromkeys(a for p in parts for a in p.assumes)
            if letter == "R":
                assumes.update(dict.fromkeys(ASSUMES))
            status = "refuted" if refuted else "unknown" if unknown else "proved"
            yield Theorem(letter, statement, status, sum(p.conditions for p in parts), tuple(assumes), unknown)


def prove(timeout: float | None = None, emit: Path | None = None, cross_check: CrossCheck | None = None) -> Proofs:
    """Decide every condition of every theorem.

    `timeout` bounds the solver in seconds: what it does not decide is unknown. `emit` is a folder for the conditions.
    `cross_check` decides each of them again: what it does not confirm is unknown.
    """
    from . import reclaim, safety
    from .solver import Answer, Outcome, Solver, breaking_combinations, decide_all

    solver = Solver(seconds=timeout, emit=emit, cross_check=cross_check)
    outcomes = decide_all(solver, [*safety.law_conditions(), *safety.step_conditions(), *safety.reserve_conditions(),
                                   *reclaim.reclaim_conditions(), *reclaim.unit_rank()])  # fmt: skip
    by_code: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_code.setdefault(outcome.condition.code, []).append(outcome)
    proofs: dict[str, Proof] = {}
    for code, found in by_code.items():
        broken = breaking_combinations(solver, found)
        unknown = next((o.reason for o in found if o.answer is Answer.UNKNOWN), broken.reason)
        proofs[code] = Proof(code, len(found), broken.combinations, unknown)
    together = solver.possible("G14", "the assumptions of Theorem R hold together", *reclaim.satisfiable())
    refuted = ({},) if together.answer is Answer.REFUTED else ()
    return Proofs(proofs, Proof("assumptions of Theorem R", 1, refuted, together.reason), solver.about)
