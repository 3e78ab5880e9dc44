"""Mutants of the rules and the theorems: which condition is refuted, and whether a mutant says the same as the rule.

The conditions are made from `spec.rules.actions` with one guard replaced, everywhere that the prover asks for it.
Conditions that come out as they are without a mutant were proved and are not asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Literal
from unittest.mock import patch

from quotaproof.checker.prove import reclaim, safety, steps
from quotaproof.checker.prove.solver import Answer, Condition, Solver
from quotaproof.checker.prove.steps import UNIT, lawful, own_claim, running
from quotaproof.spec.expr.mutants import exchange
from quotaproof.spec.expr.nodes import Bool, Node, all_of, bool_var, const
from quotaproof.spec.readings import READINGS
from quotaproof.spec.rules import actions
from quotaproof.spec.rules.mutants import ACTOR, OTHER, RULES, Mutant, changed, planted, swapped, written
from quotaproof.spec.rules.quantities import NOW
from quotaproof.spec.rules.view import Cell, Named, Summarised, View, readings_in

ASKED = {"A15": "yes", "A23": "yes", "A58": "whole"}
"""Readings under which every condition is proved, whatever the others are."""
_TRUE = {name: getattr(actions, name) for name in (*RULES, "room", "over")}


@dataclass(frozen=True)
class Refuted:
    """A condition that a mutant refutes."""

    code: str
    name: str
    readings: dict[str, str]
    """Readings other than the defaults that it takes."""


@contextmanager
def planted_in_proofs(mutant: Mutant | None) -> Iterator[None]:
    """The prover sees the mutant's guards; None: the true ones, written in the same way."""
    for rule in RULES:
        written(rule, (UNIT,))

    def guard(rule: str, view: View, *shares: str) -> Bool:
        root = written(rule, view.units) if mutant is None else changed(mutant, rule, view.units)
        return planted(root, view, *shares)

    def replaced(rule: str):
        true = _TRUE[rule]
        if rule in ("holds", "yields"):
            return lambda view, *shares: guard(rule, view, *shares)
        return lambda view, *shares: actions.Step(guard(rule, view, *shares), true(view, *shares).effect)

    def room(c, moment, prefix):
        if prefix != "dispatch" or moment is not NOW:
            return _TRUE["room"](c, moment, prefix)
        return planted(_room(mutant), c.view, c.share)

    def over(view, share):
        return planted(_over(mutant), view, share)

    with patch.multiple(actions, room=room, over=over, **{rule: replaced(rule) for rule in RULES}):
        yield


@cache
def _room(mutant: Mutant | None) -> Bool:
    """What a dispatch asks of a cell, with the mutant in it where it is about that."""
    root = _TRUE["room"](Named((ACTOR, OTHER), (UNIT,)).at(ACTOR, UNIT), NOW, "dispatch")
    if mutant is None or mutant.rule != "dispatch":
        return root
    old, new = swapped(mutant, UNIT)
    return exchange(root, mutant.point.code, {id(old): new})


@cache
def _over(mutant: Mutant | None) -> Bool:
    """When a claim is over, with the mutant in it where it is about that."""
    root = _TRUE["over"](Named((ACTOR, OTHER), (UNIT,)), ACTOR)
    if mutant is None or mutant.rule != "release":
        return root
    old, new = swapped(mutant, UNIT)
    return const(True) if mutant.point.position == 0 else exchange(root, "", {id(old): new})


def conditions(mutant: Mutant | None) -> list[Condition]:
    """Every condition that depends on a guard."""
    with planted_in_proofs(mutant):
        steps.moves.cache_clear()
        found = [*safety.step_conditions(), *reclaim.reclaim_conditions()]
        steps.moves.cache_clear()
    return found


@cache
def correct() -> tuple[Condition, ...]:
    """Without a mutant."""
    return tuple(conditions(None))


@cache
def solver() -> Solver:
    return Solver()


def affected(mutant: Mutant) -> list[Condition]:
    """The conditions that the mutant makes different."""
    pairs = zip(correct(), conditions(mutant), strict=True)
    return [new for old, new in pairs if not _same((old.goal, *old.assume), (new.goal, *new.assume))]


def _same(old: tuple[Node, ...], new: tuple[Node, ...]) -> bool:
    return len(old) == len(new) and all(a is b for a, b in zip(old, new, strict=True))


def refutes(mutant: Mutant) -> Refuted | None:
    """The first condition that it refutes at the default readings, else at others; None when every one is proved."""
    asked = affected(mutant)
    for defaults in (True, False):
        for condition in asked:
            used = readings_in(*condition.assume, condition.goal)
            fixed = {code: READINGS[code].default for code in used} if defaults else ASKED
            given = tuple(bool_var(f"{code}={choice}") for code, choice in fixed.items() if code in used)
            outcome = solver().decide(
                Condition(condition.code, condition.name, (*condition.assume, *given), condition.goal)
            )
            assert outcome.answer is not Answer.UNKNOWN, (mutant.id, condition.name)
            if outcome.answer is Answer.REFUTED:
                other = {c: v for c, v in outcome.readings.items() if c in used and READINGS[c].default != v}
                return Refuted(condition.code, condition.name, {} if defaults else dict(sorted(other.items())))
    return None


Relation = Literal["same", "stronger", "weaker"]
"""Of a mutant to the rule: it says the same, it refuses whatever the rule refuses, it allows whatever the rule allows."""


def related(
    mutant: Mutant,
    relation: Relation,
    *,
    defaults: bool = True,
    given: Callable[[Cell], Bool] | None = None,
) -> bool:
    """Whether the guards with the mutant are so related to the rules in every lawful state; `defaults`: at those readings.

    `given` is assumed of the acting share.
    """
    return all(_related(mutant, rule, relation, defaults, given) for rule in mutant.rules)


def equivalent(mutant: Mutant) -> bool:
    """Whether the guards with the mutant say the same as the rules in every lawful state, whatever the readings."""
    return related(mutant, "same", defaults=False)


def _related(
    mutant: Mutant, rule: str, relation: Relation, defaults: bool, given: Callable[[Cell], Bool] | None
) -> bool:
    victim = "c" if rule == "preempt_in_share" else "v"
    view = Summarised(tuple(dict.fromkeys(("c", victim))), (UNIT,))
    true = planted(written(rule, (UNIT,)), view, "c", victim)
    wrong = planted(changed(mutant, rule, (UNIT,)), view, "c", victim)
    c, v = view.at("c", UNIT), view.at(victim, UNIT)
    known = [view.number("stage", job) >= 0 for job in ("job", "victim")]
    known += [view.number("priority", job) >= 0 for job in ("job", "victim")]
    if rule.startswith("preempt"):
        known.append(running(v))
    if rule in ("dispatch", "holds", "release"):
        known.append(own_claim(c))
    if given is not None:
        known.append(given(c))
    if defaults:
        used = readings_in(true, wrong, *known)
        known += [bool_var(f"{code}={READINGS[code].default}") for code in used]
    goal = {"same": true == wrong, "stronger": wrong.implies(true), "weaker": true.implies(wrong)}[relation]
    condition = Condition("", mutant.id, (lawful(view), all_of(*known)), goal)
    return solver().decide(condition).answer is Answer.PROVED
