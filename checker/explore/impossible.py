"""The coverage goals that no state reaches, each with the reason, and the proof.

`possible` asks Z3 for any state of any three shares; the states that it knows of are more than a queue comes to. Trusted:
Z3, and that what it is told here is true of every queue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from ...spec.expr.nodes import Bool, all_of
from ...spec.readings import Readings
from ...spec.rules.laws import well_formed
from ...spec.rules.view import Enumerated, Running
from ..judge.state import ROLES
from .guards import GUARDS, UNIT, Goal, goals_of

_WITHIN = (
    "Who is entitled stays within its limit, settled: it neither exceeds it, nor borrows, nor needs what lenders lend."
)
_KEPT = "A job that takes its share above the limit takes more than what is kept for the share."


def _ends(guard: str, clause: str, *comparisons: int) -> tuple[Goal, ...]:
    """Both edges of some comparisons of a clause."""
    return tuple(Goal(guard, clause, number, holds) for number in comparisons for holds in (True, False))


def _fails(guard: str, clause: str) -> tuple[Goal, ...]:
    """The clause alone is false, and its first comparison only just is."""
    return Goal(guard, clause, holds=False), Goal(guard, clause, 1, holds=False)


IMPOSSIBLE: Mapping[Goal, str] = {
    **{
        goal: _WITHIN
        for name in ("preempt across", "claim")
        for goal in (
            *(g for clause in ("limit", "borrow-limit", "pool") for g in _fails(name, f"settled.{clause}")),
            *_ends(name, "settled.pool", 2, 3),
        )
    },
    Goal("dispatch", "dispatch.pool", 2): _KEPT,
    Goal("preempt in share", "settled.pool", 2): _KEPT,
}
"""Goal -> why no state reaches it; all are proved."""


def possible(goal: Goal, readings: Readings) -> bool:
    """Whether any state of any three shares reaches the goal; False is proved, by Z3."""
    import z3

    from ...spec.expr.smt import Terms

    view = Enumerated(ROLES, (UNIT,), readings)
    asked = goals_of(goal.guard, _over(view, goal.guard))[goal]
    solver, terms = z3.Solver(), Terms()
    solver.set("timeout", 10_000)
    solver.add(*[terms(formula) for formula in (*_known(view, goal.guard), asked)])
    return solver.check() != z3.unsat


def _over(view: Enumerated, name: str) -> Bool:
    made = GUARDS[name](cast("Running", view))
    assert isinstance(made, Bool)
    return made


def _known(view: Enumerated, name: str) -> Iterator[Bool]:
    """Some of what is true wherever the guard is asked for: jobs ask for their unit, victims hold it."""
    for share in ROLES:
        c = view.at(share, UNIT)
        due, later = view.number("own_due", share, UNIT), view.number("own_later", share, UNIT)
        yield all_of(well_formed(c), c.asks >= 1, due + later <= c.asks)
        yield all_of(due >= 0, later >= 0, due <= c.claims_due, later <= c.claims_later)
    for share in ROLES[:1] if name == "preempt in share" else ROLES:
        yield view.number("takes", share, UNIT) >= 1
    yield all_of(view.number("capacity", UNIT) >= 0, view.number("priority", "victim") >= 0)
    for best in ("best_waiting", "best_ready"):
        yield view.number(best, "actor") >= view.number("priority", "job")
