"""Planted bugs: guards that forget one clause or read one number wrongly, and what each of them breaks.

A bug is a function from guard to guard. The theorems are asked again with it, at default readings; conditions that the
bug leaves as they are were proved without it and are not asked again (equal expressions are the same object).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from quotaproof.checker.prove import reclaim, safety
from quotaproof.checker.prove.solver import Answer, Condition, Outcome, Solver, decide_all
from quotaproof.checker.prove.steps import as_is
from quotaproof.spec.expr.nodes import Bool, Node, any_of, bool_var, clause, const, int_var
from quotaproof.spec.expr.walk import clauses, rebuild, variables, without
from quotaproof.spec.readings import READINGS
from quotaproof.spec.rules import actions
from quotaproof.spec.rules.quantities import NOW, claimed, drains_due, settled_usage
from quotaproof.spec.rules.view import Cell, Summarised, readings_in

Bug = Callable[[Bool], Bool]


# asking the theorems again


def at_readings(condition: Condition, chosen: Mapping[str, str] | None = None) -> Condition:
    """The condition with every reading in it fixed: at its default, or as `chosen` says."""
    given = {code: READINGS[code].default for code in readings_in(*condition.assume, condition.goal)}
    fixed = [bool_var(f"{code}={choice}") for code, choice in {**given, **(chosen or {})}.items()]
    return replace(condition, assume=(*condition.assume, *fixed))


def theorems(change: Bug = as_is) -> Iterator[Condition]:
    """Every condition that depends on a guard."""
    yield from safety.step_conditions(change)
    yield from reclaim.reclaim_conditions(change)


@cache
def solver() -> Solver:
    """One for all bugs: what they have in common is translated once."""
    return Solver()


@cache
def correct() -> tuple[Condition, ...]:
    """The same without a bug."""
    return tuple(theorems())


@cache
def altered(bug: Bug) -> list[Condition]:
    """The conditions that the bug makes different."""
    pairs = zip(correct(), theorems(bug), strict=True)
    return [new for old, new in pairs if not _same((old.goal, *old.assume), (new.goal, *new.assume))]


def _same(old: tuple[Bool, ...], new: tuple[Bool, ...]) -> bool:
    return len(old) == len(new) and all(a is b for a, b in zip(old, new, strict=True))


def refuted(
    bug: Bug, chosen: Mapping[str, str] | None = None, given: Callable[[Condition], Condition] = lambda c: c
) -> list[Outcome]:
    """What the bug breaks at these readings, each condition changed by `given`. An unknown answer is an error."""
    outcomes = decide_all(solver(), [at_readings(given(c), chosen) for c in altered(bug)])
    assert all(o.answer is not Answer.UNKNOWN for o in outcomes)
    return [o for o in outcomes if o.answer is Answer.REFUTED]


def codes(outcomes: list[Outcome]) -> set[str]:
    """The guarantees that are broken."""
    return {o.condition.code for o in outcomes}


def kinds(outcomes: list[Outcome]) -> set[str]:
    """The kinds of step of refuted conditions, without roles and details."""
    return {o.condition.name.split(" (")[0] for o in outcomes}


def cells(*parts: Bool) -> list[Cell]:
    """The cells that formulas speak of."""
    shares = tuple(dict.fromkeys(n.split(".")[1] for n in variables(*parts) if n.startswith("usage.")))
    view = Summarised(shares, ("u",))
    return [view.at(share, "u") for share in shares]


def without_debt(condition: Condition) -> Condition:
    """The same while what is used and kept fits the environment, as it does until an administrator acts."""
    one = cells(*condition.assume)[0]
    return replace(condition, assume=(*condition.assume, one.total(NOW.protected) <= one.capacity))


# a guard that forgets one clause


@cache
def forgetting(code: str) -> Bug:
    """Every guard without the clause `code`."""
    return lambda guard: without(guard, code)


@dataclass(frozen=True)
class Forgotten:
    """What is broken when a clause is forgotten: `codes`, in these kinds of step, at these readings."""

    codes: frozenset[str]
    kinds: frozenset[str]
    readings: Mapping[str, str] = field(default_factory=dict)
    why: str = ""


DISPATCHES = "dispatch", "preempt and dispatch at once"


def _breaks(codes: str, *kinds: str, why: str = "", **readings: str) -> Forgotten:
    return Forgotten(frozenset(codes.split()), frozenset(kinds), readings, why)


FORGOTTEN: Mapping[str, Forgotten] = {
    "dispatch.runnable": _breaks("G10", *DISPATCHES),
    "dispatch.environment-enabled": _breaks("G13", *DISPATCHES),
    "dispatch.share-kept": _breaks("G13", *DISPATCHES),
    "dispatch.share-enabled": _breaks("G13", *DISPATCHES, A46="no", why="by default a DISABLED share's jobs still run"),
    "dispatch.head": _breaks("G9", *DISPATCHES),
    "dispatch.limit": _breaks("G4", *DISPATCHES),
    "dispatch.borrow-limit": _breaks("G3", *DISPATCHES),
    "dispatch.environment": _breaks(
        "G1", *DISPATCHES, why="redundant until the environment is cut: usage is protected, and that fits it"
    ),
    "dispatch.reserved": _breaks("G2", *DISPATCHES),
    "dispatch.pool": _breaks("G2", *DISPATCHES),
    "dispatch.hold": _breaks("G7", "T3 a claim stays funded: dispatch",
                             "T3 a claim stays funded: preempt and dispatch at once"),
    "dispatch.yields": _breaks("G8", "dispatch yields to an entitled head"),
    "preempt.dispatched": _breaks("G10", "preempt cross-share", "preempt in-share"),
    "preempt.share-kept": _breaks("G5x", "preempt cross-share"),
    "preempt.head": _breaks("G5x", "preempt cross-share"),
    "preempt.entitled": _breaks("G5x", "preempt cross-share"),
    "preempt.above-limit": _breaks("G5x", "preempt cross-share"),
    "preempt.lacks": _breaks("G6", "preempt cross-share"),
    "preempt.needed": _breaks("G5x G6", "preempt cross-share",
                              why="the choice of a unit with both preempt.lacks and preempt.above-limit"),
    "in-share.enabled": _breaks("G5s", "preempt in-share"),
    "in-share.share-kept": _breaks("G5s", "preempt in-share"),
    "in-share.higher": _breaks("G5s", "preempt in-share"),
    "in-share.head": _breaks("G5s", "preempt in-share"),
    "in-share.lacks": _breaks("G6", "preempt in-share"),
    "in-share.needed": _breaks("G6", "preempt in-share"),
    "claim.head": _breaks("G9", "claim"),
    "claim.entitled": _breaks("G5x", "claim"),
    "claim.suffices": _breaks("G7", "a claim is funded when it is opened"),
    "release.over": _breaks("G7", "release"),
    "stop.draining": _breaks("G10", "stop"),
    "finish.holds": _breaks("G10", "finish", "finish while draining"),
    "return.scheduled": _breaks("G10", "return for lack of machines"),
    "cancel.live": _breaks("G10", "cancel"),
    "submit.share-enabled": _breaks("G13", "submit"),
    "submit.queue-enabled": _breaks("G13", "submit"),
}  # fmt: skip

DEFINITIONS = {f"settled.{part}" for part in ("limit", "borrow-limit", "environment", "reserved", "pool")}
"""Clauses inside what a job lacks: they say what "lacks" means and guard nothing by themselves."""


def written_codes() -> set[str]:
    """The code of every clause that an action, or a part that a caller adds to one, is made of."""
    view = Summarised(("one", "two"), ("u",))
    roots: list[Bool] = []
    for name, function in inspect.getmembers(actions, inspect.isfunction):
        parameters = list(inspect.signature(function).parameters)
        returns = function.__annotations__.get("return")
        if (
            function.__module__ != actions.__name__
            or parameters[:1] != ["view"]
            or name.startswith("_")
            or "prefix" in parameters
        ):
            continue
        made = function(view, *["one", "two"][: len(parameters) - 1])
        if returns in ("Step", "Bool"):
            roots.append(made.guard if returns == "Step" else made)
    return {code for root in roots for code in clauses(root)}


def proved_codes() -> set[str]:
    """The code of every clause in a guard that the theorems give to `change`."""
    seen: set[str] = set()

    def look(guard: Bool) -> Bool:
        seen.update(clauses(guard))
        return guard

    list(theorems(look))
    return seen


# a scheduler that gets reclaim wrong


def inside(guard: Bool, codes: tuple[str, ...], change: Callable[[Bool], Bool]) -> Bool:
    """The guard with the bodies of these clauses changed."""

    def swap(node: Node) -> Node | None:
        if node.op != "clause" or node.args[0] not in codes:
            return None
        code, body, fails, words = node.args
        return clause(code, change(body), fails, **dict(words))

    return rebuild(guard, swap)


def swapped(guard: Bool, codes: tuple[str, ...], pairs: list[tuple[Node, Node]]) -> Bool:
    """The guard with each first node of a pair replaced by the second, inside these clauses only."""
    return inside(guard, codes, lambda body: rebuild(body, lambda n: next((b for a, b in pairs if n is a), None)))


def hold_only_what_was_freed(guard: Bool) -> Bool:
    """A claim holds what its victims have freed so far; what was free already goes to whoever comes first."""
    return swapped(guard, ("dispatch.hold",), [(bool_var("A58=whole"), const(False))])


def forget_claims_without_victims(guard: Bool) -> Bool:
    """A claim is kept in the list of drains, so one for which nothing drains holds nothing."""
    if not (mine := cells(guard)):
        return guard
    nothing_drains = mine[0].total(drains_due) == 0
    return inside(guard, ("dispatch.hold",), lambda body: any_of(nothing_drains, body))


def count_own_drains_as_used(guard: Bool) -> Bool:
    """A share whose own victims still drain counts as using their machines when it is asked whether it is entitled."""
    pairs = [(settled_usage(c), c.usage + claimed(c)) for c in cells(guard)]
    return swapped(guard, ("claim.entitled", "preempt.entitled"), pairs)


def count_drained_victims_as_borrowed(guard: Bool) -> Bool:
    """A share is hit again while the victims that bring it to its limit still drain."""
    return swapped(guard, ("preempt.above-limit",), [(settled_usage(c), c.usage) for c in cells(guard)])


def count_later_drains_as_gone(guard: Bool) -> Bool:
    """What drains for a later claim counts as free when an earlier claim's promise is checked."""
    pairs = [(int_var(f"drains_due.{c.share}.u"), c.drains_due + c.drains_later) for c in cells(guard)]
    return swapped(guard, ("dispatch.hold",), pairs)
