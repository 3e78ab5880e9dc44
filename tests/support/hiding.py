"""A trace with its claims hidden, as a scheduler tells it that names none: each stop, whose it was for, or what kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quotaproof.checker.conform.backend import Answer, Declaration
from quotaproof.checker.conform.verdict import Tested, judged
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario
from quotaproof.spec.observations import Observation, Preempting, Submitted

TELLS = ("claimants", "kinds", "stops")
"""What is still told of a stop, ever less."""


def hidden(seen: Sequence[Observation], tells: str) -> Iterator[Observation]:
    """The trace with a stop for each victim instead of claims, and without their ends."""
    share = {what.job: what.share for what in seen if isinstance(what, Submitted)}
    for what in seen:
        if isinstance(what, ev.Claim):
            for victim in what.victims:
                own = share.get(victim) == share.get(what.job)
                kind = None if tells == "stops" else "in-share" if own else "cross-share"
                yield Preempting(victim, what.job if tells == "claimants" else None, kind)
        elif not isinstance(what, ev.Release):
            yield what


def judged_hidden(scenario: Scenario, answer: Answer, declared: Declaration, tells: str) -> Tested:
    """The verdict on an answer whose claims nobody tells."""
    weak = replace(answer, seen=tuple(hidden(answer.seen, tells)))
    return judged(scenario, weak, replace(declared, claims=False))
