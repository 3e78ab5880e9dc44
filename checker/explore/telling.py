"""What an experiment is, and what it rests on: where the choices of a question look different, whatever else is open.

Every other open question is turned to its other choices, one by one and many at once, and victims are chosen and stop in
other orders; questions that change what is looked at are named in `assumes`. Trusted: the reference, by way of `trial`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

from ...reference.run import GoesRound
from ...spec.model import QueueConfig
from ...spec.readings import READINGS, Readings
from .trial import Course, Move, Refused, course, most_important_first

JOINT = 100
"""Random combinations of other choices that an experiment must survive."""

Place = tuple[int, str]
"""A look and a job: where to look."""


@dataclass(frozen=True)
class Experiment:
    """A sequence of moves after which the choices of a question look different."""

    code: str
    config: QueueConfig
    moves: tuple[Move, ...]
    base: Readings
    """Choices of other questions that it needs."""
    shown: Mapping[str, Mapping[Place, str]]
    """Choice -> what is shown at each place that tells."""
    assumes: Mapping[str, str] = field(default_factory=dict[str, str])
    """Choices of other questions on which these places depend."""

    @property
    def places(self) -> tuple[Place, ...]:
        """Where to look."""
        return tuple(next(iter(self.shown.values())))

    def readings(self, choice: str) -> Readings:
        """What is taken for granted under a choice."""
        return self.base.assuming({self.code: choice})

    def course(self, choice: str) -> Course:
        """The whole trial under a choice."""
        return course(self.config, self.moves, self.readings(choice))


def judged(code: str, choices: Sequence[str], config: QueueConfig, moves: tuple[Move, ...], base: Readings,
            ended: Sequence[Course]) -> Experiment | None:  # fmt: skip
    """The moves as an experiment with the places that rest on least, or None when nothing tells the choices apart."""
    candidates = list(_telling([_seen(c) for c in ended]))
    if not candidates:
        return None
    plain = {choice: _seen(c) for choice, c in zip(choices, ended, strict=True)}
    changed = {name: _changed(code, plain, config, moves, base, vary) for name, vary in _variations(code, base).items()}
    touched = {places: [n for n, where in changed.items() if where & set(places)] for places in candidates}
    places = min(touched, key=lambda p: (len({n[0] for n in touched[p]}), len(p), sum(not look % 2 for look, _ in p)))
    shown = {c: {p: plain[c][p] for p in places} for c in choices}
    needs = {n[0]: base[n[0]] for n in touched[places]}
    return Experiment(code, config, moves, base, shown, {**dict(base.chosen), **needs})


def _seen(c: Course) -> dict[Place, str]:
    return {(f.look, f.job): f.shown for f in c.facts()}


def _telling(seen: Sequence[Mapping[Place, str]]) -> Iterator[tuple[Place, ...]]:
    """One place at which all choices look different, or two that do so together."""
    everywhere = sorted(set.intersection(*(set(s) for s in seen)))
    telling = [p for p in everywhere if len({s[p] for s in seen}) > 1]
    alone = [(p,) for p in telling if len({s[p] for s in seen}) == len(seen)]
    yield from alone
    if not alone:
        yield from ((p, q) for p, q in combinations(telling, 2) if len({(s[p], s[q]) for s in seen}) == len(seen))


Vary = Mapping[str, Any]


@cache
def _variations(code: str, base: Readings) -> dict[tuple[str, str], Vary]:
    """Every other question's other choices, one at a time; and free choices that no reading names, under A26."""
    found: dict[tuple[str, str], Vary] = {}
    for other in Readings():
        for choice in READINGS[other].choices if other != code else ():
            if choice != base[other]:
                found[other, choice] = {"readings": {other: choice}}
    if code != "A26":
        found["A26", "another victim"] = {"vary": most_important_first}
        found["A26", "another order of stopping"] = {"last_first": True}
    return found


def run(
    code: str, choice: str, config: QueueConfig, moves: Sequence[Move], base: Readings, vary: Vary
) -> Course | None:
    readings = base.assuming({**vary.get("readings", {}), code: choice})
    try:
        return course(config, moves, readings, vary=vary.get("vary"), last_first=vary.get("last_first", False))
    except (GoesRound, Refused, KeyError):
        return None


def _changed(code: str, plain: Mapping[str, Mapping[Place, str]], config: QueueConfig, moves: Sequence[Move],
             base: Readings, vary: Vary) -> set[Place]:  # fmt: skip
    """The places at which something else is shown under a variation."""
    found: set[Place] = set()
    for choice, before in plain.items():
        made = run(code, choice, config, moves, base, vary)
        now = _seen(made) if made else {}
        found |= {p for p in before if now.get(p) != before[p]}
    return found


def jointly(e: Experiment) -> dict[str, str]:
    """`assumes`, with one question more for each random combination of the others that shows something else."""
    rng = random.Random(e.code)
    assumes = dict(e.assumes)
    for _ in range(JOINT):
        free = [o for o in Readings() if o != e.code and o not in assumes]
        other = {o: rng.choice(list(READINGS[o].choices)) for o in free if rng.random() < 0.5}
        while (culprits := other) and not _survives(e, culprits):
            smaller = (({o: c for o, c in culprits.items() if o != gone}) for gone in culprits)
            failing = next((s for s in smaller if s and not _survives(e, s)), None)
            if failing is None:
                first = min(culprits)
                assumes[first] = e.base[first]
                other = {o: c for o, c in other.items() if o not in culprits}
            else:
                other = failing
    return dict(sorted(assumes.items()))


def _survives(e: Experiment, other: Mapping[str, str]) -> bool:
    for choice, shown in e.shown.items():
        made = run(e.code, choice, e.config, e.moves, e.base, {"readings": other})
        now = _seen(made) if made else {}
        if any(now.get(p) != text for p, text in shown.items()):
            return False
    return True
