"""One condition, one answer, in QF_LIA. No answer is cached.

Conditions whose first assumption is the same (what every state of a view satisfies) are asked of one solver, each in a
scope of its own. With a `CrossCheck`, an answer counts when a second solver gives it too.

A `Condition` says that `goal` follows from `assume`; readings that occur in it are free unless assumed, each taking
exactly one of its choices. Trusted: Z3, and the translation in spec.expr.smt.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...spec.expr.nodes import Bool, Node, all_of, any_of, bool_var, const
from ...spec.expr.smt import Terms
from ...spec.expr.walk import children, topological
from ...spec.readings import READINGS
from ...spec.rules.view import readings_in

if TYPE_CHECKING:
    from .crosscheck import CrossCheck

RLIMIT = 20_000_000
"""Z3's deterministic resource units for one condition; the hardest of ours takes a hundredth of it."""


OUT_OF_TIME = "the time of --timeout is used up"
NO_TIMEOUT = 2**32 - 1
"""Z3's word for no timeout, in milliseconds."""


class Answer(StrEnum):
    """What the solver said."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Condition:
    """`goal` holds wherever all of `assume` do. `code` is the guarantee it belongs to."""

    code: str
    name: str
    assume: tuple[Bool, ...]
    goal: Bool


@dataclass(frozen=True)
class Outcome:
    """The answer to one condition, the values that refute it, or why it is unknown."""

    condition: Condition
    answer: Answer
    reason: str = ""
    model: Any = None
    """Z3's model, of a state that satisfies what was asked."""

    @property
    def values(self) -> Mapping[str, int | bool]:
        """The values of that state by variable."""
        return {} if self.model is None else _values(self.model, "")

    @property
    def readings(self) -> dict[str, str]:
        """The readings of that state."""
        chosen = {} if self.model is None else _values(self.model, "=")
        return dict(name.split("=", 1) for name, value in chosen.items() if value is True)


@cache
def one_choice_each(codes: frozenset[str]) -> Bool:
    """For every one of these readings: exactly one of its choices."""
    axioms: list[Bool] = []
    for code in sorted(codes):
        names = [bool_var(f"{code}={choice}") for choice in READINGS[code].choices]
        axioms.append(any_of(*names))
        axioms.extend(any_of(~a, ~b) for i, a in enumerate(names) for b in names[i + 1 :])
    return all_of(*axioms)


_NONE: frozenset[str] = frozenset()


class Solver:
    """Decides conditions within a budget and remembers how many.

    Optionally writes each as SMT-LIB, and has each answer looked at again.
    """

    def __init__(
        self,
        *,
        seconds: float | None = None,
        emit: Path | None = None,
        rlimit: int = RLIMIT,
        cross_check: CrossCheck | None = None,
    ) -> None:
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._emit = emit
        self._rlimit = rlimit
        self._cross_check = cross_check
        self._terms = Terms()
        self._solvers: dict[int, Any] = {}
        self._readings: dict[int, tuple[Node, frozenset[str]]] = {}
        self.asked = 0
        self.emitted = 0

    @property
    def asks_each(self) -> bool:
        """Whether each condition is a question of its own, because it is written or looked at again."""
        return self._emit is not None or self._cross_check is not None

    @property
    def about(self) -> dict[str, str]:
        """Name, version and budget, for reports."""
        import z3

        budget = f"rlimit {self._rlimit} per condition"
        about = {"name": "z3", "version": z3.get_version_string(), "logic": "QF_LIA", "budget": budget}
        return about if self._cross_check is None else {**about, **self._cross_check.about}

    def decide(self, condition: Condition) -> Outcome:
        """Whether the condition holds."""
        return self._check(condition, [*condition.assume, ~condition.goal], Answer.PROVED, Answer.REFUTED)

    def possible(self, code: str, name: str, *parts: Bool) -> Outcome:
        """Whether a state satisfies all parts: PROVED with its values, or REFUTED."""
        condition = Condition(code, name, tuple(parts), const(False))
        return self._check(condition, list(parts), Answer.REFUTED, Answer.PROVED)

    def _check(self, condition: Condition, parts: list[Bool], unsat: Answer, sat: Answer) -> Outcome:
        self.asked += 1
        solver = self._solver(parts[0])
        if not self.bounds(solver):
            return Outcome(condition, Answer.UNKNOWN, reason=OUT_OF_TIME)
        codes = frozenset().union(*(self._readings_in(p) for p in parts))
        parts = [*parts, one_choice_each(codes)]
        solver.push()
        solver.add(*[self._terms(p) for p in parts[1:]])
        try:
            return self._ask(solver, condition, parts, unsat, sat)
        finally:
            solver.pop()

    def bounds(self, solver: Any) -> bool:
        """Gives a solver of Z3 what is left of --timeout; False where nothing is left."""
        left = self._left()
        solver.set("timeout", NO_TIMEOUT if left is None else max(1, int(left * 1000)))
        return left is None or left > 0

    def _left(self) -> float | None:
        """Seconds left of --timeout."""
        return None if self._deadline is None else self._deadline - time.monotonic()

    def _solver(self, base: Bool) -> Any:
        """The solver that assumes `base` and nothing else."""
        import z3

        if id(base) not in self._solvers:
            solver = z3.SimpleSolver()  # the answers of SolverFor("QF_LIA") in half the time on conditions this small
            solver.set("arith.solver", 2)
            solver.set("rlimit", self._rlimit)
            solver.add(self._terms(base))
            self._solvers[id(base)] = solver
        return self._solvers[id(base)]

    def _ask(self, solver: Any, condition: Condition, parts: list[Bool], unsat: Answer, sat: Answer) -> Outcome:
        import z3

        text = f"(set-logic QF_LIA)\n{solver.to_smt2()}" if self.asks_each else ""
        if self._emit is not None:
            self._write(condition, unsat, text)
        found = solver.check()
        if found == z3.unknown:
            return Outcome(condition, Answer.UNKNOWN, reason=f"the solver gave up: {solver.reason_unknown()}")
        model = None if found == z3.unsat else solver.model()
        if self._cross_check is not None:
            state = None if model is None else _values(model, "")
            about = condition.code, condition.name
            doubt = self._cross_check.doubt(about, parts, text, state, self._left())
            if doubt:
                return Outcome(condition, Answer.UNKNOWN, reason=doubt)
        return Outcome(condition, unsat) if model is None else Outcome(condition, sat, model=model)

    def _readings_in(self, part: Bool) -> frozenset[str]:
        """The readings that occur in `part`; each node is looked at once."""
        for node in topological(part, known=self._readings):
            if node.op == "var":
                code, chosen, _ = node.args[0].partition("=")
                found = frozenset((code,)) if chosen else _NONE
            else:
                found = _NONE.union(*(self._readings[id(c)][1] for c in children(node)))
            self._readings[id(node)] = node, found
        return self._readings[id(part)][1]

    def _write(self, condition: Condition, unsat: Answer, text: str) -> None:
        assert self._emit is not None
        self._emit.mkdir(parents=True, exist_ok=True)
        self.emitted += 1
        expected = "unsat" if unsat is Answer.PROVED else "sat"
        header = f"; {condition.code}: {condition.name}\n; expected: {expected}\n"
        (self._emit / f"{self.emitted:04d}-{condition.code}.smt2").write_text(header + text, encoding="utf-8")


