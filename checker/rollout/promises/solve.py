"""The smallest change of a configuration with which some states can no longer be reached: by counterexamples.

Z3 proposes the cheapest configuration (`Symbolic.costs`, by halving) under the constraints so far; the envelope says
whether a bad state can still be reached in it; each such state becomes a constraint on every configuration, "this state
is not reachable, or not bad", as the numbers of the configuration make it (a share at its limit, at what it may borrow,
one share with what is left, all others at their limits), which excludes many proposals at once. Each is true of every
configuration that is wanted, so a proposal that passes is the cheapest of all, and no proposal at all is a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from ....spec.expr.nodes import Bool, Int, add, all_of, bool_var, const, ite
from ....spec.expr.smt import Terms
from ....spec.model import QueueConfig
from ....spec.rules.commitments import reachable
from ....spec.rules.view import Enumerated
from ...prove.solver import OUT_OF_TIME, Solver
from ...prove.solver import Answer as Said
from .envelope import Envelope, Question, Reached, Undecided
from .symbolic import Symbolic

if TYPE_CHECKING:
    from z3 import ExprRef

ROUNDS = 40
"""Proposals that are judged at most."""
RLIMIT = 5_000_000
"""Z3's deterministic resource units for one of the questions that a proposal takes."""


@dataclass(frozen=True)
class Demand:
    """What a configuration must not come to; `name` of the promise whose demand it is, '' of the question itself."""

    name: str
    question: Question


@dataclass(frozen=True)
class Solved:
    """The cheapest configuration in which nothing bad can be reached, and its costs in the order of `Symbolic.costs`."""

    config: QueueConfig
    costs: tuple[int, ...]


@dataclass(frozen=True)
class Impossible:
    """There is none: proved. `core`: names of demands that together leave none, '' left out."""

    core: tuple[str, ...] = ()


@dataclass(frozen=True)
class GaveUp:
    """None was found; there may be one."""

    reason: str


Answer: TypeAlias = Solved | Impossible | GaveUp
Refuse: TypeAlias = Callable[[QueueConfig], bool]


def _agrees(_config: QueueConfig) -> bool:
    return False


