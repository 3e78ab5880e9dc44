"""`at_most` and `borrows_at_most`: what shares hold together, and what each borrows, never exceeds a bound.

Units weigh as the measure says, so that one question covers several; each is proved by the states that can be reached.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....spec.promises import BorrowsAtMost, HoldsAtMost, Promise
from ....spec.rules.commitments import Bound, borrows_more, holds_more, members_loans, members_usage
from ....spec.rules.view import Quantity
from ...promised import How
from .answers import answered, result
from .case import Case, Judgement
from .envelope import Question, Reached
from .reclaim import shown
from .scenarios import Stage
from .words import bounds, in_use


def at_most(case: Case, promise: Promise, term: HoldsAtMost) -> Iterator[Judgement]:
    """One judgement a bound, of all shares of the promise together."""
    members = tuple(s.name for s in promise.scope.of(case.config))
    whose = promise.scope.group or " + ".join(members)
    for name, bound in bounds(case.promises, term.amounts, case.config).items():
        yield _judged(case, promise, members, whose, name, bound, "hold")


def borrows_at_most(case: Case, promise: Promise, term: BorrowsAtMost) -> Iterator[Judgement]:
    """One judgement a share and bound."""
    for share in promise.scope.of(case.config):
        for name, bound in bounds(case.promises, term.amounts, case.config).items():
            yield _judged(case, promise, (share.name,), share.name, name, bound, "borrow")


def _judged(
    case: Case, promise: Promise, members: tuple[str, ...], whose: str, name: str, bound: Bound, verb: str
) -> Judgement:  # fmt: skip
    more, of = (holds_more, members_usage) if verb == "hold" else (borrows_more, members_loans)
    units = tuple(bound.weights)
    answer = answered(case.envelopes, Question(units, lambda view: more(view, bound), members, members, alone=True))
    most = _most(case, members, bound, of)
    said = "not decided" if most is None else most
    subject = f"{whose}, {name}"
    missing = _counts_nothing(case, members, bound) if name in case.promises.weights else []
    none = f"; {' and '.join(missing)} count{'s' if len(missing) == 1 else ''} 0 {name}" if missing else ""
    made = result(promise.code, subject, answer, because=f"can {verb} at most {said} <= {bound.most} {name}{none}",
                  broken=f"can {verb} {said} > {bound.most} {name}{none}")  # fmt: skip
    if not isinstance(answer.found, Reached):
        return Judgement(How.PROVED, made)
    stage = Stage(case.config, case.readings, promise.code, promise.says)
    limits = {s.name: s.limits for s in case.config.shares}
    come = sum(
        bound.weights.get(unit, 0) * (n if verb == "hold" else max(0, n - limits[share].get(unit, 0)))
        for (share, unit), n in answer.found.usage.items()
    )
    they = f"{members[0]} {verb}s" if len(members) == 1 else f"together they {verb}"
    return shown(made, stage.holds(answer.found, f"{in_use(answer.found)}: {they} {come} > {bound.most} {name}"))


def _counts_nothing(case: Case, members: tuple[str, ...], bound: Bound) -> list[str]:
    """Units that these shares have and that the file gives no weight."""
    has = [s.limits for s in case.config.shares if s.name in members]
    return [u for u in case.config.units if u not in bound.weights and any(u in limits for limits in has)]


def _most(case: Case, members: tuple[str, ...], bound: Bound, of: Quantity) -> int | None:
    """The most that they come to; units are independent, so it is the sum of each unit's."""
    engine, total = case.envelopes.in_force, 0
    for unit, weight in bound.weights.items():
        most = engine.largest((unit,), lambda view, u=unit: view.total(of, u), members)
        if most is None:
            return None
        total += weight * most
    return total
