"""What the engine answers to one question about a configuration, and on which readings the answer rests.

The question is asked under the readings in force. Then it is asked under every other choice of those that change a number
of its units and that nobody fixed: a promise that is kept may be broken under some of them, one that is broken may be
kept. `result` makes a verdict of it. How reclaim depends on readings is in `reclaim`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from ...prove.solver import Answer
from ...results import Combination, Result, Verdict
from .envelope import Envelope, Found, Proved, Question, Reached, Undecided
from .envelopes import Envelopes


@dataclass(frozen=True)
class Answered:
    """The answer under the readings in force, and what it rests on."""

    found: Found
    breaks: tuple[Combination, ...] = ()
    """Kept: the minimal changes of readings that break it."""
    rests_on: Combination | None = None
    """Broken: as few as possible of the choices in force under which it is broken, whatever the others are."""
    unsure: tuple[str, ...] = ()
    """Changes of readings under which the solver gave up."""


def answered(envelopes: Envelopes, question: Question) -> Answered:
    """The question asked under every choice of readings that can matter to it."""
    found = envelopes.in_force.reach(question)
    if isinstance(found, Undecided):
        return Answered(found)
    _, *others = envelopes.variants(question.units)
    said = [(group, _can(envelopes.under(group[0]), question, found)) for group in others]
    unsure = tuple(_said(group[0]) for group, answer in said if answer is Answer.UNKNOWN)
    if isinstance(found, Reached):
        kept = [change for group, answer in said if answer is not Answer.PROVED for change in group]
        codes = _hit({frozenset(change) for change in kept})
        return Answered(found, rests_on={c: envelopes.readings[c] for c in codes}, unsure=unsure)
    broken = [change for group, answer in said if answer is Answer.PROVED for change in group]
    return Answered(found, breaks=minimal(broken), unsure=unsure)


def _can(envelope: Envelope, question: Question, found: Found) -> Answer:
    """Whether a bad state can be reached, looked for first where it was found under the readings in force."""
    again = isinstance(found, Reached) and envelope.again(question, found)
    return Answer.PROVED if again else envelope.can(question)


def minimal(changes: Iterable[Combination]) -> tuple[Combination, ...]:
    """Those of which no other is a part, fewest readings first."""
    found: list[Combination] = []
    for change in sorted(changes, key=lambda c: (len(c), sorted(c.items()))):
        if not any(f.items() <= change.items() for f in found):
            found.append(change)
    return tuple(found)


def _hit(sets: set[frozenset[str]]) -> tuple[str, ...]:
    """As few codes as possible of which every set has one."""
    codes = sorted(frozenset().union(*sets))
    every = (chosen for n in range(len(codes) + 1) for chosen in combinations(codes, n))
    return next(chosen for chosen in every if all(s.intersection(chosen) for s in sets))


def _said(change: Combination) -> str:
    return "undecided with " + " and ".join(f"{code}={choice}" for code, choice in change.items())


def result(
    code: str, subject: str, answer: Answered, *, because: str, broken: str, more: tuple[str, ...] = (),
    breaks: tuple[Combination, ...] = (), assumes: tuple[str, ...] = (),
) -> Result:  # fmt: skip
    """The verdict of an answer: `because` where it is kept, `broken` where it is not.

    `breaks`: further combinations of readings that break what is kept.
    """
    more = (*more, *answer.unsure)
    match answer.found:
        case Undecided(reason):
            return Result(code, Verdict.UNKNOWN, reason, subject)
        case Reached():
            rests = answer.rests_on or {}
            verdict = Verdict.BROKEN_IF if rests else Verdict.BROKEN
            return Result(code, verdict, broken, subject, (rests,) if rests else (), asked=bool(rests), more=more)
        case Proved():
            every = minimal((*answer.breaks, *breaks))
            verdict = Verdict.HOLDS_IF if every else Verdict.HOLDS_HERE
            return Result(code, verdict, because, subject, every, assumes=assumes, more=more)