@dataclass
class Search:
    """One search; what was learnt stays, so that a further search under more constraints goes on from there."""

    symbolic: Symbolic
    demands: Sequence[Demand]
    solver: Solver = field(default_factory=Solver)
    refuses: Refuse = _agrees
    """Looks at a proposal in which nothing bad can be reached; True: not this one."""
    rounds: int = 0

    @cached_property
    def _solver(self) -> Any:
        import z3

        made = z3.SimpleSolver()
        made.set("arith.solver", 2)
        made.set("rlimit", RLIMIT)
        for rule in self.symbolic.rules:
            made.add(self._terms(rule))
        return made

    @cached_property
    def _terms(self) -> Terms:
        return Terms()

    @cached_property
    def _costs(self) -> tuple[Any, ...]:
        return tuple(self._terms(cost) for cost in self.symbolic.costs if cost.op != "const")

    @cached_property
    def _least(self) -> dict[tuple[str, ...], list[int]]:
        """Names of demands -> the costs that were least before: under more constraints they are no less."""
        return {}

    def require(self, *parts: Bool) -> None:
        """From now on only configurations of which this is true."""
        for part in parts:
            self._solver.add(self._terms(part))

    def best(self, *, without: Sequence[str] = ()) -> Answer:
        """The cheapest configuration that meets the demands, but for those of these names."""
        import z3

        demands = [d for d in self.demands if d.name not in without]
        names = tuple(dict.fromkeys(d.name for d in demands if d.name))
        for _ in range(ROUNDS):
            self.rounds += 1
            found = self._cheapest(names)
            if found == z3.unknown:
                return GaveUp(self._why_unknown())
            if found == z3.unsat:
                return self._none()
            config = self.symbolic.read(lambda node, model=found: self._value(model, node))
            wrong = self._learn(config, found, demands)
            if isinstance(wrong, GaveUp):
                return wrong
            if not wrong and not self.refuses(config):
                return Solved(config, tuple(self._value(found, c) for c in self.symbolic.costs))
            if not wrong:
                self._exclude(found)
        return GaveUp(f"none within {ROUNDS} proposals")

    def _cheapest(self, names: tuple[str, ...]) -> Any:
        """A model of least costs, the first cost first; or Z3's word where there is none or it gives up."""
        import z3

        kept = [self._terms(_kept(name)) for name in names]
        said = self._check(*kept)
        if said != z3.sat:
            return said
        model, before, same = self._solver.model(), self._least.get(names, []), True
        least: list[int] = []
        self._solver.push()
        try:
            for number, cost in enumerate(self._costs):
                low = before[number] if before and same else 0
                value, model = self._lowest(kept, cost, low, model)
                if model is None:
                    return z3.unknown
                same = same and low == value
                least.append(value)
                self._solver.add(cost <= value)
            model = self._first(kept, model)
        finally:
            self._solver.pop()
        self._least[names] = least
        return model

    def _first(self, kept: Sequence[Any], model: Any) -> Any:
        """Of models that cost the same always the same one: number by number what it is today, else the least it can be.

        Where the solver gives up, the last one.
        """
        import z3

        for number, today in self.symbolic.today:
            term, value = self._terms(number), self._value(model, number)
            if value != today and self._check(*kept, term == self._as(number, today)) == z3.sat:
                model, value = self._solver.model(), today
            elif value != today and isinstance(number, Int):
                value, lowest = self._lowest(kept, term, 0, model)
                model = model if lowest is None else lowest
            self._solver.add(term == self._as(number, value))
        return model

    @staticmethod
    def _as(number: Int | Bool, value: int) -> Any:
        return bool(value) if isinstance(number, Bool) else value

    def _lowest(self, kept: Sequence[Any], cost: Any, low: int, model: Any) -> tuple[int, Any]:
        """The least value of a cost that is `low` at least, and a model of it; no model where the solver gives up."""
        import z3

        high, middle = model.eval(cost, model_completion=True).as_long(), low
        while low < high:
            said = self._check(*kept, cost <= middle)
            if said == z3.unknown:
                return high, None
            if said == z3.sat:
                model = self._solver.model()
                high = model.eval(cost, model_completion=True).as_long()
            else:
                low = middle + 1
            middle = (low + high) // 2
        return high, model

    def _check(self, *parts: Any) -> Any:
        """Z3's word, within the time that is left."""
        import z3

        return self._solver.check(*parts) if self.solver.bounds(self._solver) else z3.unknown

    def _why_unknown(self) -> str:
        return (
            f"the solver gave up: {self._solver.reason_unknown()}" if self.solver.bounds(self._solver) else OUT_OF_TIME
        )

    def _none(self) -> Impossible:
        core = sorted(str(part).removeprefix("kept.") for part in self._solver.unsat_core())
        return Impossible(tuple(core))

    def _value(self, model: Any, node: Int | Bool) -> int:
        import z3

        found: ExprRef = model.eval(self._terms(node), model_completion=True)
        return found.as_long() if z3.is_int_value(found) else int(z3.is_true(found))  # type: ignore[attr-defined]

    def _learn(self, config: QueueConfig, model: Any, demands: Sequence[Demand]) -> bool | GaveUp:
        """Constraints from demands that the proposal does not meet, first those without a name; whether there were any."""
        envelope = Envelope(config, self.symbolic.readings, self.solver)
        wrong = False
        for demand in sorted(demands, key=lambda d: bool(d.name)):
            if wrong and demand.name:
                break
            if envelope.can(demand.question) is Said.REFUTED:
                continue
            found = envelope.reach(_without_loans(demand.question))
            if not isinstance(found, Reached):
                found = envelope.reach(demand.question)
            if isinstance(found, Undecided):
                return GaveUp(found.reason)
            if isinstance(found, Reached):
                wrong = True
                for excluded in self._lessons(demand.question, found, model):
                    self.require(_kept(demand.name).implies(~excluded) if demand.name else ~excluded)
        return wrong

    def _exclude(self, model: Any) -> None:
        """Not these numbers again."""
        numbers = [(n, self._as(n, self._value(model, n))) for n in self.symbolic.numbers]
        self.require(~all_of(*[n == value for n, value in numbers]))

    # from a state to constraints

    def _lessons(self, question: Question, state: Reached, model: Any) -> Iterator[Bool]:
        """ "The queue can come to it, and it is bad", of the state and of those that are like it in other configurations."""
        view = self.symbolic.view(question.units, question.members)
        asks: dict[tuple[str, ...], Int] = {
            ("asks", s, u): const(state.asks.get((s, u), 0)) for s in view.shares for u in view.units
        }
        for usage in self._likenesses(view, state, model):
            told = view.after({**asks, **{("usage", *at): n for at, n in usage.items()}})
            yield all_of(reachable(told), question.bad(told))

    def _likenesses(self, view: Enumerated, state: Reached, model: Any) -> Iterator[Mapping[tuple[str, str], Int]]:
        every = [(s, u) for s in view.shares for u in view.units]
        fixed = {at: const(state.usage.get(at, 0)) for at in every}
        like = {at: self._like(view, at, state.usage.get(at, 0), model) for at in every}
        yield like
        asking = {share for share, _ in state.asks}
        yield {at: like[at] if at[0] in asking else view.at(*at).limit for at in every}
        for unit in view.units:
            rest = [s for s in view.shares if state.usage.get((s, unit), 0) and like[s, unit] is fixed[s, unit]]
            for share in rest[:1]:
                moved = add(*[like[s, unit] - fixed[s, unit] for s in view.shares])
                room = view.number("capacity", unit)
                more = room - self._value(model, room)
                yield {**like, (share, unit): fixed[share, unit] - moved + more}

    def _like(self, view: Enumerated, at: tuple[str, str], used: int, model: Any) -> Int:
        """The usage as the numbers of the share make it: its limit, what it may borrow besides, what it keeps."""
        cell = view.at(*at)
        bounded = all_of(cell.may_borrow, ~cell.unlimited)
        ways = (cell.limit, ite(bounded, cell.limit + cell.borrowable, cell.limit), cell.limit - cell.lendable)
        same = (way for way in ways if way.op != "const" and used and self._value(model, way) == used)
        return next(same, const(used))


def _without_loans(question: Question) -> Question:
    """The same of states in which nobody borrows: they are there whatever the borrow limits, so they exclude more."""
    within = lambda view: [c.usage <= c.limit for share in view.shares for c in view.cells(share)]  # noqa: E731
    return replace(question, bad=lambda view: all_of(question.bad(view), *within(view)))


def _kept(name: str) -> Bool:
    return bool_var(f"kept.{name}")
