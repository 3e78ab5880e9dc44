"""Why nobody kills a mutant. Each reason but the last is decided by Z3 for every lawful state, not believed.

`NOT_REACHED` is no reason that a mutant could not be found: it says in which direction the mutant errs and that no example
does. They are counted in the documentation.
"""

from __future__ import annotations

from collections.abc import Mapping

from quotaproof.spec.expr.nodes import Bool
from quotaproof.spec.rules.mutants import Mutant
from quotaproof.spec.rules.quantities import HELD, shared_capacity
from quotaproof.spec.rules.view import Cell

from .theorem import Relation, related

NOT_REACHED = "not reached: "


def _asked(c: Cell) -> Bool:
    return c.asks >= 1


def _funded(c: Cell) -> Bool:
    return c.total(HELD.used) + c.total(HELD.reserved_idle) <= shared_capacity(c)


def why_not(mutant: Mutant) -> str:
    """The reason."""
    if related(mutant, "same", defaults=False):
        return "equivalent: the guard says the same in every lawful state"
    if related(mutant, "same"):
        return "equivalent at the default readings; at others no promise that is proved is about it"
    if related(mutant, "same", given=_asked):
        return "equivalent where the job asks for the type, and a step is looked at in the types that its job asks for"
    if related(mutant, "same", given=_funded):
        return "equivalent while claims are funded, and one that is not ends before the next start (A56)"
    for relation, words in _WORDS.items():
        if related(mutant, relation):
            return f"{NOT_REACHED}{words}"
    return f"{NOT_REACHED}it refuses some steps and allows others, and no example shows it"


_WORDS: Mapping[Relation, str] = {
    "stronger": "it only refuses more, and in no example does a job wait for that at rest",
    "weaker": "it only allows more, and in no example is that taken",
}
