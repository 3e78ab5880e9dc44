"""The conditions of every theorem, made once, and which readings refute which."""

from __future__ import annotations

from functools import cache

from quotaproof.checker.prove import reclaim, safety
from quotaproof.checker.prove.solver import (
    Condition,
)

THEOREMS = {
    "laws": safety.law_conditions,
    "safety": safety.step_conditions,
    "reserve": safety.reserve_conditions,
    "reclaim": reclaim.reclaim_conditions,
    "rank": reclaim.unit_rank,
}

FUNDED = ({"A58": "freed"}, {"A23": "no"})
"""A claim loses what it was promised when claims hold only what was freed, or nothing."""

EXPECTED = {
    ("G8", "dispatch yields to an entitled head"): ({"A15": "no"},),
    ("G7", "T3 a claim stays funded: dispatch (f is c)"): FUNDED,
    ("G7", "T3 a claim stays funded: dispatch (all one share)"): FUNDED,
    ("G7", "T3 a claim stays funded: preempt and dispatch at once (f is c)"): FUNDED,
    ("G7", "T3 a claim stays funded: preempt and dispatch at once (all one share)"): FUNDED,
}
"""Conditions that some readings refute, with the minimal combinations that do. All others hold for every reading."""


@cache
def conditions(theorem: str) -> tuple[Condition, ...]:
    return tuple(THEOREMS[theorem]())


def everything() -> list[Condition]:
    return [c for theorem in THEOREMS for c in conditions(theorem)]