def _values(model: Any, part: str) -> dict[str, int | bool]:
    """The values of the variables whose names contain `part`."""
    import z3

    values: dict[str, int | bool] = {}
    for declared in model.decls():
        if part in declared.name():
            value = model[declared]
            values[declared.name()] = value.as_long() if z3.is_int_value(value) else z3.is_true(value)
    return values


@dataclass(frozen=True)
class Broken:
    """Minimal combinations of non-default readings that refute a condition; ({},) when the defaults do.

    `reason` is not empty when the solver gave up on the way: then there may be more, or smaller ones.
    """

    combinations: tuple[dict[str, str], ...]
    reason: str = ""


def breaking_readings(solver: Solver, outcome: Outcome) -> Broken:
    """What refutes a condition. Each combination is found by asking again with the earlier ones excluded."""
    condition = outcome.condition
    used = readings_in(*condition.assume, condition.goal)
    found: list[dict[str, str]] = []
    gave_up = ""

    def asked(*more: Bool) -> Outcome:
        nonlocal gave_up
        answer = solver.decide(Condition(condition.code, condition.name, (*condition.assume, *more), condition.goal))
        gave_up = gave_up or answer.reason
        return answer

    def refuted_with(chosen: Mapping[str, str]) -> bool:
        fixed = [bool_var(f"{c}={chosen.get(c, READINGS[c].default)}") for c in used]
        return asked(*fixed).answer is Answer.REFUTED

    while outcome.answer is Answer.REFUTED:
        keep = {c: v for c, v in outcome.readings.items() if READINGS[c].default != v and c in used}
        for code in sorted(keep):
            fewer = {c: v for c, v in keep.items() if c != code}
            if refuted_with(fewer):
                keep = fewer
        found.append(keep)
        if not keep:
            break
        outcome = asked(*[~all_of(*[bool_var(f"{c}={v}") for c, v in f.items()]) for f in found])
    return Broken(tuple(found), gave_up)


def breaking_combinations(solver: Solver, outcomes: Iterable[Outcome]) -> Broken:
    """The same for several conditions at once: all minimal combinations that refute any of them."""
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


def decide_all(solver: Solver, conditions: Iterable[Condition]) -> list[Outcome]:
    """Every condition decided, in order.

    Those with the same assumptions are asked together first, and a goal that folded to true is not asked at all; a
    solver that asks each condition by itself leaves none out.
    """
    asked = list(conditions)
    if solver.asks_each:
        return [solver.decide(c) for c in asked]
    outcomes = {i: Outcome(c, Answer.PROVED) for i, c in enumerate(asked) if c.goal is const(True)}
    groups: dict[tuple[int, ...], list[int]] = {}
    for i, condition in enumerate(asked):
        if i not in outcomes:
            groups.setdefault(tuple(id(a) for a in condition.assume), []).append(i)
    for members in groups.values():
        first = asked[members[0]]
        goals = all_of(*[asked[i].goal for i in members])
        together = Condition(first.code, f"all of {first.name}", first.assume, goals)
        proved = len(members) > 1 and solver.decide(together).answer is Answer.PROVED
        outcomes.update((i, Outcome(asked[i], Answer.PROVED) if proved else solver.decide(asked[i])) for i in members)
    return [outcomes[i] for i in range(len(asked))]
