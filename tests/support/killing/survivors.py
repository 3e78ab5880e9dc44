"""Why nobody kills a mutant: it says the same as the rule, or what it says otherwise no promise is about."""

from __future__ import annotations

from quotaproof.spec.rules.mutants import Mutant

from . import theorem


def why_not(mutant: Mutant) -> str:
    """The reason, '' when there is none."""
    if theorem.equivalent(mutant):
        return "equivalent: the guard says the same in every lawful state"
    if theorem.equivalent(mutant, defaults=True):
        return "equivalent at the default readings; at others no promise that is proved is about it"
    return ""
